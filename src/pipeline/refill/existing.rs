//! What the run says of itself: its settings, tasks, trials and decisions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::super::error::BuildError;
use super::super::funnel::Funnel;
use super::super::manifest::{Manifest, ModelsUsed, SparkRecord};
use super::super::proven::MutantVerdict;
use super::super::settings::{BuildSettings, ReferenceSource};
use crate::corpus::Reference;
use crate::engine::{EngineChoice, SparkChoice};
use crate::fault::Track;
use crate::inject::Mutant;
use crate::publish::dropped::{DROPPED, Dropped};
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::yaml::read_yaml;
use crate::store::{FileError, LARGEST_FILE, RunDirectory, StoreError, locate, regular_text};

/// The file of decisions; `sift` and `review` write it.
pub(super) const DECISIONS: &str = "decisions.jsonl";

fn manifest(run: &Path) -> Result<Manifest, BuildError> {
    // Opening the folder says in words why it is no run; a change that was cut off is completed later.
    match RunDirectory::open(run) {
        Ok(_) | Err(StoreError::Halfway(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let path = locate(run, "run.yaml");
    let text = regular_text(&path, LARGEST_FILE)
        .map_err(|source| StoreError::from(FileError { path: path.clone(), source }))?;
    read_yaml(&text).map_err(|error| BuildError::Manifest(format!("{}:{error}", path.display())))
}

/// Returns the settings that the run in `settings.out` was built with; jobs and folders are taken from `settings`.
///
/// # Errors
///
/// If there is no run, or its `run.yaml` does not say what is needed.
pub fn settings_of(settings: BuildSettings) -> Result<BuildSettings, BuildError> {
    let manifest = manifest(&settings.out)?;
    let source = if manifest.corpus == ReferenceSource::Composed.to_string() {
        ReferenceSource::Composed
    } else {
        settings.source.clone()
    };
    Ok(BuildSettings {
        source,
        seed: manifest.seed,
        syntax: manifest.syntax,
        semantic: manifest.semantic,
        faults_per_task: manifest.faults_per_task.map(|[least, most]| least..=most),
        controls: manifest.controls,
        mix: manifest.mix,
        hints: manifest.hints,
        difficulty: manifest.difficulty,
        lines: manifest.lines,
        scripts: manifest.files,
        profile: manifest.profile,
        effort: manifest.effort,
        parameters: manifest.parameters,
        templates: settings.templates.clone().or_else(|| manifest.templates.map(PathBuf::from)),
        complexity: manifest.complexity,
        policies: manifest.policies,
        engine: match manifest.spark {
            None => EngineChoice::Sqlite,
            Some(SparkRecord { ansi, judge, .. }) => {
                let usual = settings.engine.spark().cloned().unwrap_or_default();
                EngineChoice::Spark(SparkChoice { ansi, judge, ..usual })
            }
        },
        ..settings
    })
}

/// What identifies a reference in `scripts.jsonl`.
#[derive(Deserialize)]
struct ReferenceLine {
    script: String,
    key: String,
}

/// The files of the run.
pub(super) struct ExistingRun {
    /// Tasks with their gold, by id.
    pub tasks: BTreeMap<String, (TaskRecord, GoldRecord)>,
    /// Tasks that earlier refills dropped.
    pub dropped: Vec<Dropped>,
    /// Decisions on its tasks.
    pub decisions: Vec<Value>,
    /// Every mutant that was tried, by id.
    pub mutants: BTreeMap<String, Mutant>,
    /// The verdicts on these mutants, by id.
    pub proofs: BTreeMap<String, MutantVerdict>,
    /// Its references.
    scripts: Vec<ReferenceLine>,
    /// How many references passed their baseline, as `run.yaml` says.
    pub passed: usize,
    /// The digest of those references in `run.yaml`.
    pub corpus: String,
    /// The numbers of the run.
    pub funnel: Funnel,
    /// The digest of dropped tasks in `run.yaml`.
    pub digest: Option<String>,
    /// The models named in `run.yaml`; a refill asks none.
    pub models: Option<ModelsUsed>,
}

impl ExistingRun {
    /// Reads a run.
    pub fn read(directory: &RunDirectory) -> Result<ExistingRun, BuildError> {
        let manifest = manifest(directory.root())?;
        let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
        let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
        let mut gold: BTreeMap<String, GoldRecord> =
            gold.into_iter().map(|gold| (gold.instance_id.clone(), gold)).collect();
        let with_gold = |task: TaskRecord| Some((task.instance_id.clone(), (gold.remove(&task.instance_id)?, task)));
        let tasks = tasks.into_iter().filter_map(with_gold).map(|(id, (gold, task))| (id, (task, gold))).collect();
        let mutants: Vec<Mutant> = directory.read_records("mutants.jsonl")?;
        let proofs: Vec<MutantVerdict> = directory.read_records("proofs.jsonl")?;
        let funnel = directory.read_text("funnel.json")?;
        let funnel = serde_json::from_str(&funnel).map_err(|error| StoreError::Record {
            path: directory.path("funnel.json"),
            line: error.line(),
            message: error.to_string(),
        })?;
        Ok(ExistingRun {
            tasks,
            dropped: optional(directory, DROPPED)?,
            decisions: optional(directory, DECISIONS)?,
            mutants: mutants.into_iter().map(|mutant| (mutant.id.clone(), mutant)).collect(),
            proofs: proofs.into_iter().map(|proof| (proof.mutant.clone(), proof)).collect(),
            scripts: optional(directory, "scripts.jsonl")?,
            passed: manifest.scripts,
            corpus: manifest.corpus,
            funnel,
            digest: manifest.dropped,
            models: manifest.models,
        })
    }

    /// Checks that every script of the run is among the references.
    pub fn check_scripts(&self, root: &Path, references: &[Reference]) -> Result<(), StoreError> {
        let known = |line: &ReferenceLine| references.iter().any(|it| it.id == line.script && it.key() == line.key);
        let Some(missing) = self.scripts.iter().find(|line| !known(line)) else { return Ok(()) };
        let differs = format!("its script {} is not among the references; give its --source", missing.script);
        Err(StoreError::OtherSettings { path: root.to_owned(), differs })
    }

    /// How many tasks of a track the run has.
    pub fn count(&self, track: Track) -> usize {
        self.tasks.values().filter(|(task, _)| task.track() == track).count()
    }
}

fn optional<T: serde::de::DeserializeOwned>(directory: &RunDirectory, name: &str) -> Result<Vec<T>, StoreError> {
    if directory.path(name).exists() { directory.read_records(name) } else { Ok(Vec::new()) }
}
