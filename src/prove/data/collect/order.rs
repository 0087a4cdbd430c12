//! Bounds of values that lie in an order: of `d BETWEEN first AND last`, `d >= 20240101` asks for a `last` beyond
//! 20240101 as well.

use super::ConstraintCollector;
use crate::code::tree::BinaryOperator;
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{Constraint, Predicate, ValuePath};

/// How far a value lies beyond the bound of another: values near the bound itself are tried too.
const DISTANCE: i64 = 2;
/// Longest chain of values in an order that a bound passes through.
const MOST_STEPS: usize = 4;

impl ConstraintCollector<'_, '_> {
    /// Passes bounds that are numbers on to values that lie above or below.
    pub(super) fn finish_order(&mut self) {
        let pairs = self.found.ordered.clone();
        for _ in 0..MOST_STEPS {
            for (low, high) in &pairs {
                let (least, most) = (self.floor_of(low), self.ceiling_of(high));
                if let Some(bound) = least.map(|least| moved(least, DISTANCE))
                    && self.floor_of(high).is_none()
                    && self.ceiling_of(high).is_none_or(|most| bound <= most)
                {
                    self.bound(high, BinaryOperator::GreaterOrEqual, bound);
                }
                if let Some(bound) = most.map(|most| moved(most, -DISTANCE))
                    && self.ceiling_of(low).is_none()
                    && self.floor_of(low).is_none_or(|least| bound >= least)
                {
                    self.bound(low, BinaryOperator::LessOrEqual, bound);
                }
            }
        }
    }

    fn bound(&mut self, path: &ValuePath, operator: BinaryOperator, bound: f64) {
        let bound = if bound.fract() == 0.0 { Value::Integer(bound as i64) } else { Value::Real(bound) };
        self.found.require(path.clone(), Predicate::Compare(operator, bound));
    }

    /// Returns the number at which or above which lies what is asked of a value: the value may well be as large.
    fn floor_of(&self, path: &ValuePath) -> Option<f64> {
        self.bounds(path).filter_map(floor).reduce(f64::max)
    }

    /// Returns the number at which or below which lies what is asked of a value: the value may well be as small.
    fn ceiling_of(&self, path: &ValuePath) -> Option<f64> {
        self.bounds(path).filter_map(ceiling).reduce(f64::min)
    }

    /// Returns what is required of a value itself.
    fn bounds<'a>(&'a self, path: &'a ValuePath) -> impl Iterator<Item = &'a Predicate> {
        let required = self.found.required.get(&path.source).into_iter().flatten();
        let of_value = required.filter(|Constraint { steps, .. }| *steps == path.steps);
        of_value.map(|Constraint { predicate, .. }| predicate)
    }
}

/// Returns the largest number that a predicate asks for, or its lower bound.
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

/// Returns the smallest number that a predicate asks for, or its upper bound.
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

/// Returns a number further on; one that is a day, as 20241231 is, so many days further on.
fn moved(number: f64, distance: i64) -> f64 {
    let day = number.to_string();
    let day = calendar::shift_in_place(&day, distance).filter(|_| day.len() == "yyyyMMdd".len());
    day.and_then(|day| day.parse().ok()).unwrap_or(number + distance as f64)
}
