//! SQLite, embedded, as a stand-in for Hive and Spark.

pub mod functions;
mod translate;

pub use translate::{Reason, Translation, Unsupported, translate};
