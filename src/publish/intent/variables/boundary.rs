//! Names the limit of a comparison.

use super::{VariableSearch, value_columns};
use crate::code::script::unquoted;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

impl VariableSearch<'_> {
    /// Sets `limit` to the limit of a comparison, and `counts` to whether the limit itself meets it.
    pub(super) fn boundary(&mut self, site: NodeId) {
        let tree = self.script.tree();
        let Some(meets) = meets_at_limit(tree.kind(site)) else { return };
        let words = &self.vocabulary.boundary;
        self.set("counts", if meets { words.included.clone() } else { words.excluded.clone() });
        let is_limit = |node: &&NodeId| matches!(tree.kind(**node), Kind::Number | Kind::Text);
        let limit = tree.children(site).iter().find(is_limit).copied();
        let sides: Vec<NodeId> = tree.children(site).iter().copied().filter(|side| Some(*side) != limit).collect();
        // The limit of an age is none of the birthday from which it is worked out.
        let is_column = |side: &NodeId| tree.kind(*side) == Kind::Column || self.script.is_coalesce(*side);
        if let Some(limit) = limit.filter(|_| sides.iter().all(is_column)) {
            let value = unquoted(self.script.slice(limit)).to_owned();
            if tree.kind(limit) == Kind::Number {
                self.known.quoted.push(value.clone());
            }
            self.set("limit", value);
        }
        for side in sides {
            self.columns(side);
            self.column_of_tables(side);
        }
    }

    /// Whether a place is a comparison by size of something that is worked out, such as a sum or a span of time: then it is
    /// not the column that lies on the limit.
    pub(super) fn compares_calculation(&self, site: NodeId) -> bool {
        let (script, tree) = (self.script, self.script.tree());
        let works_out = |node: NodeId| match tree.kind(node) {
            Kind::Binary(_) => true,
            Kind::Call { .. } => {
                let is_days = script.function_name(node) == "datediff";
                !is_days && !script.is_coalesce(node) && self.scopes.type_of(node).is_numeric()
            }
            _ => false,
        };
        let is_calculation =
            |side: &NodeId| value_columns(script, *side).len() > 1 || tree.descendants(*side).any(works_out);
        meets_at_limit(tree.kind(site)).is_some() && tree.children(site).iter().any(is_calculation)
    }

    /// Sets `column` to a column whose name alone says nothing, as `rank_no` does, if complaints cite names and a table
    /// shows readers a column of this name.
    fn column_of_tables(&mut self, node: NodeId) {
        if self.script.tree().kind(node) != Kind::Column || !self.vocabulary.cites_names() {
            return;
        }
        let name = self.script.last_name(node);
        if self.names.schema.tables.iter().any(|table| table.position(&name).is_some()) {
            self.set("column", self.vocabulary.column(&name));
        }
    }
}

/// Whether a comparison holds for the limit itself; `None` for what has none.
pub(super) fn meets_at_limit(kind: Kind) -> Option<bool> {
    use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    match kind {
        Kind::Binary(LessOrEqual | GreaterOrEqual) => Some(true),
        Kind::Binary(Less | Greater) => Some(false),
        _ => None,
    }
}
