//! Runs untrusted scripts beside a reference, under limits and in a process that can be killed.
//!
//! The child is this same program under a hidden verb. It has no other arguments, no environment and no files of its
//! own. It reads requests from one pipe, one per line, and writes answers to another. Five things keep a script from
//! doing harm:
//!
//! 1. SQLite only sees translated queries, and its authorizer allows no files, settings or extensions;
//! 2. the child itself watches budgets for time, memory, rows and sizes;
//! 3. the parent kills the child when it exceeds its time by 2 % (some functions of SQLite cannot be interrupted) or
//!    grows by more memory than it may;
//! 4. before each request the child has the system limit its processor time (on Unix systems such as Linux and macOS) and
//!    its address space (on Linux);
//! 5. the child exits as soon as the pipe from the parent is closed, on every platform and whatever it is busy with.
//!
//! [`Worker`] is one such child; [`crate::engine::ContainedEngine`] is the embedded engine behind them.

mod request;
mod confine;
mod engines;
mod process;
mod tally;
mod answer_run;
mod sandbox;
mod serve;

pub use answer_run::TrialRunner;
pub use engines::{InProcess, query, query_on};
pub use process::{VERB, Worker};
pub use request::{Allowance, Exceeded, Execution, Query, QueryReply, RunVerdict, TrialReply, TrialRequest};
pub use sandbox::Sandbox;
pub use serve::serve;
