//! Bounds of values that lie in an order: of `d BETWEEN first AND last`, `d >= 20240101` asks for a `last` beyond
//! 20240101 as well.

use super::ConstraintCollector;
use crate::code::tree::BinaryOperator;
use crate::engine::table::Value;
use crate::prove::data::constraint::{Constraint, Predicate, ValuePath};

/// How far a value lies beyond the bound of another: values near the bound itself are tried too.
const DISTANCE: f64 = 2.0;
/// Longest chain of values in an order that a bound passes through.
const MOST_STEPS: usize = 4;

impl ConstraintCollector<'_, '_> {
    /// Passes bounds that are numbers on to values that lie above or below.
    pub(super) fn finish_order(&mut self) {
        let pairs = self.found.ordered.clone();
        for _ in 0..MOST_STEPS {
            for (low, high) in &pairs {
                let least = self.bounds(low).filter_map(floor).reduce(f64::max);
                if let Some(bound) = least.filter(|_| self.bounds(high).find_map(floor).is_none()) {
                    self.bound(high, BinaryOperator::GreaterOrEqual, bound + DISTANCE);
                }
                let most = self.bounds(high).filter_map(ceiling).reduce(f64::min);
                if let Some(bound) = most.filter(|_| self.bounds(low).find_map(ceiling).is_none()) {
                    self.bound(low, BinaryOperator::LessOrEqual, bound - DISTANCE);
                }
            }
        }
    }

    fn bound(&mut self, path: &ValuePath, operator: BinaryOperator, bound: f64) {
        let bound = if bound.fract() == 0.0 { Value::Integer(bound as i64) } else { Value::Real(bound) };
        self.found.require(path.clone(), Predicate::Compare(operator, bound));
    }

    /// Returns what is required of a value itself.
    fn bounds<'a>(&'a self, path: &'a ValuePath) -> impl Iterator<Item = &'a Predicate> {
        let required = self.found.required.get(&path.source).into_iter().flatten();
        let of_value = required.filter(|Constraint { steps, .. }| *steps == path.steps);
        of_value.map(|Constraint { predicate, .. }| predicate)
    }
}

/// Returns the largest number that is known to be a value or to lie below it.
fn floor(predicate: &Predicate) -> Option<f64> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, NullSafeEqual};
    match predicate {
        Predicate::Compare(Equal | NullSafeEqual | Greater | GreaterOrEqual, bound) | Predicate::Between(_, bound) => {
            bound.as_number()
        }
        Predicate::OneOf(values) => values.iter().filter_map(Value::as_number).reduce(f64::max),
        _ => None,
    }
}

/// Returns the smallest number that is known to be a value or to lie above it.
fn ceiling(predicate: &Predicate) -> Option<f64> {
    use BinaryOperator::{Equal, Less, LessOrEqual, NullSafeEqual};
    match predicate {
        Predicate::Compare(Equal | NullSafeEqual | Less | LessOrEqual, bound) | Predicate::Between(bound, _) => {
            bound.as_number()
        }
        Predicate::OneOf(values) => values.iter().filter_map(Value::as_number).reduce(f64::min),
        _ => None,
    }
}
