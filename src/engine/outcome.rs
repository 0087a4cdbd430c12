//! What an engine says about a script.

use serde::{Deserialize, Serialize};

use super::spark_rules::Rejection;
use super::table::ScriptResult;

/// The verdict of one judge on a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineVerdict {
    /// The judge and its version.
    pub engine: String,
    /// Why it refuses the script; `None` if it accepts it.
    pub rejection: Option<Rejection>,
}

/// Why an engine refuses a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Stage, class, place and message. The place is that of the statement if the engine names none.
    pub rejection: Rejection,
    /// Whether the engine names a place.
    pub placed: bool,
}

/// What became of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// It ran. The result is empty if it was only checked.
    Ran(ScriptResult),
    /// The engine refuses it.
    Refused(Refusal),
    /// It contains a statement that may not run here or that the engine does not support.
    Denied(String),
    /// It took too long.
    TimedOut,
    /// It did not run to its end, or the engine's process was lost.
    Failed(String),
}

impl RunOutcome {
    /// Returns the result of a script that ran.
    ///
    /// # Errors
    ///
    /// If it did not run; the error says why.
    pub fn into_result(self) -> Result<ScriptResult, String> {
        match self {
            RunOutcome::Ran(result) => Ok(result),
            RunOutcome::Refused(refusal) => Err(refusal.rejection.message),
            other => Err(other.why_inconclusive()),
        }
    }

    /// Returns why the engine refuses the script; `None` if it accepts it.
    ///
    /// # Errors
    ///
    /// If the outcome is inconclusive; the error says why.
    pub fn into_rejection(self) -> Result<Option<Rejection>, String> {
        match self {
            RunOutcome::Ran(_) => Ok(None),
            RunOutcome::Refused(refusal) => Ok(Some(refusal.rejection)),
            other => Err(other.why_inconclusive()),
        }
    }

    /// Returns why the outcome is inconclusive; empty if it is not.
    pub fn why_inconclusive(&self) -> String {
        match self {
            RunOutcome::Denied(message) | RunOutcome::Failed(message) => message.clone(),
            RunOutcome::TimedOut => "it took too long".to_owned(),
            RunOutcome::Ran(_) | RunOutcome::Refused(_) => String::new(),
        }
    }
}
