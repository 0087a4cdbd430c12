//! Runs the queries of question files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::engine::child::{Allowance, Query, QueryReply, RunVerdict, Worker, query_on};
use crate::engine::policy::Policies;
use crate::engine::sqlite::tables_of_file;
use crate::engine::table::Database;
use crate::engine::{ContextRef, Engine};

/// An engine that answers queries about SQLite files.
#[derive(Debug)]
pub enum QueryRunner {
    /// SQLite with its own dialect, in a child process that is killed at its limits.
    Sqlite(Worker),
    /// Another engine with its own dialect, on the tables of the files.
    Loaded(LoadedFiles),
}

/// An engine that loads tables, with the files loaded so far.
#[derive(Debug)]
pub struct LoadedFiles {
    engine: Arc<dyn Engine>,
    known: HashMap<PathBuf, Result<(Schema, Database), String>>,
}

impl QueryRunner {
    /// Returns a runner for the chosen engine. `program` is the path of this program, in which SQLite runs as a child.
    pub fn of(engine: &Arc<dyn Engine>, program: &Path) -> QueryRunner {
        if engine.external().is_none() {
            return QueryRunner::Sqlite(Worker::new(program));
        }
        QueryRunner::Loaded(LoadedFiles { engine: Arc::clone(engine), known: HashMap::new() })
    }

    /// Runs a query on a file.
    pub(super) fn query(&mut self, file: PathBuf, sql: &str, allowance: Allowance) -> QueryReply {
        match self {
            QueryRunner::Sqlite(worker) => worker.query(&Query { file, sql: sql.to_owned(), allowance }),
            QueryRunner::Loaded(files) => files.query(file, sql, allowance),
        }
    }
}

impl LoadedFiles {
    fn query(&mut self, file: PathBuf, sql: &str, allowance: Allowance) -> QueryReply {
        let unjudged = |message: &str| QueryReply::Ended(RunVerdict::Unjudged { message: message.to_owned() });
        let (schema, database) = match self.known.entry(file).or_insert_with_key(|file| tables_of_file(file)) {
            Ok(known) => known,
            Err(message) => return unjudged(message),
        };
        self.engine.limit(allowance.milliseconds);
        let (parameters, policies) = (Parameters::default(), Policies::default());
        query_on(&*self.engine, sql, ContextRef { schema, parameters: &parameters, policies: &policies }, database)
    }
}
