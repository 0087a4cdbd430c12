//! Where a column cannot be NULL: by its definition, or because a condition lets no NULL through.

use super::view::ScriptView;
use super::written_tables::origin;
use crate::code::functions::Nulls;
use crate::code::scope::{ColumnPosition, RelationSource};
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::code::types::Type;

/// How deep chains of sub-queries are followed.
const MAX_DEPTH: usize = 24;
impl ScriptView<'_> {
    /// Whether an expression in a SELECT list, GROUP BY or HAVING is never NULL.
    pub fn is_never_null(&self, expression: NodeId) -> bool {
        self.expression(expression, MAX_DEPTH)
    }

    fn expression(&self, node: NodeId, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let tree = self.script.tree();
        let all = |nodes: &[NodeId]| nodes.iter().all(|node| self.expression(*node, steps));
        // Rows of subtotals have NULL for the keys that they add up; aggregates are computed from what the rows have.
        let computed = || self.is_aggregated(node) || self.is_aggregate(node);
        if self.block(node).is_some_and(|block| self.has_subtotals(block)) && !computed() {
            return false;
        }
        if !self.scopes.is_nullable(node) {
            return true;
        }
        let children = tree.children(node);
        match tree.kind(node) {
            Kind::Text | Kind::Number | Kind::Boolean(_) | Kind::TypedText => true,
            Kind::Paren => self.expression(children[0], steps),
            Kind::Column => self.column_of(node).is_some_and(|place| self.column(place, self.block(node), steps)),
            Kind::Binary(BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply) => all(children),
            Kind::Case { .. } => {
                let has_else = children.iter().any(|child| tree.kind(*child) == Kind::Else);
                has_else && all(&tree.case_values(node).collect::<Vec<_>>())
            }
            Kind::Call { .. } => self.call(node, steps),
            _ => false,
        }
    }

    fn call(&self, call: NodeId, steps: usize) -> bool {
        let arguments = self.script.arguments(call);
        let never = |node: &NodeId| self.expression(*node, steps);
        // A text may not read as a date or number, which gives NULL.
        let readable = |node: &NodeId| !matches!(self.scopes.type_of(*node), Type::String | Type::Unknown);
        match self.script.canonical_function_name(call).as_str() {
            "coalesce" => arguments.iter().any(never),
            "sum" | "max" | "min" | "avg" => self.is_grouped(call) && arguments.iter().all(never),
            _ => match self.script.function(call).map(|function| function.nulls) {
                Some(Nulls::AnyFrom(0)) => !arguments.is_empty() && arguments.iter().all(never),
                Some(Nulls::AnyOrUnreadable) => {
                    !arguments.is_empty() && arguments.iter().all(|node| readable(node) && never(node))
                }
                _ => false,
            },
        }
    }

    /// Whether a node stands in the argument of an aggregate of its block.
    fn is_aggregated(&self, node: NodeId) -> bool {
        let tree = self.script.tree();
        let inside = tree.ancestors(node).take_while(|above| !matches!(tree.kind(*above), Kind::Select { .. }));
        inside.into_iter().any(|above| self.is_aggregate(above))
    }

    /// Whether a node is an aggregate that reads the rows of its group.
    fn is_aggregate(&self, node: NodeId) -> bool {
        self.script.aggregates_rows(node) && !self.script.tells_subtotals(node)
    }

    fn has_subtotals(&self, block: NodeId) -> bool {
        let tree = self.script.tree();
        let group = tree.child(block, |kind| kind == Kind::GroupBy);
        group.is_some_and(|group| tree.child(group, |kind| matches!(kind, Kind::Grouping { .. })).is_some())
    }

    /// Whether every group of the block around a call has a row: it has GROUP BY, and the call no FILTER and no window.
    fn is_grouped(&self, call: NodeId) -> bool {
        let tree = self.script.tree();
        let narrowed = tree.child(call, |kind| matches!(kind, Kind::Filter | Kind::Over)).is_some();
        let group = self.block(call).and_then(|block| tree.child(block, |kind| kind == Kind::GroupBy));
        // `GROUP BY GROUPING SETS (())` makes one row of no rows; with a key there is no group without a row.
        let is_key = |node: NodeId| matches!(tree.kind(node), Kind::Column | Kind::Number);
        !narrowed && group.is_some_and(|group| tree.descendants(group).any(is_key))
    }

    /// Returns the SELECT block around a node; `None` if the node stands in a condition of it
    /// that is not yet met there.
    fn block(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.script.tree();
        let ends = |kind| matches!(kind, Kind::Select { .. } | Kind::Where | Kind::On);
        tree.enclosing(node, ends).filter(|end| matches!(tree.kind(*end), Kind::Select { .. }))
    }

    /// Whether a column is never NULL in what `block` selects; `block` is `None` where its conditions do not count.
    fn column(&self, place: ColumnPosition, block: Option<NodeId>, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        if block.is_some_and(|block| self.lets_no_null_through(place, block)) {
            return true;
        }
        let relation = self.scopes.relation(place.0);
        if relation.optional {
            return false;
        }
        match (&relation.source, relation.columns.get(place.1)) {
            (_, Some(column)) if !column.nullable || column.partition => true,
            (RelationSource::CommonTable(query) | RelationSource::Query(query), _) => {
                self.output(*query, place.1, steps)
            }
            (RelationSource::Table(name) | RelationSource::Written(name), _) => {
                origin(self, place, name).is_some_and(|origin| self.output(origin.query, origin.position, steps))
            }
            _ => false,
        }
    }

    fn output(&self, query: NodeId, position: usize, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let tree = self.script.tree();
        let body =
            |kind| matches!(kind, Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Query | Kind::Select { .. });
        match tree.kind(query) {
            Kind::SetOperation { .. } => {
                tree.children(query).iter().take(2).all(|side| self.output(*side, position, steps))
            }
            Kind::Query | Kind::Parenthesized | Kind::CommonTable => {
                tree.child(query, body).is_some_and(|body| self.output(body, position, steps))
            }
            Kind::Select { .. } => {
                let Some(output) = self.scopes.outputs(query).get(position) else { return false };
                if self.has_subtotals(query) {
                    return false;
                }
                match (output.passes_on, output.expression) {
                    (Some(place), _) => self.column(place, Some(query), steps),
                    (None, Some(expression)) => self.expression(expression, steps),
                    (None, None) => false,
                }
            }
            _ => false,
        }
    }

    /// Whether the conditions of a block drop every row in which the column is NULL.
    pub fn lets_no_null_through(&self, place: ColumnPosition, block: NodeId) -> bool {
        let tree = self.script.tree();
        let conditions = tree.children_where(block, |kind| matches!(kind, Kind::Where | Kind::Having));
        let mut conditions: Vec<NodeId> = conditions.map(|clause| tree.children(clause)[0]).collect();
        let joins: Vec<NodeId> = self.joins(block);
        let keeps_sides =
            |join: &NodeId| !matches!(tree.kind(*join), Kind::Join { kind: JoinKind::Right | JoinKind::Full, .. });
        if joins.iter().all(keeps_sides) {
            let inner = joins.iter().filter(|join| {
                matches!(tree.kind(**join), Kind::Join { kind: JoinKind::Inner | JoinKind::LeftSemi, .. })
            });
            conditions.extend(inner.filter_map(|join| self.condition_of(*join)));
        }
        conditions.into_iter().any(|condition| self.rejects_null(condition, place))
    }

    /// Returns the joins of a block, without those of its sub-queries.
    pub fn joins(&self, block: NodeId) -> Vec<NodeId> {
        let tree = self.script.tree();
        let from = tree.child(block, |kind| kind == Kind::From);
        let relations = from.into_iter().flat_map(|from| tree.children(from));
        let joined = relations.flat_map(|relation| tree.children(*relation)).copied();
        joined.filter(|node| matches!(tree.kind(*node), Kind::Join { .. })).collect()
    }

    pub fn condition_of(&self, join: NodeId) -> Option<NodeId> {
        let tree = self.script.tree();
        tree.child(join, |kind| kind == Kind::On).and_then(|on| tree.children(on).first().copied())
    }

    /// Whether a condition cannot be true where the column is NULL.
    pub fn rejects_null(&self, condition: NodeId, place: ColumnPosition) -> bool {
        let tree = self.script.tree();
        let children = tree.children(condition);
        let strict = |node: &NodeId| self.is_strict(*node, place);
        match tree.kind(condition) {
            Kind::Paren => self.rejects_null(children[0], place),
            Kind::And => children.iter().any(|child| self.rejects_null(*child, place)),
            Kind::Or => children.iter().all(|child| self.rejects_null(*child, place)),
            Kind::Binary(BinaryOperator::NullSafeEqual) => false,
            Kind::Binary(operator) if operator.is_comparison() => children.iter().any(strict),
            Kind::IsNull { negated: true } => children.iter().any(strict),
            Kind::InList { .. } | Kind::InQuery { negated: false } | Kind::Between { .. } | Kind::Pattern { .. } => {
                children.first().is_some_and(strict)
            }
            Kind::Column => strict(&condition),
            _ => false,
        }
    }

    /// Whether an expression is NULL wherever the column is.
    fn is_strict(&self, node: NodeId, place: ColumnPosition) -> bool {
        let tree = self.script.tree();
        let children = tree.children(node);
        let strict = |node: &NodeId| self.is_strict(*node, place);
        match tree.kind(node) {
            Kind::Column => self.column_of(node) == Some(place),
            Kind::Paren | Kind::Cast | Kind::Unary => children.first().is_some_and(strict),
            Kind::Binary(operator) if !operator.is_comparison() => children.iter().any(strict),
            Kind::Call { .. } => {
                let nulls = self.script.function(node).map(|function| function.nulls);
                let rule = matches!(nulls, Some(Nulls::AnyFrom(0) | Nulls::AnyOrUnreadable));
                // These give NULL for other reasons as well.
                let dates = ["to_date", "date", "unix_timestamp", "date_format"];
                (rule || dates.contains(&self.script.function_name(node).as_str()))
                    && self.script.arguments(node).iter().any(strict)
            }
            _ => false,
        }
    }
}
