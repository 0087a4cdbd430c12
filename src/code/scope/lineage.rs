//! Where values come from: an expression traced through CTEs, sub-queries and written tables to base tables.

use std::collections::HashSet;

use super::model::{ColumnTarget, OutputColumn, Relation, RelationId, RelationSource};
use super::scopes::Scopes;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// One step of a trace that is still to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TraceStep {
    Expression(NodeId),
    Column(RelationId, usize),
    /// Output `.1` of a query, body or CTE.
    Output(NodeId, usize),
}

struct Trace<'a> {
    scopes: &'a Scopes,
    script: &'a Script,
    pending: Vec<TraceStep>,
    seen: HashSet<TraceStep>,
    found: Vec<(String, String)>,
}

impl Scopes {
    /// The base table columns that an expression is computed from, as (full table name, column), without repeats, in
    /// the order in which the expression names them. Columns in sub-queries of the expression count.
    pub fn origins(&self, script: &Script, expression: NodeId) -> Vec<(String, String)> {
        let pending = vec![TraceStep::Expression(expression)];
        let mut trace = Trace { scopes: self, script, pending, seen: HashSet::new(), found: Vec::new() };
        while let Some(step) = trace.pending.pop() {
            if trace.seen.insert(step) {
                trace.take(step);
            }
        }
        trace.found
    }

    /// The base table column that a `Column` node names, when it passes unchanged through every query on its way.
    pub fn base_column(&self, column: NodeId) -> Option<(String, String)> {
        let binding = self.binding(column)?;
        let ColumnTarget::Column(mut relation, mut index) = binding.target else { return None };
        loop {
            let from = self.relation(relation);
            if let RelationSource::Table(table) = &from.source {
                return Some((table.clone(), from.columns.get(index)?.name.clone()));
            }
            let passed = match from.columns.get(index)?.passes_on {
                Some(passed) => passed,
                None => self.written_column(from, index)?.passes_on?,
            };
            (relation, index) = passed;
        }
    }

    /// For a table that the script itself fills with one query: the output of that query that becomes its column `index`.
    fn written_column(&self, relation: &Relation, index: usize) -> Option<&OutputColumn> {
        let [writer] = &relation.writers[..] else { return None };
        let output = (*writer.outputs.get(index)?)?;
        self.outputs(writer.query).get(output)
    }

    /// The relation and column that a `Column` node names.
    pub fn column_of(&self, column: NodeId) -> Option<(&Relation, &OutputColumn)> {
        let ColumnTarget::Column(relation, index) = self.binding(column)?.target else { return None };
        let relation = self.relation(relation);
        Some((relation, relation.columns.get(index)?))
    }
}

impl Trace<'_> {
    fn take(&mut self, step: TraceStep) {
        let before = self.pending.len();
        match step {
            TraceStep::Expression(node) => self.expression(node),
            TraceStep::Column(relation, index) => self.column(relation, index),
            TraceStep::Output(node, index) => self.output(node, index),
        }
        self.pending[before..].reverse();
    }

    fn expression(&mut self, root: NodeId) {
        let tree = self.script.tree();
        for node in tree.descendants(root).filter(|node| tree.kind(*node) == Kind::Column) {
            let Some(binding) = self.scopes.binding(node) else { continue };
            match binding.target {
                ColumnTarget::Column(relation, index) => self.pending.push(TraceStep::Column(relation, index)),
                ColumnTarget::Alias(item) => {
                    self.pending.extend(tree.children(item).first().map(|e| TraceStep::Expression(*e)))
                }
                ColumnTarget::Output(index) => {
                    let query = tree.enclosing(node, |kind| kind == Kind::Query);
                    self.pending.extend(query.map(|query| TraceStep::Output(query, index)));
                }
                ColumnTarget::Parameter(lambda, _) => self.parameter(lambda),
            }
        }
    }

    /// A parameter of a lambda takes its values from the arguments before the lambda.
    fn parameter(&mut self, lambda: NodeId) {
        let Some(call) = self.script.tree().parent(lambda) else { return };
        let arguments = self.script.arguments(call).into_iter();
        self.pending.extend(arguments.take_while(|argument| *argument != lambda).map(TraceStep::Expression));
    }

    fn column(&mut self, id: RelationId, index: usize) {
        let relation = self.scopes.relation(id);
        match &relation.source {
            RelationSource::Table(table) => {
                if let Some(column) = relation.columns.get(index) {
                    let origin = (table.clone(), column.name.clone());
                    if !self.found.contains(&origin) {
                        self.found.push(origin);
                    }
                }
            }
            RelationSource::CommonTable(node) | RelationSource::Query(node) => {
                self.pending.push(TraceStep::Output(*node, index));
            }
            RelationSource::Function(call) => self.pending.push(TraceStep::Expression(*call)),
            RelationSource::Written(_) | RelationSource::Values(_) | RelationSource::Unknown => {}
        }
        for writer in relation.writers.iter() {
            let output = writer.outputs.get(index).copied().flatten();
            self.pending.extend(output.map(|output| TraceStep::Output(writer.query, output)));
        }
    }

    fn output(&mut self, node: NodeId, index: usize) {
        let tree = self.script.tree();
        match tree.kind(node) {
            Kind::Select { .. } | Kind::NestedRelation => match self.scopes.outputs(node).get(index) {
                Some(OutputColumn { passes_on: Some((relation, column)), .. }) => {
                    self.pending.push(TraceStep::Column(*relation, *column));
                }
                Some(output) => self.pending.extend(output.expression.map(TraceStep::Expression)),
                None => {}
            },
            _ => {
                let is_body = |kind: Kind| {
                    matches!(
                        kind,
                        Kind::Query
                            | Kind::Select { .. }
                            | Kind::SetOperation { .. }
                            | Kind::Parenthesized
                            | Kind::Values
                    )
                };
                self.pending.extend(tree.children_where(node, is_body).map(|body| TraceStep::Output(body, index)));
            }
        }
    }
}
