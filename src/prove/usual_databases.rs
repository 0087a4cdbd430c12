//! Databases of a script with the values that people expect to see, as large as may be.

use super::data::collect::collect;
use super::data::evaluator::Evaluator;
use super::data::generator::{Generator, GeneratorOptions, UsualSource};
use super::data::lineage::Lineage;
use super::data::merge::bounded;
use super::reference_database::ReferenceDatabase;
use super::subject::Subject;
use super::unique_rows::without_conflicts;
use super::varieties::day;

/// Maximum number of rows that a database is generated with, unless even the fewest groups give more.
pub(super) const MOST_ROWS: usize = 320;
/// Numbers of groups that are tried, the largest first: tables with many scans have many rows per group.
pub(super) const GROUPS: [usize; 4] = [24, 14, 8, 5];
/// Number of variants made of each.
const ROTATIONS: usize = 3;

/// Makes databases of a script, whatever the mutant, each when it is asked for, with the first of these numbers of groups
/// for which they have few enough rows, else with the last. A database on which the reference takes too long, or gives too
/// many rows, is left out. `key` keeps the draws of two purposes apart.
pub(super) fn usual_databases<'a>(
    subject: &'a Subject<'a>,
    key: &'a str,
    groups: &'a [usize],
) -> impl Iterator<Item = ReferenceDatabase> + 'a {
    let lineage = Lineage::new(&subject.bound, &subject.scopes);
    let evaluator = Evaluator::new(subject.reference, &subject.bound);
    let constraints = bounded(&lineage, collect(&lineage, &evaluator));
    (0..ROTATIONS).filter_map(move |rotation| {
        let usual = UsualSource { dictionary: &subject.reference.dictionary, key };
        let schema = &subject.reference.schema;
        let generator = Generator::new(schema, &lineage, &constraints, &evaluator, day(subject.reference));
        usual_database(subject, &generator.with_usual(usual), groups, rotation)
    })
}

fn usual_database(
    subject: &Subject<'_>,
    generator: &Generator<'_>,
    sizes: &[usize],
    rotation: usize,
) -> Option<ReferenceDatabase> {
    sizes.iter().enumerate().find_map(|(at, &groups)| {
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
        };
        let database = without_conflicts(subject.reference, generator.database(options), None);
        let is_last = at + 1 == sizes.len();
        let usual = ReferenceDatabase::from(database);
        let is_small = usual.database.row_count() <= MOST_ROWS || is_last;
        (is_small && usual.has_result(subject)).then_some(usual)
    })
}
