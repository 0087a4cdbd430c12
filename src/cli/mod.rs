//! The command line, one file per command: the only code that prints.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is where the program speaks")]

mod exit;
mod heading;
mod nearest_name;
mod parameters;
mod reference;
mod terminal;
mod failure;
mod completions;
mod engine;
mod interrupt;
mod score_critiques;
mod score_questions;
mod verbosity;
mod doctor;
mod export;
mod faults;
mod progress;
mod inject;
mod prove;
mod query;
mod report;
#[cfg(feature = "review")]
mod review;
mod score;
mod worker;
mod worker_count;
mod audit;
mod check;
mod compose;
mod build;
mod merge;
mod repair;
mod sift;
mod train;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use exit::Exit;

use crate::engine::child::{VERB, serve};
use crate::score::TextReader;
use failure::Failure;

/// Plants one realistic bug in long, correct SQL, proves it by execution, and publishes debugging tasks.
#[derive(Debug, Parser)]
#[command(version, after_help = Exit::help())]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    verbosity: verbosity::Verbosity,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a benchmark: 469 syntax and 516 semantic tasks by default.
    Build(Box<build::BuildOptions>),
    /// Compose new scripts, offline, with the rules that they follow, or let models write them.
    Compose(compose::ComposeOptions),
    /// Make a run out of the parts that shards or a cluster's workers made.
    Merge(merge::MergeOptions),
    /// Work on the items from standard input and write their records to standard output.
    #[command(after_help = worker::EXAMPLES)]
    Worker,
    /// Plant and prove faults in one script of your own; shows diff, proof and complaint.
    Inject(inject::InjectOptions),
    /// List the faults, explain one, or check a taxonomy of your own.
    Faults(faults::FaultsOptions),
    /// Attack a finished run with what is public: nearest script, sibling vote, layout, likelihood, classifier.
    Audit(audit::AuditOptions),
    /// Prove a finished run again from its files alone.
    Check(check::CheckOptions),
    /// Let solvers try the tasks of a run.
    Repair(repair::RepairOptions),
    /// Run a query on the public sample database of a task; SQL on standard input, rows on standard output.
    Query(query::QueryOptions),
    /// Score the answers of a solver.
    Score(score::ScoreOptions),
    /// Show a run: its mix, shape, funnel, proofs, attacks, solvers, and ten of its tasks.
    Report(report::ReportOptions),
    /// Write the tasks of runs as rows of a trainer or an evaluation harness.
    Export(export::ExportOptions),
    /// Make any number of training pairs from composed scripts and proved faults.
    Train(train::TrainOptions),
    /// Vote on the tasks of a run: too easy, kept, or queued for people.
    Sift(sift::SiftOptions),
    /// Runs untrusted scripts for `score` and its kin.
    #[command(name = VERB, hide = true)]
    Child,
    /// Judge a run again with Spark, and measure how far the embedded engine agrees with it.
    Prove(prove::ProveOptions),
    /// Show which engines are available, and install Spark.
    Doctor(doctor::DoctorOptions),
    #[cfg(feature = "review")]
    /// Let three people judge tasks on a local page, each blind to the others.
    Review(review::ReviewOptions),
    /// Write completions of commands and flags for a shell.
    Completions(completions::CompletionsOptions),
    /// Write the manual pages.
    Man(completions::ManOptions),
}

/// Returns the command line as it is parsed, its commands in groups.
fn command_line() -> clap::Command {
    let command = CommandLine::command();
    let about = |name: &str| command.find_subcommand(name).map(|found| found.get_about().cloned().unwrap_or_default());
    let mut groups = String::new();
    for (heading, names) in heading::GROUPS {
        groups += &format!("{heading}:\n");
        let known = names.iter().filter_map(|name| Some((name, about(name)?)));
        groups += &known.map(|(name, about)| format!("  {name:<12} {about}\n")).collect::<String>();
        groups.push('\n');
    }
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}");
    command.help_template(template)
}

/// Returns the page `docs/commands.md`.
pub fn reference() -> String {
    reference::page(command_line())
}

/// Runs the program and says how it ended.
pub fn run() -> Exit {
    let parsed = command_line().try_get_matches().and_then(|found| CommandLine::from_arg_matches(&found));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; clap prints them to standard output.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            return if error.print().is_ok() { exit } else { Exit::Output };
        }
    };
    verbosity::begin(arguments.verbosity);
    let exit = interrupt::guarded(|| match arguments.command {
        Command::Build(options) => build::run(&options),
        Command::Compose(options) => compose::run(&options),
        Command::Merge(options) => merge::run(&options),
        Command::Worker => worker::run(),
        Command::Inject(options) => inject::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Audit(options) => audit::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Query(options) => query::run(&options),
        Command::Score(options) => score::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Train(options) => train::run(&options),
        Command::Sift(options) => sift::run(&options),
        Command::Prove(options) => prove::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        #[cfg(feature = "review")]
        Command::Review(options) => review::run(&options),
        Command::Completions(options) => {
            completions::completions(&options, &mut command_line());
            Ok(Exit::Done)
        }
        Command::Man(options) => completions::man(&options, command_line()),
        Command::Child => child(),
    });
    verbosity::end();
    exit
}

/// Serves as a child process until the parent closes the pipe.
fn child() -> Result<Exit, Failure> {
    let mut texts = TextReader::default();
    let read = |work, begins: &mut dyn FnMut()| texts.delegated(work, begins);
    serve(std::io::BufReader::new(std::io::stdin()), std::io::stdout().lock(), read)?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The words of each example in a help text.
    fn examples(help: &str) -> Vec<Vec<&str>> {
        let lines = help.lines().skip_while(|line| *line != "Examples:").filter(|line| line.starts_with("  "));
        let calls = lines.filter_map(|line| Some(line.split_once("sqlfault ")?.1));
        calls.map(|call| words(call.split(['|', '<', '>', ';']).next().unwrap_or_default())).collect()
    }

    /// The words up to two blanks, behind which an example is explained.
    fn words(call: &str) -> Vec<&str> {
        ["sqlfault"].into_iter().chain(call.split("  ").next().unwrap_or_default().split_whitespace()).collect()
    }

    #[test]
    fn every_command_stands_in_one_group_and_has_examples_that_parse() {
        let command = command_line();
        let named: Vec<&str> = heading::GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let shown: Vec<&clap::Command> = command.get_subcommands().filter(|command| !command.is_hide_set()).collect();
        let known: BTreeSet<&str> = shown.iter().map(|command| command.get_name()).collect();
        assert_eq!(named.iter().copied().collect::<BTreeSet<_>>(), known);
        assert_eq!(named.len(), known.len());
        for verb in shown {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = examples(&help);
            assert!(!examples.is_empty(), "{} has no example", verb.get_name());
            for words in examples {
                let parsed = command_line().try_get_matches_from(&words);
                assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
            }
        }
    }
}
