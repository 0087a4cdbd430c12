//! Changes to databases, aimed at the place where a fault was planted.
//!
//! [`column_change`] makes one fixed change to a column, [`cells`] draws many small changes at random, [`columns`] makes
//! random changes to whole columns, [`mod@spread`] gives every row of a column another value,
//! [`mod@echo`] copies rows to earlier days, [`blanks`] empties further cells of columns that hold blanks.

pub mod blanks;
pub mod column_change;
mod edge_cases;
pub mod entity;
pub mod cells;
pub mod echo;
pub mod spread;
mod times;
pub mod columns;
