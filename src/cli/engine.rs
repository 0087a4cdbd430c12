//! `--engine` and its companions, the same for every command that runs scripts.

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::failure::Failure;
use super::heading::ENGINE;
use crate::engine::policy::{Policies, Policy};
use crate::engine::{self, EngineChoice, SparkChoice, SyntaxJudge};

/// The engine that decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum EngineOption {
    /// The embedded engine: SQLite with Hive's functions behind Spark's rules.
    #[default]
    Sqlite,
    /// Apache Spark, started and supervised by this program.
    Spark,
}

/// Which engine, and how it is set up.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = ENGINE)]
pub struct EngineOptions {
    /// The engine that decides [default: sqlite]
    #[arg(long, value_enum)]
    engine: Option<EngineOption>,
    /// Spark in ANSI mode instead of the mode that Hive scripts expect
    #[arg(long)]
    ansi: bool,
    /// Spark's master: local[N], local-cluster[N,CORES,MEMORY], spark://HOST:PORT, yarn or k8s://…  [default: local[2]]
    #[arg(long, value_name = "ADDRESS")]
    spark_address: Option<String>,
}

/// What decides which mutants are faults: the judges of syntax, and the platform's rules.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = ENGINE)]
pub struct JudgeOptions {
    /// With --engine spark: whose error message a syntax task shows [default: spark]
    #[arg(long, value_enum)]
    pub judge: Option<SyntaxJudge>,
    /// Rules of the platform beyond the engine's: what breaks one is an error, and its faults are planted
    #[arg(long, value_enum, value_name = "POLICY")]
    policy: Vec<Policy>,
}

impl JudgeOptions {
    /// Returns the rules switched on; `None` if none is named, so that a file may name them.
    pub fn policies(&self) -> Option<Policies> {
        (!self.policy.is_empty()).then(|| self.policy.iter().copied().collect())
    }
}

impl EngineOptions {
    /// Returns the engine chosen; `configured` is the file's choice, for a command line that makes none.
    pub fn choice(
        &self,
        configured: Option<EngineOption>,
        judge: Option<SyntaxJudge>,
    ) -> Result<EngineChoice, Failure> {
        let engine = self.engine.or(configured).unwrap_or_default();
        let is_set = self.ansi || self.spark_address.is_some() || judge.is_some();
        match engine {
            EngineOption::Sqlite if is_set => {
                Err(Failure::usage("--ansi, --judge and --spark-address need --engine spark"))
            }
            EngineOption::Sqlite => Ok(EngineChoice::Sqlite),
            EngineOption::Spark => {
                let usual = SparkChoice::default();
                Ok(EngineChoice::Spark(SparkChoice {
                    ansi: self.ansi,
                    judge: judge.unwrap_or_default(),
                    address: self.spark_address.clone().unwrap_or(usual.address),
                }))
            }
        }
    }

    /// Starts the engine chosen.
    pub fn open(&self, judge: Option<SyntaxJudge>) -> Result<Box<dyn engine::Engine>, Failure> {
        engine::open(&self.choice(None, judge)?).map_err(Failure::no_engine)
    }
}
