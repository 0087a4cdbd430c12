//! What the rows of an INSERT say of the types of columns.

use super::base_columns::ColumnName;
use super::blocks::{Blocks, full_name};
use super::evidence::{TypeEvidence, evidence_of_type};
use super::targets::filled_columns;
use crate::code::schema::Schema;
use crate::code::tree::{Kind, NodeId};

impl<'a> Blocks<'a> {
    /// Adds what the outputs of an INSERT and the columns that they fill say of each other.
    pub fn add_evidence_of_insert(
        self,
        insert: NodeId,
        schema: &'a Schema,
        found: &mut Vec<(ColumnName<'a>, TypeEvidence)>,
    ) {
        let tree = self.tree();
        let target = tree.child(insert, |kind| kind == Kind::Table);
        let Some(query) = tree.child(insert, |kind| kind == Kind::Query) else { return };
        let Some(table) = target.and_then(|table| schema.table(&full_name(self.script, table))) else {
            return self.add_evidence_of_added_rows(query, found);
        };
        let names = filled_columns(self, insert, schema).unwrap_or_default();
        let named = |name: &String| table.columns.iter().find(|column| column.name == *name);
        let filled = names.iter().filter_map(named);
        for (column, output) in filled.zip(self.scopes.outputs(query)) {
            if let Some(said) = evidence_of_type(&output.data_type) {
                found.push(((&table.name, &column.name), said));
            }
            if let (Some(source), Some(said)) = (self.column_passed_on(output), evidence_of_type(&column.data_type)) {
                found.push((source, said));
            }
        }
    }

    /// Adds what the rows that a query adds to a copy of other tables say of the columns that are copied, by their names: the
    /// order of what is copied may be a guess.
    fn add_evidence_of_added_rows(self, query: NodeId, found: &mut Vec<(ColumnName<'a>, TypeEvidence)>) {
        let outputs = self.scopes.outputs(query);
        for (_, relation) in self.scopes.relations() {
            let Some(writer) = relation.writers.iter().find(|writer| writer.query == query) else { continue };
            for (column, place) in relation.columns.iter().zip(&writer.outputs) {
                let output = place.and_then(|place| outputs.get(place)).filter(|output| output.name == column.name);
                let said = output.and_then(|output| evidence_of_type(&output.data_type));
                found.extend(self.column_passed_on(column).zip(said));
            }
            // All relations of one table say the same.
            return;
        }
    }
}
