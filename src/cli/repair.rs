//! `sqlfault repair`.

mod batch;
mod estimate;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::heading::{REQUESTS, RUNS, SOLVERS};
use super::progress::TerminalProgress;
use super::terminal::escaped;
use super::verbosity::closing;
use super::{Exit, bad_input, failed, workers};
use crate::llm::{Budget, Cache, Client, Models};
use crate::repair::runner::{PublicPart, SolverTally};
use crate::repair::{
    Assignment, CriticSetting, Mode, ModelSolver, RepairPrompts, RepairSettings, Solver, SolverTallies, built_in,
    repair,
};
use crate::store::{RunDirectory, locate};

const EXAMPLES: &str = "\
Examples:
  sqlfault repair runs/7 --solver position linter
  sqlfault repair runs/7 --models models.yaml --dry-run
  sqlfault repair runs/7 --models models.yaml --mode whole agent --max-cost 20
  sqlfault repair runs/7 --models models.yaml --batch-out requests/";

/// Options of `repair`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RepairOptions {
    /// The run's directory
    run: PathBuf,
    /// Solvers without a model: nothing, spelling, position, linter
    #[arg(long, value_name = "NAME", num_args = 1.., help_heading = SOLVERS)]
    solver: Vec<String>,
    /// A YAML file of models; all of them try unless --model names some
    #[arg(long, value_name = "FILE", help_heading = SOLVERS)]
    models: Option<PathBuf>,
    /// Only these models of the file
    #[arg(long, value_name = "NAME", num_args = 1.., requires = "models", help_heading = SOLVERS)]
    model: Vec<String>,
    /// How models work; several may be named
    #[arg(long, value_enum, num_args = 1.., default_values_t = [Mode::Whole], help_heading = SOLVERS)]
    mode: Vec<Mode>,
    /// In mode critique: which scripts the critic is asked about; several may be named
    #[arg(long, value_enum, num_args = 1.., default_values_t = [CriticSetting::All], help_heading = SOLVERS)]
    setting: Vec<CriticSetting>,
    /// Most rounds of an agent or a critic
    #[arg(long, default_value_t = 3, help_heading = SOLVERS)]
    rounds: usize,
    /// Where requests and answers are kept [default: RUN/exchanges]
    #[arg(long, value_name = "DIR", help_heading = REQUESTS)]
    cache: Option<PathBuf>,
    /// Send nothing: take answers from the cache only
    #[arg(long, help_heading = REQUESTS)]
    offline: bool,
    /// Send nothing and write nothing: show what it would take
    #[arg(long, help_heading = REQUESTS)]
    dry_run: bool,
    /// Send nothing: write the first request of each attempt that has no answer yet into one file a model, as its
    /// provider's batch service takes it
    #[arg(long, value_name = "DIR", requires = "models", help_heading = REQUESTS)]
    batch_out: Option<PathBuf>,
    /// Send nothing: read result files of batches into the cache; --offline then makes attempts of them
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "models", help_heading = REQUESTS)]
    batch_in: Vec<PathBuf>,
    /// Stop before more than this is spent, in the currency of the prices
    #[arg(long, value_name = "MONEY", help_heading = REQUESTS)]
    max_cost: Option<f64>,
    /// Workers for solvers without a model [default: one a core]
    #[arg(long, help_heading = RUNS)]
    jobs: Option<usize>,
    /// Only the first N tasks
    #[arg(long, value_name = "N", help_heading = RUNS)]
    limit: Option<usize>,
    /// Print the summary as JSON
    #[arg(long, help_heading = RUNS)]
    json: bool,
}

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

fn solvers(options: &RepairOptions, models: Vec<ModelSolver>) -> Result<Vec<Box<dyn Solver>>, String> {
    let mut solvers: Vec<Box<dyn Solver>> = Vec::new();
    for name in &options.solver {
        let Some(solver) = built_in::built_in(name) else {
            return Err(format!("no solver is called {name}; there are {}", built_in::NAMES.join(", ")));
        };
        solvers.push(solver);
    }
    solvers.extend(models.into_iter().map(|model| Box::new(model) as Box<dyn Solver>));
    for (position, solver) in solvers.iter().enumerate() {
        if solvers[..position].iter().any(|other| other.name() == solver.name()) {
            return Err(format!("two solvers are called {}", solver.name()));
        }
    }
    Ok(solvers)
}

/// The models asked for, in each mode and setting asked for.
fn models(options: &RepairOptions) -> Result<Vec<ModelSolver>, String> {
    let Some(path) = &options.models else { return Ok(Vec::new()) };
    let file = Models::load(path).map_err(|error| error.to_string())?;
    if let Some(unknown) = options.model.iter().find(|name| file.model(name).is_none()) {
        return Err(format!("{} has no model called {unknown}", path.display()));
    }
    let cache = Arc::new(Cache::new(&options.cache.clone().unwrap_or_else(|| locate(&options.run, "exchanges"))));
    let budget = Arc::new(Budget::new(options.max_cost));
    let prompts = Arc::new(RepairPrompts::built_in().map_err(|error| error.to_string())?);
    let silent = options.offline || options.dry_run || options.batch_out.is_some() || !options.batch_in.is_empty();
    let client = |name: &str| {
        let model = file.model(name).ok_or_else(|| format!("no model is called {name}"))?;
        Client::new(model, &cache, &budget, silent).map(Arc::new)
    };
    let mut solvers = Vec::new();
    for model in &file.models {
        if !options.model.is_empty() && !options.model.contains(&model.name) {
            continue;
        }
        let own = client(&model.name)?;
        let editor = || model.editor.as_ref().map_or_else(|| Ok(Arc::clone(&own)), |editor| client(editor));
        for mode in &options.mode {
            let (own, prompts) = (Arc::clone(&own), Arc::clone(&prompts));
            match mode {
                Mode::Diff => solvers.push(ModelSolver::diff(own, prompts)),
                Mode::Agent => solvers.push(ModelSolver::agent(own, editor()?, prompts, options.rounds)),
                Mode::Critique => {
                    for setting in &options.setting {
                        let (own, prompts) = (Arc::clone(&own), Arc::clone(&prompts));
                        solvers.push(ModelSolver::critic(own, editor()?, prompts, options.rounds, *setting));
                    }
                }
                Mode::Whole | Mode::BuiltIn => solvers.push(ModelSolver::whole(own, prompts)),
            }
        }
    }
    Ok(solvers)
}

/// What the run shows to solvers, up to `--limit`.
fn shown(options: &RepairOptions) -> Result<PublicPart, String> {
    let directory = RunDirectory::open(&options.run).map_err(|error| error.to_string())?;
    PublicPart::read(&directory, options.limit).map_err(|error| error.to_string())
}

/// The assignments that a solver is given, in order; controls only if it takes them.
fn assignments<'a>(shown: &'a PublicPart, solver: &dyn Solver) -> Result<Vec<Assignment<'a>>, String> {
    let count = if solver.takes_controls() { shown.records.len() } else { shown.tasks().len() };
    (0..count).map(|at| shown.assignment(at).map_err(|error| error.to_string())).collect()
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
