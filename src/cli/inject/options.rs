//! Options of `inject`.

use std::path::PathBuf;

use clap::Args;

use super::super::engine::{EngineOptions, JudgeOptions};
use super::super::heading::{OUTPUT, WHAT};
use super::super::parameters::ParameterOptions;
use crate::prove::effort::Effort;

const EXAMPLES: &str = "\
Examples:
  sqlfault inject report.sql --schema tables.sql --parameter bizdate=2024-03-15
  sqlfault inject report.sql --schema tables.sql --fault left-join-made-inner --each 5 --json";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InjectOptions {
    /// The script
    pub script: PathBuf,
    /// Definitions of its tables, or a folder of them: DDL of Hive, Spark or another platform, output of SHOW CREATE TABLE,
    /// information_schema.columns as CSV, dbt's manifest.json or catalog.json; `spark:DATABASE` asks the catalogue of your
    /// own Spark [default: the files beside the script]
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = WHAT)]
    pub schema: Vec<PathBuf>,
    /// The dialect that script and definitions are written in, such as `snowflake`: an installed sqlglot translates them
    #[arg(long, value_name = "NAME", help_heading = WHAT)]
    pub dialect: Option<String>,
    /// Only these faults
    #[arg(long, value_name = "ID", help_heading = WHAT)]
    pub fault: Vec<String>,
    /// A folder of your own taxonomy instead of the one carried in the binary
    #[arg(long, help_heading = WHAT)]
    pub taxonomy: Option<PathBuf>,
    #[command(flatten)]
    pub parameters: ParameterOptions,
    /// At most this many proved mutants of each fault
    #[arg(long, default_value_t = 3, help_heading = WHAT)]
    pub each: usize,
    /// How long to search for a database that shows a fault: low, normal or high
    #[arg(long, default_value = "normal", value_name = "EFFORT")]
    pub effort: Effort,
    #[command(flatten)]
    pub engine: EngineOptions,
    #[command(flatten)]
    pub judges: JudgeOptions,
    /// Print one JSON object per mutant
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}
