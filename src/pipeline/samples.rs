//! The public sample of a semantic task: a small database, what the script gives on it and what it should give.
//!
//! What a complaint says is said of the sample, so that who repairs a task can look at it. The databases that judge
//! answers stay apart.

use serde::Serialize;

use super::databases::insert_statements;
use super::error::BuildError;
use crate::engine::table::{Database, ScriptResult};
use crate::prove::Subject;
use crate::prove::suite::OtherMutants;
use crate::publish::difference::claims::Sides;
use crate::publish::format::Files;
use crate::publish::record::ResultRecord;
use crate::store::pretty;

/// More rows than this are no small database.
const MOST_ROWS: usize = 400;

/// What the two scripts give on a sample, as it is written.
#[derive(Serialize)]
struct SampleResults {
    /// What the script to repair gives.
    gives: Vec<ResultRecord>,
    /// What it should give.
    should_give: Vec<ResultRecord>,
}

/// Returns the smallest database of a script's baseline on which a mutant shows: one that judges no answer, where there
/// is such a one.
pub(super) fn sample<'a>(subject: &'a Subject<'_>, issue: &str, judging: &[&Database]) -> Option<&'a Database> {
    let mutant = OtherMutants::new(subject, &[issue.to_owned()]);
    let rows = |database: &Database| database.tables.iter().map(|table| table.rows.len()).sum::<usize>();
    let mut order: Vec<(bool, usize, usize)> = subject
        .baseline
        .iter()
        .enumerate()
        .map(|(position, baseline)| (judging.contains(&&baseline.database), rows(&baseline.database), position))
        .filter(|(_, rows, _)| *rows <= MOST_ROWS)
        .collect();
    order.sort_unstable();
    let shows = |position: &usize| !mutant.killed_by_baseline(*position, &[0]).is_empty();
    let position = order.into_iter().map(|(.., position)| position).find(shows)?;
    Some(&subject.baseline[position].database)
}

/// Writes the sample of a task to the public part of a run: its rows as `samples/<id>.json`, which `query` reads, and as
/// INSERT statements; and what the scripts give as `samples/<id>.results.json`.
pub(super) fn write_sample(
    files: &dyn Files,
    subject: &Subject<'_>,
    task: &str,
    database: &Database,
    sides: Sides<'_>,
) -> Result<(), BuildError> {
    let records = |result: &ScriptResult| result.tables.iter().map(ResultRecord::from).collect();
    let results = SampleResults { gives: records(sides.issue), should_give: records(sides.reference) };
    files.file(&format!("samples/{task}.sql"), insert_statements(&subject.reference.schema, database).as_bytes())?;
    files.file(&format!("samples/{task}.results.json"), pretty(&results).as_bytes())?;
    Ok(files.file(&format!("samples/{task}.json"), pretty(database).as_bytes())?)
}
