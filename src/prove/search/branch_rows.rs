//! Rows made for one branch: what leads there is a query, and as a script of its own its conditions are such that rows
//! must meet them.

use crate::code::scope::ResolvedScript;
use crate::engine::table::Database;
use crate::prove::coverage::Branch;
use crate::prove::data::generator::GeneratorOptions;
use crate::prove::standalone::text_at;
use crate::prove::subject::Subject;
use crate::prove::varieties::{NEVER, PLAIN, SortKeys, of_varieties};

/// The first group, behind those of the baseline.
const FIRST: usize = 24;
/// Groups between the first of two branches.
const APART: usize = 4;

/// What rows for a branch have in common: few, with nothing missing.
const COMPLETE: GeneratorOptions = GeneratorOptions {
    groups: 2,
    two_rows_every: NEVER,
    unmatched_from: NEVER,
    nulls_from: NEVER,
    first_group: FIRST,
    ..PLAIN
};

/// What rows for a branch are like: with scans that share rows; each with rows of its own; several in a group.
const FEW: [GeneratorOptions; 3] = [
    GeneratorOptions { merged_scans: true, ..COMPLETE },
    GeneratorOptions { rotation: 1, ..COMPLETE },
    GeneratorOptions {
        groups: 3,
        two_rows_every: 1,
        unmatched_from: 1,
        rotation: 2,
        shared_values: true,
        merged_scans: true,
        ..COMPLETE
    },
];

/// Returns databases of few rows that are made for the branch with this number among the branches of a script.
pub(super) fn branch_rows(subject: &Subject<'_>, branch: &Branch, number: usize) -> Vec<Database> {
    let Some(query) = &branch.query else { return Vec::new() };
    let text = text_at(&subject.bound, branch.node, query);
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, &subject.reference.schema);
    let few = FEW.map(|options| GeneratorOptions { first_group: FIRST + APART * number, ..options });
    of_varieties(&few, SortKeys::AsTheyCome, subject.reference, &script, &scopes)
}

/// Returns a database with the rows of two, each once.
pub(super) fn together(one: &Database, other: &Database) -> Database {
    let mut both = one.clone();
    for table in &other.tables {
        match both.tables.iter_mut().find(|known| known.table == table.table) {
            Some(known) => {
                let new: Vec<_> = table.rows.iter().filter(|row| !known.rows.contains(row)).cloned().collect();
                known.rows.extend(new);
            }
            None => both.tables.push(table.clone()),
        }
    }
    both
}
