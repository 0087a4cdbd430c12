//! Operators: each finds every site of its fault in a script and the smallest edit that plants it there.
//!
//! Operators are pure and enumerate all sites in source order. The plan decides which of them are used.

mod named_function;
mod aggregate;
mod alias;
mod date;
mod join;
mod output;
mod primitive;
mod sibling;
mod statement;
mod subquery;

use super::proposal::{Proposal, Proposals};
use super::script_context::ScriptContext;
use crate::fault::{Fault, Operator, Taxonomy};
use named_function::NamedFunction;

/// The functions of each file.
const FUNCTIONS: [&[NamedFunction]; 8] = [
    aggregate::FUNCTIONS,
    alias::FUNCTIONS,
    date::FUNCTIONS,
    join::FUNCTIONS,
    output::FUNCTIONS,
    sibling::FUNCTIONS,
    statement::FUNCTIONS,
    subquery::FUNCTIONS,
];

/// Returns every way to plant the fault of this operator in a script. The list is empty for a function that does not
/// exist; `unknown_function` reports such an operator.
pub fn propose(context: &ScriptContext<'_>, operator: &Operator) -> Vec<Proposal> {
    let mut proposals = Proposals::default();
    match operator {
        Operator::Function(name) => {
            if let Some(function) = functions().find(|function| function.name == name) {
                (function.propose)(context, &mut proposals);
            }
        }
        declarative => primitive::propose(context, declarative, &mut proposals),
    }
    proposals.into_vec()
}

fn functions() -> impl Iterator<Item = &'static NamedFunction> {
    FUNCTIONS.into_iter().flatten()
}

/// Returns the first fault whose function does not exist, and a message about it.
pub fn unknown_function(taxonomy: &Taxonomy) -> Option<(&Fault, String)> {
    taxonomy.faults().iter().find_map(|fault| {
        let Some(Operator::Function(name)) = fault.written_operator() else { return None };
        let known: Vec<&str> = functions().map(|function| function.name).collect();
        let problem = || format!("no function is called `{name}`; there are {}", known.join(", "));
        (!known.contains(&name.as_str())).then(|| (fault, problem()))
    })
}

#[cfg(test)]
mod tests;
