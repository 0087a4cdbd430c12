//! SQL as written: text, tokens, tree, exact ranges, scopes, edits, profile.

mod arithmetic;
mod binding;
pub mod clock;
mod date_text;
pub mod dialect;
pub mod edit;
pub mod functions;
pub mod grammar;
pub mod literal;
mod own_function;
pub mod parameters;
pub mod profile;
pub mod schema;
pub mod scope;
pub mod script;
pub mod shingles;
pub mod span;
mod table_statement;
pub mod token;
pub mod tree;
pub mod types;
mod widen;
mod words;

pub(crate) use table_statement::{TableAction, TableStatement};
pub(crate) use widen::widest;
pub(crate) use words::Words;
