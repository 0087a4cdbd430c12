//! A service for the stages: runs SQL on an engine and compares results.
//!
//! [`Engine`] is the interface of every engine: [`EmbeddedEngine`] is SQLite behind Spark's rules, [`SparkSession`] is
//! Spark, an [`ExternalEngine`]. [`child`] runs untrusted scripts in a process of their own.

mod choice;
pub mod python;
pub mod spark_rules;
pub mod policy;
mod context;
pub mod translation;
pub mod value;
pub mod row;
pub mod table;
pub mod compare;
mod database_file;
mod outcome;
pub mod spark;
mod interface;
pub mod sqlite;
pub mod embedded;
pub mod child;
mod contained;
mod session;

#[cfg(test)]
pub mod panicking;

use spark::SparkError;

pub use choice::{EngineChoice, SparkChoice, SyntaxJudge};
pub use compare::compare;
pub use contained::ContainedEngine;
pub use context::{ContextRef, ExecutionContext};
pub use database_file::DatabaseFileError;
pub use embedded::EmbeddedEngine;
pub use interface::{EMBEDDED, Engine, ExternalEngine, HIVE};
pub use outcome::{EngineVerdict, Refusal, RunOutcome};
pub use session::SparkSession;

/// Starts the chosen engine.
pub fn open(choice: &EngineChoice) -> Result<Box<dyn Engine>, SparkError> {
    Ok(match choice {
        EngineChoice::Sqlite => Box::new(EmbeddedEngine),
        EngineChoice::Spark(spark) => Box::new(SparkSession::open(spark)?),
    })
}

/// Returns the embedded engine for untrusted scripts: in child processes, but in this one where this program is a
/// test harness, which has no such child.
pub fn for_untrusted() -> Box<dyn Engine> {
    match child::Worker::program() {
        Some(program) => Box::new(ContainedEngine::new(&program, child::Allowance::default())),
        None => Box::new(EmbeddedEngine),
    }
}

/// Returns the chosen engine under the name that records have for it. It is started only at the first request.
pub fn open_later(choice: &EngineChoice, name: &str) -> Box<dyn Engine> {
    match choice {
        EngineChoice::Sqlite => Box::new(EmbeddedEngine),
        EngineChoice::Spark(spark) => Box::new(SparkSession::later(spark, name)),
    }
}
