//! Where queries of question files run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::engine::child::{Allowance, Query, QueryReply, Verdict, Worker, query_on_spark};
use crate::engine::policy::Policies;
use crate::engine::sqlite::tables_of_file;
use crate::engine::table::Database;
use crate::engine::{Executor, Ground};

/// An engine that answers queries about SQLite files.
#[derive(Debug)]
pub enum Runner {
    /// SQLite itself, in its own dialect, in a child process that is ended at its limits.
    Sqlite(Worker),
    /// Spark, in its dialect, on the tables of the files.
    Spark(SparkFiles),
}

/// Spark, and the files it was asked about.
#[derive(Debug)]
pub struct SparkFiles {
    executor: Arc<Executor>,
    known: HashMap<PathBuf, Result<(Schema, Database), String>>,
}

impl Runner {
    /// The engine chosen; `program` is this program, which SQLite runs in.
    pub fn of(executor: &Arc<Executor>, program: &Path) -> Runner {
        match **executor {
            Executor::Embedded => Runner::Sqlite(Worker::new(program)),
            Executor::Spark(_) => Runner::Spark(SparkFiles { executor: Arc::clone(executor), known: HashMap::new() }),
        }
    }

    /// Runs a query on a file.
    pub(super) fn query(&mut self, file: PathBuf, sql: &str, allowance: Allowance) -> QueryReply {
        match self {
            Runner::Sqlite(worker) => worker.query(&Query { file, sql: sql.to_owned(), allowance }),
            Runner::Spark(files) => files.query(file, sql, allowance),
        }
    }
}

impl SparkFiles {
    fn query(&mut self, file: PathBuf, sql: &str, allowance: Allowance) -> QueryReply {
        let unjudged = |message: &str| QueryReply::Ended(Verdict::Unjudged { message: message.to_owned() });
        let Executor::Spark(desk) = &*self.executor else { return unjudged("Spark was not asked for") };
        let (schema, database) = match self.known.entry(file).or_insert_with_key(|file| tables_of_file(file)) {
            Ok(known) => known,
            Err(message) => return unjudged(message),
        };
        desk.limit(allowance.milliseconds);
        let (parameters, policies) = (Parameters::default(), Policies::default());
        query_on_spark(desk, sql, Ground { schema, parameters: &parameters, policies: &policies }, database)
    }
}
