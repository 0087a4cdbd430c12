//! Queries: CTEs, bodies, set operations and VALUES.

use super::convert::{Conversion, WantedTypes};
use super::ordering::Ordered;
use super::parts::{MARKS, ReadAs};
use super::{Translated, Translator};
use crate::code::scope::{OutputColumn, RelationSource};
use crate::code::tree::{Kind, NodeId, SetOperator};
use crate::code::types::Type;

pub(super) const UNION_ALL: Kind = Kind::SetOperation { operator: SetOperator::Union, all: true };

/// The parts of a `Query` node.
pub(super) struct QueryParts {
    pub with: Option<NodeId>,
    pub body: NodeId,
    pub order: Option<NodeId>,
    pub limit: Option<NodeId>,
}

impl Translator<'_> {
    pub fn query_parts(&self, query: NodeId) -> Translated<QueryParts> {
        let (mut with, mut body, mut order, mut limit) = (None, None, None, None);
        for child in self.children(query).iter().copied() {
            match self.kind(child) {
                Kind::With => with = Some(child),
                Kind::Select { .. } | Kind::SetOperation { .. } | Kind::Values | Kind::Parenthesized => {
                    body = Some(child);
                }
                Kind::OrderBy => order = Some(child),
                Kind::Limit => limit = Some(child),
                _ => {}
            }
        }
        match body {
            Some(body) => Ok(QueryParts { with, body, order, limit }),
            None => self.refuse(query, "a query without a body"),
        }
    }

    /// A `Query`, whose outputs are named `c0`, `c1`, … and come out as they are wanted.
    pub fn query(&mut self, query: NodeId, wanted: WantedTypes<'_>) -> Translated {
        let parts = self.query_parts(query)?;
        if let Some(with) = parts.with {
            self.write("WITH ");
            self.common_tables(with)?;
            self.write(" ");
        }
        self.query_after_with(query, &parts, wanted)
    }

    /// A query whose WITH has been written.
    pub fn query_after_with(&mut self, query: NodeId, parts: &QueryParts, wanted: WantedTypes<'_>) -> Translated {
        if !self.converts(query, wanted) {
            return self.body_with_order(parts, WantedTypes::NONE);
        }
        let select = matches!(self.kind(parts.body), Kind::Select { distinct: false });
        if select && parts.order.is_none() && !self.is_wrapped(parts.body) {
            return self.body_with_order(parts, wanted);
        }
        self.converted_outputs(query, wanted, |this| this.body_with_order(parts, WantedTypes::NONE))
    }

    /// Whether an output of a query has to be converted to its target type.
    fn converts(&self, query: NodeId, wanted: WantedTypes<'_>) -> bool {
        let mut outputs = self.scopes.outputs(query).iter().enumerate();
        outputs.any(|(index, output)| self.conversion_of_output(index, output, wanted).is_some())
    }

    fn conversion_of_output(&self, index: usize, output: &OutputColumn, wanted: WantedTypes<'_>) -> Option<Conversion> {
        self.conversion(&output.data_type, wanted.of(index)?)
    }

    /// `SELECT` with conversions around a query.
    fn converted_outputs(
        &mut self,
        query: NodeId,
        wanted: WantedTypes<'_>,
        inner: impl FnOnce(&mut Self) -> Translated,
    ) -> Translated {
        self.write("SELECT ");
        let scopes = self.scopes;
        self.separated(scopes.outputs(query).iter().enumerate(), ",", |this, (index, output)| {
            this.with_conversion(this.conversion_of_output(index, output, wanted), |this| {
                this.write_numbered("c", index);
                Ok(())
            })?;
            this.write_numbered(" AS c", index);
            Ok(())
        })?;
        self.write(" FROM (");
        inner(self)?;
        self.write(")");
        Ok(())
    }

    /// Body, ORDER BY and LIMIT.
    fn body_with_order(&mut self, parts: &QueryParts, wanted: WantedTypes<'_>) -> Translated {
        let depth = self.contexts.len();
        let select = matches!(self.kind(parts.body), Kind::Select { .. });
        let ordered = match (select, parts.order) {
            (true, _) if self.is_wrapped(parts.body) => Ordered::ByOutput,
            (true, _) => Ordered::InBlock,
            (false, Some(order)) if !self.orders_by_position(order) => Ordered::PartContext,
            _ => Ordered::ByOutput,
        };
        if ordered == Ordered::PartContext {
            self.write("SELECT * FROM (");
        }
        if select {
            self.select(parts.body, wanted)?;
        } else {
            self.set_operand(parts.body, wanted)?;
        }
        if ordered == Ordered::PartContext {
            self.write(")");
        }
        if let Some(order) = parts.order {
            self.order_by(order, parts.body, ordered)?;
            if self.backwards && parts.limit.is_some() && ordered == Ordered::InBlock {
                self.write(",h_turn()");
            }
        }
        if let Some(limit) = parts.limit {
            self.limit(limit)?;
        }
        self.contexts.truncate(depth);
        Ok(())
    }

    /// The CTEs of a WITH, without the word.
    pub fn common_tables(&mut self, with: NodeId) -> Translated {
        self.separated(self.children(with).iter().copied(), ",", |this, table| {
            let Some(query) = this.child(table, |kind| kind == Kind::Query) else {
                return this.refuse(table, "a CTE without a query");
            };
            this.common_table(table);
            // A CTE that is read twice is computed once; SQLite would otherwise copy it into each of its uses.
            this.write(if this.is_used_again(table) { " AS MATERIALIZED (" } else { " AS (" });
            match this.recursion(table)? {
                Some(recursion) => this.recursive_query(table, recursion)?,
                None => this.part_query(query)?,
            }
            this.write(")");
            Ok(())
        })
    }

    /// The name of a CTE, or the SQL given in its place.
    pub fn common_table(&mut self, table: NodeId) {
        let around = self.around;
        match table.index().checked_sub(self.tree.len()).map(|place| &around.given[place].read_as) {
            None => self.write_numbered("w", self.number_of(table)),
            Some(ReadAs::CommonTable(number)) => self.write_numbered("w", *number),
            Some(ReadAs::Query(sql)) => {
                self.write("(");
                self.write(sql);
                self.write(")");
            }
        }
    }

    /// A query that could be translated alone, which is marked if marks are wanted.
    pub fn part_query(&mut self, query: NodeId) -> Translated {
        if !self.marks {
            return self.query(query, WantedTypes::NONE);
        }
        self.write(MARKS[0]);
        self.write_numbered("", query.index());
        self.write(MARKS[1]);
        self.query(query, WantedTypes::NONE)?;
        self.write(MARKS[2]);
        Ok(())
    }

    fn is_used_again(&self, table: NodeId) -> bool {
        let uses = self.scopes.relations().filter(|(_, relation)| {
            relation.source == RelationSource::CommonTable(table) && relation.recursion(self.tree).is_none()
        });
        uses.take(2).count() == 2
    }

    /// A chain of set operations. SQLite reads them from left to right with one precedence, so a nested right side
    /// becomes a sub-query.
    fn set_operation(&mut self, top: NodeId, wanted: WantedTypes<'_>) -> Translated {
        let types: Vec<Type> = wanted.or_own(self.scopes.outputs(top)).into_iter().cloned().collect();
        let types = WantedTypes(&types);
        let mut chain = vec![top];
        let mut left = self.only_child(top)?;
        while matches!(self.kind(left), Kind::SetOperation { .. }) {
            chain.push(left);
            left = self.only_child(left)?;
        }
        if self.backwards && chain.iter().all(|operation| self.kind(*operation) == UNION_ALL) {
            return self.backwards(left, &chain, types);
        }
        self.set_operand(left, types)?;
        for operation in chain.into_iter().rev() {
            let Kind::SetOperation { operator, all } = self.kind(operation) else { continue };
            self.write(match (operator, all) {
                (SetOperator::Union, true) => " UNION ALL ",
                (SetOperator::Union, false) => " UNION ",
                (SetOperator::Intersect, false) => " INTERSECT ",
                (SetOperator::Except, false) => " EXCEPT ",
                _ => return self.refuse(
                    operation,
                    "INTERSECT ALL or EXCEPT ALL (number equal rows by row_number() on both sides, and leave out ALL)",
                ),
            });
            let right = self.children(operation)[1];
            if matches!(self.kind(right), Kind::SetOperation { .. }) {
                self.write("SELECT * FROM (");
                self.set_operation(right, types)?;
                self.write(")");
            } else {
                self.set_operand(right, types)?;
            }
        }
        Ok(())
    }

    /// The sides of a chain of UNION ALL in reverse order.
    fn backwards(&mut self, first: NodeId, chain: &[NodeId], types: WantedTypes<'_>) -> Translated {
        let mut sides: Vec<NodeId> = chain.iter().map(|operation| self.children(*operation)[1]).collect();
        sides.push(first);
        self.separated(sides, " UNION ALL ", |this, side| {
            if !matches!(this.kind(side), Kind::SetOperation { .. }) {
                return this.set_operand(side, types);
            }
            this.write("SELECT * FROM (");
            this.set_operation(side, types)?;
            this.write(")");
            Ok(())
        })
    }

    pub fn set_operand(&mut self, operand: NodeId, wanted: WantedTypes<'_>) -> Translated {
        let depth = self.contexts.len();
        match self.kind(operand) {
            Kind::SetOperation { .. } => self.set_operation(operand, wanted)?,
            Kind::Values => self.values_as_select(operand, wanted)?,
            Kind::Parenthesized => {
                let query = self.only_child(operand)?;
                let parts = self.query_parts(query)?;
                let plain = parts.with.is_none() && parts.order.is_none() && parts.limit.is_none();
                if plain && !matches!(self.kind(parts.body), Kind::SetOperation { .. }) {
                    return self.set_operand(parts.body, wanted);
                }
                self.write("SELECT * FROM (");
                self.query(query, wanted)?;
                self.write(")");
            }
            Kind::Select { distinct } if distinct || self.is_wrapped(operand) => {
                let select = |this: &mut Self| this.select(operand, WantedTypes::NONE);
                if self.converts(operand, wanted) {
                    self.converted_outputs(operand, wanted, select)?;
                } else {
                    select(self)?;
                }
            }
            _ => self.select(operand, wanted)?,
        }
        self.contexts.truncate(depth);
        Ok(())
    }

    fn values_as_select(&mut self, values: NodeId, wanted: WantedTypes<'_>) -> Translated {
        let width = self.scopes.outputs(values).len();
        self.write("SELECT ");
        self.separated(0..width, ",", |this, index| {
            this.write_numbered("column", index + 1);
            this.write_numbered(" AS c", index);
            Ok(())
        })?;
        self.write(" FROM (");
        self.values(values, wanted)?;
        self.write(")");
        Ok(())
    }

    /// `VALUES`, with every cell converted to the type of its column.
    pub fn values(&mut self, values: NodeId, wanted: WantedTypes<'_>) -> Translated {
        let types = wanted.or_own(self.scopes.outputs(values));
        self.write("VALUES ");
        let rows: Vec<NodeId> = self.tree.children_where(values, |kind| kind != Kind::Alias).collect();
        self.separated(rows, ",", |this, row| {
            let cells = match this.kind(row) {
                Kind::Tuple | Kind::Paren => this.children(row),
                _ => std::slice::from_ref(&row),
            };
            if cells.len() != types.len() {
                return this.refuse(row, "rows of different length");
            }
            this.write("(");
            this.separated(cells.iter().zip(&types), ",", |this, (cell, wanted)| this.converted(*cell, wanted))?;
            this.write(")");
            Ok(())
        })
    }
}
