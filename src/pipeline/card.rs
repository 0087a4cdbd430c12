//! What `run.yaml` says: everything that decides the bytes of a run.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Funnel;
use super::Settings;
use super::rewrites::RewriteCard;
use super::roster::Roster;
use crate::code::profile::Complexity;
use crate::engine::policy::Policies;
use crate::engine::{EMBEDDED, Engine, Judge};
use crate::fault::Taxonomy;
use crate::inject::Mix;

/// How Spark had the last word.
#[derive(Serialize)]
struct SparkCard {
    ansi: bool,
    judge: Judge,
    /// The engine that made the fake databases, and found and reduced the witnesses.
    witnesses: &'static str,
}

/// The settings of a run. Two runs with the same card have the same bytes.
#[derive(Serialize)]
pub(super) struct RunCard {
    tool: &'static str,
    engine: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    spark: Option<SparkCard>,
    #[serde(skip_serializing_if = "Policies::is_empty")]
    policies: Policies,
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
    /// Models that plant some of the faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrites: Option<RewriteCard>,
    scripts: usize,
    /// SHA-256 over the keys of the scripts.
    corpus: String,
    /// SHA-256 of `dropped.jsonl`, when tasks were dropped and others took their places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

impl RunCard {
    /// The card of a run over these scripts.
    pub fn new(settings: &Settings, taxonomy: &Taxonomy, executor: &dyn Engine, roster: &Roster<'_>) -> RunCard {
        let mut corpus = Sha256::new();
        for reference in roster.references() {
            corpus.update(format!("{} {}\n", reference.id, reference.key()));
        }
        let spark = settings.engine.spark();
        RunCard {
            tool: concat!("sqlfault ", env!("CARGO_PKG_VERSION")),
            engine: executor.name().to_owned(),
            spark: spark.map(|spark| SparkCard { ansi: spark.ansi, judge: spark.judge, witnesses: EMBEDDED }),
            policies: settings.policies.clone(),
            seed: settings.seed,
            syntax: settings.syntax,
            semantic: settings.semantic,
            faults_per_task: [*settings.faults_per_task.start(), *settings.faults_per_task.end()],
            controls: settings.controls,
            mix: settings.mix,
            taxonomy: taxonomy.digest().to_owned(),
            templates: settings.templates.as_ref().map(|folder| folder.display().to_string()),
            complexity: settings.complexity,
            rewrites: settings.rewrites.as_ref().map(RewriteCard::of),
            scripts: roster.entries().len(),
            corpus: corpus.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
            dropped: None,
        }
    }
}

/// The dataset card of a run.
pub(super) fn readme(settings: &Settings, executor: &dyn Engine, funnel: &Funnel, tasks: usize) -> String {
    let mut card = format!(
        "# SQL debugging tasks, seed {}\n\n{tasks} tasks. `tasks.jsonl` is what a solver sees, `gold.jsonl` what a judge sees, \
         `databases/` the fake databases that prove each semantic task, `funnel.json` what was lost and why.\n\n\
         | track | asked | published | distance of the mix |\n|---|---|---|---|\n",
        settings.seed
    );
    for (track, numbers) in &funnel.tracks {
        card.push_str(&format!(
            "| {track:?} | {} | {} | {:.3} |\n",
            numbers.asked, numbers.published, numbers.mix_distance
        ));
    }
    card.push_str(&funnel.kills.card());
    card.push_str(&funnel.suites.card());
    card.push_str(&funnel.complaints.card());
    card.push_str(&refill_card(funnel));
    card.push_str(&match executor.is_embedded() {
        true => {
            "\nJudged by the embedded engine (SQLite with Hive functions, and Spark's rules); not certified on Spark.\n"
                .to_owned()
        }
        false => format!(
            "\nJudged by {}: its refusals, its messages, its rows. The fake databases were made, and the witnesses found \
             and reduced, with {EMBEDDED}.\n",
            executor.name()
        ),
    });
    card
}

/// What a card says of tasks that were dropped and replaced; nothing when none were.
fn refill_card(funnel: &Funnel) -> String {
    let Some(refill) = &funnel.refill else { return String::new() };
    let rounds = if refill.rounds == 1 { "one refill".to_owned() } else { format!("{} refills", refill.rounds) };
    let mut card = format!(
        "\nAfter {rounds} (`dropped.jsonl` has every dropped task with the reason):\n\n| track | dropped | refilled |\n|---|---|---|\n"
    );
    for track in funnel.tracks.keys() {
        let reasons = refill.dropped.get(track).into_iter().flatten();
        let reasons: Vec<String> = reasons.map(|(by, count)| format!("{count} {}", by.words())).collect();
        let reasons = if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") };
        let refilled = refill.refilled.get(track).copied().unwrap_or(0);
        card.push_str(&format!("| {track:?} | {reasons} | {refilled} |\n"));
    }
    card
}
