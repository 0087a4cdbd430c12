//! What operators propose: sites and edits.

use std::collections::HashSet;

use crate::code::edit::{Edit, Edits};
use crate::code::token::tokenize;
use crate::code::tree::NodeId;

use super::alignment::keep_columns;
use super::removal::joins_words;

/// One way to plant a fault.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The node that the fault is about.
    pub site: NodeId,
    /// The edits that plant it.
    pub edits: Edits,
    /// Further nodes that test data and descriptions should take into account, such as the column that is written
    /// instead.
    pub about: Vec<NodeId>,
    /// Whether the edits only make sense together (moved text, a pair of brackets), so that a part of them is not a
    /// smaller version of the fault.
    pub indivisible: bool,
}

/// Collects proposals, leaving out those that change nothing and duplicates.
#[derive(Default)]
pub struct Proposals {
    list: Vec<Proposal>,
    known: HashSet<Edits>,
}

impl Proposals {
    /// Adds a way to plant the fault at `site`. Overlapping edits are a mistake of the operator and are dropped.
    pub fn push(&mut self, text: &str, site: NodeId, edits: Vec<Edit>) {
        self.add(text, site, edits, Vec::new(), false);
    }

    /// Adds a way whose edits only make sense together; see [`Proposal::indivisible`].
    pub fn push_whole(&mut self, text: &str, site: NodeId, edits: Vec<Edit>) {
        self.add(text, site, edits, Vec::new(), true);
    }

    /// Adds a way that is also about further nodes; see [`Proposal::about`].
    pub fn push_about(&mut self, text: &str, site: NodeId, edits: Vec<Edit>, about: Vec<NodeId>) {
        self.add(text, site, edits, about, false);
    }

    fn add(&mut self, text: &str, site: NodeId, edits: Vec<Edit>, about: Vec<NodeId>, indivisible: bool) {
        let trimmed: Vec<Edit> = edits.into_iter().filter_map(|edit| trim(text, edit)).collect();
        let Some(edits) = Edits::new(trimmed).ok().filter(|edits| !edits.is_empty()) else { return };
        let edits = Edits::new(keep_columns(text, edits.as_slice())).unwrap_or(edits);
        if self.known.insert(edits.clone()) {
            self.list.push(Proposal { site, edits, about, indivisible });
        }
    }

    /// The proposals in the order they were made.
    pub fn into_vec(self) -> Vec<Proposal> {
        self.list
    }
}

/// Trims the tokens at both ends of an edit that it does not change; returns `None` if it changes nothing. An end that
/// lies inside a token of the script is not trimmed.
fn trim(text: &str, edit: Edit) -> Option<Edit> {
    let old = edit.span().of(text);
    let (before, after) = (pieces(old), pieces(&edit.text));
    let cuts = |at: usize| joins_words(&text[..at], &text[at..]) || in_quotes(old) || in_quotes(&edit.text);
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| -> usize {
        pairs.take_while(|(old, new)| old == new).map(|(old, _)| old.len()).sum()
    };
    let head = if cuts(edit.start) { 0 } else { same(&mut before.iter().zip(&after)) };
    let most = old.len().min(edit.text.len()) - head;
    let tail = if cuts(edit.end) { 0 } else { same(&mut before.iter().rev().zip(after.iter().rev())).min(most) };
    let trimmed = Edit {
        start: edit.start + head,
        end: edit.end - tail,
        text: edit.text[head..edit.text.len() - tail].to_owned(),
    };
    (!trimmed.span().is_empty() || !trimmed.text.is_empty()).then_some(trimmed)
}

fn pieces(text: &str) -> Vec<&str> {
    tokenize(text).into_iter().map(|token| token.span().of(text)).collect()
}

/// Whether a fragment has an odd number of quotes, so that it begins or ends inside a literal.
fn in_quotes(fragment: &str) -> bool {
    fragment.matches(['\'', '"', '`']).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::span::Span;

    #[test]
    fn tokens_that_stay_are_no_part_of_an_edit() {
        for (text, start, end, new, wanted) in [
            ("SELECT sum(a)", 7, 11, "(", Some((7, 10, ""))),
            ("SELECT sum(a)", 12, 13, ")", None),
            ("SELECT a.x", 7, 10, "a.y", Some((9, 10, "y"))),
            ("IN (1, 2)", 3, 9, "(1, 2,)", Some((8, 8, ","))),
            ("SELECT pay_amount", 7, 17, "refund_amount", Some((7, 17, "refund_amount"))),
            ("LIKE 'a%'", 7, 9, "'", Some((7, 9, "'"))),
            ("a a", 0, 1, "a a", Some((1, 1, " a"))),
        ] {
            let edit = Edit::replacement(Span::new(start, end), new);
            let wanted = wanted.map(|(start, end, new)| Edit::replacement(Span::new(start, end), new));
            assert_eq!(trim(text, edit), wanted, "{text}");
        }
    }
}
