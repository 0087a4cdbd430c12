//! Which calls can give NULL.

use crate::code::functions::{Function, Nulls};
use crate::code::types::Type;

/// Whether a call can give NULL; true if nothing is known of the function.
pub(super) fn can_be_null(function: Option<&Function>, arguments: &[(Type, bool)]) -> bool {
    let mut nullable = arguments.iter().map(|(_, nullable)| *nullable);
    match function.map_or(Nulls::Always, |function| rule(function, arguments.len())) {
        Nulls::Never => false,
        Nulls::Always => true,
        Nulls::All => nullable.all(|nullable| nullable),
        Nulls::First => nullable.next().unwrap_or(true),
        Nulls::AnyFrom(position) => nullable.skip(position).any(|nullable| nullable),
        Nulls::AnyOrUnreadable => {
            arguments.iter().any(|(data_type, nullable)| *nullable || matches!(data_type, Type::String | Type::Unknown))
        }
    }
}

/// The rule of a function, which for some depends on the number of arguments.
fn rule(function: &Function, arguments: usize) -> Nulls {
    match (function.name, arguments) {
        ("unix_timestamp", 0) => Nulls::Never,
        // The third argument stands where there is no such row.
        (_, 3) if function.row_offset.is_some() => Nulls::AnyFrom(0),
        _ => function.nulls,
    }
}
