//! Tables of names and values: `max(if(name = 'city', value, NULL))` for each entity reads them as if every name were a
//! column. An entity that meets conditions on several such columns needs rows of several names.

use super::ConstraintCollector;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::engine::table::Value;
use crate::prove::data::constraint::{Predicate, ScanColumn};
use crate::prove::data::satisfies::satisfies;

impl ConstraintCollector<'_, '_> {
    /// Notes the name of the rows that a column is computed from, if it is computed from rows of one name, and a condition
    /// asks for what an entity without such a row lacks.
    pub(super) fn note_row_name(&mut self, column: NodeId, predicate: Option<&Predicate>) {
        let is_met_without =
            |predicate: &Predicate| *predicate == Predicate::Null || satisfies(predicate, &Value::Integer(0));
        if predicate.is_some_and(is_met_without) {
            return;
        }
        for origin in self.lineage.origins(column) {
            if let Some((source, name)) = self.row_name(origin) {
                let names = self.found.row_names.entry(source).or_default();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }

    /// Returns the column that an aggregate tests for one value, and the value; `None` if it takes rows of any kind.
    fn row_name(&mut self, aggregate: NodeId) -> Option<(ScanColumn, Value)> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        if !matches!(tree.kind(aggregate), Kind::Call { .. }) || !script.is_aggregate(aggregate) {
            return None;
        }
        let [argument] = script.arguments(aggregate)[..] else { return None };
        let arms = || tree.children_where(argument, |kind| kind == Kind::When).collect::<Vec<_>>();
        let (column, name) = match tree.kind(argument) {
            Kind::Call { .. } if script.canonical_function_name(argument) == "if" => {
                self.sides_of_test(*script.arguments(argument).first()?)?
            }
            Kind::Case { operand: true } => match arms()[..] {
                [when] => (*tree.children(argument).first()?, *tree.children(when).first()?),
                _ => return None,
            },
            Kind::Case { operand: false } => match arms()[..] {
                [when] => self.sides_of_test(*tree.children(when).first()?)?,
                _ => return None,
            },
            _ => return None,
        };
        let name = self.value(name)?;
        match &self.lineage.trace(column)[..] {
            [path] if path.steps.is_empty() => Some((path.source, name)),
            _ => None,
        }
    }

    /// Returns the column of an equality, and its other side.
    fn sides_of_test(&self, test: NodeId) -> Option<(NodeId, NodeId)> {
        let tree = self.lineage.script.tree();
        let Kind::Binary(BinaryOperator::Equal) = tree.kind(test) else { return None };
        let [left, right] = tree.children(test)[..] else { return None };
        Some(if tree.kind(left) == Kind::Column { (left, right) } else { (right, left) })
    }
}
