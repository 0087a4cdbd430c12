//! `sqlfault sift`.

use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::failure::Failure;
use super::progress::TerminalProgress;
use super::terminal::{escaped, escaped_lines};
use super::verbosity::closing;
use super::worker_count::workers;
use crate::sift::{Sifted, SolvedBy, Thresholds, sift};

const EXAMPLES: &str = "\
Examples:
  sqlfault sift runs/7
  sqlfault sift runs/7 --basis gm --too-easy-above 0.3";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SiftOptions {
    /// The run's directory
    run: PathBuf,
    /// Which mark counts as solved
    #[arg(long, value_enum, default_value_t)]
    basis: SolvedBy,
    /// A task is too easy when more than this share of its solvers solved it
    #[arg(long, default_value_t = 0.5, value_name = "SHARE")]
    too_easy_above: f64,
    /// A task that fewer solvers tried is not voted on
    #[arg(long, default_value_t = 2, value_name = "N")]
    quorum: usize,
    /// Workers [default: one a core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(options: &SiftOptions) -> Result<Exit, Failure> {
    if !(0.0..=1.0).contains(&options.too_easy_above) {
        return Err(Failure::from("--too-easy-above is a share from 0 to 1"));
    }
    let rule =
        Thresholds { basis: options.basis, too_easy_above: options.too_easy_above, quorum: options.quorum.max(1) };
    let jobs = options.jobs.unwrap_or_else(|| workers(None));
    let sifted = sift(&options.run, rule, jobs, &TerminalProgress::new(options.json))?;
    if options.json {
        println!("{:#}", serde_json::json!(sifted));
    } else {
        show(&sifted);
    }
    closing("review", options.run.display());
    Ok(Exit::Done)
}

fn show(sifted: &Sifted) {
    println!("{}", escaped_lines(&sifted.leaderboard.table().to_string()));
    for (decision, count) in &sifted.decisions {
        println!("{count:>6}  {}", decision.replace('_', " "));
    }
    for (solver, count) in &sifted.alone {
        println!("{count:>6}  solved by {} alone", escaped(solver));
    }
    for task in &sifted.whole {
        println!("{}: doing nothing solves it", escaped(task));
    }
    if let Some(discrimination) = sifted.discrimination {
        println!("mean discrimination {discrimination:.2}");
    }
}
