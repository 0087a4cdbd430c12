//! Options of `build`.

use std::path::PathBuf;

use clap::Args;

use super::super::engine::{EngineOptions, JudgeOptions};
use super::super::heading::{MODELS, RUNS};
use super::super::parameters::ParameterOptions;
use super::given::GivenSettings;
use super::shard_number::shard;
use crate::pipeline::Shard;

const EXAMPLES: &str = "\
Examples:
  sqlfault build                                     469 syntax and 516 semantic tasks in runs/<seed>, each on a
                                                     script of its own, composed for this run
  sqlfault build --seed 7 --syntax 40 --semantic 40  a small run; the same seed gives the same bytes
  sqlfault build --source my-scripts/ --out runs/own  tasks from your own scripts
  sqlfault build --seed 7 --resume                   go on where a run was cut off
  sqlfault build --refill runs/7                     new tasks for those that sift or reviewers took out";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BuildOptions {
    #[command(flatten)]
    pub given: GivenSettings,
    /// Take dropped tasks out of this run, and put new ones in their places: tasks that `sift` finds too easy, that
    /// reviewers removed, or that `prove --certify` dropped
    #[arg(long, value_name = "RUN", conflicts_with_all = [
        "out", "seed", "syntax", "semantic", "faults_per_task", "controls", "mix", "hints", "difficulty", "lines", "scripts", "profile", "effort", "resume", "config", "models",
        "policy",
    ], help_heading = RUNS)]
    pub refill: Option<PathBuf>,
    /// Go on with a run that was cut off; its folder is --out, or runs/<seed>
    #[arg(long, help_heading = RUNS)]
    pub resume: bool,
    #[command(flatten)]
    pub parameters: ParameterOptions,
    /// Take answers of models from RUN/exchanges only
    #[arg(long, help_heading = MODELS)]
    pub offline: bool,
    /// Ask no model any more before this is spent, in the currency of the prices
    #[arg(long, value_name = "MONEY", help_heading = MODELS)]
    pub max_cost: Option<f64>,
    /// All of these settings, and complexity: {alpha, beta, tau}, as YAML; what the command line says wins
    #[arg(long, value_name = "FILE", help_heading = RUNS)]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineOptions,
    #[command(flatten)]
    pub judges: JudgeOptions,
    /// Make part K of N of the trials only; `merge` makes the run out of all parts
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with = "plan_only", help_heading = RUNS)]
    pub shard: Option<Shard>,
    /// Write the work items and nothing else; `worker` does them, anywhere
    #[arg(long, help_heading = RUNS)]
    pub plan_only: bool,
    /// Print the funnel as JSON
    #[arg(long, help_heading = RUNS)]
    pub json: bool,
}
