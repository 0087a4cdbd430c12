//! The varieties of fake databases that a baseline has.

use super::data::collect::collect;
use super::data::constraint::{Constraints, ScanColumn};
use super::data::evaluator::Evaluator;
use super::data::generator::{Generator, GeneratorOptions};
use super::data::lineage::Lineage;
use super::data::merge::{bounded, merge};
use super::data::row_search::FoundValues;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::tree::Kind;
use crate::corpus::Reference;
use crate::engine::table::Database;

/// The value of [`GeneratorOptions::two_rows_every`] with which no scan has two rows, and that of
/// [`GeneratorOptions::unmatched_from`] and [`GeneratorOptions::nulls_from`] with which no group lacks anything.
pub(super) const NEVER: usize = usize::MAX;
/// What all varieties have in common: each scan has rows and values of its own, and every group one row.
pub(super) const PLAIN: GeneratorOptions = GeneratorOptions {
    groups: 6,
    two_rows_every: NEVER,
    unmatched_from: 0,
    nulls_from: 0,
    rotation: 0,
    shared_values: false,
    one_alternative: false,
    merged_scans: false,
    single_values: false,
    first_group: 0,
};

/// The baseline databases of a script differ in what they stress: plain, NULLs, duplicates, orphans, many groups.
pub const VARIETIES: [GeneratorOptions; 6] = [
    GeneratorOptions { two_rows_every: 3, unmatched_from: 3, nulls_from: 4, ..PLAIN },
    GeneratorOptions { two_rows_every: 4, unmatched_from: 4, rotation: 1, shared_values: true, ..PLAIN },
    GeneratorOptions {
        groups: 4,
        two_rows_every: 1,
        unmatched_from: 3,
        nulls_from: 3,
        rotation: 2,
        shared_values: true,
        ..PLAIN
    },
    GeneratorOptions { groups: 8, two_rows_every: 5, nulls_from: 6, rotation: 3, merged_scans: true, ..PLAIN },
    GeneratorOptions {
        groups: 12,
        two_rows_every: 2,
        unmatched_from: 8,
        nulls_from: 10,
        rotation: 4,
        shared_values: true,
        ..PLAIN
    },
    GeneratorOptions { unmatched_from: 4, nulls_from: 5, rotation: 5, merged_scans: true, ..PLAIN },
];

/// Makes fake databases for a script, whether or not the script gives rows on them.
pub fn databases(reference: &Reference, bound: &Script, scopes: &Scopes) -> Vec<Database> {
    of_varieties(&VARIETIES, SortKeys::AsTheyCome, reference, RowBasis::of(bound, scopes))
}

/// What rows are made for.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBasis<'a> {
    /// A script with its placeholders bound.
    pub script: &'a Script,
    /// Its names.
    pub scopes: &'a Scopes,
    /// Values that were found for its conditions.
    pub found: Option<&'a FoundValues>,
}

impl<'a> RowBasis<'a> {
    /// The basis of a script for which no values were sought.
    pub fn of(script: &'a Script, scopes: &'a Scopes) -> RowBasis<'a> {
        RowBasis { script, scopes, found: None }
    }

    /// Returns what its script asks of the base tables.
    pub fn constraints(&self, lineage: &Lineage<'_>, evaluator: &Evaluator<'_>) -> Constraints {
        let mut constraints = collect(lineage, evaluator);
        if let Some(found) = self.found {
            found.apply(&mut constraints);
        }
        bounded(lineage, constraints)
    }
}

/// Whether the values of sort keys may be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SortKeys {
    /// They may be equal.
    AsTheyCome,
    /// They differ where the script allows it, so that fewer orders of rows are left to chance.
    Distinct,
}

/// Makes fake databases of these varieties.
pub(super) fn of_varieties(
    varieties: &[GeneratorOptions],
    sort_keys: SortKeys,
    reference: &Reference,
    basis: RowBasis<'_>,
) -> Vec<Database> {
    let lineage = Lineage::new(basis.script, basis.scopes);
    let evaluator = Evaluator::new(reference, basis.script);
    let mut constraints = basis.constraints(&lineage, &evaluator);
    if sort_keys == SortKeys::Distinct {
        constraints.varied.extend(sorted_columns(&lineage));
    }
    let merged = merge(&lineage, &constraints);
    let generator = |constraints| Generator::new(&reference.schema, &lineage, constraints, &evaluator, day(reference));
    let (of_each_scan, of_merged_scans) = (generator(&constraints), generator(&merged));
    let database = |options: &GeneratorOptions| match options.merged_scans {
        true => of_merged_scans.database(*options),
        false => of_each_scan.database(*options),
    };
    varieties.iter().map(database).collect()
}

/// Returns the base columns of all sort keys, and those from which computed sort keys are computed.
fn sorted_columns(lineage: &Lineage<'_>) -> Vec<ScanColumn> {
    let tree = lineage.script.tree();
    let orders = tree.ids().filter(|node| tree.kind(*node) == Kind::OrderBy);
    let columns = orders.flat_map(|order| tree.descendants(order)).filter(|node| tree.kind(*node) == Kind::Column);
    let mut sorted = Vec::new();
    for column in columns {
        sorted.extend(lineage.trace(column));
        for origin in lineage.origins(column) {
            let inputs = tree.descendants(origin).filter(|node| tree.kind(*node) == Kind::Column);
            sorted.extend(inputs.flat_map(|input| lineage.trace(input)));
        }
    }
    sorted.into_iter().map(|path| path.source).collect()
}

/// Returns the day around which a script's data lies: the latest date among its parameters, or a fixed day.
pub(super) fn day(reference: &Reference) -> String {
    let dates = reference.parameters.iter().filter_map(|(_, value)| super::data::calendar::shift(value, 0));
    dates.max().unwrap_or_else(|| "2024-03-15".to_owned())
}
