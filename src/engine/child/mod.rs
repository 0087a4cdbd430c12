//! Untrusted scripts: run beside a reference under limits, in a process that can be ended.
//!
//! The child is this same program under a hidden verb. It has no arguments, no environment and no files of its own; it
//! reads requests from a pipe, one a line, and writes answers to another. What keeps a script from doing harm:
//!
//! 1. nothing but translated queries reaches SQLite, with an authorizer that knows no files, settings or extensions;
//! 2. budgets for time, memory, rows and sizes that the child watches itself;
//! 3. the parent, which ends the child when it takes 2 % longer than it may (some functions of SQLite cannot be
//!    interrupted) or grows by more memory than it may;
//! 4. limits of the system on its processor time and address space (Linux, macOS and other Unix systems), which the child
//!    sets before each request;
//! 5. the pipe from the parent: the child ends as soon as that is closed, on every platform, whatever it is busy with.
//!
//! [`Worker`] is one such child; [`crate::engine::ContainedEngine`] is the embedded engine behind them.

mod confine;
mod engines;
mod process;
mod request;
mod sandbox;
mod serve;
mod tally;
mod trial;

pub use engines::{InProcess, TrialEngine, query, query_on};
pub use process::{VERB, Worker};
pub use request::{Allowance, Exceeded, Query, QueryReply, RunVerdict, TrialReply, TrialRequest};
pub use sandbox::Sandbox;
pub use serve::serve;
pub use trial::TrialRunner;
