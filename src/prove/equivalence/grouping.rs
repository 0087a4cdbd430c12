//! Keys and subtotals of GROUP BY.

use super::layout::squeezed;
use super::null_keys::drops_null_rows;
use super::{EquivalenceReason, ScriptPair};
use crate::code::script::Script;
use crate::code::tree::{GroupingKind, Kind, NodeId};

impl ScriptPair<'_> {
    /// `GROUP BY a, b` made `GROUP BY a, b WITH ROLLUP`: each row that is added lacks a key.
    pub(super) fn subtotals(&self, group: NodeId) -> Option<EquivalenceReason> {
        let tree = self.mutant.script.tree();
        let span = self.replacement(group);
        let other = tree.ids().find(|node| tree.span(*node) == span && tree.kind(*node) == Kind::GroupBy)?;
        let (grouping, keys): (Vec<NodeId>, Vec<NodeId>) =
            tree.children(other).iter().partition(|child| matches!(tree.kind(**child), Kind::Grouping { .. }));
        let [grouping] = grouping[..] else { return None };
        let same = keys.len() == self.reference.script.tree().children(group).len();
        let lost: &[NodeId] = match tree.kind(grouping) {
            Kind::Grouping { kind: GroupingKind::WithRollup } => keys.last().map(std::slice::from_ref)?,
            Kind::Grouping { kind: GroupingKind::WithCube } => &keys,
            _ => return None,
        };
        let dropped = |key: &NodeId| drops_null_rows(&self.mutant, *key, None);
        let text = || lost.iter().map(|key| squeezed(self.mutant.script.slice(*key))).collect::<Vec<_>>().join(", ");
        (same && lost.iter().all(dropped)).then(|| EquivalenceReason::NullKeysDropped { key: text() })
    }

    /// `GROUP BY a, b WITH CUBE` made `WITH ROLLUP`: each row that is lost lacks a key other than the last.
    pub(super) fn fewer_subtotals(&self, group: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(group)?;
        let (keys, kind) = keys_and_grouping(self.reference.script, group)?;
        let (same, fewer) = keys_and_grouping(self.mutant.script, other)?;
        let alike = keys.len() == same.len()
            && keys
                .iter()
                .zip(&same)
                .all(|(one, other)| self.reference.script.slice(*one) == self.mutant.script.slice(*other));
        let (_, needed) = keys.split_last()?;
        let fewer = kind == GroupingKind::WithCube && fewer == GroupingKind::WithRollup && alike && !needed.is_empty();
        let tree = self.reference.script.tree();
        let block = tree.parent(group)?;
        let having = tree.child(block, |kind| kind == Kind::Having).and_then(|having| tree.children(having).first());
        let dropped = |key: &NodeId| {
            let rejected = |column| having.is_some_and(|having| self.reference.rejects_null(*having, column));
            self.reference.column_of(*key).is_some_and(rejected) || drops_null_rows(&self.reference, *key, None)
        };
        let text =
            || needed.iter().map(|key| squeezed(self.reference.script.slice(*key))).collect::<Vec<_>>().join(", ");
        (fewer && needed.iter().all(dropped)).then(|| EquivalenceReason::NullKeysDropped { key: text() })
    }
}

/// Returns the keys of a GROUP BY and the one extension behind them.
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
    use crate::prove::equivalence::tests::proved;

    #[test]
    fn a_cube_is_a_rollup_where_its_further_lines_are_dropped() {
        for (rest, holds) in [
            ("HAVING k IS NOT NULL", true),
            ("HAVING v IS NOT NULL", false),
            ("HAVING COUNT(*) > 1", false),
            ("", false),
        ] {
            let script = |grouping: &str| format!("SELECT k, v, SUM(n) FROM a GROUP BY k, v WITH {grouping} {rest}");
            let found = proved(&script("CUBE"), &script("ROLLUP"));
            assert_eq!(found.is_some(), holds, "{rest}: {found:?}");
        }
    }
}
