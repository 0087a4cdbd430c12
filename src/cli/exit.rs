//! Exit codes.

use std::process::ExitCode;

/// How the program ended. The codes are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: done, but a gate failed or a quota fell short.
    Short,
    /// 2: the command line makes no sense.
    Usage,
    /// 3: an input cannot be used.
    BadInput,
    /// 4: the engine asked for is absent.
    EngineAbsent,
    /// 5: the output cannot be written; what was proved so far is kept.
    Output,
    /// 70: a bug of ours.
    Bug,
    /// 130: Ctrl-C; what was proved so far is kept.
    Interrupted,
}

impl Exit {
    /// Every way to end, with its code and what it means.
    pub const TABLE: [(Exit, u8, &'static str); 8] = [
        (Exit::Done, 0, "done"),
        (Exit::Short, 1, "done, but a gate failed or a quota fell short"),
        (Exit::Usage, 2, "usage"),
        (Exit::BadInput, 3, "bad input"),
        (Exit::EngineAbsent, 4, "the engine asked for is absent"),
        (Exit::Output, 5, "the output cannot be written"),
        (Exit::Bug, 70, "a bug of ours"),
        (Exit::Interrupted, 130, "interrupted"),
    ];

    /// Returns the table as `--help` shows it.
    pub fn help() -> String {
        let rows: Vec<String> = Exit::TABLE.iter().map(|(_, code, meaning)| format!("{code} {meaning}")).collect();
        format!("Exit codes: {}", rows.join("; "))
    }

    pub(super) fn code(self) -> u8 {
        // Every variant is in the table, which the test below ensures.
        Exit::TABLE.iter().find(|(exit, ..)| *exit == self).map_or(70, |(_, code, _)| *code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_end_has_a_code_of_its_own_and_stands_in_the_help() {
        let mut codes: Vec<u8> = Exit::TABLE.iter().map(|(exit, ..)| exit.code()).collect();
        codes.dedup();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 70, 130]);
        assert!(codes.iter().all(|code| Exit::help().contains(&format!("{code} "))));
    }

    #[test]
    fn the_readme_lists_the_same_codes() {
        let readme = include_str!("../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(readme.contains(&Exit::help()), "README.md must say: {}", Exit::help());
    }
}
