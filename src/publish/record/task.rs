//! The public record of a task.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::code::dialect::Dialect;
use crate::corpus::{Reference, ScriptFile};
use crate::fault::Track;

/// What a solver gets besides the SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverContext {
    /// The engine's message, for a task of the syntax track.
    ErrorMessage(String),
    /// The user's complaint, for a task of the semantic track.
    UserQuery(String),
}

/// The public record of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "TaskFields", into = "TaskFields")]
pub struct TaskRecord {
    /// Ten hex digits: a hash of script, fault and edits, and in a built run of the run's secret.
    pub instance_id: String,
    /// `hive` or `spark`.
    pub dialect: Dialect,
    /// Business domain of the script.
    pub domain: String,
    /// The SQL to repair.
    pub issue_sql: String,
    /// Definitions of the tables it uses.
    pub schema_ddl: String,
    /// Values of its placeholders.
    pub parameters: BTreeMap<String, String>,
    /// What the solver gets besides the SQL; its kind determines the track.
    pub context: SolverContext,
    /// The dialect that the script was translated from, by sqlglot's name; `None` if it was written as it is.
    pub translated_from: Option<String>,
    /// The files of which the SQL to repair consists, in the order in which they run; empty if it is one.
    pub files: Vec<ScriptFile>,
    /// Marks the text as test data, so that it can be kept out of training sets.
    pub canary: String,
}

impl TaskRecord {
    /// A task on the script of a reference, without a canary.
    pub fn on(reference: &Reference, instance_id: &str, issue_sql: &str, context: SolverContext) -> TaskRecord {
        TaskRecord {
            instance_id: instance_id.to_owned(),
            dialect: Dialect::Hive,
            domain: reference.card.domain.clone(),
            issue_sql: issue_sql.to_owned(),
            schema_ddl: reference.schema_text.clone(),
            parameters: reference.parameters.to_map(),
            context,
            translated_from: reference.card.translated_from.clone(),
            files: Vec::new(),
            canary: String::new(),
        }
    }

    /// For tests: a semantic task with an empty complaint.
    #[cfg(test)]
    pub fn example(instance_id: &str, issue_sql: &str, schema_ddl: &str) -> TaskRecord {
        TaskRecord {
            instance_id: instance_id.to_owned(),
            dialect: Dialect::Hive,
            domain: String::new(),
            issue_sql: issue_sql.to_owned(),
            schema_ddl: schema_ddl.to_owned(),
            parameters: BTreeMap::new(),
            context: SolverContext::UserQuery(String::new()),
            translated_from: None,
            files: Vec::new(),
            canary: String::new(),
        }
    }

    /// The track the task belongs to.
    pub fn track(&self) -> Track {
        match self.context {
            SolverContext::ErrorMessage(_) => Track::Syntax,
            SolverContext::UserQuery(_) => Track::Semantic,
        }
    }
}

/// The fields of a task as written in `tasks.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskFields {
    instance_id: String,
    track: Track,
    dialect: Dialect,
    domain: String,
    issue_sql: String,
    schema_ddl: String,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user_query: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    translated_from: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<ScriptFile>,
    canary: String,
}

/// A task whose context does not fit its track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a syntax task has error_message only, a semantic task user_query only")]
pub struct ContextMismatch;

impl TryFrom<TaskFields> for TaskRecord {
    type Error = ContextMismatch;

    fn try_from(fields: TaskFields) -> Result<TaskRecord, ContextMismatch> {
        let context = match (fields.track, fields.error_message, fields.user_query) {
            (Track::Syntax, Some(message), None) => SolverContext::ErrorMessage(message),
            (Track::Semantic, None, Some(query)) => SolverContext::UserQuery(query),
            _ => return Err(ContextMismatch),
        };
        Ok(TaskRecord {
            instance_id: fields.instance_id,
            dialect: fields.dialect,
            domain: fields.domain,
            issue_sql: fields.issue_sql,
            schema_ddl: fields.schema_ddl,
            parameters: fields.parameters,
            context,
            translated_from: fields.translated_from,
            files: fields.files,
            canary: fields.canary,
        })
    }
}

impl From<TaskRecord> for TaskFields {
    fn from(task: TaskRecord) -> TaskFields {
        let track = task.track();
        let (error_message, user_query) = match task.context {
            SolverContext::ErrorMessage(message) => (Some(message), None),
            SolverContext::UserQuery(query) => (None, Some(query)),
        };
        TaskFields {
            instance_id: task.instance_id,
            track,
            dialect: task.dialect,
            domain: task.domain,
            issue_sql: task.issue_sql,
            schema_ddl: task.schema_ddl,
            parameters: task.parameters,
            error_message,
            user_query,
            translated_from: task.translated_from,
            files: task.files,
            canary: task.canary,
        }
    }
}
