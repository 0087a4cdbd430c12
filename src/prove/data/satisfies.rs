//! Whether a value satisfies what is asked of it.

use std::cmp::Ordering;

use super::constraint::Predicate;
use super::pattern;
use crate::code::tree::BinaryOperator;
use crate::engine::table::Value;

/// Whether `value` satisfies `predicate`, with text compared as text unless both read as numbers.
pub fn satisfies(predicate: &Predicate, value: &Value) -> bool {
    match predicate {
        Predicate::Compare(operator, constant) => holds(*operator, value, constant),
        Predicate::OneOf(list) => list.iter().any(|item| order(value, item) == Some(Ordering::Equal)),
        Predicate::NoneOf(list) => !list.iter().any(|item| order(value, item) == Some(Ordering::Equal)),
        Predicate::Between(low, high) => {
            holds(BinaryOperator::GreaterOrEqual, value, low) && holds(BinaryOperator::LessOrEqual, value, high)
        }
        Predicate::Like(pattern) => pattern::is_like(&value.plain_text(), pattern),
        Predicate::Matches(pattern) => pattern::is_match(&value.plain_text(), pattern),
        Predicate::NotNull => *value != Value::Null,
        Predicate::Null => *value == Value::Null,
        Predicate::Truth(truth) => matches!(&*value.plain_text(), "1" | "true") == *truth,
    }
}

impl Predicate {
    /// Whether this comparison leaves fewer values than another one in the same direction.
    pub fn is_stronger_than(&self, other: &Predicate) -> bool {
        use BinaryOperator::*;
        let (Predicate::Compare(operator, constant), Predicate::Compare(same, known)) = (self, other) else {
            return false;
        };
        match operator {
            _ if operator != same => false,
            Greater | GreaterOrEqual => holds(Greater, constant, known),
            Less | LessOrEqual => holds(Less, constant, known),
            _ => false,
        }
    }
}

fn holds(operator: BinaryOperator, left: &Value, right: &Value) -> bool {
    use BinaryOperator::*;
    let Some(ordering) = order(left, right) else { return false };
    match operator {
        Equal | NullSafeEqual => ordering.is_eq(),
        NotEqual => ordering.is_ne(),
        Less => ordering.is_lt(),
        LessOrEqual => ordering.is_le(),
        Greater => ordering.is_gt(),
        GreaterOrEqual => ordering.is_ge(),
        _ => false,
    }
}

fn order(left: &Value, right: &Value) -> Option<Ordering> {
    if *left == Value::Null || *right == Value::Null {
        return None;
    }
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left.partial_cmp(&right),
        // A text that is compared with a number is read as one.
        (None, _) if right.as_number().is_some() => None,
        (_, None) if left.as_number().is_some() => None,
        _ => Some(left.plain_text().cmp(&right.plain_text())),
    }
}

/// The number that a value is or spells.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Text(text) => text.parse().ok(),
        _ => value.as_number(),
    }
}
