//! Whether a row that comes twice counts for more than a row that comes once, in all that reads it.

use super::downstream::readers;
use super::flow::is_lost;
use super::judges::Unread;
use super::nullness::Nullness;
use crate::code::scope::{RelationId, Scopes};
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};

/// How deep chains of sub-queries are followed.
const MAX_STEPS: usize = 12;

/// Whether repeated rows of a set operation change nothing in what reads it: IN, EXISTS, semi and anti joins, an outer
/// UNION, groups in which only the largest, the smallest and distinct values are taken, or ROW_NUMBER of which only the
/// first row is kept.
pub fn ignores_repeats(script: &Script, scopes: &Scopes, operation: NodeId) -> bool {
    Repeats { names: Nullness { script, scopes, schema: None } }.are_ignored_above(operation, MAX_STEPS)
}

struct Repeats<'a> {
    names: Nullness<'a>,
}

impl Repeats<'_> {
    fn are_ignored_above(&self, below: NodeId, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let tree = self.names.script.tree();
        let mut node = below;
        while let Some(parent) = tree.parent(node) {
            match tree.kind(parent) {
                Kind::SetOperation { all: false, .. } | Kind::InQuery { .. } | Kind::Exists => return true,
                Kind::SetOperation { .. } | Kind::Parenthesized => node = parent,
                Kind::Query if tree.child(parent, |kind| kind == Kind::Limit).is_none() => node = parent,
                Kind::CommonTable | Kind::Derived => {
                    let readers = readers(self.names.script, self.names.scopes, node).unwrap_or_default();
                    return !readers.is_empty() && readers.into_iter().all(|reader| self.reader_ignores(reader, steps));
                }
                _ => return false,
            }
        }
        false
    }

    fn reader_ignores(&self, reader: RelationId, steps: usize) -> bool {
        let tree = self.names.script.tree();
        let relation = self.names.scopes.relation(reader);
        let block = relation.block;
        let Kind::Select { distinct } = tree.kind(block) else { return false };
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
            [] => distinct || self.are_ignored_above(block, steps),
            [window] => self.keeps_first(window, block) || self.tells_first(window, block),
            _ => false,
        }
    }

    /// `ROW_NUMBER() OVER (…) AS rn`, which the readers group and use in `MAX(CASE WHEN rn = 1 THEN x END)` only: a second
    /// copy of the first row adds a NULL to the aggregate.
    fn tells_first(&self, window: NodeId, block: NodeId) -> bool {
        let tree = self.names.script.tree();
        let Some((position, readers)) = self.numbered(window, block) else { return false };
        let grouped = |reader: RelationId| {
            let block = self.names.scopes.relation(reader).block;
            let calls = self.calls(block);
            let aggregates: Vec<NodeId> = calls.iter().copied().filter(|call| self.is_aggregate(*call)).collect();
            let expanded = self.names.scopes.outputs(block).iter().any(|output| output.expression.is_none());
            tree.child(block, |kind| kind == Kind::GroupBy).is_some()
                && !expanded
                && !calls.iter().any(|call| self.is_window(*call))
                && aggregates.iter().all(|call| self.takes_each_once(*call))
        };
        let named = |node: &NodeId| readers.iter().any(|reader| self.names.place(*node) == Some((*reader, position)));
        let mut uses = tree.ids().filter(|node| tree.kind(*node) == Kind::Column).filter(named);
        readers.iter().all(|reader| grouped(*reader)) && uses.all(|node| self.asks_in_aggregate(node))
    }

    /// `rn` in `MAX(CASE WHEN rn = 1 THEN x END)`.
    fn asks_in_aggregate(&self, node: NodeId) -> bool {
        let script = self.names.script;
        let tree = script.tree();
        let above = |node: NodeId, fits: &dyn Fn(Kind) -> bool| tree.parent(node).filter(|it| fits(tree.kind(*it)));
        let first = |equal: &NodeId| tree.children(*equal).get(1).is_some_and(|right| script.slice(*right) == "1");
        let equal = above(node, &|kind| kind == Kind::Binary(BinaryOperator::Equal)).filter(first);
        let when = equal.and_then(|equal| above(equal, &|kind| kind == Kind::When));
        let when = when.filter(|when| tree.children(*when).first() == equal.as_ref());
        let case = when.and_then(|when| above(when, &|kind| kind == Kind::Case { operand: false }));
        let case = case.filter(|case| tree.children(*case).len() == 1);
        let call = case.and_then(|case| above(case, &|kind| matches!(kind, Kind::Call { .. })));
        call.is_some_and(|call| matches!(&*script.function_name(call), "max" | "min" | "collect_set"))
    }

    /// `LEFT JOIN x ON a.k = x.k WHERE x.k IS NULL`: only rows without a partner stay.
    fn keeps_unmatched(&self, reader: RelationId, join: NodeId, block: NodeId) -> bool {
        let tree = self.names.script.tree();
        let Some(condition) = self.names.condition_of(join) else { return false };
        let place = |node: &NodeId| self.names.place(*node).filter(|place| place.0 == reader);
        let absent = |node: NodeId| {
            let tested = matches!(tree.kind(node), Kind::IsNull { negated: false });
            tested
                && tree
                    .children(node)
                    .first()
                    .and_then(place)
                    .is_some_and(|place| self.names.rejects_null(condition, place))
        };
        self.conjuncts(block, Kind::Where).into_iter().any(absent)
    }

    /// `ROW_NUMBER() OVER (…) AS rn`, and all readers ask for `rn = 1`.
    fn keeps_first(&self, window: NodeId, block: NodeId) -> bool {
        self.numbered(window, block).is_some_and(|(position, readers)| {
            readers.into_iter().all(|reader| asks_for_first(&self.names, (reader, position)))
        })
    }

    /// The position of a ROW_NUMBER among the outputs of its block, and who reads the block: someone does.
    fn numbered(&self, window: NodeId, block: NodeId) -> Option<(usize, Vec<RelationId>)> {
        let tree = self.names.script.tree();
        if self.names.script.function_name(window) != "row_number" {
            return None;
        }
        let outputs = self.names.scopes.outputs(block);
        let position = outputs.iter().position(|output| output.expression == Some(window))?;
        let query = tree.parent(block).filter(|query| tree.kind(*query) == Kind::Query)?;
        if tree.child(query, |kind| kind == Kind::Limit).is_some() {
            return None;
        }
        let readers = readers(self.names.script, self.names.scopes, query).filter(|readers| !readers.is_empty())?;
        Some((position, readers))
    }

    fn conjuncts(&self, block: NodeId, clause: Kind) -> Vec<NodeId> {
        conjuncts(self.names.script, block, clause)
    }

    /// The calls of a block that are not those of its sub-queries.
    fn calls(&self, block: NodeId) -> Vec<NodeId> {
        let tree = self.names.script.tree();
        let own = |node: &NodeId| tree.enclosing(*node, |kind| matches!(kind, Kind::Select { .. })) == Some(block);
        let calls = tree.descendants(block).filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
        calls.filter(own).collect()
    }

    fn is_window(&self, call: NodeId) -> bool {
        self.names.script.tree().child(call, |kind| kind == Kind::Over).is_some()
    }

    fn is_aggregate(&self, call: NodeId) -> bool {
        !self.is_window(call) && self.names.script.is_aggregate(call)
    }

    /// Whether an aggregate gives the same for a row that comes twice, or gives it to no one.
    fn takes_each_once(&self, call: NodeId) -> bool {
        let tree = self.names.script.tree();
        let distinct = tree.kind(call) == Kind::Call { distinct: true };
        let judge = Unread { names: &self.names };
        let unread = || is_lost(self.names, call, &judge);
        let name = self.names.script.function_name(call);
        distinct
            || matches!(&*name, "max" | "min" | "collect_set" | "approx_count_distinct" | "grouping" | "grouping_id")
            || unread()
            || self.asks_for_some(call)
    }

    /// `COUNT(*) >= 1`: whether there is a row at all.
    fn asks_for_some(&self, call: NodeId) -> bool {
        let tree = self.names.script.tree();
        let Some(parent) = tree.parent(call) else { return false };
        let least = match tree.kind(parent) {
            Kind::Binary(BinaryOperator::GreaterOrEqual) => "1",
            Kind::Binary(BinaryOperator::Greater) => "0",
            _ => return false,
        };
        let [left, right] = tree.children(parent)[..] else { return false };
        let counts = self.names.script.function_name(call) == "count";
        counts && left == call && self.names.script.slice(right) == least
    }
}

