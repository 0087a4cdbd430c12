//! Service: run SQL on an engine and compare results.

pub mod sqlite;
pub mod table;
