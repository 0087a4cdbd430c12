//! Operators: each finds every site of its fault in a script and the smallest edit that plants it there.
//!
//! Operators are pure and enumerate all sites in source order; which of them are used is the plan's matter.

mod primitive;

use super::ground::Ground;
use super::proposal::{Proposal, Proposals};
use crate::fault::Operator;
use crate::fault::operator::Function;

/// What an operator is: it looks at a script and hands out proposals.
type OperatorFunction = fn(&Ground<'_>, &mut Proposals);

/// Every way to plant the fault of this operator in a script.
pub fn propose(ground: &Ground<'_>, operator: &Operator) -> Vec<Proposal> {
    let mut proposals = Proposals::default();
    match operator {
        Operator::Function(function) => function_of(*function)(ground, &mut proposals),
        declarative => primitive::propose(ground, declarative, &mut proposals),
    }
    proposals.into_vec()
}
