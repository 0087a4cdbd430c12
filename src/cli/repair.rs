//! `sqlfault repair`.

mod options;
mod assignments;
mod solvers;
mod batch;
mod estimate;

pub use options::RepairOptions;

use super::Exit;
use super::failure::Failure;
use super::progress::TerminalProgress;
use super::terminal::escaped;
use super::verbosity::closing;
use super::worker_count::workers;
use crate::repair::runner::SolverTally;
use crate::repair::{RepairSettings, SolverTallies, built_in, repair};
use solvers::{models, solvers};

pub fn run(options: &RepairOptions) -> Result<Exit, Failure> {
    let models = models(options)?;
    if models.is_empty() && options.solver.is_empty() {
        let names = built_in::NAMES.join(" ");
        return Err(Failure::usage(format!("name a solver: --solver {names} or --models FILE")));
    }
    if options.dry_run {
        return estimate::run(options, &models);
    }
    if let Some(folder) = &options.batch_out {
        return batch::write(options, &models, folder);
    }
    if !options.batch_in.is_empty() {
        return batch::read(options, &models);
    }
    let solvers = solvers(options, models)?;
    let settings = RepairSettings { jobs: options.jobs.unwrap_or_else(|| workers(None)), limit: options.limit };
    let summary = repair(&options.run, &solvers, &settings, &TerminalProgress::new(options.json))?;
    let exit = report(options, &summary)?;
    closing("sift", options.run.display());
    Ok(exit)
}

fn report(options: &RepairOptions, summary: &SolverTallies) -> Result<Exit, Failure> {
    let is_idle = |tally: &SolverTally| tally.earlier == 0 && tally.failed == 0 && tally.outcomes.is_empty();
    if options.limit != Some(0) && summary.values().all(is_idle) {
        return Err(Failure::from("the run has no task"));
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
    Ok(if summary.values().any(|tally| tally.failed > 0) { Exit::Short } else { Exit::Done })
}
