//! Conditions on a function of one date that nothing inverts, such as `weekofyear(d) = 10`: days that meet them are found
//! by trying those of a year.

use super::{ConditionRole, ConstraintCollector};
use crate::code::tree::NodeId;
use crate::code::types::Type;
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{Predicate, ValuePath};
use crate::prove::data::satisfies::{plain_text, satisfies};

/// Most days that are tried.
const TRIED: i64 = 366;
/// Most days that are kept to draw from.
const KEPT: usize = 6;

impl ConstraintCollector<'_, '_> {
    /// Requires a date to be one of those on which an expression meets a predicate. Returns false if there is none, or
    /// the expression reads anything but one date.
    pub(super) fn probe(&mut self, expression: NodeId, predicate: &Predicate, role: ConditionRole) -> bool {
        let Some(inputs) = self.inputs(expression).filter(|_| role == ConditionRole::Required) else { return false };
        let source = inputs[0].source;
        let time = match self.lineage.scopes.type_of(inputs[0].node) {
            Type::Date => "",
            Type::Timestamp => " 10:00:00",
            _ => return false,
        };
        if inputs.iter().any(|input| input.source != source) {
            return false;
        }
        let first = format!("{}-01-01", year_of(predicate).unwrap_or(2024));
        let days = (0..TRIED).filter_map(|number| Some(format!("{}{time}", calendar::shift(&first, number)?)));
        let meets = |day: &String| {
            let literal = if time.is_empty() { format!("DATE'{day}'") } else { format!("TIMESTAMP'{day}'") };
            let inputs = inputs.iter().map(|input| (input.node, literal.clone())).collect();
            self.evaluator.value_with(expression, inputs).is_some_and(|value| satisfies(predicate, &value))
        };
        let found: Vec<Value> = days.filter(meets).take(KEPT).map(Value::Text).collect();
        if found.is_empty() {
            return false;
        }
        self.found.require(ValuePath { source, steps: Vec::new() }, Predicate::OneOf(found));
        true
    }
}

/// Returns the year that a predicate names, as in `= '2021-03'`.
fn year_of(predicate: &Predicate) -> Option<i32> {
    let value = match predicate {
        Predicate::Compare(_, value) | Predicate::Between(value, _) => value,
        Predicate::OneOf(values) => values.first()?,
        _ => return None,
    };
    plain_text(value).get(..4)?.parse().ok().filter(|year| (1900..2200).contains(year))
}
