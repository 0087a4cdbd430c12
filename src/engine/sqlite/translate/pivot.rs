//! PIVOT and UNPIVOT.
//!
//! A pivot groups by the columns that it does not read, and each of its cells is an aggregate with a FILTER:
//!
//! ```sql
//! (SELECT r.id AS c0, CASE WHEN count(*) FILTER (WHERE r.k IS 'a') THEN sum(r.x) FILTER (WHERE r.k IS 'a') END AS c1
//!  FROM … GROUP BY 1) AS r7
//! ```
//!
//! UNPIVOT joins a table with a row for each item of its list.

use super::convert::WantedTypes;
use super::{Translated, Translator};
use crate::code::scope::{OutputColumn, unpivoted_name};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    pub fn pivot(&mut self, node: NodeId) -> Translated {
        let id = self.registered(node)?;
        let is_aggregate = |kind| kind == Kind::PivotAggregate;
        let aggregates: Vec<NodeId> = self.tree.children_where(node, is_aggregate).collect();
        let Some(clause) = self.child(node, |kind| kind == Kind::PivotFor) else { return self.refuse(node, "a pivot") };
        let (columns, values): (Vec<NodeId>, Vec<NodeId>) =
            self.children(clause).iter().partition(|part| self.kind(**part) == Kind::Column);
        let outputs = self.scopes.outputs(node);
        let keys = outputs.len().saturating_sub(values.len() * aggregates.len());
        let sparse = self.leaves_cells_empty(&aggregates)?;
        self.write("(SELECT ");
        self.kept_columns(&outputs[..keys])?;
        let mut at = keys;
        for value in values {
            let cell = self.cell_condition(&columns, value)?;
            for aggregate in &aggregates {
                self.write(if at > 0 { "," } else { "" });
                self.pivot_cell(self.only_child(*aggregate)?, &cell, sparse)?;
                self.write_numbered(" AS c", at);
                at += 1;
            }
        }
        self.pivoted_rows(node, "")?;
        self.write(if keys > 0 { " GROUP BY " } else { "" });
        self.separated(1..=keys, ",", |this, key| {
            this.write_numbered("", key);
            Ok(())
        })?;
        self.write_numbered(") AS r", self.relation_number(id));
        Ok(())
    }

    /// The columns that a pivot passes on.
    fn kept_columns(&mut self, outputs: &[OutputColumn]) -> Translated {
        outputs.iter().enumerate().try_for_each(|(at, output)| self.passed_output(output, at, true, WantedTypes::NONE))
    }

    /// Whether Spark leaves a cell NULL for which there is no row, even one that counts. It does so if it can hold all
    /// cells of a row in an array of numbers; otherwise a cell is an aggregate of no rows.
    fn leaves_cells_empty(&self, aggregates: &[NodeId]) -> Translated<bool> {
        let mut sparse = true;
        for aggregate in aggregates.iter().copied() {
            let value = self.only_child(aggregate)?;
            let data_type = self.type_of(value);
            if *data_type == Type::Unknown || self.tree.descendants(value).any(|node| self.kind(node) == Kind::Query) {
                return self.refuse(aggregate, "this aggregate of a pivot");
            }
            sparse &= data_type.is_numeric() || *data_type == Type::Boolean;
        }
        Ok(sparse)
    }

    /// Returns the condition that a row belongs to the cells of a value.
    fn cell_condition(&mut self, columns: &[NodeId], value: NodeId) -> Translated<String> {
        let value = self.only_child(value)?;
        let parts = match (self.kind(value), columns) {
            (Kind::Tuple, [_, _, ..]) => self.children(value).to_vec(),
            _ => vec![value],
        };
        if parts.len() != columns.len() {
            return self.refuse(value, "a value of a pivot with another number of columns");
        }
        let outer = std::mem::take(&mut self.sql);
        let written = self.separated(columns.iter().zip(parts), " AND ", |this, (column, part)| {
            let data_type = this.type_of(*column).clone();
            this.expression(*column)?;
            this.write(" IS ");
            this.converted(part, &data_type)
        });
        let condition = std::mem::replace(&mut self.sql, outer);
        written.map(|()| condition)
    }

    fn pivot_cell(&mut self, value: NodeId, cell: &str, sparse: bool) -> Translated {
        if sparse {
            self.write("CASE WHEN count(*) FILTER (WHERE ");
            self.write(cell);
            self.write(") THEN ");
        }
        let outer = self.cell.replace(cell.to_owned());
        let written = self.expression(value);
        self.cell = outer;
        written?;
        self.write(if sparse { " END" } else { "" });
        Ok(())
    }

    /// FROM and WHERE of a pivot, with `items` joined behind its relation; returns whether there is a WHERE.
    fn pivoted_rows(&mut self, node: NodeId, items: &str) -> Translated<bool> {
        let relation = self.only_child(node)?;
        let mut semi_joins = Vec::new();
        self.write(" FROM ");
        self.note_merged_in(relation);
        self.joined_relation(relation, &mut semi_joins)?;
        self.write(items);
        self.write(if semi_joins.is_empty() { "" } else { " WHERE " });
        self.separated(semi_joins.iter().copied(), " AND ", Self::semi_join)?;
        Ok(!semi_joins.is_empty())
    }

    pub fn unpivot(&mut self, node: NodeId, nulls: bool) -> Translated {
        let id = self.registered(node)?;
        let items: Vec<NodeId> = self.tree.children_where(node, |kind| kind == Kind::UnpivotItem).collect();
        let outputs = self.scopes.outputs(node);
        let width = self.child(node, |kind| kind == Kind::ColumnList).map_or(0, |list| self.children(list).len());
        let Some(kept) = outputs.len().checked_sub(width + 1) else { return self.refuse(node, "this UNPIVOT") };
        self.write("(SELECT ");
        self.kept_columns(&outputs[..kept])?;
        self.write(if kept > 0 { ",u" } else { "u" });
        self.write_numbered(".column1 AS c", kept);
        let values = || outputs[kept + 1..].iter().enumerate();
        for (place, output) in values() {
            self.write(",");
            self.unpivoted_value(&items, place, &output.data_type)?;
            self.write_numbered(" AS c", kept + 1 + place);
        }
        let filtered = self.pivoted_rows(node, &self.item_rows(&items))?;
        if !nulls {
            self.write(if filtered { " AND (" } else { " WHERE (" });
            self.separated(values(), " OR ", |this, (place, output)| {
                this.unpivoted_value(&items, place, &output.data_type)?;
                this.write(" IS NOT NULL");
                Ok(())
            })?;
            self.write(")");
        }
        self.write_numbered(") AS r", self.relation_number(id));
        Ok(())
    }

    /// The value of the item of a row, at one place of the items.
    fn unpivoted_value(&mut self, items: &[NodeId], place: usize, data_type: &Type) -> Translated {
        self.write("CASE u.column2");
        for (number, item) in items.iter().copied().enumerate() {
            let column = self.children(item).get(place).copied().filter(|column| self.kind(*column) == Kind::Column);
            let Some(column) = column else { return self.refuse(item, "an item of UNPIVOT with too few columns") };
            self.write_numbered(" WHEN ", number);
            self.write(" THEN ");
            self.converted(column, data_type)?;
        }
        self.write(" END");
        Ok(())
    }

    /// Returns a table with the name and the number of each item, to be joined.
    fn item_rows(&self, items: &[NodeId]) -> String {
        let row = |(number, item): (usize, &NodeId)| {
            format!("('{}',{number})", unpivoted_name(self.script, *item).replace('\'', "''"))
        };
        let rows: Vec<String> = items.iter().enumerate().map(row).collect();
        format!(" JOIN (VALUES {}) AS u", rows.join(","))
    }
}
