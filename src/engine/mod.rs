//! Service: run SQL on an engine and compare results.

pub mod child;
pub mod compare;
pub mod spark;
pub mod spark_rules;
pub mod sqlite;
pub mod table;

pub use compare::compare;
