//! Settings that choose the engine.

use serde::{Deserialize, Serialize};

/// The parser and analyser whose message a syntax task has. A mutant that this judge accepts is no syntax task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum SyntaxJudge {
    /// Spark alone.
    #[default]
    Spark,
    /// Hive's own parser alone: nothing but its parser, so names and types are not judged.
    Hive,
    /// Spark, and Hive's parser beside it, whose answer is recorded whether it refuses or accepts.
    Both,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineChoice {
    /// The embedded engine: SQLite with Hive's functions behind Spark's rules.
    #[default]
    Sqlite,
    Spark(SparkChoice),
}

/// Settings of Spark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SparkChoice {
    /// ANSI mode with ANSI store assignment; off is the mode that Hive scripts expect.
    pub ansi: bool,
    pub judge: SyntaxJudge,
    /// Spark's master: `local[2]`, or the address of a cluster.
    pub address: String,
}

impl Default for SparkChoice {
    fn default() -> SparkChoice {
        SparkChoice { ansi: false, judge: SyntaxJudge::default(), address: "local[2]".to_owned() }
    }
}

impl EngineChoice {
    /// Returns Spark's settings if Spark was chosen.
    pub fn spark(&self) -> Option<&SparkChoice> {
        match self {
            EngineChoice::Sqlite => None,
            EngineChoice::Spark(spark) => Some(spark),
        }
    }
}
