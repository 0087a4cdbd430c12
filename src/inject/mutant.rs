//! A mutant: one script with one planted fault.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::proposal::Proposal;
use crate::code::edit::{EditError, Edits};
use crate::code::span::Span;
use crate::code::tree::NodeId;

/// One script with one planted fault, before it is proved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Ten hex digits of script, fault and edits: the same bug has the same id in every run.
    pub id: String,
    /// The seed's id.
    pub script: String,
    /// The fault's id.
    pub fault: String,
    /// Edits of the correct script that plant the fault.
    pub edits: Edits,
    /// Position in the tree of the node the fault is about.
    pub site: usize,
    /// Positions of further nodes that data and words should know of.
    pub about: Vec<usize>,
    /// The edits are one gesture; see [`Proposal::indivisible`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub indivisible: bool,
}

impl Mutant {
    /// Names a proposal.
    pub fn new(script: &str, script_key: &str, fault: &str, proposal: &Proposal) -> Mutant {
        Mutant {
            site: proposal.site.index(),
            about: proposal.about.iter().map(|node| node.index()).collect(),
            indivisible: proposal.indivisible,
            ..Mutant::of_edits(script, script_key, fault, proposal.edits.clone())
        }
    }

    /// Names edits that no operator proposed: rewrites that keep the meaning, and several faults at once.
    pub fn of_edits(script: &str, script_key: &str, fault: &str, edits: Edits) -> Mutant {
        let mut hash = Sha256::new();
        hash.update(script_key);
        hash.update([0]);
        hash.update(fault);
        for edit in edits.as_slice() {
            hash.update([0]);
            hash.update(format!("{}-{}:{}", edit.start, edit.end, edit.text));
        }
        Mutant {
            id: hash.finalize().iter().take(5).map(|byte| format!("{byte:02x}")).collect(),
            script: script.to_owned(),
            fault: fault.to_owned(),
            edits,
            site: 0,
            about: Vec::new(),
            indivisible: false,
        }
    }

    /// The changed text.
    ///
    /// # Errors
    ///
    /// When the edits belong to another text.
    pub fn text(&self, original: &str) -> Result<String, EditError> {
        self.edits.apply(original)
    }

    /// The changed bytes in the changed text.
    pub fn changed(&self, original: &str) -> Span {
        self.edits.inverse(original).span()
    }

    /// The nodes of the original tree that the fault is about.
    pub fn nodes(&self) -> Vec<NodeId> {
        std::iter::once(self.site).chain(self.about.iter().copied()).map(|index| NodeId(index as u32)).collect()
    }
}
