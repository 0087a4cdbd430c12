//! Changes to databases, aimed at the place where a fault was planted.
//!
//! [`column_change`] makes one fixed change to a column, [`cells`] draws many small changes at random, [`columns`] makes
//! random changes to whole columns.

pub mod cells;
pub mod column_change;
pub mod columns;
mod edge_cases;
pub mod entity;
mod times;
