//! What the run says of itself: its settings, tasks, trials and decisions.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::super::funnel::Funnel;
use super::super::hunt::Proof;
use super::super::rewrites::RewriteCard;
use super::super::{BuildError, Settings};
use crate::code::profile::Complexity;
use crate::engine::policy::Policies;
use crate::engine::{Choice, Judge, SparkChoice};
use crate::fault::Track;
use crate::inject::{Mix, Mutant};
use crate::publish::dropped::{DROPPED, Dropped};
use crate::publish::record::{self, GoldRecord, TaskRecord};
use crate::store::yaml::read_yaml;
use crate::store::{RunDirectory, StoreError, read_records};

/// The file of decisions; `sift` and `review` write it.
pub(super) const DECISIONS: &str = "decisions.jsonl";

/// What `run.yaml` says about how to go on. What else it says is compared as a whole.
#[derive(Deserialize)]
struct Card {
    seed: u64,
    syntax: usize,
    semantic: usize,
    faults_per_task: [usize; 2],
    controls: usize,
    mix: Mix,
    #[serde(default)]
    templates: Option<std::path::PathBuf>,
    #[serde(default)]
    complexity: Option<Complexity>,
    #[serde(default)]
    rewrites: Option<RewriteCard>,
    #[serde(default)]
    spark: Option<SparkKept>,
    #[serde(default)]
    policies: Policies,
    #[serde(default)]
    dropped: Option<String>,
}

/// How Spark had the last word.
#[derive(Deserialize)]
struct SparkKept {
    ansi: bool,
    judge: Judge,
}

fn card(run: &Path) -> Result<Card, BuildError> {
    // Opening says in words why a folder is no run; a change that was cut off is completed later.
    match RunDirectory::open(run) {
        Ok(_) | Err(StoreError::Halfway(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let path = run.join("run.yaml");
    let text = std::fs::read_to_string(&path).map_err(|source| StoreError::File { path: path.clone(), source })?;
    read_yaml(&text).map_err(|error| BuildError::Card(format!("{}:{error}", path.display())))
}

/// The settings that the run in `settings.out` was built with; jobs and folders are taken from `settings`.
///
/// # Errors
///
/// When there is no run, or its `run.yaml` does not say what is needed.
pub fn settings_of(settings: Settings) -> Result<Settings, BuildError> {
    let card = card(&settings.out)?;
    let [least, most] = card.faults_per_task;
    Ok(Settings {
        seed: card.seed,
        syntax: card.syntax,
        semantic: card.semantic,
        faults_per_task: least..=most,
        controls: card.controls,
        mix: card.mix,
        templates: settings.templates.clone().or(card.templates),
        complexity: card.complexity,
        policies: card.policies,
        engine: match card.spark {
            None => Choice::Sqlite,
            Some(SparkKept { ansi, judge }) => {
                let usual = settings.engine.spark().cloned().unwrap_or_default();
                Choice::Spark(SparkChoice { ansi, judge, ..usual })
            }
        },
        ..settings
    })
}

/// The files of the run.
pub(super) struct Kept {
    /// Tasks with their gold, by id.
    pub tasks: BTreeMap<String, (TaskRecord, GoldRecord)>,
    /// What was dropped before.
    pub dropped: Vec<Dropped>,
    /// What was decided since.
    pub decisions: Vec<Value>,
    /// Everything that was tried, by id.
    pub mutants: BTreeMap<String, Mutant>,
    /// The verdicts on it, by id.
    pub proofs: BTreeMap<String, Proof>,
    /// The numbers.
    pub funnel: Funnel,
    /// What `run.yaml` says of dropped tasks.
    pub digest: Option<String>,
    /// What `run.yaml` says of models; a refill asks none.
    pub rewrites: Option<RewriteCard>,
}

impl Kept {
    /// Reads a run.
    pub fn read(directory: &RunDirectory) -> Result<Kept, BuildError> {
        let card = card(directory.root())?;
        let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
        let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
        let mut gold: BTreeMap<String, GoldRecord> =
            gold.into_iter().map(|gold| (gold.instance_id.clone(), gold)).collect();
        let with_gold = |task: TaskRecord| Some((task.instance_id.clone(), (gold.remove(&task.instance_id)?, task)));
        let tasks = tasks.into_iter().filter_map(with_gold).map(|(id, (gold, task))| (id, (task, gold))).collect();
        let mutants: Vec<Mutant> = directory.read_records("mutants.jsonl")?;
        let proofs: Vec<Proof> = directory.read_records("proofs.jsonl")?;
        let path = directory.path("funnel.json");
        let funnel =
            std::fs::read_to_string(&path).map_err(|source| StoreError::File { path: path.clone(), source })?;
        let funnel = serde_json::from_str(&funnel).map_err(|error| StoreError::Record {
            path,
            line: error.line(),
            message: error.to_string(),
        })?;
        Ok(Kept {
            tasks,
            dropped: optional(directory, DROPPED)?,
            decisions: optional(directory, DECISIONS)?,
            mutants: mutants.into_iter().map(|mutant| (mutant.id.clone(), mutant)).collect(),
            proofs: proofs.into_iter().map(|proof| (proof.mutant.clone(), proof)).collect(),
            funnel,
            digest: card.dropped,
            rewrites: card.rewrites,
        })
    }

    /// How many tasks of a track the run has.
    pub fn count(&self, track: Track) -> usize {
        self.tasks.values().filter(|(task, _)| track_of(task) == track).count()
    }
}

fn optional<T: serde::de::DeserializeOwned>(directory: &RunDirectory, name: &str) -> Result<Vec<T>, StoreError> {
    let path = directory.path(name);
    if path.exists() { read_records(&path) } else { Ok(Vec::new()) }
}

/// The track of a task, as the taxonomy calls it.
pub(super) fn track_of(task: &TaskRecord) -> Track {
    match task.track() {
        record::Track::Syntax => Track::Syntax,
        record::Track::Semantic => Track::Semantic,
    }
}
