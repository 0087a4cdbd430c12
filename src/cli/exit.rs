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
    NoEngine,
}

impl Exit {
    /// The table that `--help` shows.
    pub const HELP: &'static str = "Exit codes: 0 done; 1 done, but a gate failed or a quota fell short; 2 usage; \
                                    3 bad input; 4 the engine asked for is absent; 70 a bug of ours";
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Short => 1,
            Exit::Usage => 2,
            Exit::BadInput => 3,
            Exit::NoEngine => 4,
        })
    }
}
