//! A small run for tests: one planted bug, as often as wanted.

use std::path::Path;

use crate::code::dialect::Dialect;
use crate::code::edit::{Edit, Edits};
use crate::engine::table::{Row, Value};
use crate::publish::locate::Location;
use crate::publish::record::{
    Evidence, GoldRecord, Label, Provenance, ResultRecord, ScriptComplexity, SolverContext, TaskRecord, patch,
};
use crate::store::RunDirectory;

const ISSUE: &str = "SELECT COUNT(amount) AS n\nFROM shop.sales\n";
const SCHEMA: &str = "CREATE TABLE shop.sales (id BIGINT, amount DOUBLE);";
const DATABASE: &str = r#"{"tables":[{"table":"shop.sales","rows":[[1,null],[2,5.0]]}]}"#;

/// A run with this many tasks `task0000`, `task0001`, …: COUNT(amount) instead of COUNT(*).
pub fn test_run(tasks: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), tasks);
    folder
}

fn write(folder: &Path, tasks: usize) {
    let directory = RunDirectory::create(folder).unwrap();
    directory.write("run.yaml", b"seed: 1\n").unwrap();
    directory.write("databases/witness.json", DATABASE.as_bytes()).unwrap();
    let ids: Vec<String> = (0..tasks).map(|number| format!("task{number:04}")).collect();
    let tasks: Vec<TaskRecord> = ids.iter().map(|id| task(id)).collect();
    let gold: Vec<GoldRecord> = ids.iter().map(|id| gold(id)).collect();
    directory.write_records("tasks.jsonl", &tasks).unwrap();
    directory.write_records("gold.jsonl", &gold).unwrap();
}

fn task(id: &str) -> TaskRecord {
    let context = SolverContext::UserQuery(format!("{id}: too few sales are counted"));
    TaskRecord { dialect: Dialect::Spark, domain: "shop".to_owned(), context, ..TaskRecord::example(id, ISSUE, SCHEMA) }
}

fn gold(id: &str) -> GoldRecord {
    let edits = Edits::new(vec![Edit { start: 13, end: 19, text: "*".to_owned() }]).unwrap();
    let reference_sql = edits.apply(ISSUE).unwrap();
    let result = |count| ResultRecord {
        target: String::new(),
        columns: vec!["n".to_owned()],
        rows: vec![Row::from([Value::Integer(count)])],
    };
    let level = || "aggregate".to_owned();
    GoldRecord {
        instance_id: id.to_owned(),
        patch: patch(ISSUE, &reference_sql),
        reference_sql,
        files: Vec::new(),
        read_tables: Vec::new(),
        alternatives: Vec::new(),
        labels: vec![Label { fault: "count-column".to_owned(), level1: level(), level2: level(), level3: level() }],
        parts: Vec::new(),
        edits,
        location: Location { line: 1, column: 14, statement: 1, cte: None, clause: "SELECT".to_owned() },
        critique: Vec::new(),
        evidence: Evidence::Killed {
            engine: "test".to_owned(),
            databases: vec!["databases/witness.json".to_owned()],
            reference: vec![result(2)],
            issue: vec![result(1)],
        },
        complexity: ScriptComplexity::default(),
        difficulty: None,
        provenance: Provenance::default(),
    }
}
