//! Tasks to read: what the solver sees, the repair, and the rows that tell the scripts apart.

use serde::Serialize;

use super::faults::faults_of;
use super::files::{RunFileError, RunFiles};
use super::sample::PublicSample;
use crate::fault::Track;
use crate::page::TextDifference;
use crate::publish::critique::Critique;
use crate::publish::record::{Evidence, SolverContext};
use crate::publish::result_pair::{TablePair, pair};
use crate::score::Task;

/// How many tasks are shown.
const TASKS: usize = 10;
/// Rows of a table that are shown, and rows of each kind of a result.
const ROWS: usize = 8;

/// A task to read.
#[derive(Debug, Serialize)]
pub struct ShownTask {
    pub id: String,
    pub track: Track,
    pub domain: String,
    /// Its level of difficulty, if it was measured.
    pub level: Option<u8>,
    pub faults: Vec<String>,
    /// Line of the first edit.
    pub line: usize,
    /// Lines of the script.
    pub lines: usize,
    /// The engine's message or the user's complaint.
    pub context: String,
    /// What is wrong and how to mend it.
    pub critique: Vec<Critique>,
    pub repair: TextDifference,
    pub sample: PublicSample,
    /// The results on the witness; empty for a syntax task.
    pub witness_results: Vec<TablePair>,
}

/// Returns tasks of both tracks, as many of each as there are, evenly over their order.
pub(super) fn chosen(tasks: &[Task]) -> Vec<&Task> {
    let of = |track: Track| tasks.iter().filter(move |task| task.record.track() == track);
    let (syntax, semantic): (Vec<&Task>, Vec<&Task>) = (of(Track::Syntax).collect(), of(Track::Semantic).collect());
    let of_semantic = semantic.len().min((TASKS / 2).max(TASKS.saturating_sub(syntax.len())));
    let mut chosen = spread(&semantic, of_semantic);
    chosen.extend(spread(&syntax, TASKS - of_semantic));
    chosen
}

fn spread<'a>(tasks: &[&'a Task], most: usize) -> Vec<&'a Task> {
    let count = most.min(tasks.len());
    (0..count).map(|nth| tasks[nth * tasks.len() / count]).collect()
}

pub(super) fn shown(task: &Task, files: &RunFiles<'_>) -> Result<ShownTask, RunFileError> {
    let (record, gold) = (&task.record, &task.gold);
    let id = &record.instance_id;
    let (SolverContext::ErrorMessage(context) | SolverContext::UserQuery(context)) = record.context.clone();
    let witness_results = match &gold.evidence {
        Evidence::Killed { reference, issue, .. } => pair(reference, issue, ROWS),
        Evidence::Rejected { .. } => Vec::new(),
    };
    Ok(ShownTask {
        id: id.clone(),
        track: record.track(),
        domain: record.domain.clone(),
        level: gold.difficulty.as_ref().map(|difficulty| difficulty.level),
        faults: faults_of(task).into_iter().map(str::to_owned).collect(),
        line: gold.location.line,
        lines: gold.complexity.lines,
        context,
        critique: gold.critique.clone(),
        repair: TextDifference::read(&gold.patch),
        sample: PublicSample::read(*files, record, ROWS)?,
        witness_results,
    })
}
