//! The table itself, by topic; each part is sorted by name. Numbers of arguments and what they must be were asked of
//! Spark 4.3 with ANSI mode off, function by function.

mod row;
mod aggregate;
mod collection;
mod date;
mod general;
mod number;
mod semi_structured;
mod sketch;
mod text;

use super::function::Function;

/// The parts of the catalogue.
pub(super) static PARTS: [&[Function]; 8] = [
    text::FUNCTIONS,
    number::FUNCTIONS,
    date::FUNCTIONS,
    collection::FUNCTIONS,
    aggregate::FUNCTIONS,
    general::FUNCTIONS,
    sketch::FUNCTIONS,
    semi_structured::FUNCTIONS,
];
