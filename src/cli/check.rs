//! `sqlfault check`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::engine::EngineOptions;
use super::terminal::escaped;
use super::{Exit, bad_input};
use crate::check::{TaskProblem, check};
use crate::engine::child::{Allowance, Worker};
use crate::engine::{ContainedEngine, Engine};

/// Options of `check`.
#[derive(Debug, Args)]
pub struct CheckOptions {
    /// The run's directory
    run: PathBuf,
    #[command(flatten)]
    engine: EngineOptions,
}

/// Runs it.
pub fn run(options: &CheckOptions) -> Exit {
    let engine: Arc<dyn Engine> = match options.engine.open(None) {
        Ok(engine) => Arc::from(engine),
        Err(exit) => return exit,
    };
    // A run may come from a stranger: its scripts run apart from this process, which outlives them.
    let engine = match Worker::program().filter(|_| engine.is_embedded()) {
        Some(program) => Arc::new(ContainedEngine::new(&program, Allowance::default())),
        None => engine,
    };
    let report = match check(&options.run, &engine) {
        Ok(report) => report,
        Err(error) => return bad_input(&error),
    };
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
    if let Some(times) = engine.times() {
        println!("{}", times.line());
    }
    if report.problems.is_empty() { Exit::Done } else { Exit::Short }
}
