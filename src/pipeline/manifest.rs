//! What `run.yaml` says: everything that decides the bytes of a run.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::baselines::Baselines;
use super::context::Context;
use super::records::TOOL;
use super::settings::Rewrites;
use crate::code::profile::Complexity;
use crate::engine::policy::Policies;
use crate::engine::{EMBEDDED, Judge};
use crate::inject::Mix;
use crate::publish::complaint::Hints;

/// The version of the records that this program writes; `check` reads the one before as well.
///
/// 2: a public part and a judge's part, ids keyed by a secret of the run, a canary of the run, verdicts by the names of
/// mutation testing. 1: everything in one folder.
const RECORDS_VERSION: u32 = 2;

/// How Spark judged.
#[derive(Serialize)]
struct SparkSettings {
    ansi: bool,
    judge: Judge,
    /// The engine that made the fake databases, and found and reduced the witnesses.
    witnesses: &'static str,
}

/// What `run.yaml` says of models.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ModelsUsed {
    models: Vec<String>,
    share: f64,
    reword: bool,
}

impl ModelsUsed {
    pub fn of(rewrites: &Rewrites) -> ModelsUsed {
        let models = rewrites.sources.models.iter().map(|model| model.name.clone()).collect();
        ModelsUsed { models, share: rewrites.share, reword: rewrites.reword }
    }
}

/// The settings of a run. Two runs with the same manifest have the same bytes.
#[derive(Serialize)]
pub(super) struct Manifest {
    /// The version of the run's records and of their layout.
    records: u32,
    tool: &'static str,
    engine: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    spark: Option<SparkSettings>,
    #[serde(skip_serializing_if = "Policies::is_empty")]
    policies: Policies,
    seed: u64,
    syntax: usize,
    semantic: usize,
    faults_per_task: [usize; 2],
    controls: usize,
    mix: Mix,
    hints: Hints,
    taxonomy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complexity: Option<Complexity>,
    /// Models that plant some of the faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrites: Option<ModelsUsed>,
    scripts: usize,
    /// SHA-256 over the keys of the scripts.
    corpus: String,
    /// SHA-256 of `dropped.jsonl`, when tasks were dropped and others took their places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

impl Manifest {
    /// The manifest of a run over these scripts.
    pub fn new(context: Context<'_>, baselines: &Baselines<'_>) -> Manifest {
        let Context { settings, taxonomy, engine, .. } = context;
        let mut corpus = Sha256::new();
        for reference in baselines.references() {
            corpus.update(format!("{} {}\n", reference.id, reference.key()));
        }
        let spark = settings.engine.spark();
        Manifest {
            records: RECORDS_VERSION,
            tool: TOOL,
            engine: engine.name().to_owned(),
            spark: spark.map(|spark| SparkSettings { ansi: spark.ansi, judge: spark.judge, witnesses: EMBEDDED }),
            policies: settings.policies.clone(),
            seed: settings.seed,
            syntax: settings.syntax,
            semantic: settings.semantic,
            faults_per_task: [*settings.faults_per_task.start(), *settings.faults_per_task.end()],
            controls: settings.controls,
            mix: settings.mix,
            hints: settings.hints,
            taxonomy: taxonomy.digest().to_owned(),
            templates: settings.templates.as_ref().map(|folder| folder.display().to_string()),
            complexity: settings.complexity,
            rewrites: settings.rewrites.as_ref().map(ModelsUsed::of),
            scripts: baselines.entries().len(),
            corpus: corpus.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
            dropped: None,
        }
    }
}
