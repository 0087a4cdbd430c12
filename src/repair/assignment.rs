//! What a solver may see of a task, read once: the public record, its schema, and the engine's answer to any text.

use super::sample::SolverSample;
use crate::code::schema::{Schema, SchemaError};
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::Script;
use crate::engine::spark_rules::{Rejection, judge, parse_rejection};
use crate::fault::Track;
use crate::publish::record::{SolverContext, TaskRecord};

/// A task in the hands of a solver. It holds nothing of the judge's record.
pub struct Assignment<'a> {
    /// The public record.
    pub task: &'a TaskRecord,
    pub schema: Schema,
    /// Its public rows, where the run has some.
    pub sample: Option<SolverSample>,
    /// What the script is for, where the run says so.
    pub question: Option<&'a str>,
    /// The script is a control, one without a fault. It decides only which scripts a critic is asked about (see
    /// [`CriticSetting::asks`](super::CriticSetting::asks)); no prompt says so.
    pub is_control: bool,
}

/// A text with its tree, its names and what the engine says about it.
pub struct AnalysedText {
    pub script: Script,
    pub scopes: Scopes,
    /// Why the engine refuses it; `None` if it does not.
    pub rejection: Option<Rejection>,
}

impl<'a> Assignment<'a> {
    /// Reads the definitions of a task.
    pub fn new(task: &'a TaskRecord) -> Result<Assignment<'a>, SchemaError> {
        let schema = Schema::read(&task.schema_ddl)?;
        Ok(Assignment { task, schema, sample: None, question: None, is_control: false })
    }

    /// The same task with public rows to query, if there are any.
    #[must_use]
    pub fn with_sample(self, sample: Option<SolverSample>) -> Assignment<'a> {
        Assignment { sample, ..self }
    }

    pub fn issue(&self) -> &'a str {
        &self.task.issue_sql
    }

    /// Whether the task is one of rejected SQL.
    pub fn is_syntax(&self) -> bool {
        self.task.track() == Track::Syntax
    }

    pub fn prompt_context(&self) -> &'a str {
        match &self.task.context {
            SolverContext::ErrorMessage(text) | SolverContext::UserQuery(text) => text,
        }
    }

    /// Reads a text and asks the engine about it.
    pub fn read(&self, text: &str) -> AnalysedText {
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, &self.schema);
        let rejection = judge(&script, &scopes, &self.schema);
        AnalysedText { script, scopes, rejection }
    }

    /// Whether the engine's rules accept a text; nothing is run.
    pub fn accepts(&self, text: &str) -> bool {
        let script = Script::new(text);
        // Most texts that a solver tries do not parse; names are resolved only in those that do.
        if parse_rejection(&script).is_some() {
            return false;
        }
        let scopes = Scopes::resolve(&script, &self.schema);
        judge(&script, &scopes, &self.schema).is_none()
    }

    /// Why the engine refuses a text.
    pub fn rejection(&self, text: &str) -> Option<Rejection> {
        self.read(text).rejection
    }
}
