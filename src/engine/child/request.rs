//! Requests to a child process, and its answers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::engine::ContextRef;
use crate::engine::policy::Policies;
use crate::engine::spark_rules::Rejection;
use crate::engine::sqlite::Limits;
use crate::engine::table::{Database, Row};

/// The line by which the child says that the trusted part of a request is done and the script under test begins.
pub(super) const BEGINS: &str = "begins";

/// The prefix of the line by which the child reports a panic; the panic's message follows as JSON.
pub(super) const PANICKED: &str = "panicked ";

/// A script to run beside a reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialRequest {
    pub schema_ddl: String,
    /// Values of placeholders.
    pub parameters: BTreeMap<String, String>,
    /// The trusted script.
    pub reference_sql: String,
    /// The script under test.
    pub predict_sql: String,
    /// The tables whose rows count, by their full names in lower case, and the empty name for plain queries: all of
    /// them if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<String>,
    /// Files of the databases to run on, the witness first.
    pub databases: Vec<PathBuf>,
    /// More databases to run on after those. A database on which the reference fails is skipped. So is a difference on
    /// a database on which the reference's own rows depend on the order in which tables are read.
    #[serde(default)]
    pub others: Vec<Database>,
    /// What all runs of the script under test may use together.
    pub allowance: Allowance,
    /// What the task's platform forbids in addition to the engine. An answer must obey it too.
    #[serde(default, skip_serializing_if = "Policies::is_empty")]
    pub policies: Policies,
    /// How many more runs of both scripts, in turn, are timed.
    #[serde(default)]
    pub repeats: u32,
}

/// A query to run on a SQLite file, in SQLite's own dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The file; it is only read.
    pub file: PathBuf,
    pub sql: String,
    pub allowance: Allowance,
}

/// The result of a query, or how it ended without one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryReply {
    Result {
        columns: Vec<String>,
        rows: Vec<Row>,
    },
    /// There is no result.
    Ended(RunVerdict),
}

/// A script to check, or to run on a database, in a child process.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    pub schema: Schema,
    /// Values of placeholders.
    pub parameters: Parameters,
    pub text: String,
    /// The rows to run it on; `None` if it is only checked.
    pub database: Option<Database>,
    /// Whether every table is read from end to end, see [`crate::engine::Engine::run_scanning`].
    #[serde(default)]
    pub scanning: bool,
    pub allowance: Allowance,
}

impl Execution {
    /// Returns the run of a script on a database, or its check if there is none.
    pub fn of(text: &str, context: ContextRef<'_>, database: Option<&Database>, allowance: Allowance) -> Execution {
        Execution {
            schema: context.schema.clone(),
            parameters: context.parameters.clone(),
            text: text.to_owned(),
            database: database.cloned(),
            scanning: false,
            allowance,
        }
    }
}

/// A line sent to a child.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Message {
    Trial(TrialRequest),
    Query(Query),
    Execution(Execution),
    Delegated(Delegated),
}

/// Work on untrusted text that another module than the engine does in the child process, such as reading an answer. The
/// engine passes it on without reading it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delegated {
    pub work: serde_json::Value,
    /// Time, memory and rows that the work on the untrusted text may take.
    pub allowance: Allowance,
}

/// What the script under test may use, over all databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// Wall time in milliseconds.
    pub milliseconds: u64,
    /// Bytes by which the process may grow.
    pub bytes: u64,
    /// Rows that one query may give.
    pub rows: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Allowance { milliseconds: 5_000, bytes: 512 << 20, rows: 50_000 }
    }
}

impl Allowance {
    pub fn time(&self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }

    /// Returns the limits of a run if earlier ones have taken `spent`.
    pub(crate) fn limits(&self, spent: Duration) -> Limits {
        Limits {
            instructions: u64::MAX,
            time: self.time().saturating_sub(spent),
            rows: usize::try_from(self.rows).unwrap_or(usize::MAX),
            memory: usize::try_from(self.bytes).unwrap_or(usize::MAX),
        }
    }
}

/// How running the script under test ended. Whatever goes wrong is a verdict, not an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunVerdict {
    /// The same tables with the same rows on every database.
    Equal,
    /// Spark's rules refuse the script.
    Rejected { rejection: Box<Rejection> },
    /// A construct the embedded engine does not run.
    Unsupported { what: String },
    /// A value cannot be computed.
    Failed { message: String },
    /// A limit was exceeded, or the process was ended for it.
    Exceeded { limit: Exceeded },
    /// The process ended without an answer, or this program panicked.
    Crashed { message: String },
    /// A table of the reference is not written, or another table is.
    OtherTables {
        /// The table; empty for a plain query.
        target: String,
    },
    /// Another number of columns, or columns of types that cannot be compared.
    OtherColumns {
        /// The table; empty for a plain query.
        target: String,
    },
    OtherRows {
        /// The table; empty for a plain query.
        target: String,
        /// The first database that shows it.
        database: PathBuf,
    },
    /// The same rows in another order where the reference fixes one.
    OtherOrder {
        /// The table; empty for a plain query.
        target: String,
        /// The first database that shows it.
        database: PathBuf,
    },
    /// The reference or its data cannot be used: the run is damaged, and the script under test is not to blame.
    Unjudged { message: String },
}

impl RunVerdict {
    /// Returns why a script gave no result, in words; `None` if it ran to its end.
    pub fn failure(&self) -> Option<String> {
        Some(match self {
            RunVerdict::Rejected { rejection } => rejection.message.clone(),
            RunVerdict::Unsupported { what } => format!("the embedded engine does not run {what}"),
            RunVerdict::Failed { message } | RunVerdict::Unjudged { message } => message.clone(),
            RunVerdict::Exceeded { limit: Exceeded::Time } => "it takes longer than the time limit".to_owned(),
            RunVerdict::Exceeded { limit: Exceeded::Memory } => "it needs more memory than the limit".to_owned(),
            RunVerdict::Exceeded { limit: Exceeded::Rows } => "it gives more rows than the limit".to_owned(),
            RunVerdict::Crashed { message } => format!("the engine's process ended: {message}"),
            RunVerdict::Equal
            | RunVerdict::OtherTables { .. }
            | RunVerdict::OtherColumns { .. }
            | RunVerdict::OtherRows { .. }
            | RunVerdict::OtherOrder { .. } => return None,
        })
    }
}

/// Which limit was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exceeded {
    Time,
    Memory,
    /// Rows of a result.
    Rows,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialReply {
    pub verdict: RunVerdict,
    /// Wall time of the reference's runs, in microseconds: the best on each database, summed.
    pub reference_microseconds: u64,
    /// Wall time of the runs of the script under test, likewise.
    pub predict_microseconds: u64,
    /// How many databases could judge at most.
    #[serde(default)]
    pub databases: usize,
}

impl TrialReply {
    /// Returns a reply without any measured run.
    pub fn of(verdict: RunVerdict) -> TrialReply {
        TrialReply { verdict, reference_microseconds: 0, predict_microseconds: 0, databases: 0 }
    }
}
