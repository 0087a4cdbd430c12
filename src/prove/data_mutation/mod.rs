//! Changes to databases, aimed at the place where a fault was planted.
//!
//! [`column_change`] makes one fixed change to a column, [`cells`] draws many small changes at random, [`columns`] makes
//! random changes to whole columns, [`mod@spread`] gives every row of a column another value, [`earlier_copies`] copies
//! rows to earlier days, [`scattered_nulls`] sets further cells to NULL in columns that hold NULL and values.

pub mod scattered_nulls;
pub mod column_change;
mod edge_cases;
pub mod entity;
pub mod cells;
pub mod earlier_copies;
pub mod spread;
mod times;
pub mod columns;
