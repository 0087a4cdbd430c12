//! What each solver tried on a task and how it failed: `attempts.jsonl` and `scores.jsonl`, read a task at a time.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::page::TextDifference;
use crate::score::METRICS;
use crate::store::{LONGEST_LINE, locate, open_regular};

/// One attempt, for the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttemptView {
    pub solver: String,
    /// How: the solver's mode.
    pub mode: String,
    /// What became of the reply: `answered`, `refused`, `truncated`, …
    pub outcome: String,
    /// What became of the answer when it was judged: `equal`, `other_rows`, `failed`, …; empty when it was not.
    pub verdict: String,
    /// More about the verdict: a message, a table.
    pub detail: String,
    /// Whether the answer counts as solved; `None` if it was not judged.
    pub accepted: Option<bool>,
    /// Rounds of an agent or a critic; 1 for all others.
    pub rounds: u64,
    /// The metrics that the answer has, and those that it lacks; empty when it was not judged.
    pub marks: Vec<(&'static str, bool)>,
    /// What the answer changes in the issue SQL; nothing in it if it changes nothing.
    pub change: Option<TextDifference>,
    /// The start of a reply without SQL.
    pub reply: String,
}

/// The files of attempts and scores, with the places of each task's lines.
#[derive(Debug, Default)]
pub struct Attempts {
    attempts: LineIndex,
    scores: LineIndex,
}

/// How much of a reply without SQL is shown, in characters.
const SHOWN_REPLY: usize = 1500;

impl Attempts {
    /// Finds the lines of each task; a run that no solver has seen has none.
    pub fn open(root: &Path) -> Attempts {
        let index = |name: &str| LineIndex::of(&locate(root, name)).unwrap_or_default();
        Attempts { attempts: index("attempts.jsonl"), scores: index("scores.jsonl") }
    }

    /// The attempts on a task, solved ones last.
    pub fn of(&self, instance_id: &str, issue_sql: &str) -> Vec<AttemptView> {
        let scores = self.scores.records(instance_id);
        let mut attempts: Vec<AttemptView> =
            self.attempts.records(instance_id).iter().map(|attempt| entry(attempt, &scores, issue_sql)).collect();
        attempts.sort_by_key(|entry| (entry.accepted == Some(true), entry.solver.clone()));
        attempts
    }
}

fn entry(attempt: &Value, scores: &[Value], issue_sql: &str) -> AttemptView {
    let solver = text(attempt, "solver");
    let score = scores.iter().rev().find(|score| text(score, "solver") == solver);
    let scored = |key: &str| score.map_or_else(String::new, |score| text(score, key));
    let sql = attempt.get("predict_sql").and_then(Value::as_str);
    let mark = |metric: &&'static str| Some((*metric, score?.get(*metric)?.as_bool()?));
    let reply = if sql.is_none() { text(attempt, "raw").chars().take(SHOWN_REPLY).collect() } else { String::new() };
    AttemptView {
        mode: text(attempt, "mode"),
        outcome: text(attempt, "outcome"),
        verdict: scored("outcome"),
        detail: scored("detail"),
        accepted: score.and_then(|score| score.get("accepted")).and_then(Value::as_bool),
        rounds: attempt.get("rounds").and_then(Value::as_u64).unwrap_or(1),
        marks: METRICS.iter().filter_map(mark).collect(),
        change: sql.map(|sql| TextDifference::read(&difference(issue_sql, sql))),
        reply,
        solver,
    }
}

fn text(record: &Value, key: &str) -> String {
    record.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn difference(issue_sql: &str, sql: &str) -> String {
    let difference = similar::TextDiff::from_lines(issue_sql, sql);
    difference.unified_diff().context_radius(1).missing_newline_hint(false).to_string()
}

/// Where the lines of each task stand in a file of records.
#[derive(Debug, Default)]
struct LineIndex {
    path: PathBuf,
    places: HashMap<String, Vec<(u64, usize)>>,
}

#[derive(Deserialize)]
struct Named {
    instance_id: String,
}

impl LineIndex {
    fn of(path: &Path) -> std::io::Result<LineIndex> {
        let mut places: HashMap<String, Vec<(u64, usize)>> = HashMap::new();
        let mut reader = BufReader::new(open_regular(path)?);
        let (mut at, mut line) = (0u64, Vec::new());
        loop {
            line.clear();
            let length = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            if length == 0 {
                return Ok(LineIndex { path: path.to_owned(), places });
            }
            // A line that is no record is one that a crash cut off.
            if let Ok(Named { instance_id }) = serde_json::from_slice(&line) {
                places.entry(instance_id).or_default().push((at, length));
            }
            at += length as u64;
        }
    }

    fn records(&self, instance_id: &str) -> Vec<Value> {
        let Some(places) = self.places.get(instance_id) else { return Vec::new() };
        let read = |file: &mut File, (at, length): (u64, usize)| -> std::io::Result<Value> {
            let mut line = vec![0; length];
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut line)?;
            Ok(serde_json::from_slice(&line)?)
        };
        let Ok(mut file) = File::open(&self.path) else { return Vec::new() };
        places.iter().filter_map(|place| read(&mut file, *place).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_try_is_joined_with_its_score_and_shows_what_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let attempts = [
            r#"{"instance_id":"a","solver":"m","mode":"whole","outcome":"answered","predict_sql":"SELECT 2\n","rounds":3}"#,
            r#"{"instance_id":"b","solver":"m","mode":"whole","outcome":"answered","predict_sql":"x"}"#,
            r#"{"instance_id":"a","solver":"n","mode":"agent","outcome":"refused","raw":"I would rather not"}"#,
            r#"{"instance_id":"a","solver":"cut"#,
        ];
        let write = |name: &str, text: String| {
            let path = locate(folder.path(), name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("attempts.jsonl", attempts.join("\n"));
        let score = r#"{"instance_id":"a","solver":"m","outcome":"other_rows","gm":false,"mb":true,"accepted":false,"detail":"t"}"#;
        write("scores.jsonl", score.to_string());
        let attempts = Attempts::open(folder.path()).of("a", "SELECT 1\n");
        assert_eq!(attempts.iter().map(|entry| entry.solver.as_str()).collect::<Vec<_>>(), ["m", "n"]);
        assert_eq!(
            (attempts[0].verdict.as_str(), attempts[0].accepted, attempts[0].rounds),
            ("other_rows", Some(false), 3)
        );
        assert_eq!(attempts[0].marks, [("gm", false), ("mb", true), ("accepted", false)]);
        let lines = &attempts[0].change.as_ref().unwrap().lines;
        let lines: Vec<_> = lines.iter().map(|line| (line.kind, line.before, line.after, line.text.as_str())).collect();
        assert_eq!(lines[1..], [("out", Some(1), None, "SELECT 1"), ("in", None, Some(1), "SELECT 2")]);
        assert_eq!((attempts[1].reply.as_str(), attempts[1].accepted), ("I would rather not", None));
        assert_eq!((&attempts[1].change, attempts[1].marks.len()), (&None, 0));
    }

    #[test]
    fn a_run_without_attempts_has_no_tries() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Attempts::open(folder.path()).of("a", ""), []);
    }
}