/// Whether the block that reads a relation keeps only its rows with 1 in a column.
pub fn asks_for_first(names: &Nullness<'_>, (reader, position): (RelationId, usize)) -> bool {
    let tree = names.script.tree();
    let relation = names.scopes.relation(reader);
    let one = |node: NodeId| names.script.slice(node) == "1";
    let is_first = |node: NodeId| {
        let [left, right] = tree.children(node)[..] else { return false };
        let place = (reader, position);
        tree.kind(node) == Kind::Binary(BinaryOperator::Equal)
            && ((names.place(left) == Some(place) && one(right)) || (names.place(right) == Some(place) && one(left)))
    };
    let mut conditions =
        if relation.optional { Vec::new() } else { conjuncts(names.script, relation.block, Kind::Where) };
    // The condition of the join by which it comes decides for it too, be it optional or not.
    let join = tree.parent(relation.node).filter(|parent| {
        let sided = |kind| matches!(kind, JoinKind::Inner | JoinKind::Left | JoinKind::LeftSemi | JoinKind::LeftAnti);
        matches!(tree.kind(*parent), Kind::Join { kind, .. } if sided(kind))
    });
    if let Some(condition) = join.and_then(|join| names.condition_of(join)) {
        conditions.extend(split(names.script, condition));
    }
    conditions.into_iter().any(is_first)
}

/// The conditions of a clause of a block that must all hold.
pub fn conjuncts(script: &Script, block: NodeId, clause: Kind) -> Vec<NodeId> {
    let tree = script.tree();
    let clause = tree.child(block, |kind| kind == clause);
    clause
        .and_then(|clause| tree.children(clause).first())
        .map(|condition| split(script, *condition))
        .unwrap_or_default()
}

/// `a AND (b AND c)` as a, b, c.
pub fn split(script: &Script, condition: NodeId) -> Vec<NodeId> {
    let tree = script.tree();
    match tree.kind(condition) {
        Kind::And | Kind::Paren => tree.children(condition).iter().flat_map(|child| split(script, *child)).collect(),
        _ => vec![condition],
    }
}
