//! Proofs that a mutant is equivalent to its reference: reasons that hold for every database.
//!
//! A proof uses only the two scripts and the schema, never what happened on a database. A mutant that survives without
//! a proof is a gap in the data, not an equivalent mutant.
//!
//! Six analyses are made, those that decide on mutants of our scripts: whether a value can be NULL (`nullness`),
//! where a difference in a value propagates (`flow` with the rules in `effects`), whether rows with a NULL key reach
//! a reader (`null_keys`), whether readers count rows that repeat (`repeats`), what a removed guard, cast or call did
//! (`unwrapped`), and subtotals (`grouping`).
//!
//! Each reason settles candidates of a default run (105: implicit conversions 93, values that are never NULL 7, three
//! others 5) or of a run of 90 scripts of public projects (47: repeated rows 17, values that are never NULL 14, the day
//! alone 8, rows with a NULL key 6, values that are never read 2); `funnel.json` counts them. A mutant that is equivalent
//! for another reason is searched for until its budget ends and counts as survived: that costs time, and no soundness.

mod layout;
mod reason;
mod view;
mod flow;
mod effects;
mod null_keys;
mod grouping;
mod unwrapped;
mod written_tables;
mod nullness;
mod repeats;

use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId, SetOperator};
use effects::NeverRead;
use layout::squeezed;
use null_keys::drops_null_rows;
pub use reason::EquivalenceReason;
pub use view::ScriptView;

/// Maximum number of nodes around the difference that are looked at, smallest first.
const MOST_NODES: usize = 12;

/// Returns why `mutant` gives the rows of `reference` on every database, or `None` if no proof is found. Both scripts
/// have their placeholders bound.
pub fn prove_equivalence(reference: ScriptView<'_>, mutant: ScriptView<'_>) -> Option<EquivalenceReason> {
    let pair = ScriptPair { reference, mutant };
    let region = differing(reference.script.text(), mutant.script.text());
    let tree = reference.script.tree();
    let covers = |node: &NodeId| tree.span(*node).start <= region.start && region.end <= tree.span(*node).end;
    let mut around: Vec<NodeId> = tree.ids().filter(covers).collect();
    around.sort_by_key(|node| (tree.span(*node).len(), std::cmp::Reverse(node.index())));
    let never_read = around.iter().find_map(|node| pair.never_read(*node));
    never_read.or_else(|| around.iter().take(MOST_NODES).find_map(|node| pair.reason_at(*node)))
}

/// Returns the bytes of `left` outside the common start and the common end.
pub fn differing(left: &str, right: &str) -> Span {
    let start = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let most = left.len().min(right.len()) - start;
    let end = left.bytes().rev().zip(right.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    Span::new(start, left.len() - end)
}

/// A reference and a mutant that differs from it in one place.
struct ScriptPair<'a> {
    reference: ScriptView<'a>,
    mutant: ScriptView<'a>,
}

