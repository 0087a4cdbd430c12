//! `sqlfault check`.

use std::path::PathBuf;

use clap::Args;

use super::{Exit, bad_input};
use crate::check::{Problem, check};

/// Options of `check`.
#[derive(Debug, Args)]
pub struct Options {
    /// The run's directory
    run: PathBuf,
}

/// Runs it.
pub fn run(options: &Options) -> Exit {
    let report = match check(&options.run) {
        Ok(report) => report,
        Err(error) => return bad_input(&error),
    };
    for Problem { instance_id, what } in &report.problems {
        println!("{instance_id}: {what}");
    }
    println!(
        "{} syntax and {} semantic tasks, {} controls and {} mutants checked, {} problems",
        report.syntax,
        report.semantic,
        report.controls,
        report.mutants,
        report.problems.len()
    );
    if report.problems.is_empty() { Exit::Done } else { Exit::Short }
}
