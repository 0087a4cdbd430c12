//! Service: run SQL on an engine and compare results.

mod case;
pub mod child;
mod choice;
pub mod compare;
mod database_file;
mod desk;
mod executor;
pub mod policy;
pub mod spark;
pub mod spark_rules;
pub mod sqlite;
pub mod table;

pub use case::Case;
pub use choice::{Choice, Judge, SparkChoice};
pub use compare::compare;
pub use database_file::{DatabaseFileError, DatabaseFileProblem};
pub use desk::Desk;
pub use executor::{Executor, Ground, HIVE, Word, silence};

/// How the embedded engine is called in records.
pub const EMBEDDED: &str = concat!("sqlfault ", env!("CARGO_PKG_VERSION"), " (SQLite, Spark 4.3 rules, ANSI off)");
