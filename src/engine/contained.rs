//! The embedded engine in a process of its own, for untrusted scripts.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::child::{Allowance, Execution, Worker};
use super::context::ContextRef;
use super::interface::{EMBEDDED, Engine};
use super::outcome::{EngineVerdict, RunOutcome};
use super::table::Database;

/// The embedded engine in child processes that are killed at their limits, one for each concurrent caller. It gives the
/// same answers as [`super::EmbeddedEngine`], whatever a script does.
#[derive(Debug)]
pub struct ContainedEngine {
    program: std::path::PathBuf,
    allowance: Allowance,
    idle: Mutex<Vec<Worker>>,
}

impl ContainedEngine {
    /// Returns an engine that gives each script this allowance. `program` must be this program, see
    /// [`Worker::program`].
    pub fn new(program: &Path, allowance: Allowance) -> ContainedEngine {
        ContainedEngine { program: program.to_owned(), allowance, idle: Mutex::default() }
    }

    fn execute(&self, execution: Execution) -> RunOutcome {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let mut worker = known.unwrap_or_else(|| Worker::new(&self.program));
        let outcome = worker.execute(execution);
        idle().push(worker);
        outcome
    }
}

impl Engine for ContainedEngine {
    fn name(&self) -> &str {
        EMBEDDED
    }

    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome {
        self.execute(Execution::of(text, context, None, self.allowance))
    }

    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        self.execute(Execution::of(text, context, Some(database), self.allowance))
    }

    fn run_scanning(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        self.execute(Execution { scanning: true, ..Execution::of(text, context, Some(database), self.allowance) })
    }

    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String> {
        let rejection = self.check(text, context).into_rejection()?;
        Ok(vec![EngineVerdict { engine: EMBEDDED.to_owned(), rejection }])
    }
}
