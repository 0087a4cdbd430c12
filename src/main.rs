//! Starts the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    sqlfault::cli::run().into()
}
