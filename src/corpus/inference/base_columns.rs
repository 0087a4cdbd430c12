//! Which column of a table an expression has its values from.

use super::blocks::Blocks;
use crate::code::scope::{ColumnPosition, ColumnTarget, OutputColumn, Relation, RelationSource};
use crate::code::tree::{Kind, NodeId};

/// A table's column, by the full name of the table.
pub(super) type ColumnName<'a> = (&'a str, &'a str);

/// Functions that return one of the values of their argument.
pub(super) const RETURN_A_VALUE: [&str; 7] = ["any_value", "first", "first_value", "last", "last_value", "max", "min"];
/// Those of [`RETURN_AN_ARGUMENT`] that may return the first argument.
pub(super) const MAY_RETURN_FIRST: [&str; 6] = ["coalesce", "greatest", "ifnull", "least", "nullif", "nvl"];

impl<'a> Blocks<'a> {
    /// The column of a table that a `Column` node means, also through sub-queries and CTEs that pass it on.
    pub fn table_column(self, node: NodeId) -> Option<ColumnName<'a>> {
        match self.scopes.binding(node)?.target {
            ColumnTarget::Column(relation, column) => self.base_column((relation, column)),
            _ => None,
        }
    }

    pub fn base_column(self, (mut relation, mut column): ColumnPosition) -> Option<ColumnName<'a>> {
        // No column is passed on more often than there are relations.
        for _ in 0..=self.scopes.relations().count() {
            let from = self.scopes.relation(relation);
            let output = from.columns.get(column)?;
            if let RelationSource::Table(table) = &from.source {
                return Some((table, &output.name));
            }
            let passed =
                output.passes_on.or_else(|| self.returned_column(output)).or_else(|| self.in_first_block(from, column));
            (relation, column) = passed?;
        }
        None
    }

    /// Returns the column of which an output is a value, as `a` for `max(a)`; `None` if the output is computed otherwise.
    fn returned_column(self, output: &OutputColumn) -> Option<ColumnPosition> {
        let call = output.expression.filter(|node| matches!(self.tree().kind(*node), Kind::Call { .. }))?;
        let name = self.script.function_name(call);
        let is_one = RETURN_A_VALUE.contains(&name.as_str()) || MAY_RETURN_FIRST.contains(&name.as_str());
        let first = self.script.arguments(call).first().copied().filter(|_| is_one)?;
        match self.scopes.binding(first)?.target {
            ColumnTarget::Column(relation, column) => Some((relation, column)),
            _ => None,
        }
    }

    /// Returns the column that the first block of the query behind a relation passes on: in a set operation its type is that
    /// of the others.
    fn in_first_block(self, relation: &Relation, column: usize) -> Option<ColumnPosition> {
        let written = || relation.writers.last().map(|writer| writer.query);
        let query = relation.source.query(self.tree()).or_else(written)?;
        let first = self.first_block(query)?;
        self.scopes.outputs(first).get(column)?.passes_on
    }

    /// Returns the column of a table that an output passes on; `None` if it passes none on.
    pub fn column_passed_on(self, output: &OutputColumn) -> Option<ColumnName<'a>> {
        self.base_column(output.passes_on.or_else(|| self.returned_column(output))?)
    }
}
