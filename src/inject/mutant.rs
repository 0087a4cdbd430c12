//! A mutant: one script with one planted fault.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::code::edit::{EditError, Edits};
use crate::code::span::Span;
use crate::fault::Fault;

use super::facts::Facts;
use super::ground::Ground;
use super::proposal::Proposal;

/// One script with one planted fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mutant {
    /// Short hash of script, fault and edits: the same bug has the same id in every run.
    pub id: String,
    /// The script's id.
    pub script: String,
    /// The fault's id.
    pub fault: String,
    /// The bytes of the correct script that the fault is about.
    pub site: Span,
    /// What leads from the correct script to the broken one.
    pub edits: Edits,
    /// The edits are one gesture; see [`Proposal::indivisible`].
    #[serde(default)]
    pub indivisible: bool,
    /// What is known about it.
    pub facts: Facts,
    /// The broken script. Not stored: the edits give it.
    #[serde(skip)]
    pub text: String,
}

impl Mutant {
    /// Plants a proposal in its script.
    pub fn plant(ground: &Ground<'_>, script: &str, fault: &Fault, proposal: &Proposal) -> Result<Mutant, EditError> {
        Ok(Mutant {
            id: mutant_id(script, &fault.id, &proposal.edits),
            script: script.to_owned(),
            fault: fault.id.clone(),
            site: ground.tree().span(proposal.site),
            edits: proposal.edits.clone(),
            indivisible: proposal.indivisible,
            facts: Facts::gather(ground, proposal),
            text: proposal.edits.apply(ground.text())?,
        })
    }

    /// The parts of a fault that consists of several edits, each of which alone must not plant it. None for a single
    /// edit and for one gesture.
    pub fn parts(&self) -> Vec<Edits> {
        let edits = self.edits.as_slice();
        if self.indivisible || edits.len() < 2 {
            return Vec::new();
        }
        // One edit cannot overlap another, so the fallback never comes into play.
        edits.iter().map(|edit| Edits::new(vec![edit.clone()]).unwrap_or_default()).collect()
    }
}

/// How many hexadecimal digits an id has; 48 bits keep a million mutants apart.
const ID_DIGITS: usize = 12;

/// The id of a fault planted by these edits in a script.
pub fn mutant_id(script: &str, fault: &str, edits: &Edits) -> String {
    let mut hash = Sha256::new();
    for part in [script, fault] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    for edit in edits.as_slice() {
        hash.update((edit.start as u64).to_le_bytes());
        hash.update((edit.end as u64).to_le_bytes());
        hash.update((edit.text.len() as u64).to_le_bytes());
        hash.update(edit.text.as_bytes());
    }
    hash.finalize().iter().take(ID_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}
