//! What the text of an answer shows without a run: its SQL, and how near that is to the reference.
//!
//! Reading, resolving and comparing are work on untrusted text whose time nothing bounds, so the judge has it done in a
//! child process that is ended at its limits, see [`crate::engine::child`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::accepted::Credit;
use super::benchmark::Task;
use super::distance::ReferenceDistance;
use super::exact::{exact_match, exact_match_normalised};
use super::graph::graph_match;
use super::localisation::{ChangeLocation, placement};
use super::outcome::AnswerOutcome;
use crate::code::edit::Edits;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::corpus::beyond_limits;
use crate::reply::{self, ReplyContent};

/// What an answer is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TaskTexts {
    reference_sql: String,
    issue_sql: String,
    alternatives: Vec<String>,
    schema_ddl: String,
    repair: Edits,
}

impl TaskTexts {
    /// The texts of a task.
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
    /// Of which task.
    pub task: TaskTexts,
    /// The answer as it came.
    pub answer: String,
}

/// What an answer says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum AnswerText {
    /// SQL.
    Sql {
        /// It.
        sql: String,
        /// How near it is to the reference.
        comparison: TextComparison,
    },
    /// No SQL.
    Without {
        /// Why not.
        outcome: AnswerOutcome,
        /// In words.
        detail: Option<String>,
    },
}

/// What a comparison of texts shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TextComparison {
    /// The reference, letter by letter.
    pub em: bool,
    /// The same tokens.
    pub em_normalised: bool,
    /// The same graph.
    pub gm: bool,
    /// Nearer to the reference than the issue is.
    pub mb: bool,
    /// What the text alone is accepted for.
    pub credit: Option<Credit>,
    /// Where it changes the issue.
    pub place: ChangeLocation,
}

/// Reads answers, one after the other.
#[derive(Debug, Default)]
pub struct TextReader {
    last: Option<TextContext>,
}

/// What does not depend on the answer.
#[derive(Debug)]
struct TextContext {
    task: TaskTexts,
    schema: Schema,
    distance: ReferenceDistance,
    alternatives: Vec<Script>,
}

impl TextReader {
    /// Reads an answer that another process delegates; `begins` is called before the answer itself is looked at.
    pub fn delegated(&mut self, work: Value, begins: &mut dyn FnMut()) -> Value {
        let request = serde_json::from_value::<TextRequest>(work);
        // Anything else than an answer's text is told apart by the other side.
        request.map_or(Value::Null, |request| serde_json::json!(self.read(&request, begins)))
    }

    /// Reads an answer.
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
            // A schema that does not read leaves every name unresolved: nothing then matches by its graph.
            schema: Schema::read(&task.schema_ddl).unwrap_or_default(),
            distance: ReferenceDistance::new(script(&task.reference_sql), script(&task.issue_sql)),
            alternatives: task.alternatives.iter().map(script).collect(),
            task,
        }
    }

    /// What SQL says; nothing where it is larger than any script that is worked on.
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
