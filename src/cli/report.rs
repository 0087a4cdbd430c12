//! `sqlfault report`.

use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::failure::{Failure, failed};
use super::terminal::escaped;
use super::verbosity::closing;
use crate::report::RunReport;

/// Examples for `--help`.
const EXAMPLES: &str = "\
Examples:
  sqlfault report runs/7
  sqlfault report runs/7 --html report.html";

/// Options of `report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportOptions {
    /// The run's directory
    run: PathBuf,
    /// Where to write the report as one HTML page, instead of tables on standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs it.
pub fn run(options: &ReportOptions) -> Exit {
    match report(options) {
        Ok(()) => {
            closing("review", options.run.display());
            Exit::Done
        }
        Err(failure) => failed(&failure.message, failure.exit),
    }
}

fn report(options: &ReportOptions) -> Result<(), Failure> {
    let report = RunReport::read(&options.run).map_err(|error| error.to_string())?;
    let Some(file) = &options.html else {
        print!("{}", report.plain(escaped).map_err(|error| error.to_string())?);
        return Ok(());
    };
    let page = report.html().map_err(|error| error.to_string())?;
    std::fs::write(file, page).map_err(|error| Failure::output(file, &error))
}
