//! Whether the readers of a set operation give the same whether or not it repeats rows.

use super::effects::NeverRead;
use super::flow::is_absorbed;
use super::null_keys::readers;
use super::view::ScriptView;
use super::written_tables::{conjuncts, where_conjuncts};
use crate::code::scope::{ColumnPosition, RelationId};
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};

/// How deep chains of sub-queries are followed.
const MAX_DEPTH: usize = 12;

/// Whether repeated rows of a set operation change nothing in what reads it: IN, EXISTS, semi and anti joins, an outer
/// UNION, groups in which only the largest, the smallest and distinct values are taken, or ROW_NUMBER of which only the
/// first row is kept.
pub fn ignores_repeats(view: &ScriptView<'_>, operation: NodeId) -> bool {
    RepeatAnalysis { view }.are_ignored_above(operation, MAX_DEPTH)
}

struct RepeatAnalysis<'a> {
    view: &'a ScriptView<'a>,
}

impl RepeatAnalysis<'_> {
    fn are_ignored_above(&self, below: NodeId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let tree = self.view.script.tree();
        let mut node = below;
        while let Some(parent) = tree.parent(node) {
            match tree.kind(parent) {
                Kind::SetOperation { all: false, .. } | Kind::InQuery { .. } | Kind::Exists => return true,
                Kind::SetOperation { .. } | Kind::Parenthesized => node = parent,
                Kind::Query if tree.child(parent, |kind| kind == Kind::Limit).is_none() => node = parent,
                Kind::CommonTable | Kind::Derived => {
                    let readers = readers(self.view, node).unwrap_or_default();
                    return !readers.is_empty() && readers.into_iter().all(|reader| self.reader_ignores(reader, depth));
                }
                _ => return false,
            }
        }
        false
    }

    fn reader_ignores(&self, reader: RelationId, depth: usize) -> bool {
        let tree = self.view.script.tree();
        let relation = self.view.scopes.relation(reader);
        let block = relation.block;
        let Kind::Select { distinct } = tree.kind(block) else { return false };
        if tree.descendants(block).any(|node| matches!(tree.kind(node), Kind::Pivot | Kind::Unpivot { .. })) {
            return false;
        }
        let join = tree.parent(relation.node).filter(|parent| matches!(tree.kind(*parent), Kind::Join { .. }));
        match join.map(|join| (join, tree.kind(join))) {
            Some((_, Kind::Join { kind: JoinKind::LeftSemi | JoinKind::LeftAnti, .. })) => return true,
            Some((join, Kind::Join { kind: JoinKind::Left, .. })) if self.keeps_unmatched(reader, join, block) => {
                return true;
            }
            _ => {}
        }
        let calls = self.calls(block);
        let aggregates: Vec<NodeId> = calls.iter().copied().filter(|call| self.is_aggregate(*call)).collect();
        let windows: Vec<NodeId> = calls.into_iter().filter(|call| self.is_window(*call)).collect();
        let grouped = tree.child(block, |kind| kind == Kind::GroupBy).is_some() || !aggregates.is_empty();
        if grouped {
            return windows.is_empty() && aggregates.iter().all(|call| self.takes_each_once(*call));
        }
        match windows[..] {
            [] => distinct || self.are_ignored_above(block, depth),
            [window] => self.keeps_first(window, block),
            _ => false,
        }
    }

    /// `LEFT JOIN x ON a.k = x.k WHERE x.k IS NULL`: only rows without a partner stay.
    fn keeps_unmatched(&self, reader: RelationId, join: NodeId, block: NodeId) -> bool {
        let tree = self.view.script.tree();
        let Some(condition) = self.view.condition_of(join) else { return false };
        let column_of = |node: &NodeId| self.view.column_of(*node).filter(|column| column.0 == reader);
        let absent = |node: NodeId| {
            let tested = matches!(tree.kind(node), Kind::IsNull { negated: false });
            tested
                && tree
                    .children(node)
                    .first()
                    .and_then(column_of)
                    .is_some_and(|column| self.view.rejects_null(condition, column))
        };
        where_conjuncts(self.view, block).into_iter().any(absent)
    }

    /// `ROW_NUMBER() OVER (…) AS rn`, and all readers ask for `rn = 1`.
    fn keeps_first(&self, window: NodeId, block: NodeId) -> bool {
        self.numbered(window, block).is_some_and(|(position, readers)| {
            readers.into_iter().all(|reader| keeps_only_first(self.view, (reader, position)))
        })
    }

    /// Returns the position of a ROW_NUMBER among the outputs of its block, and the readers of the
    /// block; there is at least one.
    fn numbered(&self, window: NodeId, block: NodeId) -> Option<(usize, Vec<RelationId>)> {
        let tree = self.view.script.tree();
        if self.view.script.function_name(window) != "row_number" {
            return None;
        }
        let outputs = self.view.scopes.outputs(block);
        let position = outputs.iter().position(|output| output.expression == Some(window))?;
        let query = tree.parent(block).filter(|query| tree.kind(*query) == Kind::Query)?;
        if tree.child(query, |kind| kind == Kind::Limit).is_some() {
            return None;
        }
        let readers = readers(self.view, query).filter(|readers| !readers.is_empty())?;
        Some((position, readers))
    }

    /// Returns the calls of a block, without those of its sub-queries.
    fn calls(&self, block: NodeId) -> Vec<NodeId> {
        let tree = self.view.script.tree();
        let own = |node: &NodeId| tree.enclosing(*node, |kind| matches!(kind, Kind::Select { .. })) == Some(block);
        let calls = tree.descendants(block).filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
        calls.filter(own).collect()
    }

    fn is_window(&self, call: NodeId) -> bool {
        self.view.script.is_windowed(call)
    }

    fn is_aggregate(&self, call: NodeId) -> bool {
        self.view.script.aggregates_rows(call)
    }

    /// Whether an aggregate gives the same if a row is repeated, or nothing reads it.
    fn takes_each_once(&self, call: NodeId) -> bool {
        let tree = self.view.script.tree();
        let distinct = tree.kind(call) == Kind::Call { distinct: true };
        let rule = NeverRead { view: self.view };
        let unread = || is_absorbed(*self.view, call, &rule);
        let name = self.view.script.function_name(call);
        distinct
            || matches!(&*name, "max" | "min" | "collect_set" | "approx_count_distinct" | "grouping" | "grouping_id")
            || unread()
    }
}

