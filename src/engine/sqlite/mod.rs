//! SQLite, embedded, as a stand-in for Hive and Spark.

pub mod functions;
