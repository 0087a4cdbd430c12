//! How much is said on standard error, and the line that closes a long command: how long it took, and the next step.

use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::Args;

use super::heading::MESSAGES;
use super::terminal::escaped;

/// How much is said, for every command.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Verbosity {
    /// Print only errors on standard error
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = MESSAGES)]
    pub quiet: bool,
    /// Say how long each stage took, and what comes next, also where standard error is not a terminal
    #[arg(short, long, global = true, help_heading = MESSAGES)]
    pub verbose: bool,
}

/// When the program began, and how much it says.
static BEGUN: OnceLock<(Instant, Verbosity)> = OnceLock::new();

/// The command line is read.
pub fn begin(verbosity: Verbosity) {
    BEGUN.get_or_init(|| (Instant::now(), verbosity));
}

/// Returns how much is said.
pub fn verbosity() -> Verbosity {
    BEGUN.get().map(|(_, verbosity)| *verbosity).unwrap_or_default()
}

/// The command that usually follows.
static NEXT: OnceLock<String> = OnceLock::new();

/// A long command is done: names the command that usually follows, with its argument.
pub fn closing(next: &str, argument: impl Display) {
    NEXT.get_or_init(|| format!("sqlfault {next} {argument}"));
}

/// Says how long a long command took, and what comes next.
pub fn end() {
    let (Some((begun, Verbosity { quiet, verbose })), Some(next)) = (BEGUN.get(), NEXT.get()) else { return };
    if *verbose || (!quiet && std::io::stderr().is_terminal()) {
        eprintln!("{}; next: {}", elapsed(begun.elapsed()), escaped(next));
    }
}

/// Returns a time as people say it.
pub fn elapsed(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_the_unit_that_fits() {
        let told = [900, 59_940, 60_000, 3_599_000, 7_380_000].map(|time| elapsed(Duration::from_millis(time)));
        assert_eq!(told, ["0.9 s", "59.9 s", "1 min 0 s", "59 min 59 s", "2 h 3 min"]);
    }
}
