//! MB: is a prediction nearer to the reference than the issue is?
//!
//! # What the paper leaves open, settled here
//!
//! - *Distance*: the tree edit distance of ordered labelled trees with unit costs (insert a node, delete a node, change a
//!   label), divided by the size of the larger tree. A node's label is its kind with its own words: names unquoted and
//!   in lower case, literals as written, keywords that belong to no child. Layout, comments and letter case of keywords
//!   do not count.
//! - *A text that does not parse* has no tree. If the prediction or the issue is such a text, both distances are taken on
//!   flat trees of significant tokens, which is the edit distance of token lists, divided by the longer length.
//! - *GM = 1* means distance 0: such a prediction is always better than the issue.
//! - *An issue at distance 0* cannot occur in a run of ours: every token is part of a label or breaks the parse.
//!
//! # Algorithm
//!
//! Only the issue's distance is computed exactly, with a bound that doubles until it suffices. The prediction needs one
//! run with the bound that follows from that distance. What both trees share at their roots, fronts and ends is cut off
//! first ([`cut`]).

mod forest;
mod cut;
mod bounded;
mod flat;

use crate::code::script::Script;
use bounded::distance_within;
use forest::{Forest, LabelNumbers};

/// The reference, the issue and the distance between them, computed once for all predictions.
#[derive(Debug)]
pub struct ReferenceDistance {
    reference: Script,
    issue: Script,
    /// The issue's distance on trees; `None` if the issue or the reference does not parse.
    tree: Option<Fraction>,
    /// The issue's distance on tokens.
    flat: Fraction,
}

/// A distance and the size it is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction {
    distance: usize,
    size: usize,
}

impl Fraction {
    /// Returns the largest distance at which a prediction is still nearer, where `size` is the size to divide by;
    /// `None` if no prediction can be nearer.
    fn below(self, size: usize) -> Option<usize> {
        // The largest whole `most` with most / size < self.distance / self.size.
        (self.distance * size).checked_sub(1).map(|most| most / self.size.max(1))
    }
}

impl ReferenceDistance {
    /// Measures the distance of the issue.
    pub fn new(reference: Script, issue: Script) -> ReferenceDistance {
        let both_parse = reference.is_valid() && issue.is_valid();
        let tree = both_parse.then(|| tree_distance(&issue, &reference));
        let flat = flat_distance(&issue, &reference);
        ReferenceDistance { reference, issue, tree, flat }
    }

    pub fn reference(&self) -> &Script {
        &self.reference
    }

    pub fn issue(&self) -> &Script {
        &self.issue
    }

    /// Whether a prediction is strictly nearer to the reference than the issue is.
    pub fn is_nearer(&self, prediction: &Script) -> bool {
        match self.tree {
            Some(issue) if prediction.is_valid() => self.tree_nearer(prediction, issue),
            _ => self.flat_nearer(prediction),
        }
    }

    fn tree_nearer(&self, prediction: &Script, issue: Fraction) -> bool {
        let mut labels = LabelNumbers::default();
        let left = Forest::of(prediction, &mut labels);
        let right = Forest::of(&self.reference, &mut labels);
        let bound = issue.below(left.len().max(right.len()));
        bound.is_some_and(|bound| distance_within(&left, &right, bound).is_some())
    }

    fn flat_nearer(&self, prediction: &Script) -> bool {
        let mut labels = LabelNumbers::default();
        let left = flat::tokens(prediction, &mut labels);
        let right = flat::tokens(&self.reference, &mut labels);
        let bound = self.flat.below(left.len().max(right.len()));
        bound.is_some_and(|bound| flat::distance_within(&left, &right, bound).is_some())
    }
}

/// Returns the exact distance of two scripts' trees, with the size of the larger one.
fn tree_distance(left: &Script, right: &Script) -> Fraction {
    let mut labels = LabelNumbers::default();
    let (left, right) = (Forest::of(left, &mut labels), Forest::of(right, &mut labels));
    Fraction { distance: doubling(|bound| distance_within(&left, &right, bound)), size: left.len().max(right.len()) }
}

fn flat_distance(left: &Script, right: &Script) -> Fraction {
    let mut labels = LabelNumbers::default();
    let (left, right) = (flat::tokens(left, &mut labels), flat::tokens(right, &mut labels));
    let distance = doubling(|bound| flat::distance_within(&left, &right, bound));
    Fraction { distance, size: left.len().max(right.len()) }
}

/// Tries bounds 1, 2, 4, … until the distance is within the bound. All runs together cost about twice the last one.
fn doubling(within: impl Fn(usize) -> Option<usize>) -> usize {
    let mut bound = 1;
    loop {
        if let Some(distance) = within(bound) {
            return distance;
        }
        bound *= 2;
    }
}

#[cfg(test)]
mod tests;