/// Whether the block that reads a relation keeps only its rows with 1 in a column.
fn keeps_only_first(view: &ScriptView<'_>, column: ColumnPosition) -> bool {
    let tree = view.script.tree();
    let relation = view.scopes.relation(column.0);
    let one = |node: NodeId| view.script.slice(node) == "1";
    let is_first = |node: NodeId| {
        let [left, right] = tree.children(node)[..] else { return false };
        tree.kind(node) == Kind::Binary(BinaryOperator::Equal)
            && ((view.column_of(left) == Some(column) && one(right))
                || (view.column_of(right) == Some(column) && one(left)))
    };
    let mut conditions = if relation.optional { Vec::new() } else { where_conjuncts(view, relation.block) };
    // The condition of the join that brings the relation in filters its rows too, whether or not
    // the relation is optional.
    let join = tree.parent(relation.node).filter(|parent| {
        let sided = |kind| matches!(kind, JoinKind::Inner | JoinKind::Left | JoinKind::LeftSemi | JoinKind::LeftAnti);
        matches!(tree.kind(*parent), Kind::Join { kind, .. } if sided(kind))
    });
    if let Some(condition) = join.and_then(|join| view.condition_of(join)) {
        conditions.extend(conjuncts(view.script, condition));
    }
    conditions.into_iter().any(is_first)
}
