//! What HAVING, and a condition on a count around its sub-query, asks of groups: how many rows they have, and how many
//! distinct values.

use super::ConstraintCollector;
use super::compare::mirrored;
use crate::code::scope::ColumnTarget;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::prove::data::constraint::Predicate;

/// The largest group made for a HAVING clause; one that wants more rows is not met.
const LARGEST_GROUP: usize = 1_024;

impl ConstraintCollector<'_, '_> {
    /// `HAVING COUNT(*) >= 2`: several rows must share the values of the group's keys.
    pub(super) fn having(&mut self, having: NodeId) {
        let tree = self.lineage.script.tree();
        let calls: Vec<NodeId> = tree.descendants(having).filter_map(|node| self.counting_call(node)).collect();
        let adds_up = !calls.is_empty() || tree.descendants(having).any(|node| self.is_sum(node));
        for call in calls {
            self.vary(call);
        }
        if let Some(size) = self.group_size(having) {
            self.found.group_size = self.found.group_size.max(size);
        }
        let keys = tree.parent(having).and_then(|block| tree.child(block, |kind| kind == Kind::GroupBy));
        if let Some(keys) = keys.filter(|_| adds_up) {
            self.share(keys);
        }
    }

    /// Lets several rows share the values of the keys of a group.
    pub(super) fn share(&mut self, keys: NodeId) {
        let tree = self.lineage.script.tree();
        let expressions = self.key_expressions(keys);
        let columns = expressions.into_iter().flat_map(|key| tree.descendants(key));
        for key in columns.filter(|node| tree.kind(*node) == Kind::Column).collect::<Vec<_>>() {
            self.found.shared.extend(self.lineage.trace(key));
            // Which arm a CASE takes depends on other columns than those that it gives.
            for origin in self.lineage.origins(key) {
                let columns = tree.descendants(origin).filter(|node| tree.kind(*node) == Kind::Column);
                self.found.shared.extend(columns.flat_map(|column| self.lineage.trace(column)));
            }
        }
    }

    /// Returns the expressions by which a GROUP BY groups: for a position and for ALL those of the SELECT list.
    fn key_expressions(&self, keys: NodeId) -> Vec<NodeId> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let list = tree.parent(keys).and_then(|block| tree.child(block, |kind| kind == Kind::Projection));
        let items: Vec<NodeId> = list.map_or(&[][..], |list| tree.children(list)).to_vec();
        let is_key = |item: &NodeId| !tree.descendants(*item).any(|node| script.aggregates_rows(node));
        let expressions = |key: &NodeId| match tree.kind(*key) {
            Kind::Number => {
                let place = script.slice(*key).parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                place.and_then(|place| items.get(place).copied()).into_iter().collect()
            }
            Kind::Column if script.slice(*key).eq_ignore_ascii_case("ALL") => {
                items.iter().copied().filter(is_key).collect()
            }
            _ => vec![*key],
        };
        tree.children(keys).iter().flat_map(expressions).collect()
    }

    /// Lets rows differ in what `COUNT(DISTINCT x)` or `SIZE(COLLECT_SET(x))` counts.
    fn vary(&mut self, call: NodeId) {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let is_distinct = |node: NodeId| match tree.kind(node) {
            Kind::Call { distinct } => distinct || script.function_name(node) == "collect_set",
            _ => false,
        };
        if !tree.descendants(call).any(is_distinct) {
            return;
        }
        for column in tree.descendants(call).filter(|node| tree.kind(*node) == Kind::Column) {
            self.found.varied.extend(self.lineage.trace(column).into_iter().map(|path| path.source));
        }
    }

    /// `n >= 3` around the sub-query that counts `n`, over a group or a window: groups are as large as HAVING would want
    /// them. Returns false if they cannot be.
    pub(super) fn counted(&mut self, call: NodeId, predicate: &Predicate) -> bool {
        let tree = self.lineage.script.tree();
        if self.lineage.script.is_windowed(call) {
            return self.ranked(call, predicate);
        }
        let block = tree.enclosing(call, |kind| matches!(kind, Kind::Select { .. }));
        let keys = block.and_then(|block| tree.child(block, |kind| kind == Kind::GroupBy));
        let (Some(size), Some(keys)) = (fewest_rows(predicate), keys) else { return false };
        self.found.group_size = self.found.group_size.max(size);
        self.share(keys);
        self.vary(call);
        true
    }

    /// `ROW_NUMBER() OVER (…) = 2`, `COUNT(*) OVER (…) > 1`: partitions have as many rows. Returns false if they cannot.
    pub(super) fn ranked(&mut self, call: NodeId, predicate: &Predicate) -> bool {
        let Some(size) = fewest_rows(predicate) else { return false };
        self.share_window(call);
        self.found.group_size = self.found.group_size.max(size);
        self.vary(call);
        true
    }

    /// Returns how many rows `COUNT(…) >= n` wants in a group; `None` if HAVING compares no count with a
    /// constant, or wants too many.
    fn group_size(&mut self, having: NodeId) -> Option<usize> {
        let tree = self.lineage.script.tree();
        let compared = tree.descendants(having).filter_map(|node| {
            let Kind::Binary(operator) = tree.kind(node) else { return None };
            let [left, right] = tree.children(node)[..] else { return None };
            let counts = |node: NodeId| self.counting_call(node).is_some();
            let (operator, bound) = match (counts(left), counts(right)) {
                (true, false) => (operator, right),
                (false, true) => (mirrored(operator), left),
                _ => return None,
            };
            let bound: usize = self.evaluator.constant(bound)?.plain_text().parse().ok()?;
            match operator {
                BinaryOperator::Greater => Some(bound + 1),
                BinaryOperator::GreaterOrEqual | BinaryOperator::Equal => Some(bound),
                _ => None,
            }
        });
        compared.max().filter(|size| *size <= LARGEST_GROUP)
    }

    /// Returns the call with which an expression counts the rows of a group, also behind an alias of the SELECT list;
    /// `None` for other expressions.
    fn counting_call(&self, node: NodeId) -> Option<NodeId> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        match tree.kind(node) {
            Kind::Call { .. } => {
                matches!(&*script.function_name(node), "count" | "count_if" | "size" | "approx_count_distinct")
                    .then_some(node)
            }
            Kind::Column => match self.lineage.scopes.binding(node)?.target {
                ColumnTarget::Alias(item) => self.counting_call(*tree.children(item).first()?),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_sum(&self, node: NodeId) -> bool {
        let script = self.lineage.script;
        matches!(script.tree().kind(node), Kind::Call { .. }) && script.function_name(node) == "sum"
    }
}

/// Returns how many rows a condition on a count or a rank wants; `None` if one will do, or if it wants too many.
fn fewest_rows(predicate: &Predicate) -> Option<usize> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual};
    let (bound, more) = match predicate {
        Predicate::Compare(Greater, bound) => (bound, 1),
        Predicate::Compare(GreaterOrEqual | Equal, bound) | Predicate::Between(bound, _) => (bound, 0),
        _ => return None,
    };
    let size = bound.plain_text().parse::<usize>().ok().map(|bound| bound + more);
    size.filter(|size| (2..=LARGEST_GROUP).contains(size))
}
