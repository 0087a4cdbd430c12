//! What the panel decided enters the run: accepted alternatives and decisions.

use std::collections::{BTreeMap, HashSet};
use std::io::BufReader;

use serde_json::{Value, json};

use super::ReviewError;
use super::agreement::majority;
use super::decisions::{self, QUEUED, ReviewDecision};
use super::judgement::{FairnessVerdict, Judgement};
use super::session::ReviewSession;
use super::solution::same_words;
use crate::store::{bounded_lines, open_regular};

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Applied {
    /// Alternatives that entered `gold.jsonl`.
    pub alternatives: usize,
    /// Alternatives that do not give the reference's results and stay out: task and annotator.
    pub refused: Vec<(String, String)>,
    /// Tasks that a majority finds fair.
    pub kept: usize,
    /// Tasks that a majority finds unfair.
    pub removed: usize,
    /// Tasks of the queue without such a majority.
    pub waiting: usize,
}

/// Runs every alternative once more, adds those that hold to `gold.jsonl`, and writes the decisions of the majority.
///
/// Each file is replaced whole or not at all; doing it twice changes nothing more.
pub fn apply(session: &ReviewSession) -> Result<Applied, ReviewError> {
    let mut applied = Applied::default();
    let accepted = accepted(session, &mut applied)?;
    if !accepted.is_empty() {
        add_alternatives(session, &accepted)?;
    }
    decide(session, &mut applied)?;
    Ok(applied)
}

/// New alternatives by task.
fn accepted(session: &ReviewSession, applied: &mut Applied) -> Result<BTreeMap<String, Vec<String>>, ReviewError> {
    let mut accepted: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for task in session.queue() {
        let judgements: Vec<Judgement> = session.ledger().of_task(&task.instance_id).into_iter().cloned().collect();
        let (_, gold) = session.task(&task.instance_id)?;
        for judgement in judgements {
            let Some(sql) = judgement.alternative else { continue };
            let found = accepted.entry(task.instance_id.clone()).or_default();
            let mut known = gold.alternatives.iter().chain(std::iter::once(&gold.reference_sql)).chain(found.iter());
            if known.any(|known| same_words(known, &sql)) {
                continue;
            }
            if session.check(&task.instance_id, &sql)?.accepted {
                found.push(sql);
                applied.alternatives += 1;
            } else {
                applied.refused.push((task.instance_id.clone(), judgement.annotator));
            }
        }
    }
    accepted.retain(|_, found| !found.is_empty());
    Ok(accepted)
}

/// Adds alternatives to the lines of their tasks in `gold.jsonl`; lines of other tasks keep their bytes.
fn add_alternatives(session: &ReviewSession, accepted: &BTreeMap<String, Vec<String>>) -> Result<(), ReviewError> {
    let path = session.directory().path("gold.jsonl");
    let fail = |source| ReviewError::File { file: path.clone(), source };
    let mut changed = String::new();
    for line in bounded_lines(BufReader::new(open_regular(&path).map_err(fail)?)) {
        let line = line.map_err(fail)?;
        changed.push_str(&with_alternatives(&line, accepted).unwrap_or(line));
        changed.push('\n');
    }
    session.directory().write("gold.jsonl", changed.as_bytes())?;
    Ok(())
}

fn with_alternatives(line: &str, accepted: &BTreeMap<String, Vec<String>>) -> Option<String> {
    let mut record: Value = serde_json::from_str(line).ok()?;
    let found = accepted.get(record.get("instance_id")?.as_str()?)?;
    let alternatives = record.as_object_mut()?.entry("alternatives").or_insert_with(|| json!([])).as_array_mut()?;
    for sql in found.iter().map(|sql| json!(sql)) {
        if !alternatives.contains(&sql) {
            alternatives.push(sql);
        }
    }
    Some(record.to_string())
}

fn decide(session: &ReviewSession, applied: &mut Applied) -> Result<(), ReviewError> {
    let mut decided = decisions::read(session.directory())?.unwrap_or_default();
    // Only the last line on a task holds; the others go.
    let mut seen = HashSet::new();
    decided.reverse();
    decided.retain(|decision| seen.insert(decision.instance_id.clone()));
    decided.reverse();
    for task in session.queue() {
        let ledger = session.ledger();
        let verdict = majority(&ledger.of_task(&task.instance_id));
        let word = match verdict {
            Some(FairnessVerdict::Fair) => "kept",
            Some(FairnessVerdict::Unfair) => "removed",
            Some(FairnessVerdict::Ambiguous) | None => QUEUED,
        };
        match word {
            "kept" => applied.kept += 1,
            "removed" => applied.removed += 1,
            _ => applied.waiting += 1,
        }
        set(&mut decided, &task.instance_id, word, verdict.is_some());
    }
    session.directory().write_records(decisions::FILE, &decided)?;
    Ok(())
}

