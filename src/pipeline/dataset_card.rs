//! The dataset card of a run: what it tells about itself in `README.md`.

use super::context::Context;
use super::funnel::Funnel;
use crate::engine::EMBEDDED;

/// The dataset card.
pub(super) fn readme(context: Context<'_>, funnel: &Funnel, tasks: usize) -> String {
    let Context { settings, engine, .. } = context;
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
    card.push_str(&refill_section(funnel));
    card.push_str(&match engine.is_embedded() {
        true => {
            "\nJudged by the embedded engine (SQLite with Hive functions, and Spark's rules); not certified on Spark.\n"
                .to_owned()
        }
        false => format!(
            "\nJudged by {}: its refusals, its messages, its rows. The fake databases were made, and the witnesses found \
             and reduced, with {EMBEDDED}.\n",
            engine.name()
        ),
    });
    card
}

/// What a card says of tasks that were dropped and replaced; empty if none were.
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
