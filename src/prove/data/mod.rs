//! Fake databases on which a script gives rows.
//!
//! 1. [`lineage`] finds what the script reads and how its expressions reach back to base columns.
//! 2. [`collect`] reads predicates, joins and arms of CASE into [`constraint::Constraints`].
//! 3. [`row_search`] finds values for conditions that these do not invert.
//! 4. [`generator`] makes rows that meet them, so that every SELECT block has rows.

pub mod calendar;
pub mod constraint;
mod classes;
mod context;
mod defaults;
pub mod evaluator;
mod json_text;
pub mod lineage;
pub mod base_columns;
mod regexp_text;
pub mod pattern;
mod satisfies;
mod length;
pub mod merge;
pub mod usual;
pub mod scalar;
pub mod collect;
pub mod value;
pub mod row_search;
pub mod generator;

pub use defaults::{names_moment, names_time};

#[cfg(test)]
mod tests;
