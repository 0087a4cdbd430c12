//! A database with what the reference gives on it, worked out once for all mutants that are tried there.

use std::sync::OnceLock;

use super::baseline::{ORDERS, ScriptRun};
use super::subject::Subject;
use crate::engine::sqlite::{Limits, LoadedDatabase, Sqlite};
use crate::engine::table::{Database, ScriptResult};

/// Instructions that the reference may take on a database: many runs follow.
const MOST_INSTRUCTIONS: u64 = 1_000_000;
/// Rows that a query of the reference may give on a database: nobody reads more of them.
const MOST_RESULT_ROWS: usize = 500;

/// A database of one subject. Its result, and whether that hangs on the order of rows, are worked out when they are first
/// asked for.
#[derive(Debug)]
pub(super) struct ReferenceDatabase {
    pub database: Database,
    result: OnceLock<Option<ScriptResult>>,
    stable: OnceLock<bool>,
}

impl From<Database> for ReferenceDatabase {
    fn from(database: Database) -> ReferenceDatabase {
        ReferenceDatabase { database, result: OnceLock::new(), stable: OnceLock::new() }
    }
}

impl ReferenceDatabase {
    /// Returns what the reference gives on the database, which `loaded` holds; `None` if it fails there, takes long or
    /// gives more rows than anybody reads.
    pub fn result(&self, subject: &Subject<'_>, loaded: &LoadedDatabase) -> Option<&ScriptResult> {
        let limits = Limits { instructions: MOST_INSTRUCTIONS, rows: MOST_RESULT_ROWS, ..Limits::default() };
        self.result.get_or_init(|| loaded.run(&subject.translation, &limits).ok()).as_ref()
    }

    /// Whether the reference has a result on the database, as [`ReferenceDatabase::result`] says.
    pub fn has_result(&self, subject: &Subject<'_>) -> bool {
        self.known_result(subject).is_some()
    }

    /// Whether the reference gives rows on the database, the same whatever their order.
    pub fn gives_stable_rows(&self, subject: &Subject<'_>) -> bool {
        let has_rows = |result: &ScriptResult| result.tables.iter().any(|table| !table.rows.is_empty());
        self.known_result(subject).is_some_and(has_rows) && self.is_stable(subject)
    }

    /// Whether the reference has a result on the database that is the same whatever the order of rows.
    pub fn is_stable(&self, subject: &Subject<'_>) -> bool {
        let Some(result) = self.known_result(subject) else { return false };
        let run = ScriptRun {
            schema: &subject.reference.schema,
            translation: &subject.translation,
            database: &self.database,
        };
        *self.stable.get_or_init(|| subject.in_baseline(&self.database).is_some() || run.is_stable(ORDERS, result))
    }

    /// Returns [`ReferenceDatabase::result`]; the database is loaded only if it is asked for the first time.
    pub fn known_result(&self, subject: &Subject<'_>) -> Option<&ScriptResult> {
        if self.result.get().is_none() {
            let loaded = Sqlite::open(&subject.reference.schema, &self.database).ok()?;
            return self.result(subject, &loaded);
        }
        self.result.get()?.as_ref()
    }
}
