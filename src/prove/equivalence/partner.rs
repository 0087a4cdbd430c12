//! Outer joins made inner ones.

use std::collections::BTreeSet;

use super::downstream::readers;
use super::nullness::Place;
use super::repeats::split;
use super::unique::Unique;
use super::{EquivalenceReason, Pair, squeezed};
use crate::code::scope::{RelationId, RelationSource, Target};
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};

impl Pair<'_> {
    /// `LEFT JOIN` made `JOIN`.
    pub(super) fn joined(&self, join: NodeId) -> Option<EquivalenceReason> {
        let tree = self.script.tree();
        let span = self.replacement(join);
        let inner = |node: &NodeId| matches!(self.mutant.tree().kind(*node), Kind::Join { kind: JoinKind::Inner, .. });
        self.mutant.tree().ids().find(|node| self.mutant.tree().span(*node) == span && inner(node))?;
        let block = tree.enclosing(join, |kind| matches!(kind, Kind::Select { .. }))?;
        let primary = *tree.children(join).first()?;
        let what = || squeezed(self.script.slice(primary)).chars().take(60).collect();
        if self.needs_partner(block, primary) {
            return Some(EquivalenceReason::PartnerNeeded { what: what() });
        }
        if self.always_partnered(join).unwrap_or(false) {
            return Some(EquivalenceReason::AlwaysPartnered { what: what() });
        }
        self.missed_by_no_one(block, join).unwrap_or(false).then(|| EquivalenceReason::MissedByNoOne { what: what() })
    }

    /// Whether WHERE drops the rows without a partner.
    fn needs_partner(&self, block: NodeId, primary: NodeId) -> bool {
        let tree = self.script.tree();
        let Some(clause) = tree.child(block, |kind| kind == Kind::Where) else { return false };
        let Some(condition) = tree.children(clause).first() else { return false };
        let relations = self.scopes.relations().filter(|(_, relation)| relation.node == primary);
        let mut places = relations.flat_map(|(id, relation)| (0..relation.columns.len()).map(move |at| (id, at)));
        places.any(|place| self.names.rejects_null(*condition, place))
    }

    /// Whether the optional side has a row for each row of the other: it is made from that side's own query, whose rows
    /// it all keeps, and both meet in columns that are never NULL.
    fn always_partnered(&self, join: NodeId) -> Option<bool> {
        let tree = self.script.tree();
        let optional = self.relation_at(*tree.children(join).first()?)?;
        let inside = self.whole_select(optional)?;
        let base = self.first_relation(inside)?;
        let pairs = self.equalities(self.names.condition_of(join)?, optional)?;
        let owner = pairs.first()?.0.0;
        let kept = !self.scopes.relation(owner).optional && !self.scopes.relation(base).optional;
        let same_source =
            self.common_table_query(owner).is_some() && self.common_table_query(owner) == self.common_table_query(base);
        let meets = |(outer, inner): &(Place, usize)| {
            let passed = self.passed_on(inside, *inner);
            outer.0 == owner && passed == Some((base, outer.1)) && self.names.is_column_never_null(*outer)
        };
        Some(kept && same_source && self.keeps_all(inside) && pairs.iter().all(meets))
    }

    /// Whether the rows without a partner are read only where they are looked for in vain all the same: each reader joins
    /// them optionally by a key of the other side, and takes nothing but columns of the partner.
    fn missed_by_no_one(&self, block: NodeId, join: NodeId) -> Option<bool> {
        let tree = self.script.tree();
        let partner = self.relation_at(*tree.children(join).first()?)?;
        let base = self.first_relation(block)?;
        let only_join = matches!(self.names.joins(block)[..], [only] if only == join);
        let key = Unique { names: self.names }.of_relation(base)?;
        let query = tree.parent(block).filter(|query| tree.kind(*query) == Kind::Query)?;
        let readers = readers(self.script, self.scopes, query)?;
        let missed = |reader: &RelationId| self.takes_partner_only(*reader, (block, partner), (base, &key));
        let plain = only_join && self.keeps_all(block) && tree.children(query).len() == 1;
        Some(plain && !readers.is_empty() && readers.iter().all(|reader| missed(reader).unwrap_or(false)))
    }

    fn takes_partner_only(
        &self,
        reader: RelationId,
        (block, partner): (NodeId, RelationId),
        (base, key): (RelationId, &BTreeSet<usize>),
    ) -> Option<bool> {
        let tree = self.script.tree();
        let relation = self.scopes.relation(reader);
        let join = tree
            .parent(relation.node)
            .filter(|node| matches!(tree.kind(*node), Kind::Join { kind: JoinKind::Left, .. }))?;
        let condition = self.names.condition_of(join)?;
        let met: Option<BTreeSet<usize>> = self
            .equalities(condition, reader)?
            .iter()
            .map(|(_, inner)| self.passed_on(block, *inner).filter(|place| place.0 == base).map(|place| place.1))
            .collect();
        let whole = key.is_subset(&met?);
        let expanded = tree.ids().filter(|node| matches!(tree.kind(*node), Kind::Select { .. })).any(|select| {
            let outputs = self.scopes.outputs(select).iter();
            outputs.filter(|output| output.expression.is_none()).any(|output| {
                output
                    .passes_on
                    .is_some_and(|place| place.0 == reader && self.partner_column(block, place.1, partner).is_none())
            })
        });
        let uses = tree.ids().filter_map(|node| match self.scopes.binding(node)?.target {
            Target::Column(relation, position) if relation == reader => Some((node, position)),
            _ => None,
        });
        let fine = |(node, position): (NodeId, usize)| {
            let in_condition = std::iter::once(node).chain(tree.ancestors(node)).any(|above| above == condition);
            in_condition || self.partner_column(block, position, partner).is_some()
        };
        let by_name = tree
            .descendants(relation.block)
            .any(|node| matches!(tree.kind(node), Kind::Using | Kind::Join { natural: true, .. }));
        let sides = self.names.joins(relation.block);
        let full = sides
            .iter()
            .any(|join| matches!(tree.kind(*join), Kind::Join { kind: JoinKind::Right | JoinKind::Full, .. }));
        Some(whole && !expanded && !by_name && !full && uses.into_iter().all(fine))
    }

    /// The column of the partner that an output is.
    fn partner_column(&self, block: NodeId, position: usize, partner: RelationId) -> Option<usize> {
        self.passed_on(block, position).filter(|place| place.0 == partner).map(|place| place.1)
    }

    /// The equalities of a condition that consists of nothing else: a column of other relations, a column of `inner`.
    fn equalities(&self, condition: NodeId, inner: RelationId) -> Option<Vec<(Place, usize)>> {
        let tree = self.script.tree();
        let pair = |node: NodeId| {
            let [left, right] = tree.children(node)[..] else { return None };
            if tree.kind(node) != Kind::Binary(BinaryOperator::Equal) {
                return None;
            }
            match (self.names.place(left)?, self.names.place(right)?) {
                (outer, own) if own.0 == inner && outer.0 != inner => Some((outer, own.1)),
                (own, outer) if own.0 == inner && outer.0 != inner => Some((outer, own.1)),
                _ => None,
            }
        };
        split(self.script, condition).into_iter().map(pair).collect()
    }

    /// The column of the block's relations that an output is, unchanged.
    fn passed_on(&self, block: NodeId, position: usize) -> Option<Place> {
        let output = self.scopes.outputs(block).get(position)?;
        output.passes_on.or_else(|| self.names.place(output.expression?))
    }

    fn relation_at(&self, node: NodeId) -> Option<RelationId> {
        self.scopes.relations().find(|(_, relation)| relation.node == node).map(|(id, _)| id)
    }

    /// The query of the CTE that a relation is.
    fn common_table_query(&self, relation: RelationId) -> Option<NodeId> {
        let tree = self.script.tree();
        match self.scopes.relation(relation).source {
            RelationSource::CommonTable(table) => tree.child(table, |kind| kind == Kind::Query),
            _ => None,
        }
    }

    /// The SELECT block that a relation consists of, nothing sorted or cut off.
    fn whole_select(&self, relation: RelationId) -> Option<NodeId> {
        let tree = self.script.tree();
        let query = self.scopes.relation(relation).source.query(tree)?;
        let [only] = tree.children(query)[..] else { return None };
        matches!(tree.kind(only), Kind::Select { .. }).then_some(only)
    }

    /// The relation that a block's FROM begins with, when nothing but joins follows.
    fn first_relation(&self, block: NodeId) -> Option<RelationId> {
        let tree = self.script.tree();
        let from = tree.child(block, |kind| kind == Kind::From)?;
        let [item] = tree.children(from)[..] else { return None };
        let first = *tree.children(item).first()?;
        self.relation_at(item).or_else(|| self.relation_at(first))
    }

    /// Whether a block has a row for each row that its FROM begins with: all its joins are LEFT, nothing filters, groups
    /// or removes repeats.
    fn keeps_all(&self, block: NodeId) -> bool {
        let tree = self.script.tree();
        let joined = |node: &NodeId| matches!(tree.kind(*node), Kind::Join { kind: JoinKind::Left, .. });
        let items = tree.child(block, |kind| kind == Kind::From).into_iter().flat_map(|from| tree.children(from));
        let mut behind = items.flat_map(|item| tree.children(*item).iter().skip(1));
        let plain = tree.children(block).iter().all(|child| matches!(tree.kind(*child), Kind::Projection | Kind::From));
        let projection = tree.child(block, |kind| kind == Kind::Projection);
        let calls = projection.into_iter().flat_map(|projection| tree.descendants(projection));
        let changes = |node: NodeId| {
            matches!(tree.kind(node), Kind::Call { .. })
                && (self.script.is_aggregate(node) || self.script.is_generator(node))
        };
        tree.kind(block) == (Kind::Select { distinct: false })
            && plain
            && behind.all(joined)
            && !calls.into_iter().any(changes)
    }
}

