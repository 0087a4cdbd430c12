//! SQL-Eval's question files and rules.

mod braces;
mod frames;

pub use braces::{MOST, alternatives};
pub use frames::{Frame, compare_df, strict, subset_df};
