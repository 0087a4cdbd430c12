//! What a run's card says of the agreement.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::cause::{Cause, DisagreementKind};
use super::report::{AgreementCount, AgreementReport};
use crate::publish::dropped::{Dropped, DroppedBy};
use crate::store::{RunDirectory, StoreError};

/// The card of the public part.
const PUBLIC_CARD: &str = "README.md";
/// The card of the judge's part.
const JUDGE_CARD: &str = "card.md";
const HEAD: &str = "## Agreement with ";
const CERTIFIED: &str = "Certified on ";
const EMBEDDED: &str = "Judged by the embedded engine";
const BEFORE: &str = "Before the last refill";

/// Writes the agreement to the run's card, in place of an older one. With `certified`, the number of tasks kept and all
/// that were dropped, the cards also say by which engine the run is certified.
pub(super) fn write(
    directory: &RunDirectory,
    report: &AgreementReport,
    certified: Option<(usize, &[Dropped])>,
) -> Result<(), StoreError> {
    let read = |name: &str| Ok::<_, StoreError>(directory.text_if_any(name)?.unwrap_or_default());
    let certified_by = certified.map(|(kept, dropped)| words(&report.engine, kept, dropped)).unwrap_or_default();
    // Disagreements name scripts and faults, so they are for judges. Runs of older versions have one card for all.
    let judges = if directory.path(JUDGE_CARD).exists() { JUDGE_CARD } else { PUBLIC_CARD };
    if judges != PUBLIC_CARD && certified.is_some() {
        let said = without(&read(PUBLIC_CARD)?, true) + &certified_by;
        directory.write(PUBLIC_CARD, said.as_bytes())?;
    }
    let said = without(&read(judges)?, certified.is_some()) + &section(report) + &certified_by;
    directory.write(judges, said.as_bytes())
}

/// Returns the card without an earlier call's agreement and, with `certified`, without the engine that it names.
fn without(card: &str, certified: bool) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut ours = false;
    for line in card.lines() {
        ours = (ours && !line.starts_with("## ") && !line.starts_with(CERTIFIED)) || line.starts_with(HEAD);
        let replaced = certified && [CERTIFIED, EMBEDDED, BEFORE].iter().any(|start| line.starts_with(start));
        if !ours && !replaced {
            lines.push(line);
        }
    }
    format!("{}\n\n", lines.join("\n").trim_end())
}

fn section(report: &AgreementReport) -> String {
    let total = &report.total;
    let mut said = format!(
        "{HEAD}{}\n\n{} references and {} tasks were judged again; `agreement.json` has the numbers of every fault.\n\n\
         | compared | same | of |\n|---|---|---|\n",
        report.engine, report.references, report.mutants
    );
    let rows: [(&str, AgreementCount); 5] = [
        ("accepted or refused", total.accepted),
        ("error class", total.class),
        ("place of the error", total.place),
        ("results", total.results),
        ("told from the reference", total.kills),
    ];
    for (name, tally) in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(said, "| {name} | {} | {} |", tally.same, tally.of);
    }
    if report.disagreements.is_empty() {
        return said + "\n";
    }
    said.push_str("\n| disagreement | cause | references | tasks |\n|---|---|---|---|\n");
    let mut groups: BTreeMap<(DisagreementKind, Cause), [Vec<&str>; 2]> = BTreeMap::new();
    for it in &report.disagreements {
        let (group, name) = if it.mutant.is_empty() { (0, &it.script) } else { (1, &it.mutant) };
        let names = &mut groups.entry((it.about, it.traced_to)).or_default()[group];
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let cell = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(" ") };
    for ((about, cause), [references, tasks]) in &groups {
        let _ = writeln!(said, "| {} | {} | {} | {} |", about.words(), cause.words(), cell(references), cell(tasks));
    }
    said + "\n"
}

/// Returns the sentence that says that a run is certified.
fn words(engine: &str, kept: usize, dropped: &[Dropped]) -> String {
    let by_engine: Vec<&Dropped> = dropped.iter().filter(|line| line.by == DroppedBy::Engine).collect();
    let replaced = by_engine.iter().filter(|line| line.refill.is_some()).count();
    let before = match replaced {
        0 => String::new(),
        _ => format!(", {replaced} of them before the last refill, whose new tasks were judged too"),
    };
    format!(
        "{CERTIFIED}{engine}: {kept} tasks stand, {} were dropped because it does not bear them out{before} \
         (`dropped.jsonl` says why).\n",
        by_engine.len()
    )
}

#[cfg(test)]
mod tests {
    use super::super::report::EngineDisagreement;
    use super::*;

    #[test]
    fn a_card_counts_what_the_engine_dropped_and_what_was_refilled() {
        let line = |refill| Dropped { refill, ..Dropped::by_engine("a".to_owned(), "r".to_owned()) };
        let vote = Dropped { by: DroppedBy::Sift, ..line(None) };
        assert!(
            words("S", 7, &[line(None), vote.clone()]).starts_with("Certified on S: 7 tasks stand, 1 were dropped")
        );
        let said = words("S", 7, &[line(None), line(Some(1)), vote]);
        assert!(said.contains("2 were dropped") && said.contains(", 1 of them before the last refill"), "{said}");
    }

    #[test]
    fn the_section_stands_once_and_lists_disagreements_by_cause() {
        let disagreement = |mutant: &str, about: DisagreementKind| EngineDisagreement {
            mutant: mutant.to_owned(),
            script: "s/t".to_owned(),
            fault: "f".to_owned(),
            about,
            traced_to: Cause::of(about),
            database: String::new(),
            answers: String::new(),
        };
        let disagreements = vec![
            disagreement("m1", DisagreementKind::Tie),
            disagreement("", DisagreementKind::Tie),
            disagreement("m2", DisagreementKind::Results),
        ];
        let report = AgreementReport { engine: "S".to_owned(), disagreements, ..AgreementReport::default() };
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("run.yaml"), "").unwrap();
        let directory = RunDirectory::open(folder.path()).unwrap();
        let card = "# Run\n\nJudged by the embedded engine (x).\n";
        std::fs::write(directory.path("README.md"), card).unwrap();
        let read = || std::fs::read_to_string(directory.path("README.md")).unwrap();
        write(&directory, &report, None).unwrap();
        let once = read();
        write(&directory, &report, None).unwrap();
        assert_eq!(once, read());
        assert!(once.starts_with(card), "{once}");
        let row = "| rows, by an open choice | the script leaves the choice of a row open, and both choices are right | s/t | m1 |";
        assert!(once.contains(row) && once.contains("| rows | not known | none | m2 |"), "{once}");
        write(&directory, &report, Some((3, &[]))).unwrap();
        let certified = read();
        assert!(
            !certified.contains("embedded engine") && certified.ends_with("(`dropped.jsonl` says why).\n"),
            "{certified}"
        );
        write(&directory, &report, Some((3, &[]))).unwrap();
        assert_eq!(certified, read());
    }
}
