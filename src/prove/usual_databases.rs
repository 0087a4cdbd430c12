//! Databases of a script with the values that people expect to see, as large as may be.

use super::data::evaluator::Evaluator;
use super::data::generator::{Generator, GeneratorOptions, UsualSource};
use super::data::lineage::Lineage;
use super::reference_database::ReferenceDatabase;
use super::subject::Subject;
use super::unique_rows::without_conflicts;
use super::varieties::day;

/// Maximum number of rows that a database is generated with, unless even the fewest groups give more.
pub(super) const MOST_ROWS: usize = 320;
/// Numbers of groups that are tried, the largest first: tables with many scans have many rows per group.
pub(super) const GROUPS: [usize; 4] = [24, 14, 8, 5];
/// Number of variants made of each.
pub(super) const ROTATIONS: usize = 3;

/// Makes [`ROTATIONS`] databases of a script, whatever the mutant, each when it is asked for, as [`usual_database`] does.
pub(super) fn usual_databases<'a>(
    subject: &'a Subject<'a>,
    key: &'a str,
    sizes: &'a [usize],
) -> impl Iterator<Item = ReferenceDatabase> + 'a {
    (0..ROTATIONS).filter_map(move |rotation| usual_database(subject, key, sizes, rotation))
}

/// Makes a database with the first of these numbers of groups for which it has few enough rows, at the last with however
/// many, and the reference has a result that people can read; `None` if there is none. `key` keeps the draws of two purposes
/// apart.
pub(super) fn usual_database(
    subject: &Subject<'_>,
    key: &str,
    sizes: &[usize],
    rotation: usize,
) -> Option<ReferenceDatabase> {
    let reference = subject.reference;
    let basis = subject.row_basis();
    let lineage = Lineage::new(basis.script, basis.scopes);
    let evaluator = Evaluator::new(reference, basis.script);
    let constraints = basis.constraints(&lineage, &evaluator);
    let usual = UsualSource { dictionary: &reference.dictionary, key };
    let generator =
        Generator::new(&reference.schema, &lineage, &constraints, &evaluator, day(reference)).with_usual(usual);
    sizes.iter().enumerate().find_map(|(at, &groups)| {
        let options = GeneratorOptions {
            groups,
            two_rows_every: 2,
            unmatched_from: groups / 2,
            nulls_from: groups * 2 / 3,
            rotation,
            shared_values: rotation == 1,
            one_alternative: false,
            merged_scans: false,
            single_values: false,
            first_group: 0,
        };
        let database = without_conflicts(reference, generator.database(options), None);
        let is_last = at + 1 == sizes.len();
        let usual = ReferenceDatabase::from(database);
        let is_small = usual.database.row_count() <= MOST_ROWS || is_last;
        (is_small && usual.has_result(subject)).then_some(usual)
    })
}
