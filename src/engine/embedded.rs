//! The embedded engine: SQLite behind Spark's rules, in this process.

use super::context::ContextRef;
use super::interface::{EMBEDDED, Engine};
use super::outcome::{EngineVerdict, Refusal, RunOutcome};
use super::spark_rules::{Rejection, judge};
use super::sqlite::{Limits, LoadedDatabase, RunError, Sqlite, TieOrder, Translation, Unsupported};
use super::table::{Database, ScriptResult};
use crate::code::bound_text::BoundText;
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

    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome {
        match rejection(text, context) {
            None => RunOutcome::Ran(ScriptResult::default()),
            Some(rejection) => RunOutcome::Refused(Refusal { rejection, placed: true }),
        }
    }

    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        run(text, context, database).map_or_else(RunOutcome::from, RunOutcome::Ran)
    }

    fn run_scanning(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        run_scanning(text, context, database, &Limits::default()).map_or_else(RunOutcome::from, RunOutcome::Ran)
    }

    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String> {
        Ok(vec![EngineVerdict { engine: EMBEDDED.to_owned(), rejection: rejection(text, context) }])
    }
}

/// Why a script gives no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbeddedError {
    /// A placeholder has no value.
    #[error("{0}")]
    Unbound(String),
    /// It has a construct that the embedded engine does not run.
    #[error("{0}")]
    Unsupported(Unsupported),
    /// The tables cannot be loaded.
    #[error("{0}")]
    NotLoaded(String),
    /// A statement fails, or exceeds a limit.
    #[error("{0}")]
    Run(RunError),
}

impl From<EmbeddedError> for RunOutcome {
    fn from(error: EmbeddedError) -> RunOutcome {
        match error {
            EmbeddedError::Unbound(_) | EmbeddedError::Unsupported(_) => RunOutcome::Denied(error.to_string()),
            EmbeddedError::Run(run) if run.kind.is_of_time() => RunOutcome::TimedOut,
            other => RunOutcome::Failed(other.to_string()),
        }
    }
}

/// Returns why Spark's rules refuse a script; `None` if they accept it. Policies are checked separately.
pub fn rejection(text: &str, context: ContextRef<'_>) -> Option<Rejection> {
    let ContextRef { schema, parameters, .. } = context;
    let BoundText { text: judged, replaced } = parameters.bind_names(text);
    let ResolvedScript { script, scopes } = ResolvedScript::new(judged, schema);
    let rejection = judge(&script, &scopes, schema)?;
    let moved = !replaced.is_empty();
    Some(if moved { rejection.placed_in(text, &BoundText { text: String::new(), replaced }) } else { rejection })
}

/// Runs a script on a database.
///
/// # Errors
///
/// If a placeholder is unbound, a construct is not supported or the run fails.
pub fn run(text: &str, context: ContextRef<'_>, database: &Database) -> Result<ScriptResult, EmbeddedError> {
    run_within(text, context, database, &Limits::default())
}

/// As [`run`], under limits.
pub fn run_within(
    text: &str,
    context: ContextRef<'_>,
    database: &Database,
    limits: &Limits,
) -> Result<ScriptResult, EmbeddedError> {
    run_by(text, context, database, limits, Sqlite::translate, LoadedDatabase::run)
}

/// As [`run_within`], but reads every table from end to end, so that a result that depends on the order of rows shows it.
///
/// # Errors
///
/// As [`run_within`]. Limits are exceeded sooner.
pub fn run_scanning(
    text: &str,
    context: ContextRef<'_>,
    database: &Database,
    limits: &Limits,
) -> Result<ScriptResult, EmbeddedError> {
    let scan = |database: &LoadedDatabase, translation: &Translation, limits: &Limits| {
        database.run_scanning(translation, TieOrder::Reversed, limits)
    };
    run_by(text, context, database, limits, Sqlite::translate_both_ways, scan)
}

