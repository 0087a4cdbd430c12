//! `sqlfault check`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Exit;
use super::engine::EngineOptions;
use super::failure::Failure;
use super::progress::TerminalProgress;
use super::terminal::escaped;
use super::verbosity::closing;
use super::worker_count::workers;
use crate::check::{TaskProblem, check};
use crate::engine::{Engine, ExternalEngine, for_untrusted};
use crate::train::check::CheckExtent;
use crate::train::{self, SETTINGS};

const EXAMPLES: &str = "\
Examples:
  sqlfault check runs/7
  sqlfault check pairs --every 10   a tenth of training pairs";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckOptions {
    /// The run's directory, or that of training pairs
    run: PathBuf,
    /// Of training pairs, check every N-th part
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: u64,
    #[command(flatten)]
    engine: EngineOptions,
}

pub fn run(options: &CheckOptions) -> Result<Exit, Failure> {
    let engine: Arc<dyn Engine> = Arc::from(options.engine.open(None)?);
    // A run may be foreign, and so may training pairs: their scripts run in a child process, which this one outlives.
    let engine = if engine.external().is_none() { Arc::from(for_untrusted()) } else { engine };
    if options.run.join(SETTINGS).is_file() {
        return training_pairs(options, &*engine);
    }
    let report = check(&options.run, &engine)?;
    for TaskProblem { instance_id, what } in &report.problems {
        println!("{}", escaped(&format!("{instance_id}: {what}")));
    }
    println!(
        "{}: {} syntax and {} semantic tasks, {} controls and {} mutants checked, {} problems",
        engine.name(),
        report.syntax,
        report.semantic,
        report.controls,
        report.mutants,
        report.problems.len()
    );
    if let Some(times) = engine.external().and_then(ExternalEngine::times) {
        println!("{}", times.line());
    }
    closing("repair", format_args!("{} --solver linter", options.run.display()));
    let checked = report.syntax + report.semantic + report.controls + report.mutants;
    match (report.problems.is_empty(), checked) {
        (true, 0) => Err(Failure::from("the run has no task")),
        (true, _) => Ok(Exit::Done),
        (false, _) => Ok(Exit::Short),
    }
}

/// Proves training pairs again.
fn training_pairs(options: &CheckOptions, engine: &dyn Engine) -> Result<Exit, Failure> {
    let extent = CheckExtent { jobs: workers(None), every: options.every };
    let report = train::check::check(&options.run, extent, engine, &TerminalProgress::new(false))?;
    for (id, what) in &report.problems {
        println!("{}", escaped(&format!("{id}: {what}")));
    }
    println!("{} pairs proved again, {} rows read, {} problems", report.pairs, report.rows, report.problems.len());
    match (report.problems.is_empty(), report.pairs) {
        (true, 0) => Err(Failure::from("no pair was found")),
        (true, _) => Ok(Exit::Done),
        (false, _) => Ok(Exit::Short),
    }
}
