//! What operators hand out: places and edits.

use std::collections::HashSet;

use crate::code::edit::{Edit, Edits};
use crate::code::tree::NodeId;

/// One way to plant a fault.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The node that the fault is about.
    pub site: NodeId,
    /// What changes.
    pub edits: Edits,
    /// Further nodes that data and words should know of, such as the column that is written instead.
    pub about: Vec<NodeId>,
    /// The edits are one gesture (text that moves, a pair of brackets): a part of them is no smaller version of it.
    pub indivisible: bool,
}

/// Collects proposals; leaves out what changes nothing and what was proposed already.
#[derive(Default)]
pub struct Proposals {
    list: Vec<Proposal>,
    known: HashSet<Edits>,
}

impl Proposals {
    /// Adds a way to plant the fault at `site`. Edits that overlap are a mistake of the operator and left out.
    pub fn push(&mut self, text: &str, site: NodeId, edits: Vec<Edit>) {
        self.add(text, site, edits, Vec::new(), false);
    }

    /// Adds a way whose edits are one gesture; see [`Proposal::indivisible`].
    pub fn push_whole(&mut self, text: &str, site: NodeId, edits: Vec<Edit>) {
        self.add(text, site, edits, Vec::new(), true);
    }

    /// Adds a way with further nodes that data and words should know of; see [`Proposal::about`].
    pub fn push_about(&mut self, text: &str, site: NodeId, edits: Vec<Edit>, about: Vec<NodeId>) {
        self.add(text, site, edits, about, false);
    }

    fn add(&mut self, text: &str, site: NodeId, edits: Vec<Edit>, about: Vec<NodeId>, indivisible: bool) {
        let changes = edits.iter().any(|edit| edit.span().of(text) != edit.text);
        let Some(edits) = Edits::new(edits).ok().filter(|edits| changes && !edits.is_empty()) else { return };
        if self.known.insert(edits.clone()) {
            self.list.push(Proposal { site, edits, about, indivisible });
        }
    }

    /// The proposals in the order they were made.
    pub fn into_vec(self) -> Vec<Proposal> {
        self.list
    }
}
