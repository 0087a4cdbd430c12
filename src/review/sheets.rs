//! Judgements as files, for people who review elsewhere.
//!
//! An export for an annotator is a review sheet: a line for every task of the queue, with what the solver sees and the
//! reference, and `verdict` null where nothing is said yet. Fill in `verdict`, `why`, `note` and `alternative`, then
//! import it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ReviewError;
use super::judgement::{FairnessVerdict, Judgement, now};
use super::session::ReviewSession;
use crate::publish::record::SolverContext;
use crate::store::read_given_records;

/// What a reviewer elsewhere needs to see.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Sheet {
    context: String,
    schema_ddl: String,
    issue_sql: String,
    reference_sql: String,
    patch: String,
}

/// A line of a file. Fields that are not known here are passed over.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SheetLine {
    instance_id: String,
    annotator: String,
    verdict: Option<FairnessVerdict>,
    #[serde(default)]
    why: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    alternative: Option<String>,
    #[serde(default)]
    at: String,
    #[serde(flatten, skip_deserializing, skip_serializing_if = "Option::is_none")]
    sheet: Option<Sheet>,
}

impl From<&Judgement> for SheetLine {
    fn from(judgement: &Judgement) -> SheetLine {
        SheetLine {
            instance_id: judgement.instance_id.clone(),
            annotator: judgement.annotator.clone(),
            verdict: Some(judgement.verdict),
            why: judgement.why.clone(),
            note: judgement.note.clone(),
            alternative: judgement.alternative.clone(),
            at: judgement.at.clone(),
            sheet: None,
        }
    }
}

/// Writes judgements as lines of JSON and returns their number: the sheets of the annotators named, or everyone's
/// judgements when nobody is named.
pub fn export(session: &ReviewSession, annotators: &[String], file: &Path) -> Result<usize, ReviewError> {
    let lines = if annotators.is_empty() { everything(session) } else { sheets(session, annotators) };
    let mut content = Vec::new();
    for line in &lines {
        serde_json::to_writer(&mut content, line).map_err(std::io::Error::other)?;
        content.push(b'\n');
    }
    let beside = file.with_extension("partial");
    std::fs::write(&beside, content)
        .and_then(|()| std::fs::rename(&beside, file))
        .map_err(|source| ReviewError::File { file: file.to_owned(), source })?;
    Ok(lines.len())
}

fn everything(session: &ReviewSession) -> Vec<SheetLine> {
    let ledger = session.ledger();
    session.queue().iter().flat_map(|task| ledger.of_task(&task.instance_id)).map(SheetLine::from).collect()
}

fn sheets(session: &ReviewSession, annotators: &[String]) -> Vec<SheetLine> {
    let ledger = session.ledger();
    let mut lines = Vec::new();
    for annotator in annotators {
        for task in session.queue() {
            let Ok((task, gold)) = session.task(&task.instance_id) else { continue };
            let (SolverContext::ErrorMessage(context) | SolverContext::UserQuery(context)) = task.context.clone();
            let blank = SheetLine {
                instance_id: task.instance_id.clone(),
                annotator: annotator.clone(),
                verdict: None,
                why: String::new(),
                note: String::new(),
                alternative: None,
                at: String::new(),
                sheet: None,
            };
            let line = ledger.of(&task.instance_id, annotator).map_or(blank, SheetLine::from);
            let sheet = Sheet {
                context,
                schema_ddl: task.schema_ddl.clone(),
                issue_sql: task.issue_sql.clone(),
                reference_sql: gold.reference_sql.clone(),
                patch: gold.patch.clone(),
            };
            lines.push(SheetLine { sheet: Some(sheet), ..line });
        }
    }
    lines
}

/// What an import brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Imported {
    /// New or changed judgements.
    pub taken: usize,
    /// Lines without a verdict, lines known already, and lines older than what is known.
    pub passed_over: usize,
}

/// Takes the judgements of a file: all of them or, when one makes no sense, none. The same file twice changes nothing.
///
/// # Errors
///
/// When the file cannot be read or a line makes no sense; the error names the line.
pub fn import(session: &ReviewSession, file: &Path) -> Result<Imported, ReviewError> {
    let lines: Vec<SheetLine> = read_given_records(file)?;
    let mut fresh: Vec<Judgement> = Vec::new();
    let total = lines.len();
    for (index, line) in lines.into_iter().enumerate() {
        let refuse = |reason: String| ReviewError::Import { line: index + 1, reason };
        let Some(judgement) = judgement(session, line).map_err(|error| refuse(error.to_string()))? else { continue };
        fresh.push(judgement);
    }
    let imported = Imported { taken: fresh.len(), passed_over: total - fresh.len() };
    if !fresh.is_empty() {
        session.ledger().append(fresh)?;
    }
    Ok(imported)
}

