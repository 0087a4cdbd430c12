//! A mutant: one script with one planted fault.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::proposal::Proposal;
use crate::code::edit::{Edit, EditError, Edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::tokenize;
use crate::code::tree::NodeId;
use crate::store::hexadecimal;

/// Places of one mutant that are looked at one by one.
const MOST_PLACES: usize = 8;

/// One script with one planted fault, before it is proved.
///
/// ```
/// use sqlfault::{Schema, Script, Taxonomy, plant, sites};
///
/// let taxonomy = Taxonomy::embedded()?;
/// let script = Script::new("SELECT a AS x, b AS y FROM t");
/// let fault = taxonomy.fault("select-list-comma-missing").expect("the fault is in the taxonomy");
/// let mutant = plant(&script, fault, &sites(&script, &Schema::default(), fault)[0]);
/// assert_eq!(mutant.text(script.text())?, "SELECT a AS x b AS y FROM t");
/// assert_eq!(mutant.tokens_changed(&script), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Ten hex digits of the key it is made with, its fault and its edits; a run's key is its secret.
    pub id: String,
    /// The reference's id.
    pub script: String,
    /// The fault's id.
    pub fault: String,
    /// Edits of the correct script that plant the fault.
    pub edits: Edits,
    /// Position in the tree of the node the fault is about.
    pub site: usize,
    /// Positions of further nodes that test data and descriptions should take into account.
    pub about: Vec<usize>,
    /// Whether the edits only make sense together; see [`Proposal::indivisible`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub indivisible: bool,
}

impl Mutant {
    /// Makes a mutant of a proposal and gives it an id.
    pub fn new(script: &str, script_key: &str, fault: &str, proposal: &Proposal) -> Mutant {
        Mutant {
            site: proposal.site.index(),
            about: proposal.about.iter().map(|node| node.index()).collect(),
            indivisible: proposal.indivisible,
            ..Mutant::of_edits(script, script_key, fault, proposal.edits.clone())
        }
    }

    /// Makes a mutant of edits that no operator proposed, such as rewrites that keep the meaning and several faults at
    /// once.
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
            id: hexadecimal(&hash.finalize()[..5]),
            script: script.to_owned(),
            fault: fault.to_owned(),
            edits,
            site: 0,
            about: Vec::new(),
            indivisible: false,
        }
    }

    /// Makes one mutant of several of the same script; `None` if their edits overlap, or there is none.
    pub(crate) fn joined<'m>(script_key: &str, parts: impl IntoIterator<Item = &'m Mutant>) -> Option<Mutant> {
        let parts: Vec<&Mutant> = parts.into_iter().collect();
        let edits = Edits::new(parts.iter().flat_map(|part| part.edits.as_slice()).cloned().collect()).ok()?;
        let faults: Vec<&str> = parts.iter().map(|part| part.fault.as_str()).collect();
        Some(Mutant::of_edits(&parts.first()?.script, script_key, &faults.join("+"), edits))
    }

    /// Returns the same mutant with the id that results from `script_key`.
    #[must_use]
    pub fn rekeyed(self, script_key: &str) -> Mutant {
        let id = Mutant::of_edits(&self.script, script_key, &self.fault, self.edits.clone()).id;
        Mutant { id, ..self }
    }

    /// Returns the changed text.
    ///
    /// # Errors
    ///
    /// If the edits do not fit `original`.
    pub fn text(&self, original: &str) -> Result<String, EditError> {
        self.edits.apply(original)
    }

    /// Returns each of the first [`MOST_PLACES`] places of the mutant as a mutant of its own: whoever repairs all others
    /// leaves one. Blanks are no place. Empty if there is but one.
    pub(crate) fn places_alone(&self, original: &str) -> Vec<Mutant> {
        let edits = self.edits.without_blanks(original);
        let edits = edits.as_slice();
        let alone = |edit: &Edit| Some(Mutant { edits: Edits::new(vec![edit.clone()]).ok()?, ..self.clone() });
        if edits.len() < 2 { Vec::new() } else { edits.iter().take(MOST_PLACES).filter_map(alone).collect() }
    }

    /// Returns the span of the changes in the changed text.
    pub fn changed(&self, original: &str) -> Span {
        self.edits.inverse(original).span()
    }

    /// Returns how many tokens the edits change. Each edit counts the tokens that it removes or those that it adds,
    /// whichever are more. Blanks and comments do not count; an edit inside one token counts as one.
    pub fn tokens_changed(&self, original: &Script) -> usize {
        let touched = |edit: &Edit| original.tokens().iter().filter(|token| token.span().overlaps(edit.span())).count();
        let added = |edit: &Edit| tokenize(&edit.text).iter().filter(|token| !token.kind.is_trivia()).count();
        let inside = |edit: &Edit| {
            let strictly = |span: Span| span.start < edit.start && edit.end < span.end;
            original.tokens().iter().any(|token| strictly(token.span()))
        };
        let cost = |edit: &Edit| if inside(edit) { 1 } else { touched(edit).max(added(edit)) };
        self.edits.as_slice().iter().map(cost).sum()
    }

    /// The nodes of the original tree that the fault is about.
    pub fn nodes(&self) -> Vec<NodeId> {
        std::iter::once(self.site).chain(self.about.iter().copied()).map(|index| NodeId(index as u32)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_go_or_come_are_the_cost() {
        let sql = "SELECT a, b FROM t LEFT JOIN u ON t.x = u.x WHERE n LIKE 'a%'";
        let script = Script::new(sql);
        for (old, new, cost) in [
            ("LEFT ", "", 1),
            ("LEFT", "FULL OUTER", 2),
            (", b", "", 2),
            ("t.x = u.x", "1", 7),
            ("a%", "a", 1),
            ("SELECT ", "SELECT  ", 1),
        ] {
            let start = sql.find(old).unwrap();
            let edit = Edit::replacement(Span::new(start, start + old.len()), new);
            let mutant = Mutant::of_edits("s", "k", "f", Edits::new(vec![edit]).unwrap());
            assert_eq!(mutant.tokens_changed(&script), cost, "{old} to {new}");
        }
    }

    #[test]
    fn each_of_several_places_is_a_mutant_of_its_own() {
        let sql = "SELECT SUM(a < 4), SUM(a < 8) FROM t";
        let at = |start| Edit::replacement(Span::new(start, start + 1), "<=");
        let mutant = |edits| Mutant::of_edits("s", "k", "f", Edits::new(edits).unwrap());
        let alone = mutant(vec![at(13), at(25)]).places_alone(sql);
        let texts: Vec<String> = alone.iter().map(|place| place.text(sql).unwrap()).collect();
        assert_eq!(texts, ["SELECT SUM(a <= 4), SUM(a < 8) FROM t", "SELECT SUM(a < 4), SUM(a <= 8) FROM t"]);
        let aligned = Edit::insertion(25, "  ");
        assert!(mutant(vec![at(13), aligned]).places_alone(sql).is_empty());
    }
}