fn set(decided: &mut Vec<ReviewDecision>, instance_id: &str, word: &str, by_people: bool) {
    let known = decided.iter_mut().find(|decision| decision.instance_id == instance_id);
    let decision = match known {
        Some(decision) => decision,
        None => {
            let (instance_id, decision) = (instance_id.to_owned(), String::new());
            decided.push(ReviewDecision { instance_id, decision, rest: serde_json::Map::new() });
            let last = decided.len() - 1;
            &mut decided[last]
        }
    };
    word.clone_into(&mut decision.decision);
    if by_people {
        decision.rest.insert("by".to_owned(), json!("review"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::judgement::sample;
    use super::super::test_run::test_run;
    use super::*;
    use crate::publish::record::GoldRecord;
    use crate::store::locate;

    fn say(session: &ReviewSession, task: &str, verdicts: [FairnessVerdict; 3]) {
        let names = ["ann", "bob", "cyd"].into_iter().zip(verdicts);
        session.ledger().append(names.map(|(name, verdict)| sample(task, name, verdict)).collect()).unwrap();
    }

    #[test]
    fn the_majority_decides_and_the_rest_waits() {
        use FairnessVerdict::{Ambiguous, Fair, Unfair};
        let run = test_run(4);
        let earlier = "{\"instance_id\":\"gone\",\"decision\":\"too_easy\",\"solved\":3}\n\
                       {\"instance_id\":\"task0000\",\"decision\":\"queued\",\"tried\":5}\n";
        let session = ReviewSession::open(run.path()).unwrap();
        let file = locate(run.path(), decisions::FILE);
        std::fs::write(&file, earlier).unwrap();
        say(&session, "task0000", [Fair, Fair, Unfair]);
        say(&session, "task0001", [Unfair, Ambiguous, Unfair]);
        say(&session, "task0002", [Fair, Ambiguous, Unfair]);
        let applied = apply(&session).unwrap();
        assert_eq!((applied.kept, applied.removed, applied.waiting), (1, 1, 2));
        let once = std::fs::read_to_string(&file).unwrap();
        assert!(once.starts_with("{\"instance_id\":\"gone\",\"decision\":\"too_easy\",\"solved\":3}\n"), "{once}");
        assert!(once.contains(r#"{"instance_id":"task0000","decision":"kept","tried":5,"by":"review"}"#), "{once}");
        assert_eq!(apply(&session).unwrap(), applied);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), once);
    }

    #[test]
    fn alternatives_that_hold_enter_gold_once_and_others_stay_out() {
        let run = test_run(2);
        let good = "SELECT COUNT(1) AS n FROM shop.sales";
        let before = std::fs::read_to_string(locate(run.path(), "gold.jsonl")).unwrap();
        for round in 0..2 {
            let session = ReviewSession::open(run.path()).unwrap();
            let with = |name: &str, sql: &str| Judgement {
                alternative: Some(sql.to_owned()),
                // Whatever the line claims, the engine decides.
                alternative_accepted: Some(true),
                ..sample("task0001", name, FairnessVerdict::Fair)
            };
            let told = vec![
                with("ann", good),
                with("bob", "SELECT  COUNT(1) AS n\nFROM shop.sales"),
                with("cyd", "SELECT 7 AS n"),
            ];
            session.ledger().append(told).unwrap();
            let applied = apply(&session).unwrap();
            assert_eq!(applied.alternatives, if round == 0 { 1 } else { 0 });
            assert_eq!(applied.refused, [("task0001".to_owned(), "cyd".to_owned())]);
        }
        let after = std::fs::read_to_string(locate(run.path(), "gold.jsonl")).unwrap();
        assert_eq!(after.lines().next(), before.lines().next());
        let gold: GoldRecord = serde_json::from_str(after.lines().nth(1).unwrap()).unwrap();
        assert_eq!(gold.alternatives, [good]);
    }
}
