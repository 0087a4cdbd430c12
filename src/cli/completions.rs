//! `sqlfault completions` and `sqlfault man`.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Exit;
use super::failure::Failure;

const COMPLETIONS: &str = "\
Examples:
  sqlfault completions bash > ~/.local/share/bash-completion/completions/sqlfault
  sqlfault completions zsh > ~/.zfunc/_sqlfault
  sqlfault completions fish > ~/.config/fish/completions/sqlfault.fish";

const MAN: &str = "\
Examples:
  sqlfault man > sqlfault.1
  sqlfault man ~/.local/share/man/man1    a page for each command; `man sqlfault-build` shows one";

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub struct CompletionsOptions {
    /// The shell
    shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = MAN)]
pub struct ManOptions {
    /// Where to write a page for each command [default: the program's own page on standard output]
    directory: Option<PathBuf>,
}

/// Writes what the shell reads of `command` to standard output.
pub fn completions(options: &CompletionsOptions, command: &mut Command) {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, command, "sqlfault", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
}

/// Writes the manual pages of `command`.
pub fn man(options: &ManOptions, command: Command) -> Result<Exit, Failure> {
    if let Some(folder) = &options.directory {
        let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
        written.map_err(|error| Failure::output(folder, &error))?;
    } else {
        let mut page = Vec::new();
        // Writing to memory cannot fail.
        let _ = Man::new(command).render(&mut page);
        print!("{}", String::from_utf8_lossy(&page));
    }
    Ok(Exit::Done)
}
