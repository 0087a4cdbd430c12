//! Options of `repair`.

use std::path::PathBuf;

use clap::Args;

use super::super::heading::{REQUESTS, RUNS, SOLVERS};
use crate::repair::{CriticSetting, Mode};

const EXAMPLES: &str = "\
Examples:
  sqlfault repair runs/7 --solver position linter
  sqlfault repair runs/7 --models models.yaml --dry-run
  sqlfault repair runs/7 --models models.yaml --mode whole agent --max-cost 20
  sqlfault repair runs/7 --models models.yaml --batch-out requests/";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RepairOptions {
    /// The run's directory
    pub run: PathBuf,
    /// Solvers without a model: nothing, spelling, position, linter
    #[arg(long, value_name = "NAME", num_args = 1.., help_heading = SOLVERS)]
    pub solver: Vec<String>,
    /// A YAML file of models; all of them try unless --model names some
    #[arg(long, value_name = "FILE", help_heading = SOLVERS)]
    pub models: Option<PathBuf>,
    /// Only these models of the file
    #[arg(long, value_name = "NAME", num_args = 1.., requires = "models", help_heading = SOLVERS)]
    pub model: Vec<String>,
    /// How models work; several may be named
    #[arg(long, value_enum, num_args = 1.., default_values_t = [Mode::Whole], help_heading = SOLVERS)]
    pub mode: Vec<Mode>,
    /// In mode critique: which scripts the critic is asked about; several may be named
    #[arg(long, value_enum, num_args = 1.., default_values_t = [CriticSetting::All], help_heading = SOLVERS)]
    pub setting: Vec<CriticSetting>,
    /// Most rounds of an agent or a critic
    #[arg(long, default_value_t = 3, help_heading = SOLVERS)]
    pub rounds: usize,
    /// Where requests and answers are kept [default: RUN/exchanges]
    #[arg(long, value_name = "DIR", help_heading = REQUESTS)]
    pub cache: Option<PathBuf>,
    /// Send nothing: take answers from the cache only
    #[arg(long, help_heading = REQUESTS)]
    pub offline: bool,
    /// Send nothing and write nothing: show what it would take
    #[arg(long, help_heading = REQUESTS)]
    pub dry_run: bool,
    /// Send nothing: write the first request of each attempt that has no answer yet into one file a model, as its
    /// provider's batch service takes it
    #[arg(long, value_name = "DIR", requires = "models", help_heading = REQUESTS)]
    pub batch_out: Option<PathBuf>,
    /// Send nothing: read result files of batches into the cache; --offline then makes attempts of them
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "models", help_heading = REQUESTS)]
    pub batch_in: Vec<PathBuf>,
    /// Stop before more than this is spent, in the currency of the prices
    #[arg(long, value_name = "MONEY", help_heading = REQUESTS)]
    pub max_cost: Option<f64>,
    /// Workers for solvers without a model [default: one a core]
    #[arg(long, help_heading = RUNS)]
    pub jobs: Option<usize>,
    /// Only the first N tasks
    #[arg(long, value_name = "N", help_heading = RUNS)]
    pub limit: Option<usize>,
    /// Print the summary as JSON
    #[arg(long, help_heading = RUNS)]
    pub json: bool,
}