#[cfg(test)]
mod tests {
    use crate::prove::equivalence::tests::argued;

    const TOTALS: &str = "WITH t AS (SELECT COALESCE(k, '-') AS k, SUM(n) AS s FROM a GROUP BY COALESCE(k, '-')), ";

    #[test]
    fn a_side_made_of_the_same_rows_has_a_partner_for_each() {
        let script = |inside: &str, join: &str, on: &str| {
            format!("{TOTALS} p AS (SELECT d.k, d.s, e.w FROM t d {inside}) SELECT t.k, p.w FROM t {join} p ON {on}")
        };
        for (inside, on, holds) in [
            ("LEFT JOIN b e ON d.k = e.k", "t.k = p.k", true),
            ("JOIN b e ON d.k = e.k", "t.k = p.k", false),
            ("LEFT JOIN b e ON d.k = e.k WHERE d.k > 'x'", "t.k = p.k", false),
            // The sum may be NULL, and NULL meets nothing.
            ("LEFT JOIN b e ON d.k = e.k", "t.k = p.k AND t.s = p.s", false),
            ("LEFT JOIN b e ON d.k = e.k", "t.k = p.k AND p.w > 1", false),
        ] {
            let found = argued(&script(inside, "LEFT JOIN", on), &script(inside, "JOIN", on));
            assert_eq!(found.is_some(), holds, "{inside} {on}: {found:?}");
        }
    }

    #[test]
    fn rows_without_a_partner_are_missed_by_no_one_who_takes_the_partner_only() {
        let script = |join: &str, on: &str, takes: &str| {
            format!(
                "{TOTALS} p AS (SELECT d.k, d.s, e.s AS before FROM t d {join} t e ON d.k > e.k) \
                 SELECT a.id, {takes} FROM a LEFT JOIN p ON {on}"
            )
        };
        for (on, takes, holds) in [
            ("a.k = p.k", "p.before", true),
            ("a.k = p.k", "a.n - p.before", true),
            ("a.k = p.k", "p.s", false),
            ("a.n = p.s", "p.before", false),
            ("a.k = p.k AND p.before IS NULL", "p.before", false),
            ("a.k = p.k", "COUNT(p.k) OVER ()", false),
        ] {
            let found = argued(&script("LEFT JOIN", on, takes), &script("JOIN", on, takes));
            assert_eq!(found.is_some(), holds, "{on} {takes}: {found:?}");
        }
    }
}
