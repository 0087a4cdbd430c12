//! `sqlfault query`.

use std::io::Read;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::Exit;
use super::failure::Failure;
use super::terminal::{escaped_json, escaped_lines};
use super::verbosity::closing;
use crate::engine::child::Sandbox;
use crate::publish::record::TaskRecord;
use crate::repair::{QueryAnswer, SolverSample};
use crate::store::RunDirectory;

/// The longest query that is read, in bytes.
const LONGEST: u64 = 1 << 20;

const EXAMPLES: &str = "\
The query runs on the task's public sample database, under the limits and in the process that answers run in when they \
are scored. It sees nothing of the judge's databases.

Exit codes: 0 rows; 1 the engine refuses or ends the query, and standard output has its message; 3 there is no such run, \
task or sample.

Examples:
  echo 'SELECT status, COUNT(*) AS n FROM orders GROUP BY status' | sqlfault query runs/7 01cf6dd994";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct QueryOptions {
    /// The run's directory
    run: PathBuf,
    /// The task's id
    id: String,
    /// Rows of each table that are shown
    #[arg(long, default_value_t = 100, value_name = "N")]
    rows: usize,
    /// All rows as JSON: {"tables": [{"target", "columns", "rows"}]} or {"message"}
    #[arg(long)]
    json: bool,
}

pub fn run(options: &QueryOptions) -> Result<Exit, Failure> {
    let answer = answer(options)?;
    match &answer {
        QueryAnswer::Result(result) if options.json => {
            let table = |table: &crate::engine::table::ResultTable| {
                let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
                json!({ "target": table.target, "columns": columns, "rows": table.rows })
            };
            println!("{}", escaped_json(&json!({ "tables": result.tables.iter().map(table).collect::<Vec<_>>() })));
        }
        QueryAnswer::Message(message) if options.json => println!("{}", escaped_json(&json!({ "message": message }))),
        shown => println!("{}", escaped_lines(&shown.as_text(options.rows))),
    }
    closing("score", format_args!("{} --stdin", options.run.display()));
    Ok(if matches!(answer, QueryAnswer::Result(_)) { Exit::Done } else { Exit::Short })
}

fn answer(options: &QueryOptions) -> Result<QueryAnswer, Failure> {
    let directory = RunDirectory::open(&options.run)?;
    let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
    let task = tasks.into_iter().find(|task| task.instance_id == options.id);
    let task = task.ok_or_else(|| format!("no task of {} is called {}", options.run.display(), options.id))?;
    let sample = SolverSample::find(directory.root(), &options.id)?;
    let sample = sample.ok_or_else(|| format!("the run has no public sample for the task {}", options.id))?;
    let mut sql = String::new();
    let read = std::io::stdin().take(LONGEST + 1).read_to_string(&mut sql);
    read.map_err(|error| format!("standard input: {error}"))?;
    if sql.len() as u64 > LONGEST {
        return Err(Failure::from(format!("the query is longer than {} MiB", LONGEST >> 20)));
    }
    Ok(sample.query(&task, &sql, &mut Sandbox::open()))
}
