//! The command line: one file per command. The only code that prints.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is where the program speaks")]

mod build;
mod check;
mod exit;
mod faults;
mod inject;
mod progress;
mod score;
mod score_critiques;
mod score_questions;

use clap::{Parser, Subcommand};

pub use exit::Exit;

use crate::engine::child::{VERB, serve};

/// Plants one realistic bug in long, correct SQL, proves it by execution, and publishes debugging tasks.
#[derive(Debug, Parser)]
#[command(version, after_help = Exit::HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a benchmark: 469 syntax and 516 semantic tasks unless told otherwise.
    Build(build::Options),
    /// Plant and prove faults in one script of your own; shows diff, proof and complaint.
    Inject(inject::Options),
    /// List the faults, explain one, or check a taxonomy of your own.
    Faults(faults::Options),
    /// Prove a finished run again from its files alone.
    Check(check::Options),
    /// Tell how good a solver's answers are.
    Score(score::Options),
    /// Runs untrusted scripts for `score` and its kin.
    #[command(name = VERB, hide = true)]
    Child,
}

/// Runs the program and says how it ended.
pub fn run() -> Exit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; clap prints them to standard output.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let _ = error.print();
            return exit;
        }
    };
    match arguments.command {
        Command::Build(options) => build::run(&options),
        Command::Inject(options) => inject::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Score(options) => score::run(&options),
        Command::Child => child(),
    }
}

/// Serves as a child process until the parent closes the pipe.
fn child() -> Exit {
    match serve(std::io::stdin().lock(), std::io::stdout().lock()) {
        Ok(()) => Exit::Done,
        Err(error) => bad_input(&error),
    }
}

/// Says what is wrong with the user's input.
fn bad_input(error: &dyn std::fmt::Display) -> Exit {
    eprintln!("error: {error}");
    Exit::BadInput
}
