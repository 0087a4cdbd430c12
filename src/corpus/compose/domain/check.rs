//! Checks of a domain model: every name refers to something, every expression parses, and there is enough of
//! everything.

mod checker;
mod column;
mod expression;
mod table;
mod whole;

pub(super) use checker::ModelProblem;

use super::model::Domain;
use checker::ModelChecker;

/// Returns everything that is wrong with a model.
pub(super) fn problems(domain: &Domain) -> Vec<ModelProblem> {
    let mut checker = ModelChecker { domain, found: Vec::new() };
    whole::check(&mut checker);
    for (name, table) in domain.tables.iter() {
        table::check(&mut checker, name, table);
    }
    checker.found
}
