//! Bounds of values that lie in an order: of `d BETWEEN first AND last`, `d >= 20240101` asks for a `last` beyond
//! 20240101 as well.

use super::ConstraintCollector;
use crate::code::tree::BinaryOperator;
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{Constraint, Predicate, ValuePath};

/// Longest chain of values in an order that a bound passes through.
const MOST_STEPS: usize = 4;

/// One of the two ways in which a bound passes along an order.
struct Direction {
    /// The comparisons, besides equality, that bound a value against this way.
    bounding: [BinaryOperator; 2],
    /// The comparison with which the bound is passed on.
    passed_on_as: BinaryOperator,
    /// How far the bound of the next value lies: values near the bound itself are tried too.
    distance: i64,
    /// The one of two numbers that lies farther this way.
    farther: fn(f64, f64) -> f64,
}

/// From a value to one above it.
const UPWARDS: Direction = Direction {
    bounding: [BinaryOperator::Greater, BinaryOperator::GreaterOrEqual],
    passed_on_as: BinaryOperator::GreaterOrEqual,
    distance: 2,
    farther: f64::max,
};

/// From a value to one below it.
const DOWNWARDS: Direction = Direction {
    bounding: [BinaryOperator::Less, BinaryOperator::LessOrEqual],
    passed_on_as: BinaryOperator::LessOrEqual,
    distance: -2,
    farther: f64::min,
};

impl Direction {
    /// Returns the number that a predicate asks for, the farthest of several, or beyond which it bounds a value.
    fn bound(&self, predicate: &Predicate) -> Option<f64> {
        let farthest = |values: &[&Value]| values.iter().filter_map(|value| value.as_number()).reduce(self.farther);
        match predicate {
            Predicate::Compare(BinaryOperator::Equal | BinaryOperator::NullSafeEqual, value) => value.as_number(),
            Predicate::Compare(operator, value) if self.bounding.contains(operator) => value.as_number(),
            Predicate::Between(low, high) => farthest(&[low, high]),
            Predicate::OneOf(values) => farthest(&values.iter().collect::<Vec<_>>()),
            _ => None,
        }
    }
}

impl ConstraintCollector<'_, '_> {
    /// Passes bounds that are numbers on to values that lie above or below.
    pub(super) fn finish_order(&mut self) {
        let pairs = self.found.ordered.clone();
        for _ in 0..MOST_STEPS {
            for (low, high) in &pairs {
                self.pass_on(low, high, &UPWARDS, &DOWNWARDS);
                self.pass_on(high, low, &DOWNWARDS, &UPWARDS);
            }
        }
    }

    /// Bounds a value by another, unless it has such a bound or one of the opposite direction that leaves no room.
    fn pass_on(&mut self, from: &ValuePath, to: &ValuePath, direction: &Direction, opposite: &Direction) {
        let Some(bound) = self.bound(from, direction) else { return };
        let bound = moved(bound, direction.distance);
        let fits = self.bound(to, opposite).is_none_or(|limit| (direction.farther)(bound, limit) == limit);
        if fits && self.bound(to, direction).is_none() {
            let value = if bound.fract() == 0.0 { Value::Integer(bound as i64) } else { Value::Real(bound) };
            self.found.require(to.clone(), Predicate::Compare(direction.passed_on_as, value));
        }
    }

    /// Returns the farthest number by which what is required of a value bounds it; `None` if it is free this way.
    fn bound(&self, path: &ValuePath, direction: &Direction) -> Option<f64> {
        let required = self.found.required.get(&path.source).into_iter().flatten();
        let of_value = required.filter(|Constraint { steps, .. }| *steps == path.steps);
        of_value.filter_map(|Constraint { predicate, .. }| direction.bound(predicate)).reduce(direction.farther)
    }
}

/// Returns a number further on; one that is a day, as 20241231 is, so many days further on.
fn moved(number: f64, distance: i64) -> f64 {
    let day = number.to_string();
    let day = calendar::shift_in_place(&day, distance).filter(|_| day.len() == "yyyyMMdd".len());
    day.and_then(|day| day.parse().ok()).unwrap_or(number + distance as f64)
}
