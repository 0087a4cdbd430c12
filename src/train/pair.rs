//! Proved pairs of a broken script and its repair, and the reference that they come from.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::code::edit::Edits;
use crate::export::Rejected;
use crate::score::Task;

/// Why a reference gives no pairs, where an earlier one has its skeleton.
pub(super) const SAME_SKELETON: &str = "an earlier reference has the same skeleton";

/// One line of `references.jsonl`: what came of a reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenReference {
    pub number: u64,
    /// Key of its skeleton in hexadecimal digits; empty if it could not be composed.
    pub skeleton: String,
    /// Number of pairs that it gave.
    pub pairs: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// One line of `proofs.jsonl`: how a pair was proved, enough to prove it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairProof {
    pub instance_id: String,
    /// Number of its reference.
    pub reference: u64,
    pub fault: String,
    /// Edits of the reference that plant the fault.
    pub edits: Edits,
    /// What shows that the issue is wrong, or right.
    pub shown: PairEvidence,
}

/// What shows that an issue is wrong, or that there is nothing wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairEvidence {
    /// The engine refuses it with this class.
    Rejected(String),
    /// It gives other rows on the reference's database of this number, from 0.
    Differs(usize),
    /// Nothing: it is the unchanged reference, the row of a script without a fault.
    Untouched,
    /// Nothing: it is the reference rewritten, and gives its rows on every small database.
    Rewritten,
}

/// A proved pair.
#[derive(Debug)]
pub struct Pair {
    /// What a solver and a judge would see.
    pub task: Task,
    pub proof: PairProof,
    /// Wrong answers, the most useful first.
    pub rejected: Vec<Rejected>,
    /// What the script is for, if the critic is told.
    pub question: Option<String>,
}

#[derive(Debug)]
pub struct ReferencePairs {
    /// Its line in the part's list of references.
    pub line: WrittenReference,
    pub pairs: Vec<Pair>,
}

impl ReferencePairs {
    /// Returns a reference that gives no pair, with the reason.
    pub fn refused(number: u64, reason: String) -> ReferencePairs {
        ReferencePairs {
            line: WrittenReference { number, refused: Some(reason), ..WrittenReference::default() },
            pairs: Vec::new(),
        }
    }

    /// Drops the pairs if an earlier reference has the same skeleton, and remembers this one's.
    pub fn drop_known(&mut self, skeletons: &mut HashSet<u64>) {
        let Ok(skeleton) = u64::from_str_radix(&self.line.skeleton, 16) else { return };
        if !skeletons.insert(skeleton) {
            self.pairs.clear();
            self.line.refused = Some(SAME_SKELETON.to_owned());
        }
    }
}
