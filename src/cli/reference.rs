//! Writes every command with its arguments as Markdown, from the definitions that parse them.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::exit::Exit;

/// Returns the page `docs/commands.md` of a program.
pub(super) fn page(mut program: Command) -> String {
    program.build();
    let mut page = "# Commands\n\nThis page is written from the definitions that the program parses its command line with; `sqlfault COMMAND --help`\n\
                    says the same.\n"
        .to_owned();
    for command in program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        page.push_str(&section(command));
    }
    page.push_str("\n## Every command\n\n| argument | meaning |\n|---|---|\n");
    program
        .get_arguments()
        .filter(|argument| argument.is_global_set())
        .for_each(|argument| page.push_str(&row(argument)));
    let _ = write!(page, "\n## Exit codes\n\n```text\n{}\n```\n", Exit::help());
    page
}

fn section(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("\n## {}\n\n{}.\n", command.get_name(), about.trim_end_matches('.'));
    let shown = |arg: &&Arg| {
        !arg.is_hide_set() && !arg.is_global_set() && !["help", "version"].contains(&arg.get_id().as_str())
    };
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    if arguments.is_empty() {
        return text;
    }
    text.push_str("\n| argument | meaning |\n|---|---|\n");
    arguments.into_iter().for_each(|argument| text.push_str(&row(argument)));
    text
}

fn row(argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    format!("| `{}` | {}{} |\n", cell(&name(argument)), cell(&help), cell(&choices(argument)))
}

/// An argument as a user writes it: `--out DIR`, `RUN`.
fn name(argument: &Arg) -> String {
    let takes_value = argument.get_action().takes_values();
    let values = argument.get_value_names().filter(|_| takes_value).unwrap_or_default();
    let values = values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    match argument.get_long() {
        Some(long) => format!("--{long} {values}").trim_end().to_owned(),
        None => values,
    }
}

/// The values that an argument can have, if it has a fixed list of them.
fn choices(argument: &Arg) -> String {
    let values = argument.get_possible_values();
    if !argument.get_action().takes_values() || values.is_empty() {
        return String::new();
    }
    let names: Vec<String> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
    format!("; one of {}", names.join(", "))
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
