//! SQL-Eval's question files and rules.
//!
//! A question file is CSV with at least `question`, `query` and `query_category`; `db_name` picks a file when a folder of
//! databases is given. Answers are the column `generated_query` of the same file, or predictions whose `instance_id` is
//! the number of the row, from 1. An answer is *exact* when some gold alternative equals it by `compare_df`, *correct*
//! when one is exact or a subset by `subset_df`, *strict* when one equals it by our own rules. Queries run on SQLite, in
//! its dialect, or on Spark, in its own, on the tables of the same files.

mod braces;
mod frames;
mod questions;
mod runner;

pub use braces::{MOST, alternatives};
pub use frames::{OrderContext, ResultFrame, compare_df, strict, subset_df};
pub use questions::{QuestionRow, QuestionScore, Questions, QuestionsError};
pub use runner::{LoadedFiles, QueryRunner};
