//! What `run.yaml` says: everything that decides the bytes of a run.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Settings;
use super::write::ENGINE;
use crate::code::profile::Complexity;
use crate::fault::Taxonomy;
use crate::inject::Mix;
use crate::prove::Subject;

/// The settings of a run. Two runs with the same card have the same bytes.
#[derive(Serialize)]
pub(super) struct RunCard {
    tool: &'static str,
    engine: &'static str,
    seed: u64,
    syntax: usize,
    semantic: usize,
    faults_per_task: [usize; 2],
    controls: usize,
    mix: Mix,
    taxonomy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complexity: Option<Complexity>,
    scripts: usize,
    /// SHA-256 over the keys of the scripts.
    corpus: String,
    /// SHA-256 of `dropped.jsonl`, when tasks were dropped and others took their places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

impl RunCard {
    /// The card of a run over these scripts.
    pub fn new(settings: &Settings, taxonomy: &Taxonomy, subjects: &[Subject<'_>]) -> RunCard {
        let mut corpus = Sha256::new();
        for subject in subjects {
            corpus.update(format!("{} {}\n", subject.seed.id, subject.seed.key()));
        }
        RunCard {
            tool: concat!("sqlfault ", env!("CARGO_PKG_VERSION")),
            engine: ENGINE,
            seed: settings.seed,
            syntax: settings.syntax,
            semantic: settings.semantic,
            faults_per_task: [*settings.faults_per_task.start(), *settings.faults_per_task.end()],
            controls: settings.controls,
            mix: settings.mix,
            taxonomy: taxonomy.digest().to_owned(),
            templates: settings.templates.as_ref().map(|folder| folder.display().to_string()),
            complexity: settings.complexity,
            scripts: subjects.len(),
            corpus: corpus.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
            dropped: None,
        }
    }
}
