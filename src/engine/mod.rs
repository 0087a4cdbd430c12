//! Service: run SQL on an engine and compare results.

pub mod compare;
pub mod table;

pub use compare::compare;
