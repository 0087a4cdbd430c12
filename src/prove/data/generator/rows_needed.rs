//! How many rows a scan needs in a group.

use crate::code::tree::BinaryOperator;
use crate::prove::data::constraint::{Constraint, Constraints, Derivation, Predicate};

/// Most rows of a scan that are related to its first.
pub(super) const MOST_RELATED: usize = 3;

/// Returns the number of rows that one scan needs to meet what different blocks ask of it: one may ask for the first day
/// of a period, another for the last, and a third for a month and the one before.
pub(super) fn rows_needed(constraints: &Constraints, scan: usize) -> usize {
    let fixed = constraints.required_of(scan).map(|(_, asked)| fixed_values(asked)).max().unwrap_or(1);
    let compares_rows = constraints.within_scan.iter().any(|column| column.scan == scan);
    let is_contradictory = constraints.required_of(scan).any(|(_, asked)| has_contradiction(asked));
    let is_of_other_row = |derivation: &Derivation| derivation.target.scan == scan && derivation.is_of_other_row();
    let needs_second = compares_rows && is_contradictory || constraints.derivations.iter().any(is_of_other_row);
    // Each relation has a row of its own beside the first.
    let related = constraints.row_relations.iter().filter(|relation| relation.source.scan == scan).count();
    let least = 1 + related.min(MOST_RELATED).max(usize::from(needs_second));
    fixed.clamp(least, 1 + MOST_RELATED)
}

/// Returns how many fixed values are asked of one place in a column: the place of which the first of them is asked.
fn fixed_values(asked: &[Constraint]) -> usize {
    let fixed: Vec<&Constraint> = asked.iter().filter(|constraint| is_fixed(&constraint.predicate)).collect();
    fixed.iter().filter(|one| fixed[0].steps == one.steps).count()
}

/// Whether no value of a column meets all of these constraints.
fn has_contradiction(asked: &[Constraint]) -> bool {
    let contradict =
        |one: &Constraint, other: &Constraint| one.steps == other.steps && excludes(&one.predicate, &other.predicate);
    asked.iter().enumerate().any(|(at, one)| asked[..at].iter().any(|other| contradict(one, other)))
}

/// Whether no value meets both of two predicates that are about being known or true.
fn excludes(one: &Predicate, other: &Predicate) -> bool {
    match (one, other) {
        (Predicate::Null, Predicate::Null) => false,
        (Predicate::Null, _) | (_, Predicate::Null) => true,
        (Predicate::Truth(one), Predicate::Truth(other)) => one != other,
        _ => false,
    }
}

/// Whether a predicate allows one value only.
fn is_fixed(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::Compare(BinaryOperator::Equal | BinaryOperator::NullSafeEqual, _))
}
