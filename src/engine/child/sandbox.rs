//! Where untrusted scripts run.

use super::answer_run::TrialRunner;
use super::engines::{InProcess, execute};
use super::process::Worker;
use super::request::{Allowance, Execution, TrialReply, TrialRequest};
use crate::engine::table::Database;
use crate::engine::{ContextRef, RunOutcome};

/// Runs untrusted scripts: in a child process that is killed at its limits or, in a harness that links this crate and
/// is not this program, in this process under the limits that can be watched from inside.
#[derive(Debug)]
pub enum Sandbox {
    Child(Worker),
    Here(Box<TrialRunner<InProcess>>),
}

impl Sandbox {
    /// Returns a child process if this program can start one, otherwise this process.
    pub fn open() -> Sandbox {
        match Worker::program() {
            Some(program) => Sandbox::Child(Worker::new(&program)),
            None => Sandbox::Here(Box::new(TrialRunner::new(InProcess))),
        }
    }

    /// Runs a script beside a reference.
    pub fn answer(&mut self, request: &TrialRequest) -> TrialReply {
        match self {
            Sandbox::Child(worker) => worker.answer(request),
            Sandbox::Here(runner) => runner.answer(request, || {}),
        }
    }

    /// Runs a script without a reference if the engine accepts it.
    pub fn run(&mut self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        match self.execute(text, context, None) {
            RunOutcome::Ran(_) => self.execute(text, context, Some(database)),
            refused => refused,
        }
    }

    fn execute(&mut self, text: &str, context: ContextRef<'_>, database: Option<&Database>) -> RunOutcome {
        let execution = Execution::of(text, context, database, Allowance::default());
        match self {
            Sandbox::Child(worker) => worker.execute(execution),
            Sandbox::Here(_) => execute(&execution),
        }
    }
}
