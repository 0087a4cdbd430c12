//! Keys and subtotals of GROUP BY.

use super::downstream::drops_null_rows;
use super::nullness::Nullness;
use super::unique::Unique;
use super::{Argument, Pair, squeezed};
use crate::code::tree::{GroupingKind, Kind, NodeId};

impl Pair<'_> {
    /// `GROUP BY a, b` made `GROUP BY a, b WITH ROLLUP`: each line that comes in lacks a key.
    pub(super) fn subtotals(&self, group: NodeId) -> Option<Argument> {
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
        (same && lost.iter().all(gone)).then(|| Argument::LostWithoutKey { key: text() })
    }

    /// `GROUP BY a` made `GROUP BY a, b`, where b has one value.
    pub(super) fn one_more_key(&self, group: NodeId) -> Option<Argument> {
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
            .then(|| Argument::OneValue { what: squeezed(self.mutant.slice(added)) })
    }
}
