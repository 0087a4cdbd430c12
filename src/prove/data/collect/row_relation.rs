//! Conditions that relate two rows of one scan: `date_sub(a.week, 7) = b.week`, where `a` and `b` are the same CTE.

use super::ConstraintCollector;
use crate::code::scope::names_no_column;
use crate::code::tree::{Kind, NodeId};
use crate::prove::data::constraint::{COLUMN_MARK, RowRelation, ScanColumn};

/// Most expressions that stand one inside another on the way to a base column.
const MOST_NESTED: usize = 12;

/// Longest text that the columns of an expression may become: one that names a column often, over many levels, grows with
/// each of them.
const LONGEST_TEXT: usize = 2_000;

/// An expression in terms of one base column.
struct SpelledOut {
    /// Its text, with [`COLUMN_MARK`] in place of the column.
    text: String,
    source: ScanColumn,
}

impl ConstraintCollector<'_, '_> {
    /// Notes `left = right` where both are computed from one column of one scan, in different rows of it. Returns false
    /// for any other comparison.
    pub(super) fn relate_rows(&mut self, left: NodeId, right: NodeId) -> bool {
        let scopes = self.lineage.scopes;
        let relations = (scopes.only_relation(self.columns(left)), scopes.only_relation(self.columns(right)));
        if !matches!(relations, (Some(left), Some(right)) if left != right) {
            return false;
        }
        let (Some(one), Some(other)) = (self.spelled_out(left, MOST_NESTED), self.spelled_out(right, MOST_NESTED))
        else {
            return false;
        };
        let relates = one.source == other.source && one.text != other.text;
        if relates {
            let relation = RowRelation { source: one.source, one: one.text, other: other.text };
            self.found.row_relations.push(relation);
        }
        relates
    }

    fn columns(&self, expression: NodeId) -> Vec<NodeId> {
        let script = self.lineage.script;
        let is_column = |node: &NodeId| script.tree().kind(*node) == Kind::Column && !names_no_column(script, *node);
        script.tree().descendants(expression).filter(is_column).collect()
    }

    /// Puts what the columns of an expression stand for in their places, down to a base column. `None` if there are
    /// several, or one is aggregated on the way.
    fn spelled_out(&self, expression: NodeId, depth: usize) -> Option<SpelledOut> {
        let depth = depth.checked_sub(1)?;
        if !self.is_computed_by_row(expression) {
            return None;
        }
        let mut parts = Vec::new();
        let mut sources = Vec::new();
        for column in self.columns(expression) {
            let part = match self.lineage.origins(column)[..] {
                [] => SpelledOut { text: COLUMN_MARK.to_owned(), source: self.whole_column(column)? },
                [origin] => self.spelled_out(origin, depth)?,
                _ => return None,
            };
            sources.push(part.source);
            parts.push((column, format!("({})", part.text)));
        }
        let source = *sources.first()?;
        if parts.iter().map(|(_, text)| text.len()).sum::<usize>() > LONGEST_TEXT {
            return None;
        }
        let text = self.evaluator.text_with(expression, parts);
        sources.iter().all(|other| *other == source).then_some(SpelledOut { text, source })
    }

    /// Whether an expression is computed from the columns of one row alone.
    pub(super) fn is_computed_by_row(&self, expression: NodeId) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let needs_more = |node: NodeId| match tree.kind(node) {
            Kind::Query | Kind::Over | Kind::Lambda => true,
            Kind::Call { .. } => script.is_aggregate(node) || script.is_generator(node),
            _ => false,
        };
        !tree.descendants(expression).any(needs_more)
    }
}
