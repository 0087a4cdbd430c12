//! SQLite, embedded, as a stand-in for Hive and Spark.
//!
//! [`Sqlite::translate`] turns a script into queries, [`Sqlite::open`] checks rows against their schema, and
//! [`LoadedDatabase::run`] runs the queries on the rows. Each thread keeps and reuses its connections with their
//! functions, guards and prepared queries, so that a run costs its queries and little more.

mod failures;
mod limits;
mod translate;
mod sections;
mod work;
mod guard;
mod file;
pub mod functions;
mod load;
mod held_rows;
mod tables_of_file;
mod affected_steps;
mod worker;
mod run;

pub use affected_steps::AffectedSteps;
pub use file::query_file;
pub use functions::TieOrder;
pub use limits::{Limits, RunError, RunErrorKind};
pub use load::{EngineError, LoadedDatabase};
pub use sections::{ReadingContext, Sections};
pub use tables_of_file::tables_of_file;
pub use translate::{Reason, Translation, Unsupported};
pub use work::work_done;
pub use worker::forget_earlier_runs;

use crate::code::schema::Schema;
use crate::engine::table::Database;

/// The embedded engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sqlite;

impl Sqlite {
    /// Loads rows for the tables of a schema, once for many runs.
    ///
    /// # Errors
    ///
    /// If the rows do not fit the schema.
    pub fn open(schema: &Schema, database: &Database) -> Result<LoadedDatabase, EngineError> {
        LoadedDatabase::new(schema, database)
    }
}

#[cfg(test)]
mod tests;
