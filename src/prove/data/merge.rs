//! Merges the scans of a table that a script reads several times.
//!
//! Rows made for each scan on its own would give a dimension table several rows per key, unlike real ones. Where the
//! scans ask for nothing that excludes each other, one row can serve them all.

use std::collections::{BTreeSet, HashMap};

use super::constraint::{
    Chain, Constraint, Constraints, Derivation, DerivationInput, Predicate, RowRelation, ScanColumn, ValuePath,
};
use super::lineage::Lineage;
use super::satisfies::satisfies;
use crate::code::tree::BinaryOperator;

/// The most scans for each of which rows are made; with more, rows are made for merged scans only.
const MOST_SCANS: usize = 256;
/// Most scans that one row serves.
const MOST_MEMBERS: usize = 64;
/// Most groups of merged scans of one table of which each is tried with a further scan.
const MOST_OPEN_GROUPS: usize = 64;

/// Returns the constraints of a script; if it reads its tables very often, with merged scans.
pub fn bounded(lineage: &Lineage<'_>, constraints: Constraints) -> Constraints {
    if lineage.scans.len() > MOST_SCANS { merge(lineage, &constraints) } else { constraints }
}

/// Returns the constraints with the scans of one table merged wherever they do not exclude each other.
pub fn merge(lineage: &Lineage<'_>, constraints: &Constraints) -> Constraints {
    if !constraints.merged.is_empty() {
        return constraints.clone();
    }
    let incompatible = incompatible_scans(lineage.scans.len(), constraints);
    let mut merged_into: Vec<usize> = (0..lineage.scans.len()).collect();
    // For each table, groups of scans that one row serves; the row is made for the first of them.
    let mut open: HashMap<&str, Vec<Vec<usize>>> = HashMap::new();
    for (further, scan) in lineage.scans.iter().enumerate() {
        let open_groups = open.entry(scan.table.as_str()).or_default();
        let fitting =
            open_groups.iter().position(|members| fits(constraints, members, &incompatible[further], further));
        match fitting {
            Some(at) => {
                merged_into[further] = open_groups[at][0];
                open_groups[at].push(further);
                open_groups.retain(|members| members.len() < MOST_MEMBERS);
            }
            None if open_groups.len() < MOST_OPEN_GROUPS => open_groups.push(vec![further]),
            None => {}
        }
    }
    with_merged_scans(constraints, &merged_into)
}

/// Returns for each scan those that one row cannot serve as well: the script compares columns of the one with other columns
/// of the other, or computes them from these.
fn incompatible_scans(scans: usize, constraints: &Constraints) -> Vec<BTreeSet<usize>> {
    let compared = constraints.equal.iter().chain(&constraints.unequal).chain(&constraints.ordered);
    let crossed =
        compared.filter(|(a, b)| a.source.column != b.source.column).map(|(a, b)| (a.source.scan, b.source.scan));
    let derived = constraints
        .derivations
        .iter()
        .flat_map(|derivation| derivation.inputs.iter().map(|input| (derivation.target.scan, input.source.scan)));
    let mut incompatible = vec![BTreeSet::new(); scans];
    for (one, other) in crossed.chain(derived) {
        incompatible[one].insert(other);
        incompatible[other].insert(one);
    }
    incompatible
}

/// Whether a row made for these scans can serve `further` as well.
fn fits(constraints: &Constraints, members: &[usize], incompatible: &BTreeSet<usize>, further: usize) -> bool {
    let absent = |scan: &usize| constraints.absent.contains(scan);
    !absent(&further)
        && !members.first().is_some_and(absent)
        && members.iter().all(|member| !incompatible.contains(member) && agree(constraints, *member, further))
}

fn agree(constraints: &Constraints, a: usize, b: usize) -> bool {
    constraints.required_of(a).all(|(source, left)| {
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

/// Returns the constraints with each scan replaced by the one that `merged_into` has at its position.
fn with_merged_scans(constraints: &Constraints, merged_into: &[usize]) -> Constraints {
    let source = |source: &ScanColumn| ScanColumn { scan: merged_into[source.scan], column: source.column };
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
        optional: constraints.optional.iter().copied().filter(|scan| merged_into[*scan] == *scan).collect(),
        absent: constraints.absent.clone(),
        single: constraints.single.iter().copied().filter(|scan| merged_into[*scan] == *scan).collect(),
        merge_keys: constraints.merge_keys.iter().map(|(scan, key)| (merged_into[*scan], key.clone())).collect(),
        merged: (0..merged_into.len()).filter(|scan| merged_into[*scan] != *scan).collect(),
        derivations: constraints.derivations.iter().map(|derivation| merged_derivation(derivation, &source)).collect(),
        row_relations: constraints.row_relations.iter().map(|relation| merged_relation(relation, &source)).collect(),
        chains: constraints.chains.iter().map(|it| Chain { key: source(&it.key), gives: source(&it.gives) }).collect(),
        group_size: constraints.group_size,
        shared: constraints.shared.iter().map(path).collect(),
        varied: constraints.varied.iter().map(&source).collect(),
        within_scan: constraints.within_scan.iter().map(&source).collect(),
        ..Constraints::default()
    };
    for (column, required) in &constraints.required {
        for Constraint { steps, predicate } in required {
            merged.require(ValuePath { source: source(column), steps: steps.clone() }, predicate.clone());
        }
    }
    for (column, forms) in &constraints.forms {
        merged.forms.entry(source(column)).or_default().extend(forms.iter().cloned());
    }
    merged
}

fn merged_relation(relation: &RowRelation, source: &dyn Fn(&ScanColumn) -> ScanColumn) -> RowRelation {
    RowRelation { source: source(&relation.source), ..relation.clone() }
}

fn merged_derivation(derivation: &Derivation, source: &dyn Fn(&ScanColumn) -> ScanColumn) -> Derivation {
    let inputs = derivation.inputs.iter();
    Derivation {
        target: source(&derivation.target),
        expression: derivation.expression,
        inputs: inputs.map(|input| DerivationInput { node: input.node, source: source(&input.source) }).collect(),
        distance: derivation.distance.clone(),
    }
}
