//! `sqlfault repair --dry-run`.

use super::super::Exit;
use super::super::failure::Failure;
use super::assignments::{assignments, shown};
use super::options::RepairOptions;
use super::solvers::solvers;
use crate::repair::{Estimate, Mode, ModelSolver, Solver};

/// Prints what each solver would send and cost.
pub(super) fn run(options: &RepairOptions, models: &[ModelSolver]) -> Result<Exit, Failure> {
    let shown = shown(options)?;
    let mut estimates = Vec::new();
    for model in models {
        let mut sum = Estimate::default();
        for assignment in assignments(&shown, model)? {
            model.estimate(&assignment, &mut sum)?;
        }
        let is_priced = model.client().model().price != crate::llm::Price::default();
        estimates.push((model.name().to_owned(), model.mode(), is_priced, sum));
    }
    if options.json {
        let all = estimates.iter().map(|(name, .., sum)| (name.clone(), serde_json::json!(sum)));
        println!("{}", serde_json::Value::Object(all.collect()));
        return Ok(Exit::Done);
    }
    for (name, mode, is_priced, sum) in &estimates {
        let round = if matches!(mode, Mode::Agent | Mode::Critique) { " in the first round" } else { "" };
        println!("{name}: {}{round}", describe(sum, *is_priced));
    }
    if let [_, _, ..] = estimates[..] {
        let all = estimates.iter().fold(Estimate::default(), |all, (.., sum)| all.and(sum));
        println!("together: {}", describe(&all, true));
    }
    for solver in solvers(options, Vec::new())? {
        println!("{}: {} tasks, nothing to send: it asks no model", solver.name(), shown.tasks().len());
    }
    Ok(Exit::Done)
}

fn describe(sum: &Estimate, is_priced: bool) -> String {
    let Estimate { requests, cached, usage, cost } = sum;
    let cost = if is_priced { format!("cost {cost:.2}") } else { "no price in its entry".to_owned() };
    format!(
        "{requests} requests to send, {cached} answered on disk; about {} tokens in, {} out, {cost}",
        usage.input, usage.output
    )
}