/// How a script is translated.
type Translate = fn(&Script, &Scopes, &Schema, &Parameters) -> Result<Translation, Unsupported>;

fn run_by(
    text: &str,
    context: ContextRef<'_>,
    database: &Database,
    limits: &Limits,
    translate: Translate,
    run: impl Fn(&LoadedDatabase, &Translation, &Limits) -> Result<ScriptResult, RunError>,
) -> Result<ScriptResult, EmbeddedError> {
    let ContextRef { schema, parameters, .. } = context;
    let bound = parameters.bind(text).map_err(|error| EmbeddedError::Unbound(error.to_string()))?;
    let ResolvedScript { script, scopes } = ResolvedScript::new(bound, schema);
    let translation = translate(&script, &scopes, schema, parameters).map_err(EmbeddedError::Unsupported)?;
    let loaded = Sqlite::open(schema, database).map_err(|error| EmbeddedError::NotLoaded(error.to_string()))?;
    run(&loaded, &translation, limits).map_err(EmbeddedError::Run)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::compare::{Comparison, compare};
    use crate::engine::context::ExecutionContext;
    use crate::engine::table::{Row, TableRows, Value};

    /// Whether the rows of a query change when it is run by scans alone, with rows of one rank in either order.
    fn hangs_on_order(query: &str) -> bool {
        let context =
            ExecutionContext { schema: Schema::read("CREATE TABLE t (a INT, b INT);").unwrap(), ..Default::default() };
        let row = |a: i64, b: i64| Row::from([Value::Integer(a), Value::Integer(b)]);
        let rows = vec![row(1, 1), row(1, 2), row(1, 3), row(2, 4)];
        let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows }] };
        let first = run(query, context.by_ref(), &database).unwrap();
        [TieOrder::Reversed, TieOrder::AsRead].into_iter().any(|ties| {
            let scan = |loaded: &LoadedDatabase, translation: &Translation, limits: &Limits| {
                loaded.run_scanning(translation, ties, limits)
            };
            let limits = Limits::default();
            let other = run_by(query, context.by_ref(), &database, &limits, Sqlite::translate_both_ways, scan).unwrap();
            matches!(compare(&first, &other), Comparison::Different(_))
        })
    }

    /// Returns the rows of a query on a small table as text.
    fn rows(query: &str) -> Vec<String> {
        let schema = Schema::read("CREATE TABLE t (a INT, b INT, s STRING);").unwrap();
        let context = ExecutionContext { schema, ..Default::default() };
        let row =
            |a: i64, b: i64, s: &str| Row::from([Value::Integer(a), Value::Integer(b), Value::Text(s.to_owned())]);
        let rows = vec![row(2, 1, "y"), row(1, 2, "x"), row(1, 3, "x"), row(1, 4, "z")];
        let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows }] };
        assert_eq!(rejection(query, context.by_ref()).map(|rejection| rejection.message), None, "{query}");
        let result = run(query, context.by_ref(), &database).unwrap();
        result.tables[0].rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect()
    }

    #[test]
    fn what_ends_a_run_is_told_by_its_kind() {
        let context = ExecutionContext::default();
        let outcome = |query: &str, limits: Limits| {
            let result = run_within(query, context.by_ref(), &Database::default(), &limits);
            result.map_or_else(RunOutcome::from, RunOutcome::Ran)
        };
        let many = "SELECT count(*) AS n FROM (SELECT explode(sequence(1, 9000)) AS n) t WHERE n % 7 = 3";
        let (no_time, no_steps) = (Duration::ZERO, 1);
        assert_eq!(outcome(many, Limits { time: no_time, ..Limits::default() }), RunOutcome::TimedOut);
        assert_eq!(outcome(many, Limits { instructions: no_steps, ..Limits::default() }), RunOutcome::TimedOut);
        assert!(matches!(outcome(many, Limits::default()), RunOutcome::Ran(_)));
        let wrong = outcome("SELECT repeat('ab', 9223372036854775807) AS v", Limits::default());
        assert!(matches!(&wrong, RunOutcome::Failed(message) if message.contains("larger than")), "{wrong:?}");
        let unbound = outcome("SELECT ${n} AS v", Limits::default());
        assert!(matches!(&unbound, RunOutcome::Denied(message) if message.contains("'n' has no value")), "{unbound:?}");
        let large = outcome(many, Limits { rows: 0, ..Limits::default() });
        assert!(matches!(&large, RunOutcome::Failed(message) if message.contains("too many rows")), "{large:?}");
        let unsupported = outcome("SELECT rand() AS v", Limits::default());
        assert!(matches!(&unsupported, RunOutcome::Denied(_)), "{unsupported:?}");
    }

    #[test]
    fn group_by_all_takes_every_item_without_an_aggregate_and_order_by_all_every_column() {
        let query = "SELECT a, upper(s) AS s, sum(b) AS n FROM t GROUP BY ALL ORDER BY ALL";
        assert_eq!(rows(query), [r#"[1,"X",5]"#, r#"[1,"Z",4]"#, r#"[2,"Y",1]"#]);
        assert_eq!(rows("SELECT count(*) AS n, max(b) AS m FROM t GROUP BY ALL"), ["[4,4]"]);
        assert_eq!(rows("SELECT s, a FROM t ORDER BY ALL DESC LIMIT 2"), [r#"["z",1]"#, r#"["y",2]"#]);
        let schema = Schema::read("CREATE TABLE t (a INT, b INT, s STRING);").unwrap();
        let context = ExecutionContext { schema, ..Default::default() };
        let refused = |query: &str| rejection(query, context.by_ref()).map(|rejection| rejection.class);
        let class = |name: &str| Some(name.to_owned());
        assert_eq!(refused("SELECT a + sum(b) AS n FROM t GROUP BY ALL"), class("UNRESOLVED_ALL_IN_GROUP_BY"));
        assert_eq!(refused("SELECT s, a + sum(b) AS n FROM t GROUP BY ALL"), class("MISSING_AGGREGATION"));
    }

    #[test]
    fn dates_move_and_differ_by_units() {
        let cases = [
            ("dateadd(MONTH, 1, DATE'2024-01-31')", "\"2024-02-29 00:00:00\""),
            ("date_add(HOUR, -1, TIMESTAMP'2024-03-01 00:30:00')", "\"2024-02-29 23:30:00\""),
            ("datediff(DAY, TIMESTAMP'2024-01-01 12:00:00', TIMESTAMP'2024-01-03 11:00:00')", "1"),
            ("datediff(MONTH, DATE'2024-01-31', DATE'2024-02-29')", "0"),
            ("date_diff(YEAR, DATE'2024-03-01', DATE'2020-03-02')", "-3"),
            ("datediff(DATE'2024-01-03', DATE'2024-01-01')", "2"),
        ];
        for (call, expected) in cases {
            assert_eq!(rows(&format!("SELECT {call} AS v FROM t LIMIT 1")), [format!("[{expected}]")], "{call}");
        }
    }

    #[test]
    fn rows_of_one_rank_are_turned_where_a_window_counts_rows() {
        // Groups come sorted by their keys, so reordering the table cannot show which order the window leaves open.
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
        for (query, open) in [
            ("SELECT b, row_number() OVER (PARTITION BY a ORDER BY count(*) DESC) AS w FROM t GROUP BY a, b", true),
            ("SELECT b, row_number() OVER (PARTITION BY a ORDER BY count(*) DESC, b) AS w FROM t GROUP BY a, b", false),
            ("SELECT b FROM t GROUP BY a, b ORDER BY count(*) DESC LIMIT 2", true),
            ("SELECT b FROM t GROUP BY a, b ORDER BY a DESC LIMIT 1", false),
        ] {
            assert_eq!(hangs_on_order(query), open, "{query}");
        }
    }
}
