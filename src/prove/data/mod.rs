//! Fake databases on which a script gives rows.
//!
//! 1. [`lineage`] finds what the script reads and how its expressions reach back to base columns.
//! 2. [`collect`] reads predicates, joins and branches into [`constraint::Constraints`].
//! 3. [`generator`] makes rows that meet them, so that every SELECT block has rows.

pub mod base_columns;
pub mod calendar;
mod classes;
pub mod collect;
pub mod constraint;
mod context;
mod defaults;
pub mod evaluator;
pub mod generator;
mod json_text;
mod length;
pub mod lineage;
pub mod merge;
pub mod pattern;
mod regexp_text;
mod satisfies;
pub mod scalar;
pub mod usual;
pub mod value;

pub use defaults::{names_moment, names_time};

#[cfg(test)]
mod tests;
