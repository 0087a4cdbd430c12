//! The solvers that are asked for.

use std::sync::Arc;

use super::super::failure::Failure;
use super::options::RepairOptions;
use crate::llm::{Budget, Cache, Client, Models};
use crate::repair::{Mode, ModelSolver, RepairPrompts, Solver, built_in};
use crate::store::locate;

pub(super) fn solvers(options: &RepairOptions, models: Vec<ModelSolver>) -> Result<Vec<Box<dyn Solver>>, String> {
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
pub(super) fn models(options: &RepairOptions) -> Result<Vec<ModelSolver>, Failure> {
    let Some(path) = &options.models else { return Ok(Vec::new()) };
    let file = Models::load(path)?;
    if let Some(unknown) = options.model.iter().find(|name| file.model(name).is_none()) {
        return Err(Failure::from(format!("{} has no model called {unknown}", path.display())));
    }
    let cache = Arc::new(Cache::new(&options.cache.clone().unwrap_or_else(|| locate(&options.run, "exchanges"))));
    let budget = Arc::new(Budget::new(options.max_cost));
    let prompts = Arc::new(RepairPrompts::built_in()?);
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
