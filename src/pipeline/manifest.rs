//! What `run.yaml` says: everything that decides the bytes of a run.

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::baselines::{Baselines, ReadyReference};
use super::context::Context;
use super::records::TOOL;
use super::settings::ModelUse;
use crate::code::parameters::Parameters;
use crate::code::profile::{Complexity, Profile};
use crate::corpus::Reference;
use crate::corpus::compose::ProfileName;
use crate::engine::policy::Policies;
use crate::engine::{EMBEDDED, SyntaxJudge};
use crate::inject::Mix;
use crate::prove::coverage::Coverage;
use crate::prove::effort::Effort;
use crate::publish::complaint::Hints;
use crate::publish::difficulty::DifficultyTarget;
use crate::store::hexadecimal;

/// The version of the records that this program writes; `check` reads the one before as well.
///
/// 2: a public part and a judge's part, ids keyed by a secret of the run, a canary of the run, verdicts by the names of
/// mutation testing. 1: everything in one folder.
const RECORDS_VERSION: u32 = 2;

/// How Spark judged.
#[derive(Serialize, Deserialize)]
pub(super) struct SparkRecord {
    pub ansi: bool,
    pub judge: SyntaxJudge,
    /// The engine that made the fake databases, and found and reduced the witnesses.
    #[serde(default)]
    witnesses: String,
}

/// What `run.yaml` says of models.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ModelsUsed {
    models: Vec<String>,
    share: f64,
    reword: bool,
}

impl ModelsUsed {
    pub fn of(used: &ModelUse) -> ModelsUsed {
        let models = used.sources.models.iter().map(|model| model.name.clone()).collect();
        ModelsUsed { models, share: used.share, reword: used.reword }
    }
}

/// The settings of a run. Two runs with the same manifest have the same bytes.
///
/// What has a default may be missing in runs of older versions.
#[derive(Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The version of the run's records and of their layout.
    #[serde(default)]
    records: u32,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    engine: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spark: Option<SparkRecord>,
    #[serde(default, skip_serializing_if = "Policies::is_empty")]
    pub policies: Policies,
    pub seed: u64,
    pub syntax: usize,
    pub semantic: usize,
    /// `null` means one, or for syntax tasks of composed references numbers that follow the difficulty.
    pub faults_per_task: Option<[usize; 2]>,
    pub controls: usize,
    pub mix: Mix,
    /// Before there was a choice, every complaint stated the rule.
    #[serde(default = "rule")]
    pub hints: Hints,
    #[serde(default)]
    pub difficulty: DifficultyTarget,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<[usize; 2]>,
    /// Files of which a composed reference consists, least and most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<[usize; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Values of placeholders that were given with the command.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    pub parameters: Parameters,
    #[serde(default)]
    taxonomy: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub templates: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// Models that plant some of the faults.
    #[serde(default, rename = "rewrites", skip_serializing_if = "Option::is_none")]
    pub models: Option<ModelsUsed>,
    #[serde(default)]
    pub scripts: usize,
    /// SHA-256 over the keys of the scripts; `composed` where each task has a reference of its own.
    #[serde(default)]
    pub corpus: String,
    /// SHA-256 of `dropped.jsonl`, when tasks were dropped and others took their places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

fn rule() -> Hints {
    Hints::Rule
}

impl Manifest {
    /// The manifest of a run over these scripts.
    pub fn new(context: Context<'_>, baselines: &Baselines<'_>) -> Manifest {
        let mut corpus = Sha256::new();
        for reference in baselines.references() {
            corpus.update(format!("{} {}\n", reference.id, reference.key()));
        }
        let corpus = hexadecimal(&corpus.finalize());
        Manifest::over(context, baselines.entries().len(), corpus)
    }

    /// The manifest of a run whose references are composed: one for each task.
    pub fn composed(context: Context<'_>) -> Manifest {
        let settings = context.settings;
        Manifest::over(context, settings.syntax + settings.semantic, settings.source.to_string())
    }

    /// The manifest of a run over this many references that passed their baseline, with the digest of their keys.
    pub fn over(context: Context<'_>, scripts: usize, corpus: String) -> Manifest {
        let Context { settings, taxonomy, engine, .. } = context;
        let spark = settings.engine.spark();
        Manifest {
            records: RECORDS_VERSION,
            tool: TOOL.to_owned(),
            engine: engine.name().to_owned(),
            spark: spark.map(|spark| SparkRecord {
                ansi: spark.ansi,
                judge: spark.judge,
                witnesses: EMBEDDED.to_owned(),
            }),
            policies: settings.policies.clone(),
            seed: settings.seed,
            syntax: settings.syntax,
            semantic: settings.semantic,
            faults_per_task: settings.faults_per_task.as_ref().map(|range| [*range.start(), *range.end()]),
            controls: settings.controls,
            mix: settings.mix,
            hints: settings.hints,
            difficulty: settings.difficulty,
            lines: settings.lines,
            files: settings.scripts,
            profile: settings.profile,
            effort: settings.effort,
            parameters: settings.parameters.clone(),
            taxonomy: taxonomy.digest().to_owned(),
            templates: settings.templates.as_ref().map(|folder| folder.display().to_string()),
            complexity: settings.complexity,
            models: settings.models.as_ref().map(ModelsUsed::of),
            scripts,
            corpus,
            dropped: None,
        }
    }
}

/// Returns a digest of all that decides the bytes of a run over these scripts: its settings, the scripts with their
/// cards, and the digest of the tasks that were dropped.
pub(super) fn digest(context: Context<'_>, references: &[Reference], dropped: Option<&str>) -> String {
    let mut hash = Sha256::new();
    for reference in references {
        hash.update(format!("{} {} {}\n", reference.id, reference.key(), json!(reference.card)));
    }
    let dropped = dropped.map(str::to_owned);
    hash.update(json!(Manifest { dropped, ..Manifest::over(context, references.len(), String::new()) }).to_string());
    hexadecimal(&hash.finalize()[..16])
}

/// One line of `scripts.jsonl`: a reference of the run.
#[derive(Serialize)]
pub(super) struct ScriptRecord<'a> {
    script: &'a str,
    key: String,
    domain: &'a str,
    title: &'a str,
    profile: Profile,
    complexity: f64,
    databases: usize,
    coverage: &'a Coverage,
}

impl<'a> ScriptRecord<'a> {
    pub fn of(entry: &'a ReadyReference<'_>, complexity: Complexity) -> ScriptRecord<'a> {
        let profile = Profile::of(&entry.reference.script);
        ScriptRecord {
            script: &entry.reference.id,
            key: entry.reference.key(),
            domain: &entry.reference.card.domain,
            title: &entry.reference.card.title,
            complexity: complexity.of(&profile),
            profile,
            databases: entry.databases,
            coverage: &entry.coverage,
        }
    }
}
