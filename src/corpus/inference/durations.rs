//! Differences that the script sets against intervals: what is subtracted there are moments.

use super::blocks::Blocks;
use crate::code::tree::{Kind, NodeId};

impl Blocks<'_> {
    /// Whether a difference, or what it is called in the SELECT list, is compared with an interval.
    pub fn is_duration(self, difference: NodeId) -> bool {
        let tree = self.tree();
        if self.is_beside_interval(difference) {
            return true;
        }
        let outside = tree.ancestors(difference).find(|above| tree.kind(*above) != Kind::Paren);
        let item = outside.filter(|item| tree.kind(*item) == Kind::SelectItem);
        let alias = item.and_then(|item| tree.child(item, |kind| kind == Kind::Alias));
        let Some(name) = alias.and_then(|alias| tree.children(alias).first()).map(|name| self.script.name(*name))
        else {
            return false;
        };
        let mut columns = tree.ids().filter(|node| tree.kind(*node) == Kind::Column);
        columns.any(|column| self.script.last_name(column) == name && self.is_beside_interval(column))
    }

    fn is_beside_interval(self, node: NodeId) -> bool {
        let tree = self.tree();
        let mut below = node;
        for above in tree.ancestors(node) {
            match tree.kind(above) {
                Kind::Paren => below = above,
                Kind::Binary(operator) if operator.is_comparison() => return self.has_interval_beside(above, below),
                Kind::Between { .. } => return self.has_interval_beside(above, below),
                _ => return false,
            }
        }
        false
    }

    fn has_interval_beside(self, comparison: NodeId, side: NodeId) -> bool {
        let mut others = self.tree().children(comparison).iter().filter(|other| **other != side);
        others.any(|other| self.scopes.type_of(*other).is_interval())
    }
}
