//! Why some mutants cannot differ from their reference: arguments that hold for every database.
//!
//! Only what the two scripts and the schema say is used, never what happened on a database. A mutant that survives
//! without an argument is a gap of the data, not an equivalent.

mod argument;
mod branches;
mod division;
mod downstream;
mod flow;
mod grouping;
mod judges;
mod nullness;
mod partner;
mod repeats;
mod unique;
mod unwrapped;
mod written;

use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId, SetOperator};
pub use argument::EquivalenceReason;
use downstream::drops_null_rows;
use judges::Unread;
use nullness::Nullness;
use repeats::ignores_repeats;
use unique::Unique;

/// An argument that `mutant` gives the rows of `reference` on every database; none when there is none at hand. Both
/// have their placeholders bound.
pub fn prove_equivalence(
    reference: (&Script, &Scopes),
    mutant: (&Script, &Scopes),
    schema: &Schema,
) -> Option<EquivalenceReason> {
    let (script, scopes) = reference;
    let pair = Pair {
        script,
        scopes,
        names: Nullness { script, scopes, schema: Some(schema) },
        mutant: mutant.0,
        mutant_scopes: mutant.1,
    };
    let region = differing(script.text(), mutant.0.text());
    let tree = script.tree();
    let covers = |node: &NodeId| tree.span(*node).start <= region.start && region.end <= tree.span(*node).end;
    let mut around: Vec<NodeId> = tree.ids().filter(covers).collect();
    around.sort_by_key(|node| (tree.span(*node).len(), std::cmp::Reverse(node.index())));
    let unread = around.iter().find_map(|node| pair.unread(*node));
    unread.or_else(|| around.iter().take(12).find_map(|node| pair.about(*node)))
}

/// The bytes of `left` outside the common start and the common end.
fn differing(left: &str, right: &str) -> Span {
    let start = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let most = left.len().min(right.len()) - start;
    let end = left.bytes().rev().zip(right.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    Span::new(start, left.len() - end)
}

struct Pair<'a> {
    script: &'a Script,
    scopes: &'a Scopes,
    names: Nullness<'a>,
    mutant: &'a Script,
    mutant_scopes: &'a Scopes,
}

