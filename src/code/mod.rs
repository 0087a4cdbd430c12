//! SQL as written: text, tokens, tree, exact ranges, scopes, edits, profile.

mod constant_pattern;
mod date_text;
pub mod dialect;
pub mod literal;
pub mod span;
pub mod edit;
pub mod token;
pub mod tree;
pub mod grammar;
pub mod types;
mod arithmetic;
mod widen;
pub mod functions;
pub mod script;
mod interval;
pub mod profile;
pub mod schema;
pub mod shingles;
mod table_statement;
pub mod scope;
mod words;
pub mod clock;
mod own_function;
pub mod bound_text;
pub mod placeholder;
pub mod parameters;
mod binding;

pub(crate) use constant_pattern::constant_pattern;
pub(crate) use interval::{IntervalAmount, IntervalPart, MICROSECONDS_OF_DAY, interval_amounts};
pub(crate) use table_statement::{TableAction, TableStatement};
pub(crate) use widen::widest;
pub(crate) use words::Words;
