//! The embedded engine: SQLite behind Spark's rules, in this process.

use super::context::ContextRef;
use super::outcome::{EngineVerdict, Refusal, RunOutcome};
use super::spark_rules::{Rejection, judge};
use super::sqlite::{Limits, LoadedDatabase, RunError, Sqlite, Translation, Unsupported};
use super::table::{Database, ScriptResult};
use super::{EMBEDDED, Engine};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::Script;

/// SQLite with Hive's functions behind Spark's rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedEngine;

impl Engine for EmbeddedEngine {
    fn name(&self) -> &str {
        EMBEDDED
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome {
        match rejection(text, context.schema) {
            None => RunOutcome::Ran(ScriptResult::default()),
            Some(rejection) => RunOutcome::Refused(Refusal { rejection, placed: true }),
        }
    }

    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        run(text, context, database).map_or_else(RunOutcome::Failed, RunOutcome::Ran)
    }

    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String> {
        Ok(vec![EngineVerdict { engine: EMBEDDED.to_owned(), rejection: rejection(text, context.schema) }])
    }
}

/// Why Spark's rules refuse a script; `None` when they accept it. Policies are asked separately.
pub fn rejection(text: &str, schema: &Schema) -> Option<Rejection> {
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, schema);
    judge(&script, &scopes, schema)
}

/// What a script gives on a database.
///
/// # Errors
///
/// The message: an unbound placeholder, a construct that is not supported, or a failure of the run.
pub fn run(text: &str, context: ContextRef<'_>, database: &Database) -> Result<ScriptResult, String> {
    run_within(text, context, database, &Limits::default())
}

/// As [`run`], under limits.
///
/// # Errors
///
/// As [`run`].
pub fn run_within(
    text: &str,
    context: ContextRef<'_>,
    database: &Database,
    limits: &Limits,
) -> Result<ScriptResult, String> {
    run_by(text, context, database, limits, Sqlite::translate, LoadedDatabase::run)
}

/// As [`run`], with every table read from end to end: what the order of rows can change, it changes.
///
/// # Errors
///
/// As [`run`]; limits are used up sooner.
pub fn run_scanning(text: &str, context: ContextRef<'_>, database: &Database) -> Result<ScriptResult, String> {
    run_by(text, context, database, &Limits::default(), Sqlite::translate_both_ways, LoadedDatabase::run_scanning)
}

/// How a script is translated.
type Translate = fn(&Script, &Scopes, &Schema, &Parameters) -> Result<Translation, Unsupported>;
/// How its translation is run.
type Run = fn(&LoadedDatabase, &Translation, &Limits) -> Result<ScriptResult, RunError>;

fn run_by(
    text: &str,
    context: ContextRef<'_>,
    database: &Database,
    limits: &Limits,
    translate: Translate,
    run: Run,
) -> Result<ScriptResult, String> {
    let ContextRef { schema, parameters, .. } = context;
    let bound = parameters.bind(text).map_err(|error| error.to_string())?;
    let ResolvedScript { script, scopes } = ResolvedScript::new(bound, schema);
    let translation =
        translate(&script, &scopes, schema, parameters).map_err(|unsupported| format!("{unsupported:?}"))?;
    let loaded = Sqlite::open(schema, database).map_err(|error| error.to_string())?;
    run(&loaded, &translation, limits).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::compare::{Comparison, compare};
    use crate::engine::context::ExecutionContext;
    use crate::engine::table::{TableRows, Value};

    /// Whether the rows of a query change when it is read in another order, by scans alone.
    fn hangs_on_order(query: &str) -> bool {
        let context =
            ExecutionContext { schema: Schema::read("CREATE TABLE t (a INT, b INT);").unwrap(), ..Default::default() };
        let row = |a: i64, b: i64| vec![Value::Integer(a), Value::Integer(b)];
        let rows = vec![row(1, 1), row(1, 2), row(1, 3), row(2, 4)];
        let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows }] };
        let first = run(query, context.by_ref(), &database).unwrap();
        matches!(compare(&first, &run_scanning(query, context.by_ref(), &database).unwrap()), Comparison::Different(_))
    }

    #[test]
    fn rows_of_one_rank_are_turned_where_a_window_counts_rows() {
        // Groups come sorted by their keys, so that no order of the table shows what the window leaves open.
        let groups = "FROM (SELECT a, b, sum(b) AS s FROM t GROUP BY a, b) g";
        for (window, open) in [
            ("row_number() OVER (PARTITION BY a ORDER BY a)", true),
            ("row_number() OVER (PARTITION BY a ORDER BY b)", false),
            ("lag(s) OVER (ORDER BY a)", true),
            ("lag(s) OVER (ORDER BY a, b)", false),
            ("sum(s) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", true),
            ("sum(s) OVER (ORDER BY a)", false),
            ("rank() OVER (ORDER BY a)", false),
            ("dense_rank() OVER (ORDER BY a)", false),
            ("sum(s) OVER (PARTITION BY a)", false),
        ] {
            assert_eq!(hangs_on_order(&format!("SELECT b, {window} AS w {groups}")), open, "{window}");
        }
    }
}
