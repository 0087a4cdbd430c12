//! Which columns tell the rows of a block apart, whatever the tables hold: keys of GROUP BY, of DISTINCT, and of
//! ROW_NUMBER where only the first row is kept.

use std::collections::BTreeSet;

use super::nullness::{Nullness, Place};
use super::repeats::{asks_for_first, conjuncts, split};
use crate::code::scope::{RelationId, RelationSource};
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId, SetOperator};

/// How deep chains of sub-queries are followed.
const MAX_STEPS: usize = 12;

/// Positions of output columns that together are never the same in two rows; none when nothing is known.
type Key = BTreeSet<usize>;

/// The keys of queries.
pub struct Unique<'a> {
    /// The script and its names.
    pub names: Nullness<'a>,
}

impl Unique<'_> {
    /// Whether no row comes twice when both sides of a UNION are put together.
    pub fn shares_no_row(&self, operation: NodeId) -> bool {
        self.united(operation, MAX_STEPS).is_some()
    }

    /// Whether a relation is a query without FROM: it has one row.
    pub fn has_one_row(&self, relation: RelationId) -> bool {
        let tree = self.names.script.tree();
        let relation = self.names.scopes.relation(relation);
        let block =
            relation.source.query(tree).and_then(|query| tree.child(query, |kind| matches!(kind, Kind::Select { .. })));
        !relation.optional
            && block.is_some_and(|block| {
                tree.child(block, |kind| matches!(kind, Kind::From | Kind::LateralView { .. })).is_none()
            })
            && block.is_some_and(|block| self.names.scopes.relations_of(block).is_empty())
    }

    /// Positions of the columns that tell the rows of a relation apart.
    pub fn of_relation(&self, relation: RelationId) -> Option<BTreeSet<usize>> {
        let places = self.relation_key(relation, MAX_STEPS)?;
        Some(places.into_iter().map(|(_, position)| position).collect())
    }

    fn key(&self, query: NodeId, steps: usize) -> Option<Key> {
        let steps = steps.checked_sub(1)?;
        let tree = self.names.script.tree();
        let body =
            |kind| matches!(kind, Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Query | Kind::Select { .. });
        let width = self.names.scopes.outputs(query).len();
        match tree.kind(query) {
            Kind::SetOperation { operator: SetOperator::Union, all: true } => self.united(query, steps),
            Kind::SetOperation { all: false, .. } => Some((0..width).collect()),
            Kind::Query | Kind::Parenthesized | Kind::CommonTable => self.key(tree.child(query, body)?, steps),
            Kind::Select { distinct: true } => Some((0..width).collect()),
            Kind::Select { .. } => self.selected(query, steps),
            _ => None,
        }
    }

    /// Two sides that name themselves by different constants share no row.
    fn united(&self, operation: NodeId, steps: usize) -> Option<Key> {
        let [left, right] = self.names.script.tree().children(operation)[..] else { return None };
        let mut key = self.key(left, steps)?;
        key.extend(self.key(right, steps)?);
        let width = self.names.scopes.outputs(operation).len();
        let apart = (0..width).find(|position| self.is_apart(left, right, *position))?;
        key.insert(apart);
        Some(key)
    }

    /// Whether an output is one constant on the left and others on the right.
    fn is_apart(&self, left: NodeId, right: NodeId, position: usize) -> bool {
        let (Some(left), Some(right)) = (self.constants(left, position), self.constants(right, position)) else {
            return false;
        };
        left.is_disjoint(&right)
    }

    /// The text literals that an output of each branch is.
    fn constants(&self, body: NodeId, position: usize) -> Option<BTreeSet<String>> {
        let tree = self.names.script.tree();
        match tree.kind(body) {
            Kind::SetOperation { operator: SetOperator::Union, .. } => {
                let [left, right] = tree.children(body)[..] else { return None };
                let mut constants = self.constants(left, position)?;
                constants.extend(self.constants(right, position)?);
                Some(constants)
            }
            Kind::Parenthesized | Kind::Query => self.constants(*tree.children(body).first()?, position),
            Kind::Select { .. } => {
                let expression = self.names.scopes.outputs(body).get(position)?.expression?;
                let literal = matches!(tree.kind(expression), Kind::Text | Kind::Number);
                literal.then(|| BTreeSet::from([self.names.script.slice(expression).to_owned()]))
            }
            _ => None,
        }
    }

    /// The key of a SELECT block in terms of its outputs.
    fn selected(&self, block: NodeId, steps: usize) -> Option<Key> {
        let outputs = self.names.scopes.outputs(block);
        if let Some(keys) = self.group_keys(block)? {
            let position = |key: &NodeId| {
                let place = self.names.place(*key);
                let is_key = |value: NodeId| self.is_same(value, *key);
                outputs.iter().position(|output| {
                    (place.is_some() && output.passes_on == place) || output.expression.is_some_and(is_key)
                })
            };
            return keys.iter().map(position).collect();
        }
        let key = self.row_key(block, steps)?;
        let position = |place: &Place| outputs.iter().position(|output| output.passes_on == Some(*place));
        key.iter().map(position).collect()
    }

    /// The keys of a grouped block; `Some(None)` when it is not grouped, none when its groups come with subtotals.
    fn group_keys(&self, block: NodeId) -> Option<Option<Vec<NodeId>>> {
        let tree = self.names.script.tree();
        let Some(group) = tree.child(block, |kind| kind == Kind::GroupBy) else {
            return Some(None).filter(|_| !self.has_totals(block));
        };
        let subtotals = tree.child(group, |kind| matches!(kind, Kind::Grouping { .. })).is_some();
        (!subtotals).then(|| Some(tree.children(group).to_vec()))
    }

    fn has_totals(&self, block: NodeId) -> bool {
        let tree = self.names.script.tree();
        tree.descendants(block).any(|node| {
            let own = tree.enclosing(node, |kind| matches!(kind, Kind::Select { .. })) == Some(block);
            let windowed = tree.child(node, |kind| kind == Kind::Over).is_some();
            own && !windowed && matches!(tree.kind(node), Kind::Call { .. }) && self.names.script.is_aggregate(node)
        })
    }

    /// The columns of a block's relations that tell its rows apart before they are selected.
    fn row_key(&self, block: NodeId, steps: usize) -> Option<BTreeSet<Place>> {
        let tree = self.names.script.tree();
        let views = tree.descendants(block).any(|node| {
            matches!(tree.kind(node), Kind::LateralView { .. })
                && tree.enclosing(node, |kind| matches!(kind, Kind::Select { .. })) == Some(block)
        });
        let generates = tree.child(block, |kind| kind == Kind::Projection).is_some_and(|projection| {
            tree.descendants(projection)
                .any(|node| matches!(tree.kind(node), Kind::Call { .. }) && self.names.script.is_generator(node))
        });
        if views || generates {
            return None;
        }
        let mut key = BTreeSet::new();
        for relation in self.names.scopes.relations_of(block) {
            let own = self.relation_key(*relation, steps);
            let join = tree.parent(self.names.scopes.relation(*relation).node);
            match join.map(|join| (join, tree.kind(join))) {
                Some((_, Kind::Join { kind: JoinKind::LeftSemi | JoinKind::LeftAnti, .. })) => {}
                Some((join, Kind::Join { kind: JoinKind::Inner | JoinKind::Left, .. })) => {
                    let own = own?;
                    if !own.iter().all(|place| self.is_bound(join, *place)) {
                        key.extend(own);
                    }
                }
                Some((_, Kind::Relation)) => key.extend(own?),
                _ => return None,
            }
        }
        Some(key)
    }

    fn relation_key(&self, relation: RelationId, steps: usize) -> Option<BTreeSet<Place>> {
        let (RelationSource::CommonTable(query) | RelationSource::Query(query)) =
            self.names.scopes.relation(relation).source
        else {
            return None;
        };
        let key = self.key(query, steps).or_else(|| self.first_of(relation, query))?;
        Some(key.into_iter().map(|position| (relation, position)).collect())
    }

    /// The partition of the ROW_NUMBER of which the reading block keeps the first row.
    fn first_of(&self, relation: RelationId, query: NodeId) -> Option<Key> {
        let script = self.names.script;
        let tree = script.tree();
        let query =
            if tree.kind(query) == Kind::CommonTable { tree.child(query, |kind| kind == Kind::Query)? } else { query };
        let block = tree.child(query, |kind| matches!(kind, Kind::Select { .. }))?;
        let outputs = self.names.scopes.outputs(block);
        let numbers =
            |node: NodeId| matches!(tree.kind(node), Kind::Call { .. }) && script.function_name(node) == "row_number";
        let (position, call) = outputs.iter().enumerate().find_map(|(position, output)| {
            let call = output.expression.filter(|node| numbers(*node))?;
            asks_for_first(&self.names, (relation, position)).then_some((position, call))
        })?;
        let over = tree.child(call, |kind| kind == Kind::Over)?;
        let window = tree.child(over, |kind| kind == Kind::WindowSpec)?;
        let partition = tree.child(window, |kind| kind == Kind::PartitionBy)?;
        let column = |key: &NodeId| {
            let place = self.names.place(*key)?;
            outputs.iter().position(|output| output.passes_on == Some(place)).filter(|found| *found != position)
        };
        tree.children(partition).iter().map(column).collect()
    }

    /// Whether a join's condition sets a column of the joined relation equal to something of the others.
    fn is_bound(&self, join: NodeId, place: Place) -> bool {
        let tree = self.names.script.tree();
        let Some(condition) = self.names.condition_of(join) else { return false };
        let foreign = |node: NodeId| {
            tree.descendants(node)
                .filter(|it| tree.kind(*it) == Kind::Column)
                .all(|it| self.names.place(it).is_some_and(|(relation, _)| relation != place.0))
        };
        split(self.names.script, condition).into_iter().any(|node| {
            let [left, right] = tree.children(node)[..] else { return false };
            let equal = matches!(tree.kind(node), Kind::Binary(BinaryOperator::Equal | BinaryOperator::NullSafeEqual));
            let binds = |one: NodeId, other: NodeId| self.names.place(one) == Some(place) && foreign(other);
            equal && (binds(left, right) || binds(right, left))
        })
    }

    /// Whether the window of a call has no two rows with the same keys of PARTITION BY and ORDER BY.
    pub fn has_no_ties(&self, call: NodeId) -> bool {
        let script = self.names.script;
        let tree = script.tree();
        let over = tree.child(call, |kind| kind == Kind::Over);
        let Some(window) = over.and_then(|over| tree.child(over, |kind| kind == Kind::WindowSpec)) else {
            return false;
        };
        let Some(block) = tree.enclosing(call, |kind| matches!(kind, Kind::Select { .. })) else { return false };
        let partition = tree.child(window, |kind| kind == Kind::PartitionBy);
        let order = tree.child(window, |kind| kind == Kind::OrderBy);
        let keys = partition.into_iter().flat_map(|partition| tree.children(partition).iter().copied());
        let sorted =
            order.into_iter().flat_map(|order| tree.children(order)).filter_map(|item| tree.children(*item).first());
        let mut keys: Vec<NodeId> = keys.chain(sorted.copied()).collect();
        // A column that WHERE sets to one value tells nothing apart, and need not.
        keys.extend(conjuncts(script, block, Kind::Where).into_iter().filter_map(|node| self.fixed(node)));
        let Some(groups) = self.group_keys(block) else { return false };
        let places: Vec<Place> = keys.iter().filter_map(|key| self.names.place(*key)).collect();
        match groups {
            Some(groups) => groups.iter().all(|group| {
                let place = self.names.place(*group);
                let named = place.is_some_and(|place| places.contains(&place));
                named || keys.iter().any(|key| self.is_same(*key, *group))
            }),
            None => self.row_key(block, MAX_STEPS).is_some_and(|key| key.iter().all(|place| places.contains(place))),
        }
    }

    /// The column that a condition sets equal to a constant.
    fn fixed(&self, condition: NodeId) -> Option<NodeId> {
        let tree = self.names.script.tree();
        let [left, right] = tree.children(condition)[..] else { return None };
        let constant = matches!(tree.kind(right), Kind::Text | Kind::Number);
        (tree.kind(condition) == Kind::Binary(BinaryOperator::Equal) && constant).then_some(left)
    }

    /// Whether two expressions of a block are written alike; a number in GROUP BY names a position.
    fn is_same(&self, one: NodeId, other: NodeId) -> bool {
        let words = |node: NodeId| super::squeezed(self.names.script.slice(node));
        self.names.script.tree().kind(other) != Kind::Number && words(one) == words(other)
    }
}
