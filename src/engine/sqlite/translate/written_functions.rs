//! How far the embedded engine supports each function of Spark.

use crate::code::functions::{Embedded, UnsupportedReason, lookup};

/// How far the embedded engine supports a function of Spark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionState {
    /// It gives what Spark gives.
    Works,
    /// It is refused.
    Refused(UnsupportedReason),
    /// Nothing is known of it.
    Unknown,
}

/// Returns how far the embedded engine supports a function with this lower-case name.
pub fn function_state(name: &str) -> FunctionState {
    match lookup(name).map(|function| function.embedded) {
        None | Some(Embedded::Unknown) => FunctionState::Unknown,
        Some(Embedded::Refused(why)) => FunctionState::Refused(why),
        Some(_) => FunctionState::Works,
    }
}

/// Returns the SQLite names of all functions that translations can contain.
#[cfg(test)]
pub fn written_functions() -> Vec<String> {
    use crate::code::functions::{Function, all};
    let written = |function: &Function| match function.embedded {
        Embedded::Library => Some(format!("h_{}", function.name)),
        Embedded::Named(written) | Embedded::Aggregate(written) => written.split('(').next().map(str::to_owned),
        Embedded::Window => Some(super::aggregate::written_window(function.name).to_owned()),
        _ => None,
    };
    all().filter_map(written).collect()
}
