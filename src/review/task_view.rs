//! Everything the page shows about one task.

use std::collections::BTreeMap;

use serde::Serialize;

use super::attempts::AttemptView;
use super::judgement::Judgement;
use super::script_view::{ScriptViewLine, lines, plain};
use super::solution::suite;
use crate::code::dialect::Dialect;
use crate::engine::table::Database;
use crate::fault::Track;
use crate::publish::critique::Critique;
use crate::publish::filled_table::{FilledTable, filled};
use crate::publish::locate::Location;
use crate::publish::record::{Evidence, GoldRecord, Label, SolverContext, TaskRecord};
use crate::publish::result_pair::{TablePair, pair};
use crate::report::PublicSample;
use crate::store::RunDirectory;

/// Everything about one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskView {
    pub instance_id: String,
    /// Place in the queue, from 0.
    pub position: usize,
    pub track: Track,
    pub dialect: Dialect,
    pub domain: String,
    /// The script it was made from.
    pub script: String,
    /// The engine's message or the user's complaint.
    pub context: String,
    /// Values of placeholders.
    pub parameters: BTreeMap<String, String>,
    pub labels: Vec<Label>,
    pub location: Option<Location>,
    /// What is wrong and how to mend it.
    pub critique: Vec<Critique>,
    /// The issue SQL and the reference as one list of lines.
    pub lines: Vec<ScriptViewLine>,
    /// The issue SQL as text, from which the page starts a new alternative.
    pub issue_sql: String,
    pub schema: Vec<ScriptViewLine>,
    /// The rows that a solver may see.
    pub sample: PublicSample,
    /// The tables of the witness, the database that shows the bug; empty for a syntax task.
    pub witness: Vec<FilledTable>,
    /// Results of the reference and the issue SQL on the witness.
    pub results: Vec<TablePair>,
    /// How many databases a solution is run on.
    pub suite: usize,
    /// Solutions already accepted.
    pub alternatives: Vec<String>,
    pub attempts: Vec<AttemptView>,
    /// Whether the answer is left out, as this annotator has not said yet whether the task is solvable without it.
    pub is_blind: bool,
    /// What this annotator says.
    pub mine: Option<Judgement>,
    /// What the others say; empty while the panel is blind.
    pub others: Vec<Judgement>,
}

/// The view of a task without place in the queue and judgements, which the caller adds.
pub fn of(directory: &RunDirectory, task: &TaskRecord, gold: &GoldRecord, attempts: Vec<AttemptView>) -> TaskView {
    let (SolverContext::ErrorMessage(context) | SolverContext::UserQuery(context)) = task.context.clone();
    let results = match &gold.evidence {
        Evidence::Killed { reference, issue, .. } => pair(reference, issue, SHOWN),
        Evidence::Rejected { .. } => Vec::new(),
    };
    TaskView {
        instance_id: task.instance_id.clone(),
        position: 0,
        track: task.track(),
        dialect: task.dialect,
        domain: task.domain.clone(),
        script: gold.provenance.script.clone(),
        context,
        parameters: task.parameters.clone(),
        labels: gold.labels.clone(),
        location: Some(gold.location.clone()),
        critique: gold.critique.clone(),
        lines: lines(&task.issue_sql, &gold.reference_sql, &gold.edits),
        issue_sql: task.issue_sql.clone(),
        schema: plain(&task.schema_ddl),
        // A damaged sample is no reason to show nothing.
        sample: PublicSample::of(directory, task, SHOWN).unwrap_or_default(),
        witness: witness(directory, task, gold),
        results,
        suite: suite(directory.root(), gold).len(),
        alternatives: gold.alternatives.clone(),
        attempts,
        is_blind: false,
        mine: None,
        others: Vec::new(),
    }
}

impl TaskView {
    /// Returns what a solver sees of it.
    #[must_use]
    pub fn blind(self) -> TaskView {
        TaskView {
            labels: Vec::new(),
            location: None,
            critique: Vec::new(),
            lines: plain(&self.issue_sql),
            witness: Vec::new(),
            results: Vec::new(),
            alternatives: Vec::new(),
            attempts: Vec::new(),
            is_blind: true,
            ..self
        }
    }
}

/// How many rows of a table, and of each kind of a result, are shown.
const SHOWN: usize = 60;

fn witness(directory: &RunDirectory, task: &TaskRecord, gold: &GoldRecord) -> Vec<FilledTable> {
    let Evidence::Killed { databases, .. } = &gold.evidence else { return Vec::new() };
    let read = |name: &String| Database::read(&directory.path(name)).ok();
    let Some(database) = databases.first().and_then(read) else { return Vec::new() };
    filled(database, &task.schema_ddl, SHOWN)
}
