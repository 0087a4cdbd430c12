//! Starts the command line.

use std::process::ExitCode;

/// Most of the time that SQLite does not take goes into rows that are made and thrown away.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    sqlfault::cli::run().into()
}
