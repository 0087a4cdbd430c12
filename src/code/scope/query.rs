//! Queries: WITH, set operations, VALUES and what ORDER BY may name.

use std::sync::Arc;

use super::catalogue::plain_column;
use super::frame::FrameId;
use super::model::{OutputColumn, ProblemKind};
use super::name::lower_name;
use super::place::{ExpressionPlace, OuterFrames, VisibleNames};
use super::resolver::Resolver;
use super::statement::rename;
use crate::code::tree::{Kind, NodeId};
use crate::code::widen::widen;

impl Resolver<'_> {
    /// Resolves a `Query` node and all inside it.
    pub fn query(&mut self, query: NodeId, context: OuterFrames) {
        let mark = self.common_tables.mark();
        let frames = self.frames.len();
        let mut body = None;
        for child in self.tree.children(query).iter().copied() {
            match self.tree.kind(child) {
                Kind::With => self.with(child, context.inside()),
                Kind::Select { .. } | Kind::SetOperation { .. } | Kind::Values | Kind::Parenthesized => {
                    let frame = self.body(child, context);
                    self.pass_outputs(query, child);
                    body = Some((child, frame));
                }
                Kind::OrderBy | Kind::SortBy | Kind::ClusterBy | Kind::DistributeBy => {
                    self.organization(child, body, context);
                }
                Kind::Windows => {
                    let frame = body.and_then(|(_, frame)| frame);
                    self.expressions_under(child, ExpressionPlace { frame, clause: VisibleNames::Having });
                }
                // What is counted may name what the query gives, although no column is allowed there.
                _ => {
                    let nowhere = ExpressionPlace::nowhere(context);
                    let clause = body.map_or(nowhere.clause, |(body, _)| VisibleNames::OrderingOutputs(body));
                    self.expressions_under(child, ExpressionPlace { clause, ..nowhere });
                }
            }
        }
        self.common_tables.forget_after(mark);
        self.frames.truncate(frames);
    }

    /// Resolves the CTEs of a WITH, each of which sees those before it. They stay in scope until forgotten.
    pub fn with(&mut self, with: NodeId, context: OuterFrames) {
        let mark = self.common_tables.mark();
        let recursive = self.says_recursive(with);
        for table in self.tree.children(with).iter().copied() {
            let Some(identifier) = self.tree.child(table, |kind| kind == Kind::Identifier) else { continue };
            if let Some(query) = self.tree.child(table, |kind| kind == Kind::Query) {
                let outside = self.common_tables.mark();
                if recursive {
                    self.recursive_name(identifier, table);
                }
                self.query(query, context);
                self.common_tables.forget_after(outside);
                self.incomplete_queries.remove(&table);
                self.common_table_outputs(table, query);
            }
            if self.common_tables.add(&lower_name(self.script.slice(identifier)), table, mark) {
                let name = self.script.slice(identifier).to_owned();
                self.problem(identifier, ProblemKind::DuplicateCommonTable { name });
            }
        }
    }

    fn says_recursive(&self, with: NodeId) -> bool {
        let second = self.tree.tokens(with).0 + 1;
        let first_table = self.tree.children(with).first();
        first_table.is_some_and(|table| self.tree.tokens(*table).0 > second)
    }

    /// Lets a recursive CTE name itself. Its columns are those of the first side of its UNION, once that is read.
    fn recursive_name(&mut self, identifier: NodeId, table: NodeId) {
        self.common_tables.add(&lower_name(self.script.slice(identifier)), table, usize::MAX);
        self.incomplete_queries.insert(table);
    }

    /// Gives a recursive CTE the columns of the first side of its UNION, for the second side to read.
    fn enter_recursion(&mut self, operation: NodeId, first: NodeId) {
        let tree = self.tree;
        let query = tree.parent(operation).filter(|query| tree.kind(*query) == Kind::Query);
        let Some(table) = query.and_then(|query| tree.parent(query)) else { return };
        if tree.kind(table) != Kind::CommonTable || !self.incomplete_queries.remove(&table) {
            return;
        }
        self.common_table_outputs(table, first);
        let column = |column: &OutputColumn| plain_column(column.name.clone(), column.data_type.clone(), true);
        let columns: Vec<OutputColumn> = self.outputs_of(table).iter().map(column).collect();
        self.scopes.set_outputs(table, columns.into());
    }

    fn common_table_outputs(&mut self, table: NodeId, query: NodeId) {
        self.pass_outputs(table, query);
        if let Some(list) = self.tree.child(table, |kind| kind == Kind::ColumnList) {
            let mut columns = self.outputs_of(query).to_vec();
            rename(&mut columns, self.names(list));
            self.scopes.set_outputs(table, columns.into());
        }
    }

    /// Resolves the body of a query; returns the frame of a plain SELECT, `None` for any other body.
    fn body(&mut self, body: NodeId, context: OuterFrames) -> Option<FrameId> {
        match self.tree.kind(body) {
            Kind::Select { .. } => return Some(self.select(body, context)),
            Kind::SetOperation { .. } => self.set_operation(body, context),
            Kind::Values => self.values(body, context),
            Kind::Parenthesized => {
                if let Some(query) = self.tree.children(body).first().copied() {
                    self.query(query, context);
                    self.pass_outputs(body, query);
                }
            }
            _ => {}
        }
        None
    }

    /// A chain of set operations leans to the left and can be long: it is walked, not recursed into.
    fn set_operation(&mut self, top: NodeId, context: OuterFrames) {
        let mut chain = vec![top];
        let mut left = self.tree.children(top)[0];
        while matches!(self.tree.kind(left), Kind::SetOperation { .. }) {
            chain.push(left);
            left = self.tree.children(left)[0];
        }
        self.body(left, context);
        for operation in chain.into_iter().rev() {
            let [left, right] = self.tree.children(operation) else { continue };
            let (left, right) = (*left, *right);
            self.enter_recursion(operation, left);
            self.body(right, context);
            let columns = self.united(&self.outputs_of(left), &self.outputs_of(right));
            self.scopes.set_outputs(operation, columns);
            if self.incomplete_queries.contains(&left) || self.incomplete_queries.contains(&right) {
                self.incomplete_queries.insert(operation);
            }
        }
    }

    fn united(&self, left: &[OutputColumn], right: &[OutputColumn]) -> Arc<[OutputColumn]> {
        let unite = |(index, column): (usize, &OutputColumn)| match right.get(index) {
            Some(other) => plain_column(
                column.name.clone(),
                widen(&column.data_type, &other.data_type),
                column.nullable || other.nullable,
            ),
            None => plain_column(column.name.clone(), column.data_type.clone(), column.nullable),
        };
        left.iter().enumerate().map(unite).collect()
    }

    /// `VALUES`: columns `col1`, `col2`, … or those that its alias names, with the widest type of their rows.
    pub fn values(&mut self, values: NodeId, context: OuterFrames) {
        let mut columns: Vec<OutputColumn> = Vec::new();
        for row in self.tree.children_where(values, |kind| kind != Kind::Alias).collect::<Vec<_>>() {
            self.expression(row, ExpressionPlace::nowhere(context));
            let cells: Vec<NodeId> = match self.tree.kind(row) {
                Kind::Tuple | Kind::Paren => self.tree.children(row).to_vec(),
                _ => vec![row],
            };
            for (index, cell) in cells.into_iter().enumerate() {
                let (data_type, nullable) = self.typed(cell);
                match columns.get_mut(index) {
                    Some(column) => {
                        column.data_type = widen(&column.data_type, &data_type);
                        column.nullable |= nullable;
                    }
                    None => columns.push(plain_column(format!("col{}", index + 1), data_type, nullable)),
                }
            }
        }
        let alias = self.tree.child(values, |kind| kind == Kind::Alias);
        if let Some(list) = alias.and_then(|alias| self.tree.child(alias, |kind| kind == Kind::ColumnList)) {
            rename(&mut columns, self.names(list));
        }
        self.scopes.set_outputs(values, columns.into());
    }

    /// ORDER BY, SORT BY and the like: output names first, then what the SELECT block reads.
    fn organization(&mut self, clause: NodeId, body: Option<(NodeId, Option<FrameId>)>, context: OuterFrames) {
        let place = match body {
            Some((_, Some(frame))) => ExpressionPlace { frame: Some(frame), clause: VisibleNames::Ordering },
            Some((body, None)) => {
                ExpressionPlace { clause: VisibleNames::OrderingOutputs(body), ..ExpressionPlace::nowhere(context) }
            }
            None => ExpressionPlace::nowhere(context),
        };
        self.expressions_under(clause, place);
    }
}
