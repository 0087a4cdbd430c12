//! Why a script is no reference.

use crate::draft::Reject;
use crate::prove::ReferenceRefusal;

/// The gate that a script did not pass; refusals are counted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum FailedGate {
    /// There is no answer of a model, or none that can be read.
    #[error(transparent)]
    Answer(#[from] Reject),
    /// The composer found nothing to write.
    #[error("nothing could be composed")]
    Composing,
    /// Title, intention or scenario are missing.
    #[error("the scenario cannot be read")]
    Scenario,
    /// The table definitions do not parse, or there are none.
    #[error("the table definitions cannot be read")]
    Definitions,
    /// Names of the source's business are left.
    #[error("names of the source are left")]
    Remnants,
    /// The script does not parse.
    #[error("the script cannot be read")]
    Unreadable,
    /// A placeholder has no value.
    #[error("a placeholder has no value")]
    Placeholder,
    /// A name does not resolve, or a rule of the language is broken.
    #[error("Spark would refuse it")]
    Rejected,
    /// The embedded engine does not have a construct.
    #[error("the engine cannot run it")]
    Unsupported,
    /// It fails on every database.
    #[error("it fails when it is run")]
    Fails,
    /// It gives no rows on any database.
    #[error("it gives no rows")]
    Empty,
    /// Row order changes its result.
    #[error("its result depends on the order of rows")]
    Nondeterministic,
    /// No row reaches a query.
    #[error("a block is not reached")]
    Unreached,
    /// No row takes a branch.
    #[error("a branch is not taken")]
    Untaken,
    /// It is not complex enough.
    #[error("it is too simple")]
    Simple,
    /// It shares too much text with a known script.
    #[error("it is too near to a known script")]
    Known,
    /// It does not have the structure of its source.
    #[error("the structure is another than the source's")]
    OtherStructure,
    /// It gives other rows than its source.
    #[error("the results are others than the source's")]
    OtherResults,
    /// It has another graph than its source.
    #[error("the graph is another than the source's")]
    OtherGraph,
    /// It is its source.
    #[error("nothing is changed")]
    Unchanged,
    /// A bug of ours ended the work on it.
    #[error("a bug of ours")]
    Panicked,
}

impl FailedGate {
    /// Returns the failure at this gate, with what is wrong in words.
    pub fn with(self, message: impl Into<String>) -> GateFailure {
        GateFailure { gate: self, message: message.into() }
    }
}

/// A script's end at a gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GateFailure {
    pub gate: FailedGate,
    pub message: String,
}

impl From<Reject> for GateFailure {
    fn from(reject: Reject) -> GateFailure {
        FailedGate::Answer(reject).with(reject.to_string())
    }
}

impl From<ReferenceRefusal> for GateFailure {
    fn from(refusal: ReferenceRefusal) -> GateFailure {
        let gate = match &refusal {
            ReferenceRefusal::Unbound { .. } => FailedGate::Placeholder,
            ReferenceRefusal::Rejected { .. } | ReferenceRefusal::OwnFunction { .. } => FailedGate::Rejected,
            ReferenceRefusal::Unsupported { .. } => FailedGate::Unsupported,
            ReferenceRefusal::Fails { .. } => FailedGate::Fails,
            ReferenceRefusal::Empty { .. } | ReferenceRefusal::LeavesNothing => FailedGate::Empty,
            ReferenceRefusal::Nondeterministic { .. } => FailedGate::Nondeterministic,
        };
        gate.with(refusal.to_string())
    }
}
