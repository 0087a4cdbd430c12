//! SQL-Eval's question files and rules.
//!
//! A question file is CSV with at least `question`, `query` and `query_category`; `db_name` picks a file when a folder of
//! databases is given. Answers are the column `generated_query` of the same file, or predictions whose `instance_id` is
//! the number of the row, from 1. An answer is *exact* if some gold alternative equals it by `compare_df`, *correct* if
//! it is exact or one is a subset of it by `subset_df`, and *strict* if one equals it by our own rules. Queries run on
//! SQLite or on Spark, each in its own dialect, on the tables of the same files.

mod braces;
mod frames;
mod runner;
mod questions;

pub use braces::{MOST_QUERIES, alternatives};
pub use frames::{OrderContext, ResultFrame, compare_df, strict, subset_df};
pub use questions::{QuestionScore, Questions};
pub use runner::QueryRunner;
