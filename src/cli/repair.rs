//! `sqlfault repair`.

mod options;
mod assignments;
mod solvers;
mod batch;
mod estimate;

pub use options::RepairOptions;

use super::Exit;
use super::failure::{bad_input, failed};
use super::progress::TerminalProgress;
use super::terminal::escaped;
use super::verbosity::closing;
use super::worker_count::workers;
use crate::repair::runner::SolverTally;
use crate::repair::{RepairSettings, SolverTallies, built_in, repair};
use solvers::{models, solvers};

/// Runs it.
pub fn run(options: &RepairOptions) -> Exit {
    let models = match models(options) {
        Ok(models) => models,
        Err(message) => return bad_input(&message),
    };
    if models.is_empty() && options.solver.is_empty() {
        let names = built_in::NAMES.join(" ");
        return failed(&format!("name a solver: --solver {names} or --models FILE"), Exit::Usage);
    }
    if options.dry_run {
        return match estimate::run(options, &models) {
            Ok(()) => Exit::Done,
            Err(message) => bad_input(&message),
        };
    }
    if options.batch_out.is_some() || !options.batch_in.is_empty() {
        return batch::run(options, &models);
    }
    let solvers = match solvers(options, models) {
        Ok(solvers) => solvers,
        Err(message) => return bad_input(&message),
    };
    let settings = RepairSettings { jobs: options.jobs.unwrap_or_else(|| workers(None)), limit: options.limit };
    match repair(&options.run, &solvers, &settings, &TerminalProgress::new(options.json)) {
        Ok(summary) => {
            let exit = report(options, &summary);
            closing("sift", options.run.display());
            exit
        }
        Err(error) => bad_input(&error),
    }
}

fn report(options: &RepairOptions, summary: &SolverTallies) -> Exit {
    let is_idle = |tally: &SolverTally| tally.earlier == 0 && tally.failed == 0 && tally.outcomes.is_empty();
    if options.limit != Some(0) && summary.values().all(is_idle) {
        return bad_input(&"the run has no task");
    }
    if options.json {
        println!("{}", serde_json::json!(summary));
    } else {
        for (solver, tally) in summary {
            let outcomes: Vec<String> =
                tally.outcomes.iter().map(|(outcome, n)| format!("{n} {}", outcome.words())).collect();
            let new = if outcomes.is_empty() { "none".to_owned() } else { outcomes.join(", ") };
            println!("{solver}: {} on disk before; new: {new}", tally.earlier);
            if tally.cost > 0.0 {
                println!("  cost {:.4}", tally.cost);
            }
            if let Some(failure) = &tally.failure {
                println!("  {} not tried or failed: {}", tally.failed, escaped(failure));
            }
        }
    }
    if summary.values().any(|tally| tally.failed > 0) { Exit::Short } else { Exit::Done }
}
