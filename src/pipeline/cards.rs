//! The cards of a run: one for readers of its public part, and one for judges.

use std::collections::BTreeMap;

use super::context::Context;
use super::funnel::Funnel;
use crate::audit::card_section;
use crate::engine::EMBEDDED;
use crate::publish::record::{GoldRecord, TaskRecord};

/// The card of the public part.
pub(super) const PUBLIC_CARD: &str = "README.md";
/// The card of the judge's part.
pub(super) const JUDGE_CARD: &str = "card.md";

/// The head of the public card, for programs that load the folder as a dataset.
const FRONT_MATTER: &str = "---
pretty_name: SQL debugging tasks
task_categories:
- text-generation
tags:
- sql
- program-repair
configs:
- config_name: tasks
  data_files: tasks.jsonl
---
";

/// The card of the public part. It says neither the random seed nor where a script comes from.
pub(super) fn public_card(context: Context<'_>, funnel: &Funnel, tasks: usize) -> String {
    let mut card = format!(
        "{FRONT_MATTER}\n# SQL debugging tasks\n\n{tasks} tasks, each a broken Hive or Spark script to repair: `issue_sql` \
         with its `schema_ddl` and `parameters`, and what is known of the fault, an engine's `error_message` (track \
         `syntax`) or a user's `user_query` (track `semantic`). An answer is a line `{{\"instance_id\", \"predict_sql\"}}`; \
         judging needs the other part of the run, which is not published.\n\n| track | tasks |\n|---|---|\n"
    );
    for (track, numbers) in &funnel.tracks {
        card.push_str(&format!("| {track:?} | {} |\n", numbers.published));
    }
    card.push_str(&judged_by(context));
    card.push_str(&format!("\nCanary: {}\n", context.secret.canary()));
    card
}

/// The card of the judge's part.
pub(super) fn judge_card(
    context: Context<'_>,
    funnel: &Funnel,
    records: &BTreeMap<String, (TaskRecord, GoldRecord)>,
) -> String {
    let tasks = records.len();
    let mut card = format!(
        "# SQL debugging tasks, random seed {}\n\n{tasks} tasks. `public/` is what a solver may see; here are `gold.jsonl` for \
         judges, `databases/` with the fake databases that prove each semantic task, and `funnel.json` with what was lost \
         and why. Records of version 2.\n\n| track | asked | published | distance of the mix |\n|---|---|---|---|\n",
        context.settings.seed
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
    card.push_str(&refill_section(funnel));
    card.push_str(&judged_by(context));
    // Stays last: `audit` puts its own table in the place of this section.
    card.push_str(&card_section(records, context.settings.jobs));
    card
}

/// Names the engine that judged.
fn judged_by(context: Context<'_>) -> String {
    if context.engine.external().is_none() {
        return "\nJudged by the embedded engine (SQLite with Hive functions, and Spark's rules); not certified on Spark.\n"
            .to_owned();
    }
    format!(
        "\nJudged by {}: its refusals, its messages, its rows. The fake databases were made, and the witnesses found and \
         reduced, with {EMBEDDED}.\n",
        context.engine.name()
    )
}

/// Describes the tasks that were dropped and replaced; empty if there are none.
fn refill_section(funnel: &Funnel) -> String {
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
