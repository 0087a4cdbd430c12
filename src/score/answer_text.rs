//! Judges an answer by its text alone: finds its SQL and compares that with the reference.
//!
//! Parsing, resolving and comparing untrusted text may take unbounded time, so the judge has it done in a child process
//! that is killed at its limits, see [`crate::engine::child`].

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::accepted::Credit;
use super::benchmark::Task;
use super::distance::ReferenceDistance;
use super::exact::{exact_match, exact_match_normalised};
use super::graph::graph_match;
use super::localisation::{ChangeLocation, placement};
use super::outcome::AnswerOutcome;
use super::targets::TargetRequest;
use crate::code::edit::Edits;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::corpus::beyond_limits;
use crate::reply::{self, ReplyContent};

/// The texts of a task that an answer is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TaskTexts {
    reference_sql: String,
    issue_sql: String,
    alternatives: Vec<String>,
    schema_ddl: String,
    repair: Edits,
}

impl TaskTexts {
    /// Collects the texts of a task.
    pub fn of(task: &Task) -> TaskTexts {
        TaskTexts {
            reference_sql: task.gold.reference_sql.clone(),
            issue_sql: task.record.issue_sql.clone(),
            alternatives: task.gold.alternatives.clone(),
            schema_ddl: task.record.schema_ddl.clone(),
            repair: task.gold.edits.clone(),
        }
    }
}

/// An answer to read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TextRequest {
    /// The texts of the task that it answers.
    pub task: TaskTexts,
    /// The raw answer.
    pub answer: String,
}

/// A question about the text of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum AnswerRequest {
    /// What does it say?
    Text(TextRequest),
    /// Which databases show what it changes?
    Targets(TargetRequest),
}

/// The content of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum AnswerText {
    Sql {
        sql: String,
        /// How it compares with the reference.
        comparison: TextComparison,
    },
    /// No SQL.
    Without { outcome: AnswerOutcome, detail: Option<String> },
}

/// How the SQL of an answer compares with the reference.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TextComparison {
    /// Exact match, blanks at both ends aside.
    pub em: bool,
    /// Exact match of tokens.
    pub em_normalised: bool,
    /// Graph match.
    pub gm: bool,
    /// Whether it is nearer to the reference than the issue is.
    pub mb: bool,
    /// The credit that the text alone earns; `None` if the answer has to run.
    pub credit: Option<Credit>,
    /// Where it changes the issue, compared with the repair.
    pub place: ChangeLocation,
}

/// Reads one answer after another, keeping what answers to the same task share.
#[derive(Debug, Default)]
pub struct TextReader {
    last: Option<TextContext>,
}

/// The parsed texts of a task, which do not depend on the answer.
#[derive(Debug)]
struct TextContext {
    task: TaskTexts,
    schema: Schema,
    distance: ReferenceDistance,
    alternatives: Vec<Script>,
}

impl TextReader {
    /// Examines an answer delegated by another process. Calls `begins` before it looks at the answer itself.
    pub fn delegated(&mut self, work: Value, begins: &mut dyn FnMut()) -> Value {
        match serde_json::from_value(work) {
            Ok(AnswerRequest::Text(request)) => json!(self.read(&request, begins)),
            Ok(AnswerRequest::Targets(request)) => json!(request.databases(begins)),
            // Work that is no such request gets no answer, which the other side reports.
            Err(_) => Value::Null,
        }
    }

    pub(super) fn read(&mut self, request: &TextRequest, begins: &mut dyn FnMut()) -> AnswerText {
        let last = self.last.take().filter(|known| known.task == request.task);
        let context = self.last.insert(last.unwrap_or_else(|| TextContext::of(request.task.clone())));
        begins();
        let without = |outcome, detail| AnswerText::Without { outcome, detail };
        match reply::answer(&request.answer, Some(&request.task.issue_sql)) {
            ReplyContent::Sql(sql) => context.read(sql),
            ReplyContent::Empty => without(AnswerOutcome::Empty, None),
            ReplyContent::TooLarge => without(AnswerOutcome::TooLarge, None),
            ReplyContent::Inapplicable(error) => without(AnswerOutcome::Inapplicable, Some(error.to_string())),
        }
    }
}

impl TextContext {
    fn of(task: TaskTexts) -> TextContext {
        let script = |text: &String| Script::new(text.as_str());
        TextContext {
            // A schema that does not parse leaves every name unresolved, so that nothing matches by its graph.
            schema: Schema::read(&task.schema_ddl).unwrap_or_default(),
            distance: ReferenceDistance::new(script(&task.reference_sql), script(&task.issue_sql)),
            alternatives: task.alternatives.iter().map(script).collect(),
            task,
        }
    }

    /// Compares SQL with the task, unless it is beyond the limits of scripts.
    fn read(&self, sql: String) -> AnswerText {
        let script = Script::new(sql.as_str());
        match beyond_limits(&script) {
            None => AnswerText::Sql { comparison: self.compare(&script), sql },
            Some((place, what)) => AnswerText::Without {
                outcome: AnswerOutcome::TooLarge,
                detail: Some(format!("{place}: {what} end here")),
            },
        }
    }

    fn compare(&self, prediction: &Script) -> TextComparison {
        let sql = prediction.text();
        let reference = self.distance.reference();
        let em = exact_match(sql, reference.text());
        let em_normalised = em || exact_match_normalised(prediction, reference);
        let gm = em_normalised || graph_match(prediction, reference, &self.schema);
        let known = || self.alternatives.iter().any(|other| graph_match(prediction, other, &self.schema));
        let credit = if gm { Some(Credit::Graph) } else { known().then_some(Credit::Alternative) };
        let mb = gm || self.distance.is_nearer(prediction);
        let place = placement(self.distance.issue(), prediction, &self.task.repair);
        TextComparison { em, em_normalised, gm, mb, credit, place }
    }
}
