//! How much work SQLite has done, counted so that it is the same on every computer.

use std::cell::Cell;

/// Units for one byte of a query that is prepared: it takes as long as about so many instructions.
const EACH_BYTE: u64 = 10;
/// Units for one call of a function that SQLite does not have.
const EACH_CALL: u64 = 12;
/// Units for one byte of JSON that is parsed, with those for taking it out of the value that held it.
const EACH_PARSED_BYTE: u64 = 1;
/// Units for one value that is read from a result.
const EACH_VALUE: u64 = 6;
/// Units for one cell of a database that is loaded. Only rows that differ from those of the database before are written,
/// and how many these are depends on what the thread did before: this is about the mean.
const EACH_CELL: u64 = 4;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Returns the work that SQLite has done for this thread, in instructions of its virtual machine. Preparing queries and
/// reading rows count as many as take about as long.
pub fn work_done() -> u64 {
    DONE.get()
}

pub(super) fn add_instructions(count: u64) {
    DONE.set(DONE.get().saturating_add(count));
}

/// Adds a call of a function that SQLite does not have.
pub(super) fn add_call() {
    add_instructions(EACH_CALL);
}

/// Adds the parsing of so many bytes of JSON.
pub(super) fn add_parsing(bytes: usize) {
    add_instructions(bytes as u64 * EACH_PARSED_BYTE);
}

/// Adds the preparation of a query.
pub(super) fn add_preparation(sql: &str) {
    add_instructions(sql.len() as u64 * EACH_BYTE);
}

/// Adds the loading of a database with this many cells.
pub(super) fn add_loading(cells: usize) {
    add_instructions(cells as u64 * EACH_CELL);
}

/// Adds the reading of a result.
pub(super) fn add_reading(rows: usize, columns: usize) {
    add_instructions((rows * columns.max(1)) as u64 * EACH_VALUE);
}
