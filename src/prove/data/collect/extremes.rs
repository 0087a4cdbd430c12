//! How far the extremes of a group lie apart: `datediff(max(day), min(day)) > 30`, `max(price) - min(price) > 5`.

use super::constrain::typical_distance;
use super::{ConditionRole, ConstraintCollector};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{Predicate, ValuePath};

/// The least number of a group.
const LEAST: i64 = 10;
/// The first day of a group.
const FIRST_DAY: &str = "2024-01-10";

impl ConstraintCollector<'_, '_> {
    /// Lets rows of one group take two values that lie as far apart as their distance asks. Returns false if the sides are
    /// not the greatest and the least of one column of a group.
    pub(super) fn extremes_apart(&mut self, greatest: NodeId, least: NodeId, predicate: &Predicate) -> bool {
        let [Some(upper), Some(lower)] =
            [(greatest, "max"), (least, "min")].map(|(side, name)| self.extreme(side, name))
        else {
            return false;
        };
        let tree = self.lineage.script.tree();
        let block = tree.enclosing(upper.call, |kind| matches!(kind, Kind::Select { .. }));
        let keys = block.and_then(|block| tree.child(block, |kind| kind == Kind::GroupBy));
        let (Some(distance), Some(keys)) = (typical_distance(predicate).filter(|_| upper.path == lower.path), keys)
        else {
            return false;
        };
        let is_temporal = self.lineage.scopes.type_of(self.lineage.script.arguments(upper.call)[0]).is_temporal();
        let values = match is_temporal {
            true => [0, distance].map(|days| calendar::shift(FIRST_DAY, days).map(Value::Text)),
            false => [LEAST, LEAST + distance].map(|number| Some(Value::Integer(number))),
        };
        for value in values.into_iter().flatten() {
            self.add(upper.path.clone(), Predicate::Compare(BinaryOperator::Equal, value), ConditionRole::Optional);
        }
        self.share(keys);
        true
    }

    /// Returns the call of an aggregate with this name, also behind the column of a sub-query.
    fn extreme(&self, node: NodeId, name: &str) -> Option<Extreme> {
        let script = self.lineage.script;
        match script.tree().kind(node) {
            Kind::Call { .. } if script.canonical_function_name(node) == name => {
                let [path] = &self.lineage.trace(*script.arguments(node).first()?)[..] else { return None };
                Some(Extreme { call: node, path: path.clone() })
            }
            Kind::Column => match self.lineage.origins(node)[..] {
                [origin] if origin != node => self.extreme(origin, name),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The greatest or least value of a column in a group.
struct Extreme {
    call: NodeId,
    path: ValuePath,
}
