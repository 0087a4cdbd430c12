//! The public sample database of a task, and what a query gives on it.

use std::path::Path;

use crate::engine::child::Sandbox;
use crate::engine::policy::Policies;
use crate::engine::table::{Database, ResultTable, Row, ScriptResult, Value};
use crate::engine::{DatabaseFileError, ExecutionContext};
use crate::publish::record::TaskRecord;
use crate::store::locate;

/// The rows that a solver may see and query.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverSample {
    database: Database,
}

/// What a query gave.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryAnswer {
    Result(ScriptResult),
    Message(String),
}

impl SolverSample {
    /// The sample of a task; `None` if the run has none.
    pub fn find(run: &Path, instance_id: &str) -> Result<Option<SolverSample>, DatabaseFileError> {
        // An id names a file and never a way out of the folder.
        if !instance_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
            return Ok(None);
        }
        let file = locate(run, &format!("samples/{instance_id}.json"));
        if !file.is_file() {
            return Ok(None);
        }
        Database::read(&file).map(|database| Some(SolverSample { database }))
    }

    /// Runs a query, or a whole script, under the limits that hold when answers are scored.
    pub fn query(&self, task: &TaskRecord, sql: &str, sandbox: &mut Sandbox) -> QueryAnswer {
        let context = match ExecutionContext::read(&task.schema_ddl, &task.parameters, Policies::default()) {
            Ok(context) => context,
            Err(error) => return QueryAnswer::Message(format!("the table definitions cannot be read: {error}")),
        };
        let outcome = sandbox.run(sql, context.by_ref(), &self.database).into_result();
        outcome.map_or_else(QueryAnswer::Message, QueryAnswer::Result)
    }
}

impl QueryAnswer {
    /// The answer as text: each table with its columns and at most `rows` rows, cells apart by ` | `.
    pub fn as_text(&self, rows: usize) -> String {
        match self {
            QueryAnswer::Message(message) => message.clone(),
            QueryAnswer::Result(result) if result.tables.is_empty() => "no result".to_owned(),
            QueryAnswer::Result(result) => {
                result.tables.iter().map(|table| shown(table, rows)).collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}

fn shown(table: &ResultTable, rows: usize) -> String {
    let mut lines = Vec::new();
    if !table.target.is_empty() {
        lines.push(format!("-- table {}", table.target));
    }
    lines.push(table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(" | "));
    let row = |row: &Row| row.iter().map(cell).collect::<Vec<_>>().join(" | ");
    lines.extend(table.rows.iter().take(rows).map(row));
    let rest = table.rows.len().saturating_sub(rows);
    let count = table.rows.len();
    lines.push(match (count, rest) {
        (1, 0) => "(1 row)".to_owned(),
        (_, 0) => format!("({count} rows)"),
        (_, rest) => format!("({count} rows, {rest} of them not shown)"),
    });
    lines.join("\n")
}

/// A value as text; texts stand in quotes, so that an empty one, a blank and NULL are told apart.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''").replace('\n', "\\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> TaskRecord {
        TaskRecord::example("t-1", "", "create table a (k bigint, s string);")
    }

    fn run() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("samples")).unwrap();
        let rows = r#"{"tables":[{"table":"a","rows":[[1,"x"],[2,null],[3,""]]}]}"#;
        std::fs::write(folder.path().join("run.yaml"), "").unwrap();
        std::fs::write(folder.path().join("samples/t-1.json"), rows).unwrap();
        folder
    }

    #[test]
    fn a_query_gives_rows_or_the_engines_message() {
        let folder = run();
        let sample = SolverSample::find(folder.path(), "t-1").unwrap().unwrap();
        let asked = |sql: &str| sample.query(&task(), sql, &mut Sandbox::open()).as_text(2);
        assert_eq!(asked("select k, s from a order by k"), "k | s\n1 | 'x'\n2 | NULL\n(3 rows, 1 of them not shown)");
        assert_eq!(asked("select count(s) as n from a"), "n\n2\n(1 row)");
        assert!(asked("select q from a").contains("UNRESOLVED_COLUMN"), "{}", asked("select q from a"));
        assert_eq!(asked("create table b as select k from a"), "-- table b\nk\n1\n2\n(3 rows, 1 of them not shown)");
    }

    #[test]
    fn a_task_without_a_sample_and_an_id_that_is_a_path_have_none() {
        let folder = run();
        for id in ["t-2", "../samples/t-1", "", "samples/t-1"] {
            assert_eq!(SolverSample::find(folder.path(), id).unwrap(), None, "{id}");
        }
    }
}
