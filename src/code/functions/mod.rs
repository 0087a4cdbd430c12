//! The catalogue of Hive and Spark functions: what they are called, what they take, what they give.
//!
//! One row for each function: its signature, what NULL does, its type, and how the embedded engine runs it. Scopes,
//! rules and translation read the row; Spark's error classes for calls follow from it (`engine::spark_rules::calls`).
//! Source: the built-in functions of Spark 4.3 with ANSI mode off, and the few that only Hive has.

mod argument;
mod embedded;
mod returns;
mod function;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use argument::Argument;
pub use embedded::{ArgumentForm, Embedded, RowGenerator, Special, UnsupportedReason};
pub use function::{Function, FunctionKind, Nulls, RowOffset, RowOrder};
pub use returns::Returns;
pub(crate) use returns::{element_of, entry_of};

/// The function of this name in any letter case.
pub fn lookup(name: &str) -> Option<&'static Function> {
    static BY_NAME: LazyLock<HashMap<&str, &Function>> =
        LazyLock::new(|| all().map(|function| (function.name, function)).collect());
    BY_NAME.get(name).or_else(|| BY_NAME.get(name.to_ascii_lowercase().as_str())).copied()
}

/// All functions, by topic and name.
pub fn all() -> impl Iterator<Item = &'static Function> {
    table::PARTS.iter().flat_map(|part| part.iter())
}

#[cfg(test)]
mod tests;
