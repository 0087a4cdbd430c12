//! Databases of a script with the values that people expect to see, as large as may be.

use super::data::collect::collect;
use super::data::evaluator::Evaluator;
use super::data::generator::{Generator, GeneratorOptions, UsualSource};
use super::data::lineage::Lineage;
use super::data::merge::bounded;
use super::reference_database::ReferenceDatabase;
use super::subject::Subject;
use super::unique_rows::{with_unique_rows, without_conflicts};
use super::varieties::day;

/// How many rows a database has, and how many of them meet in one row of a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct UsualSize {
    /// Numbers of groups that are tried, the largest first: tables with many scans have many rows per group.
    pub groups: &'static [usize],
    /// As [`GeneratorOptions::rows_in_group`].
    pub rows_in_group: usize,
    /// As [`GeneratorOptions::groups_per_value`].
    pub groups_per_value: usize,
    /// Whether no two events or repeated rows agree in what tells them apart: of many rows some always would, and the
    /// script would depend on their order.
    pub unique_rows: bool,
    /// Maximum number of rows that a database is generated with, unless even the fewest groups give more.
    pub most_rows: usize,
}

/// A database that people can read: a row of a result comes from a handful of rows.
pub(super) const READABLE: UsualSize =
    UsualSize { groups: &[24, 14, 8, 5], rows_in_group: 1, groups_per_value: 1, unique_rows: false, most_rows: 320 };
/// Number of variants made of each.
pub(super) const ROTATIONS: usize = 3;

/// Makes [`ROTATIONS`] databases of a script, whatever the mutant, each when it is asked for, as [`usual_database`] does.
pub(super) fn usual_databases<'a>(
    subject: &'a Subject<'a>,
    key: &'a str,
    size: UsualSize,
) -> impl Iterator<Item = ReferenceDatabase> + 'a {
    (0..ROTATIONS).filter_map(move |rotation| usual_database(subject, key, size, rotation))
}

/// Makes a database with the first of the numbers of groups for which it has few enough rows, at the last with however
/// many, and the reference has a result that people can read; `None` if there is none. `key` keeps the draws of two purposes
/// apart.
pub(super) fn usual_database(
    subject: &Subject<'_>,
    key: &str,
    size: UsualSize,
    rotation: usize,
) -> Option<ReferenceDatabase> {
    let reference = subject.reference;
    let lineage = Lineage::new(&subject.bound, &subject.scopes);
    let evaluator = Evaluator::new(reference, &subject.bound);
    let constraints = bounded(&lineage, collect(&lineage, &evaluator));
    let usual = UsualSource { dictionary: &reference.dictionary, key };
    let generator =
        Generator::new(&reference.schema, &lineage, &constraints, &evaluator, day(reference)).with_usual(usual);
    size.groups.iter().enumerate().find_map(|(at, &groups)| {
        let options = GeneratorOptions {
            groups,
            two_rows_every: 2,
            unmatched_from: groups / 2,
            nulls_from: groups * 2 / 3,
            rotation,
            shared_values: rotation == 1,
            merged_scans: false,
            single_values: false,
            first_group: 0,
            rows_in_group: size.rows_in_group,
            groups_per_value: size.groups_per_value,
        };
        let database = without_conflicts(reference, generator.database(options), None);
        let database = if size.unique_rows { with_unique_rows(reference, database) } else { database };
        let is_last = at + 1 == size.groups.len();
        let usual = ReferenceDatabase::from(database);
        let is_small = usual.database.row_count() <= size.most_rows || is_last;
        (is_small && usual.has_result(subject)).then_some(usual)
    })
}
