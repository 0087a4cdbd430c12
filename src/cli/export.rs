//! `sqlfault export`.

use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::failure::Failure;
use super::verbosity::closing;
use crate::export::formats::{CANARY, FORMATS, format};
use crate::export::{AnswerStyle, BETA, ExportError, ExportSettings, KeptOut, Split, SplitGroup, export};

/// Between mutants of long scripts, whose similarity to their references is 0.9 or more, and other queries on the same
/// tables, with 0.4 or less.
const LEAST_SIMILARITY: f64 = 0.5;

#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub struct ExportOptions {
    /// Finished runs
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// The format of the rows: trl-sft, trl-dpo, verl and so on; see below
    #[arg(long)]
    format: String,
    /// A new or empty folder
    #[arg(long)]
    out: PathBuf,
    /// What the wanted answer looks like
    #[arg(long, value_enum, default_value_t = AnswerStyle::Whole)]
    answers: AnswerStyle,
    /// Instead of tasks with their references: what agents did where the judge accepted it (`repair --mode agent`, then
    /// `sift`), each turn of theirs to be learnt
    #[arg(long, conflicts_with = "answers")]
    trajectories: bool,
    /// With --answers critique: the β of preference pairs; that of each pair is β + 0.1 · CS, clause inconsistency
    #[arg(long, default_value_t = BETA)]
    beta: f64,
    /// Leave out failed attempts whose skeleton is less similar than this to that of the reference, from 0 to 1
    #[arg(long, default_value_t = LEAST_SIMILARITY, value_parser = share)]
    least_similarity: f64,
    /// Runs, such as public benchmarks, whose scripts must not come up in the rows: a script is left out if it differs
    /// from one of theirs in names and literals only
    #[arg(long, value_name = "RUN", num_args = 1..)]
    without: Vec<PathBuf>,
    /// What stays on one side of the split
    #[arg(long, value_enum, default_value_t = SplitGroup::SourceScript)]
    split_by: SplitGroup,
    /// Share of the groups held out for validation
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    validation: f64,
    /// Share of the groups held out for testing
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    test: f64,
}

/// Reads a number from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "a number from 0 to 1".to_owned())
}

/// The formats with what each leaves out, for `--help`.
fn after_help() -> String {
    let line = |name: &str, leaves_out: &str| format!("  {name:<13} leaves out {leaves_out}\n");
    let lines: String = FORMATS.iter().map(|format| line(format.name, format.leaves_out)).collect();
    let trainers: Vec<&str> = FORMATS.iter().filter(|format| !format.keeps_canary).map(|format| format.name).collect();
    let trainers = format!("{} also leave out {CANARY}", trainers.join(", "));
    format!(
        "Formats:\n{lines}{trainers}\n\nExamples:\n  sqlfault export runs/7 --format trl-sft --out training/sft --validation 0.05\n  \
         sqlfault export runs/7 --format verl --out training/verl --without runs/8"
    )
}

pub fn run(options: &ExportOptions) -> Result<Exit, Failure> {
    let Some(format) = format(&options.format) else {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let message = format!("no format is called `{}`; there are {}", options.format, names.join(", "));
        return Err(Failure::usage(message));
    };
    let settings = ExportSettings {
        runs: options.runs.clone(),
        out: options.out.clone(),
        style: options.answers,
        trajectories: options.trajectories,
        split: Split { group: options.split_by, validation: options.validation, test: options.test },
        beta: options.beta,
        least_similarity: options.least_similarity,
        kept_out: KeptOut::read(&options.without)?,
    };
    let exported = export(&settings, format).map_err(|error| match error {
        ExportError::Output(_) => Failure::new(Exit::Output, error),
        error => error.into(),
    })?;
    for (file, rows) in &exported.rows {
        println!("{file}: {rows} rows");
    }
    for (side, tasks) in &exported.sides {
        println!("{}: {tasks} tasks", side.name());
    }
    if exported.kept_out > 0 {
        println!("kept out: {} tasks whose scripts the runs of --without have", exported.kept_out);
    }
    println!("left out: {}", exported.left_out);
    closing("train --format", &options.format);
    Ok(Exit::Done)
}
