//! `sqlfault repair`.

use std::path::PathBuf;

use clap::Args;

use super::progress::Shown;
use super::{Exit, bad_input};
use crate::repair::{Settings, Solver, Summary, built_in, repair};

/// Options of `repair`.
#[derive(Debug, Args)]
pub struct Options {
    /// The run's directory
    run: PathBuf,
    /// A solver without a model: nothing, spelling, position, linter; several may be named
    #[arg(long, value_name = "NAME", num_args = 1..)]
    solver: Vec<String>,
    /// Workers for solvers without a model [default: one a core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Only the first N tasks
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(options: &Options) -> Exit {
    let solvers = match solvers(options) {
        Ok(solvers) => solvers,
        Err(message) => return bad_input(&message),
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let settings = Settings { jobs: options.jobs.unwrap_or(cores), limit: options.limit };
    match repair(&options.run, &solvers, &settings, &Shown::new(options.json)) {
        Ok(summary) => report(options, &summary),
        Err(error) => bad_input(&error),
    }
}

fn solvers(options: &Options) -> Result<Vec<Box<dyn Solver>>, String> {
    let mut solvers = Vec::new();
    for name in &options.solver {
        let Some(solver) = built_in::built_in(name) else {
            return Err(format!("no solver is called {name}; there are {}", built_in::NAMES.join(", ")));
        };
        solvers.push(solver);
    }
    if solvers.is_empty() {
        return Err(format!("name a solver: --solver {}", built_in::NAMES.join(" ")));
    }
    Ok(solvers)
}

fn report(options: &Options, summary: &Summary) -> Exit {
    if options.json {
        println!("{}", serde_json::json!(summary));
    } else {
        for (solver, tally) in summary {
            let outcomes: Vec<String> = tally.outcomes.iter().map(|(outcome, n)| format!("{n} {outcome:?}")).collect();
            println!("{solver}: {} on disk before; new: {}", tally.earlier, outcomes.join(", "));
            if tally.cost > 0.0 {
                println!("  cost {:.4}", tally.cost);
            }
            if let Some(trouble) = &tally.trouble {
                println!("  {} not tried or failed: {trouble}", tally.failed);
            }
        }
    }
    if summary.values().any(|tally| tally.failed > 0) { Exit::Short } else { Exit::Done }
}