impl Pair<'_> {
    /// The argument about one node of the reference that covers the whole difference.
    fn about(&self, node: NodeId) -> Option<EquivalenceReason> {
        match self.script.tree().kind(node) {
            Kind::Call { .. } | Kind::Cast => {
                let guarded = self.unwrapped(node).or_else(|| self.counted(node));
                guarded.or_else(|| self.ranked(node)).or_else(|| self.floored(node))
            }
            Kind::Case { .. } => self.redirected(node),
            Kind::GroupBy => {
                self.subtotals(node).or_else(|| self.fewer_subtotals(node)).or_else(|| self.one_more_key(node))
            }
            Kind::SetOperation { operator: SetOperator::Union, .. } => self.united(node),
            Kind::Join { kind: JoinKind::Left, .. } => self.joined(node),
            _ => None,
        }
    }

    /// An expression whose value gets nowhere.
    fn unread(&self, node: NodeId) -> Option<EquivalenceReason> {
        let expression =
            |kind| matches!(kind, Kind::Call { .. } | Kind::Cast | Kind::Case { .. } | Kind::Binary(_) | Kind::Column);
        let here = expression(self.script.tree().kind(node)) && !self.makes_rows(node);
        let there = || {
            let (tree, span) = (self.mutant.tree(), self.replacement(node));
            let mut same = tree.ids().filter(|other| tree.span(*other) == span && expression(tree.kind(*other)));
            // Without GROUP BY an aggregate makes one row of all.
            same.any(|other| aggregates(self.mutant, other) == aggregates(self.script, node))
        };
        let judge = Unread { names: &self.names };
        (here && there() && flow::is_lost(self.names, node, &judge)).then_some(EquivalenceReason::NeverRead)
    }

    fn makes_rows(&self, node: NodeId) -> bool {
        matches!(self.script.tree().kind(node), Kind::Call { .. }) && self.script.is_generator(node)
    }

    /// What stands in the mutant where `node` stands in the reference.
    fn replacement(&self, node: NodeId) -> Span {
        let span = self.script.tree().span(node);
        let end = self.mutant.text().len() - (self.script.text().len() - span.end);
        Span::new(span.start, end.max(span.start))
    }

    fn replaced_by(&self, node: NodeId, text: &str) -> bool {
        squeezed(self.replacement(node).of(self.mutant.text())) == squeezed(text)
    }

    /// `COUNT(*)` made `COUNT(x)`, and a number cast to another whole type where text is wanted.
    fn counted(&self, call: NodeId) -> Option<EquivalenceReason> {
        let tree = self.mutant.tree();
        let span = self.replacement(call);
        let other =
            tree.ids().find(|node| tree.span(*node) == span && tree.kind(*node) == Kind::Call { distinct: false })?;
        let [column] = self.mutant.arguments(other)[..] else { return None };
        let counts = |script: &Script, call: NodeId| {
            matches!(script.tree().kind(call), Kind::Call { .. }) && script.function_name(call) == "count"
        };
        let whole = self.script.slice(call).replace(' ', "");
        let all = whole.ends_with("(*)") || whole.ends_with("(1)");
        if !all || !counts(self.script, call) || !counts(self.mutant, other) || tree.kind(column) != Kind::Column {
            return None;
        }
        let names = Nullness { script: self.mutant, scopes: self.mutant_scopes, schema: None };
        if names.is_never_null(column) {
            return Some(EquivalenceReason::NeverNull { what: squeezed(self.mutant.slice(column)) });
        }
        let place = names.place(column)?;
        drops_null_rows(&names, (column, place), Some(other))
            .then(|| EquivalenceReason::LostWithoutKey { key: squeezed(self.mutant.slice(column)) })
    }

    /// `UNION ALL` made `UNION`, or the other way round.
    fn united(&self, node: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(node)?;
        let all = |kind| match kind {
            Kind::SetOperation { operator: SetOperator::Union, all } => Some(all),
            _ => None,
        };
        let (tree, mutant) = (self.script.tree(), self.mutant.tree());
        let changed = all(tree.kind(node))? != all(mutant.kind(other))?;
        let sides = tree.children(node).iter().zip(mutant.children(other));
        let mut same = sides.map(|(one, other)| self.script.slice(*one) == self.mutant.slice(*other));
        if !changed || !same.all(|same| same) {
            return None;
        }
        if ignores_repeats(self.script, self.scopes, node) {
            return Some(EquivalenceReason::RepeatsIgnored);
        }
        Unique { names: self.names }.shares_no_row(node).then_some(EquivalenceReason::NoRepeats)
    }

    /// `RANK` made `ROW_NUMBER` or `DENSE_RANK`, and so on.
    fn ranked(&self, call: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(call)?;
        let ranks = |script: &Script, call: NodeId| {
            matches!(script.tree().kind(call), Kind::Call { .. })
                && matches!(&*script.function_name(call), "rank" | "dense_rank" | "row_number")
        };
        let window = |script: &Script, call: NodeId| {
            script.tree().child(call, |kind| kind == Kind::Over).map(|over| squeezed(script.slice(over)))
        };
        let same = window(self.script, call).is_some() && window(self.script, call) == window(self.mutant, other);
        let ranked = same && ranks(self.script, call) && ranks(self.mutant, other);
        (ranked && Unique { names: self.names }.has_no_ties(call)).then_some(EquivalenceReason::NoTies)
    }

    /// The node of the mutant that stands where `node` stands in the reference and is of the same sort.
    fn counterpart(&self, node: NodeId) -> Option<NodeId> {
        let span = self.replacement(node);
        let tree = self.mutant.tree();
        let sort = std::mem::discriminant(&self.script.tree().kind(node));
        tree.ids().find(|other| tree.span(*other) == span && std::mem::discriminant(&tree.kind(*other)) == sort)
    }
}

/// Whether an aggregate or a generator stands in an expression.
fn aggregates(script: &Script, node: NodeId) -> (bool, bool) {
    let tree = script.tree();
    let calls = || tree.descendants(node).filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
    let plain = |call: &NodeId| tree.child(*call, |kind| kind == Kind::Over).is_none();
    let is_aggregate = |call: NodeId| script.is_aggregate(call);
    let generates = |call: NodeId| script.is_generator(call);
    (calls().filter(plain).any(is_aggregate), calls().any(generates))
}

/// The answer of a comparison of two numbers; none for an operator that compares otherwise.
fn numbers_compared(operator: BinaryOperator, left: f64, right: f64) -> Option<bool> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    Some(match operator {
        Equal => left == right,
        NotEqual => left != right,
        Less => left < right,
        LessOrEqual => left <= right,
        Greater => left > right,
        GreaterOrEqual => left >= right,
        _ => return None,
    })
}

/// Text in lower case with single blanks, so that layout does not count.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests;