impl ScriptPair<'_> {
    /// Returns the reason at one node of the reference that covers the whole difference.
    fn reason_at(&self, node: NodeId) -> Option<EquivalenceReason> {
        match self.reference.script.tree().kind(node) {
            Kind::Call { .. } | Kind::Cast => self.unwrapped(node).or_else(|| self.counted(node)),
            Kind::GroupBy => self.subtotals(node).or_else(|| self.fewer_subtotals(node)),
            Kind::SetOperation { operator: SetOperator::Union, .. } => self.united(node),
            _ => None,
        }
    }

    /// Proves that no output depends on the value of an expression.
    fn never_read(&self, node: NodeId) -> Option<EquivalenceReason> {
        let expression =
            |kind| matches!(kind, Kind::Call { .. } | Kind::Cast | Kind::Case { .. } | Kind::Binary(_) | Kind::Column);
        let script = self.reference.script;
        let makes_rows = matches!(script.tree().kind(node), Kind::Call { .. }) && script.is_generator(node);
        let here = expression(script.tree().kind(node)) && !makes_rows;
        let there = || {
            let (tree, span) = (self.mutant.script.tree(), self.replacement(node));
            let mut same = tree.ids().filter(|other| tree.span(*other) == span && expression(tree.kind(*other)));
            // Without GROUP BY an aggregate turns all rows into one.
            same.any(|other| RowEffect::of(self.mutant.script, other) == RowEffect::of(script, node))
        };
        let rule = NeverRead { view: &self.reference };
        (here && there() && flow::is_absorbed(self.reference, node, &rule)).then_some(EquivalenceReason::NeverRead)
    }

    /// Returns the bytes of the mutant that stand where `node` stands in the reference.
    fn replacement(&self, node: NodeId) -> Span {
        let span = self.reference.script.tree().span(node);
        let end = self.mutant.script.text().len() - (self.reference.script.text().len() - span.end);
        Span::new(span.start, end.max(span.start))
    }

    fn replaced_by(&self, node: NodeId, text: &str) -> bool {
        squeezed(self.replacement(node).of(self.mutant.script.text())) == squeezed(text)
    }

    /// `COUNT(*)` made `COUNT(x)`.
    fn counted(&self, call: NodeId) -> Option<EquivalenceReason> {
        let mutant = self.mutant.script;
        let (tree, span) = (mutant.tree(), self.replacement(call));
        let other =
            tree.ids().find(|node| tree.span(*node) == span && tree.kind(*node) == Kind::Call { distinct: false })?;
        let [column] = mutant.arguments(other)[..] else { return None };
        let counts = |script: &Script, call: NodeId| {
            matches!(script.tree().kind(call), Kind::Call { .. }) && script.function_name(call) == "count"
        };
        let whole = self.reference.script.slice(call).replace(' ', "");
        let all = whole.ends_with("(*)") || whole.ends_with("(1)");
        if !all || !counts(self.reference.script, call) || !counts(mutant, other) || tree.kind(column) != Kind::Column {
            return None;
        }
        let key = squeezed(mutant.slice(column));
        if self.mutant.is_never_null(column) {
            return Some(EquivalenceReason::NeverNull { what: key });
        }
        drops_null_rows(&self.mutant, column, Some(other)).then_some(EquivalenceReason::NullKeysDropped { key })
    }

    /// `UNION ALL` made `UNION`, or the other way round.
    fn united(&self, node: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(node)?;
        let all = |kind| match kind {
            Kind::SetOperation { operator: SetOperator::Union, all } => Some(all),
            _ => None,
        };
        let (tree, mutant) = (self.reference.script.tree(), self.mutant.script.tree());
        let changed = all(tree.kind(node))? != all(mutant.kind(other))?;
        let mut sides = tree.children(node).iter().zip(mutant.children(other));
        let same = sides.all(|(one, other)| self.reference.script.slice(*one) == self.mutant.script.slice(*other));
        let is_proved = changed && same && repeats::ignores_repeats(&self.reference, node);
        is_proved.then_some(EquivalenceReason::RepeatsIgnored)
    }

    /// Returns the node of the mutant that stands where `node` stands in the reference and is of the same kind.
    fn counterpart(&self, node: NodeId) -> Option<NodeId> {
        let span = self.replacement(node);
        let tree = self.mutant.script.tree();
        let kind = std::mem::discriminant(&self.reference.script.tree().kind(node));
        tree.ids().find(|other| tree.span(*other) == span && std::mem::discriminant(&tree.kind(*other)) == kind)
    }
}

/// How an expression changes the number of rows.
#[derive(PartialEq)]
struct RowEffect {
    aggregates: bool,
    generates: bool,
}

impl RowEffect {
    fn of(script: &Script, node: NodeId) -> RowEffect {
        let tree = script.tree();
        let calls = || tree.descendants(node).filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
        let plain = |call: &NodeId| !script.is_windowed(*call);
        RowEffect {
            aggregates: calls().filter(plain).any(|call| script.is_aggregate(call)),
            generates: calls().any(|call| script.is_generator(call)),
        }
    }
}

#[cfg(test)]
mod tests;
