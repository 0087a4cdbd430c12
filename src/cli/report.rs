//! `sqlfault report`.

use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::failure::Failure;
use super::terminal::escaped;
use super::verbosity::closing;
use crate::report::RunReport;

const EXAMPLES: &str = "\
Examples:
  sqlfault report runs/7
  sqlfault report runs/7 --html report.html";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportOptions {
    /// The run's directory
    run: PathBuf,
    /// Where to write the report as one HTML page, instead of tables on standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub fn run(options: &ReportOptions) -> Result<Exit, Failure> {
    let report = RunReport::read(&options.run)?;
    match &options.html {
        Some(file) => std::fs::write(file, report.html()?).map_err(|error| Failure::output(file, &error))?,
        None => print!("{}", report.plain(escaped)?),
    }
    closing("review", options.run.display());
    Ok(Exit::Done)
}