/// The judgement of a line; `None` if it says nothing new.
fn judgement(session: &ReviewSession, line: SheetLine) -> Result<Option<Judgement>, ReviewError> {
    session.task(&line.instance_id)?;
    let Some(verdict) = line.verdict else { return Ok(None) };
    let alternative = line.alternative.filter(|sql| !sql.trim().is_empty());
    let mut judgement = Judgement {
        instance_id: line.instance_id,
        annotator: line.annotator,
        verdict,
        why: line.why.trim().to_owned(),
        note: line.note.trim().to_owned(),
        alternative,
        alternative_accepted: None,
        withdrawn: false,
        at: line.at,
    };
    judgement.check()?;
    let known = session.ledger().of(&judgement.instance_id, &judgement.annotator).cloned();
    if let Some(known) = known {
        let same =
            known.says_the_same(&Judgement { alternative_accepted: known.alternative_accepted, ..judgement.clone() });
        let older = !judgement.at.is_empty() && judgement.at < known.at;
        if same || older {
            return Ok(None);
        }
    }
    // What a file claims about an alternative is not believed: it is run here.
    if let Some(sql) = &judgement.alternative {
        judgement.alternative_accepted = Some(session.check(&judgement.instance_id, sql)?.accepted);
    }
    if judgement.at.is_empty() {
        judgement.at = now();
    }
    Ok(Some(judgement))
}

#[cfg(test)]
mod tests {
    use super::super::judgement::sample;
    use super::super::test_run::test_run;
    use super::*;

    #[test]
    fn what_one_run_exports_another_run_of_the_same_tasks_imports_once() {
        let (here, there) = (test_run(3), test_run(3));
        let (ours, theirs) = (ReviewSession::open(here.path()).unwrap(), ReviewSession::open(there.path()).unwrap());
        let alternative = Some("SELECT COUNT(1) AS n FROM shop.sales".to_owned());
        let context = Judgement {
            alternative,
            alternative_accepted: Some(true),
            ..sample("task0001", "ann", FairnessVerdict::Fair)
        };
        ours.ledger().append(vec![context.clone(), sample("task0002", "ann", FairnessVerdict::Unfair)]).unwrap();
        let file = here.path().join("sheet.jsonl");
        assert_eq!(export(&ours, &["ann".to_owned()], &file).unwrap(), 3);
        assert_eq!(import(&theirs, &file).unwrap(), Imported { taken: 2, passed_over: 1 });
        assert_eq!(import(&theirs, &file).unwrap(), Imported { taken: 0, passed_over: 3 });
        assert_eq!(theirs.ledger().of("task0001", "ann"), Some(&context));
        assert_eq!(export(&ours, &[], &file).unwrap(), 2);
        assert_eq!(import(&theirs, &file).unwrap().taken, 0);
    }

    #[test]
    fn a_bad_line_is_named_and_nothing_of_its_file_is_taken() {
        let run = test_run(1);
        let session = ReviewSession::open(run.path()).unwrap();
        let good = r#"{"instance_id":"task0000","annotator":"ann","verdict":"fair"}"#;
        for (bad, words) in [
            (r#"{"instance_id":"task0009","annotator":"ann","verdict":"fair"}"#, "task0009"),
            (r#"{"instance_id":"task0000","annotator":"bob","verdict":"unfair"}"#, "why"),
            (r#"{"instance_id":"task0000","annotator":"","verdict":"fair"}"#, "not a name"),
            (r#"{"instance_id":"task0000","annotator":"bob","verdict":"good"}"#, "good"),
        ] {
            let file = run.path().join("in.jsonl");
            std::fs::write(&file, format!("{good}\n{bad}\n")).unwrap();
            let error = import(&session, &file).unwrap_err().to_string();
            assert!(error.contains(words) && error.contains('2'), "{error}");
            assert!(session.ledger().panel().is_empty());
        }
    }

    #[test]
    fn an_alternative_from_elsewhere_is_run_here_and_an_older_line_does_not_win() {
        let run = test_run(1);
        let session = ReviewSession::open(run.path()).unwrap();
        let file = run.path().join("in.jsonl");
        let line = |at: &str, sql: &str| {
            format!(
                r#"{{"instance_id":"task0000","annotator":"ann","verdict":"fair","at":"{at}","alternative":"{sql}","alternative_accepted":true}}"#
            )
        };
        std::fs::write(&file, line("2026-02-02T00:00:00.000Z", "SELECT COUNT(amount) AS n FROM shop.sales")).unwrap();
        assert_eq!(import(&session, &file).unwrap().taken, 1);
        assert_eq!(session.ledger().of("task0000", "ann").unwrap().alternative_accepted, Some(false));
        std::fs::write(&file, line("2026-01-01T00:00:00.000Z", "SELECT 1")).unwrap();
        assert_eq!(import(&session, &file).unwrap().taken, 0);
    }
}
