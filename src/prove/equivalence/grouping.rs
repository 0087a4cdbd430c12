//! Keys and subtotals of GROUP BY.

use super::downstream::drops_null_rows;
use super::nullness::Nullness;
use super::unique::Unique;
use super::{EquivalenceReason, Pair, squeezed};
use crate::code::script::Script;
use crate::code::tree::{GroupingKind, Kind, NodeId};

impl Pair<'_> {
    /// `GROUP BY a, b` made `GROUP BY a, b WITH ROLLUP`: each line that comes in lacks a key.
    pub(super) fn subtotals(&self, group: NodeId) -> Option<EquivalenceReason> {
        let tree = self.mutant.tree();
        let span = self.replacement(group);
        let other = tree.ids().find(|node| tree.span(*node) == span && tree.kind(*node) == Kind::GroupBy)?;
        let (grouping, keys): (Vec<NodeId>, Vec<NodeId>) =
            tree.children(other).iter().partition(|child| matches!(tree.kind(**child), Kind::Grouping { .. }));
        let [grouping] = grouping[..] else { return None };
        let same = keys.len() == self.script.tree().children(group).len();
        let lost: &[NodeId] = match tree.kind(grouping) {
            Kind::Grouping { kind: GroupingKind::WithRollup } => keys.last().map(std::slice::from_ref)?,
            Kind::Grouping { kind: GroupingKind::WithCube } => &keys,
            _ => return None,
        };
        let names = Nullness { script: self.mutant, scopes: self.mutant_scopes, schema: None };
        let gone = |key: &NodeId| names.place(*key).is_some_and(|place| drops_null_rows(&names, (*key, place), None));
        let text = || lost.iter().map(|key| squeezed(self.mutant.slice(*key))).collect::<Vec<_>>().join(", ");
        (same && lost.iter().all(gone)).then(|| EquivalenceReason::LostWithoutKey { key: text() })
    }

    /// `GROUP BY a, b WITH CUBE` made `WITH ROLLUP`: each line that is gone lacks a key other than the last.
    pub(super) fn fewer_subtotals(&self, group: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(group)?;
        let (keys, kind) = keys_and_grouping(self.script, group)?;
        let (same, fewer) = keys_and_grouping(self.mutant, other)?;
        let alike = keys.len() == same.len()
            && keys.iter().zip(&same).all(|(one, other)| self.script.slice(*one) == self.mutant.slice(*other));
        let (_, needed) = keys.split_last()?;
        let fewer = kind == GroupingKind::WithCube && fewer == GroupingKind::WithRollup && alike && !needed.is_empty();
        let tree = self.script.tree();
        let block = tree.parent(group)?;
        let having = tree.child(block, |kind| kind == Kind::Having).and_then(|having| tree.children(having).first());
        let gone = |key: &NodeId| {
            self.names.place(*key).is_some_and(|place| {
                having.is_some_and(|having| self.names.rejects_null(*having, place))
                    || drops_null_rows(&self.names, (*key, place), None)
            })
        };
        let text = || needed.iter().map(|key| squeezed(self.script.slice(*key))).collect::<Vec<_>>().join(", ");
        (fewer && needed.iter().all(gone)).then(|| EquivalenceReason::LostWithoutKey { key: text() })
    }

    /// `GROUP BY a` made `GROUP BY a, b`, where b has one value.
    pub(super) fn one_more_key(&self, group: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(group)?;
        let (keys, more) = (self.script.tree().children(group), self.mutant.tree().children(other));
        let kept = keys
            .iter()
            .zip(more)
            .all(|(one, other)| squeezed(self.script.slice(*one)) == squeezed(self.mutant.slice(*other)));
        let [added] = *more.get(keys.len()..)? else { return None };
        let names = Nullness { script: self.mutant, scopes: self.mutant_scopes, schema: None };
        let (relation, _) = names.place(added)?;
        let unique = Unique { names };
        (kept && !keys.is_empty() && unique.has_one_row(relation))
            .then(|| EquivalenceReason::OneValue { what: squeezed(self.mutant.slice(added)) })
    }
}

/// The keys of a GROUP BY and the one extension behind them.
fn keys_and_grouping(script: &Script, group: NodeId) -> Option<(Vec<NodeId>, GroupingKind)> {
    let tree = script.tree();
    let kind = |node: &NodeId| match tree.kind(*node) {
        Kind::Grouping { kind } => Some(kind),
        _ => None,
    };
    let (last, keys) = tree.children(group).split_last()?;
    keys.iter().all(|key| kind(key).is_none()).then(|| Some((keys.to_vec(), kind(last)?)))?
}

#[cfg(test)]
mod tests {
    use crate::prove::equivalence::tests::argued;

    #[test]
    fn a_cube_is_a_rollup_where_its_further_lines_are_dropped() {
        for (rest, holds) in [
            ("HAVING k IS NOT NULL", true),
            ("HAVING v IS NOT NULL", false),
            ("HAVING COUNT(*) > 1", false),
            ("", false),
        ] {
            let script = |grouping: &str| format!("SELECT k, v, SUM(n) FROM a GROUP BY k, v WITH {grouping} {rest}");
            let found = argued(&script("CUBE"), &script("ROLLUP"));
            assert_eq!(found.is_some(), holds, "{rest}: {found:?}");
        }
    }
}
