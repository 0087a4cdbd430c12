//! `sqlfault audit`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::failure::{bad_input, failed};
use super::progress::TerminalProgress;
use super::verbosity::closing;
use super::worker_count::workers;
use crate::audit::{AuditError, AuditSettings, audit};
use crate::store::StoreError;

/// Examples for `--help`.
const EXAMPLES: &str = "\
Examples:
  sqlfault audit runs/7
  sqlfault audit runs/7 --against rows.jsonl runs/6   with what a learner may have seen";

/// Options of `audit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AuditOptions {
    /// The run's directory
    run: PathBuf,
    /// What an attacker may have besides the scripts of this program: other runs, folders of scripts, rows of trainers
    /// (.jsonl) and Harbor folders. Where these hold out tasks of the run, those alone are attacked
    #[arg(long, value_name = "RUN|PATH", num_args = 1..)]
    against: Vec<PathBuf>,
    /// Workers [default: one a core]
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// Print the audit as JSON
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(options: &AuditOptions) -> Exit {
    let jobs = workers(options.jobs);
    let settings = AuditSettings { against: options.against.clone(), jobs };
    match audit(&options.run, &settings, &TerminalProgress::new(options.json)) {
        Ok(found) if options.json => {
            println!("{}", serde_json::json!(found));
            closing("report", options.run.display());
            Exit::Done
        }
        Ok(found) => {
            print!("{}", found.table());
            closing("report", options.run.display());
            Exit::Done
        }
        Err(error @ AuditError::Store(StoreError::File { .. })) => failed(&error, Exit::Output),
        Err(error) => bad_input(&error),
    }
}
