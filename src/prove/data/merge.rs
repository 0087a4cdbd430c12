//! Merges the scans of a table that a script reads several times.
//!
//! Rows made for each scan on its own would give a dimension table several rows per key, unlike real ones. Where the
//! scans ask for nothing that excludes each other, one row can serve them all.

use super::constraint::{
    Chain, Constraint, Constraints, Derivation, DerivationInput, Predicate, ScanColumn, ValuePath,
};
use super::lineage::Lineage;
use super::satisfies::satisfies;
use crate::code::tree::BinaryOperator;

/// Returns the constraints with the scans of one table merged wherever they do not exclude each other.
pub fn merge(lineage: &Lineage<'_>, constraints: &Constraints) -> Constraints {
    let mut host: Vec<usize> = (0..lineage.scans.len()).collect();
    for guest in 0..host.len() {
        let earlier =
            (0..guest).filter(|at| host[*at] == *at && lineage.scans[*at].table == lineage.scans[guest].table);
        let mut fitting = earlier.filter(|at| fits(constraints, &host, *at, guest));
        if let Some(found) = fitting.next() {
            host[guest] = found;
        }
    }
    moved(constraints, &host)
}

/// Whether a row made for `host` and the scans merged into it can serve `guest` as well.
fn fits(constraints: &Constraints, hosts: &[usize], host: usize, guest: usize) -> bool {
    if constraints.absent.contains(&guest) || constraints.absent.contains(&host) {
        return false;
    }
    let members: Vec<usize> = (0..guest).filter(|scan| hosts[*scan] == host).collect();
    let crossed = constraints.equal.iter().chain(&constraints.unequal).chain(&constraints.ordered).any(|(a, b)| {
        let between = (members.contains(&a.source.scan) && b.source.scan == guest)
            || (members.contains(&b.source.scan) && a.source.scan == guest);
        between && a.source.column != b.source.column
    });
    let derived = constraints.derivations.iter().any(|derivation| {
        let scans = || derivation.inputs.iter().map(|input| input.source.scan);
        let target = derivation.target.scan;
        (target == guest && scans().any(|scan| members.contains(&scan)))
            || (members.contains(&target) && scans().any(|scan| scan == guest))
    });
    if derived {
        return false;
    }
    !crossed && members.iter().all(|member| agree(constraints, *member, guest))
}

fn agree(constraints: &Constraints, a: usize, b: usize) -> bool {
    let of = |scan: usize| constraints.required.iter().filter(move |(source, _)| source.scan == scan);
    of(a).all(|(source, left)| {
        let right = constraints.required.get(&ScanColumn { scan: b, column: source.column });
        right.into_iter().flatten().all(|other| left.iter().all(|one| compatible(one, other)))
    })
}

/// Whether one value can meet both, as far as constants decide it.
fn compatible(one: &Constraint, other: &Constraint) -> bool {
    let constant = |predicate: &Predicate| match predicate {
        Predicate::Compare(BinaryOperator::Equal | BinaryOperator::NullSafeEqual, value) => Some(vec![value.clone()]),
        Predicate::OneOf(values) => Some(values.clone()),
        _ => None,
    };
    if one.steps != other.steps {
        return true;
    }
    let nulls =
        [&one.predicate, &other.predicate].into_iter().filter(|predicate| **predicate == Predicate::Null).count();
    match (constant(&one.predicate), constant(&other.predicate)) {
        _ if nulls == 1 => false,
        (Some(values), _) => values.iter().any(|value| satisfies(&other.predicate, value)),
        (None, Some(values)) => values.iter().any(|value| satisfies(&one.predicate, value)),
        (None, None) => true,
    }
}

fn moved(constraints: &Constraints, host: &[usize]) -> Constraints {
    let source = |source: &ScanColumn| ScanColumn { scan: host[source.scan], column: source.column };
    let path = |path: &ValuePath| ValuePath { source: source(&path.source), steps: path.steps.clone() };
    let pairs = |pairs: &[(ValuePath, ValuePath)]| -> Vec<(ValuePath, ValuePath)> {
        pairs.iter().map(|(a, b)| (path(a), path(b))).filter(|(a, b)| a != b).collect()
    };
    let mut merged = Constraints {
        alternatives: constraints.alternatives.iter().map(|(at, predicate)| (source(at), predicate.clone())).collect(),
        letter_case: constraints.letter_case.iter().map(|(at, letters)| (path(at), letters.clone())).collect(),
        equal: pairs(&constraints.equal),
        unequal: pairs(&constraints.unequal),
        ordered: pairs(&constraints.ordered),
        optional: constraints.optional.iter().copied().filter(|scan| host[*scan] == *scan).collect(),
        absent: constraints.absent.clone(),
        merged: (0..host.len()).filter(|scan| host[*scan] != *scan).collect(),
        derivations: constraints.derivations.iter().map(|derivation| moved_derivation(derivation, &source)).collect(),
        chains: constraints.chains.iter().map(|it| Chain { key: source(&it.key), gives: source(&it.gives) }).collect(),
        group_size: constraints.group_size,
        shared: constraints.shared.iter().map(path).collect(),
        ..Constraints::default()
    };
    for (at, predicates) in &constraints.required {
        for predicate in predicates {
            merged
                .require(ValuePath { source: source(at), steps: predicate.steps.clone() }, predicate.predicate.clone());
        }
    }
    for (at, shapes) in &constraints.forms {
        merged.forms.entry(source(at)).or_default().extend(shapes.iter().cloned());
    }
    merged
}

fn moved_derivation(derivation: &Derivation, source: &dyn Fn(&ScanColumn) -> ScanColumn) -> Derivation {
    let inputs = derivation.inputs.iter();
    Derivation {
        target: source(&derivation.target),
        expression: derivation.expression,
        inputs: inputs.map(|input| DerivationInput { node: input.node, source: source(&input.source) }).collect(),
    }
}
