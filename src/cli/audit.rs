//! `sqlfault audit`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::failure::Failure;
use super::progress::TerminalProgress;
use super::verbosity::closing;
use super::worker_count::workers;
use crate::audit::{AuditError, AuditSettings, audit};
use crate::store::StoreError;

const EXAMPLES: &str = "\
Examples:
  sqlfault audit runs/7
  sqlfault audit runs/7 --against rows.jsonl runs/6   with what a learner may have seen";

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

pub fn run(options: &AuditOptions) -> Result<Exit, Failure> {
    let settings = AuditSettings { against: options.against.clone(), jobs: workers(options.jobs) };
    let progress = TerminalProgress::new(options.json);
    let found = audit(&options.run, &settings, &progress).map_err(|error| match error {
        AuditError::Store(StoreError::File { .. }) => Failure::new(Exit::Output, error),
        error => error.into(),
    })?;
    if options.json {
        println!("{}", serde_json::json!(found));
    } else {
        print!("{}", found.table());
    }
    closing("report", options.run.display());
    Ok(Exit::Done)
}
