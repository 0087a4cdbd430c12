//! The functions that translations can contain.

use crate::code::functions::{Embedded, Function, all};

/// Returns the SQLite names of all functions that translations can contain.
pub fn written_functions() -> Vec<String> {
    let written = |function: &Function| match function.embedded {
        Embedded::Library => Some(format!("h_{}", function.name)),
        Embedded::Named(written) | Embedded::Aggregate(written) => written.split('(').next().map(str::to_owned),
        Embedded::Window => Some(super::aggregate::written_window(function.name).to_owned()),
        _ => None,
    };
    all().filter_map(written).collect()
}
