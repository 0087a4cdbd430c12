//! Hive's functions for SQLite, registered with the prefix `h_` so that they never hide SQLite's own.
//!
//! Behaviour follows Spark 4.3 with ANSI mode off. Text is stored as TEXT, whole numbers as INTEGER, DOUBLE and DECIMAL
//! as REAL, booleans as 0 or 1, dates as `yyyy-MM-dd`, timestamps as `yyyy-MM-dd HH:mm:ss[.f]`, arrays as JSON arrays,
//! maps and structs as JSON objects in insertion order. In calls that build nested values, `h_nested` and `h_bool` mark
//! a value that is JSON already by making it a BLOB.

mod json_text;
mod arguments;
mod body;
mod group;
mod json;
mod murmur;
mod number;
mod format;
mod number_format;
mod path;
mod pattern;
mod search;
mod shape;
mod statistics;
mod text;
mod trigonometry;
mod url;
mod window;
mod zone;
mod date_pattern;
mod moment;
mod cast;
mod csv;
mod date;
mod hash;
mod sequence;
mod collection;
mod aggregate;

pub(crate) use date_pattern::format as formatted_moment;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::Value;

pub(crate) use arguments::{Arguments, CallError};
pub(super) use cast::decimal_number;
pub(super) use json_text::forget_texts;

use super::guard::RunAllowance;
use super::work::add_call;
use arguments::MAX_RESULT;
use body::Body;

/// Registers the whole library, whose calls are limited by their sizes alone.
///
/// # Errors
///
/// If SQLite refuses a registration, which happens only when it is out of memory.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    register_within(connection, &Arc::default(), &Arc::default())
}

/// Registers the whole library. What long calls take is accounted for in the allowance.
pub(super) fn register_within(
    connection: &Connection,
    allowance: &Arc<RunAllowance>,
    turn: &Arc<Turn>,
) -> rusqlite::Result<()> {
    let groups: [&[(&str, Body)]; 17] = [
        text::FUNCTIONS,
        number::FUNCTIONS,
        date::FUNCTIONS,
        cast::FUNCTIONS,
        json::FUNCTIONS,
        collection::FUNCTIONS,
        pattern::FUNCTIONS,
        hash::FUNCTIONS,
        text::GROWING,
        search::FUNCTIONS,
        format::FUNCTIONS,
        url::FUNCTIONS,
        trigonometry::FUNCTIONS,
        path::FUNCTIONS,
        shape::FUNCTIONS,
        number_format::FUNCTIONS,
        csv::FUNCTIONS,
    ];
    for (name, body) in groups.into_iter().flatten() {
        scalar(connection, allowance, name, *body)?;
    }
    turns(connection, turn)?;
    group::register(connection, allowance, aggregate::AGGREGATES)?;
    group::register(connection, allowance, statistics::AGGREGATES)?;
    window::register(connection)
}

/// How rows of the same rank follow each other where a translation says so by `h_turn()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieOrder {
    /// Those read last come first.
    #[default]
    Reversed,
    /// As they are read.
    AsRead,
}

/// What `h_turn()` counts by.
#[derive(Default)]
pub(super) struct Turn {
    as_read: AtomicBool,
    calls: AtomicI64,
}

impl Turn {
    /// Sets the order for the queries that follow.
    pub fn set(&self, order: TieOrder) {
        self.as_read.store(order == TieOrder::AsRead, Ordering::Relaxed);
    }
}

/// Registers `h_turn()`, which counts its calls: downwards, so that as the last sort key it reverses rows of the same
/// rank, or upwards, so that it keeps them. Without it SQLite's sorter puts them in either order.
fn turns(connection: &Connection, turn: &Arc<Turn>) -> rusqlite::Result<()> {
    let turn = Arc::clone(turn);
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("h_turn", 0, flags, move |_| {
        let call = turn.calls.fetch_add(1, Ordering::Relaxed);
        Ok(if turn.as_read.load(Ordering::Relaxed) { call } else { -call })
    })
}

fn scalar(connection: &Connection, allowance: &Arc<RunAllowance>, name: &str, body: Body) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    let allowance = Arc::clone(allowance);
    connection.create_scalar_function(name, -1, flags, move |context| {
        add_call();
        let arguments = Arguments::new(context, &allowance);
        let answer = arguments.affords(arguments.bytes()).and_then(|()| body(&arguments));
        let large = matches!(&answer, Some(Value::Text(text)) if text.len() > MAX_RESULT);
        match if large { Some(CallError::TooLarge) } else { arguments.refusal() } {
            Some(refusal) => Err(rusqlite::Error::UserFunctionError(refusal.into())),
            None => Ok(answer),
        }
    })
}
