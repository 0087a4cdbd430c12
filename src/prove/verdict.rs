//! What is tried, and how a trial ends.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::equivalence::EquivalenceReason;
use super::survivor::Observation;
use crate::code::span::Span;
use crate::code::tree::NodeId;
use crate::engine::EngineVerdict;
use crate::engine::spark_rules::Rejection;
use crate::engine::table::{Database, ScriptResult};

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Verdict {
    /// The engine refuses the script, in the statement that was edited.
    Rejected {
        /// Where and why.
        rejection: Rejection,
        /// What every judge says, when others than the embedded rules were asked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        judges: Vec<EngineVerdict>,
    },
    /// The engine refuses the script, but in a statement that was not edited.
    RejectedElsewhere {
        /// Where and why.
        rejection: Rejection,
    },
    /// Reference and mutant both run and differ.
    Killed {
        /// The smallest database found that shows it.
        witness: Database,
        /// Databases that its reduction tried.
        trials: usize,
        /// Rows before the reduction.
        rows_before: usize,
        /// What another engine than the embedded one gives on the witness.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<Box<WitnessResults>>,
    },
    /// The rows are the same in another order.
    DiffersInOrderOnly,
    /// The engine accepts the script that it should refuse.
    Accepted,
    /// No database that was tried tells it apart from the reference.
    Survived {
        /// Number of databases tried.
        databases: usize,
        /// How far the fault was seen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Box<Observation>>,
    },
    /// No database that was tried tells it apart from the reference, and all the work that may be done on the script
    /// is done.
    GivenUp {
        /// Number of databases tried.
        databases: usize,
    },
    /// It gives the rows of the reference on every database.
    Equivalent {
        /// Why.
        reason: EquivalenceReason,
    },
    /// It fails while it runs.
    FailsAtRunTime {
        /// The engine's words.
        message: String,
    },
    /// Its result depends on the order in which rows are read.
    Nondeterministic,
    /// The embedded engine cannot run it.
    Unsupported {
        /// What it cannot run.
        reason: String,
    },
    /// The embedded engine kills it; the judging engine does not.
    Unconfirmed {
        /// What that engine says.
        reason: String,
    },
    /// The judging engine gives no verdict: the statement may not run there, a limit was reached, or the engine ended.
    Inconclusive {
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Verdict {
    /// Says in words what came of a mutant.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Rejected { rejection, .. } => write!(formatter, "refused: {}", rejection.message),
            Verdict::RejectedElsewhere { rejection } => {
                write!(formatter, "refused in another statement: {}", rejection.message)
            }
            Verdict::Killed { .. } => formatter.write_str("killed: it gives other rows"),
            Verdict::DiffersInOrderOnly => formatter.write_str("it gives the same rows in another order"),
            Verdict::Accepted => formatter.write_str("the engine accepts it"),
            Verdict::Survived { databases, .. } => write!(formatter, "it survived {databases} databases"),
            Verdict::GivenUp { databases } => {
                write!(formatter, "it survived {databases} databases, then all work that it is worth was done")
            }
            Verdict::Equivalent { reason } => write!(formatter, "equal on every database, because {reason}"),
            Verdict::FailsAtRunTime { message } => write!(formatter, "it fails while it runs: {message}"),
            Verdict::Nondeterministic => formatter.write_str("its rows depend on the order in which they are read"),
            Verdict::Unsupported { reason } => write!(formatter, "the embedded engine cannot run it: {reason}"),
            Verdict::Unconfirmed { reason } => write!(formatter, "the judging engine does not confirm it: {reason}"),
            Verdict::Inconclusive { reason } => write!(formatter, "the judging engine gives no verdict: {reason}"),
        }
    }
}

impl Verdict {
    /// Returns a rejection by the embedded rules, about which no other judge was asked.
    pub fn rejected(rejection: Rejection) -> Verdict {
        Verdict::Rejected { rejection, judges: Vec::new() }
    }
}

/// What an engine gives for both scripts on a witness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WitnessResults {
    /// What the correct script gives.
    pub reference: ScriptResult,
    /// What the changed script gives.
    pub issue: ScriptResult,
}

/// A changed script and where it was changed.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The whole changed text, placeholders included.
    pub text: &'a str,
    /// The changed bytes in it.
    pub changed: Span,
    /// Nodes of the *bound reference* that the fault is about.
    pub about: &'a [NodeId],
}
