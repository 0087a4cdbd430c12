//! A database for people to look at, on which a mutant shows: tens of rows with the values that they expect to see.
//!
//! It is made like the databases of the baseline, with more groups of rows, usual values and some rows that the script
//! leaves out; tables that hold one row for each key keep to that. Where the mutant does not show on it, the rows of
//! its witness are put among the others, and then cells near the fault are changed. Smaller databases come last: fewer
//! rows tie, so fewer scripts have a result that depends on the order of rows. Of several faults each shows alone, where
//! some database does that: whoever repairs all but one can see that something is left.

use std::cell::LazyCell;
use std::iter;

use super::data::collect::collect;
use super::data::evaluator::Evaluator;
use super::data::generator::{Generator, GeneratorOptions, UsualSource};
use super::data::lineage::Lineage;
use super::data::merge::bounded;
use super::data_mutation::cells::mutate_cells;
use super::realistic::realistic;
use super::search::hints::hints;
use super::subject::Subject;
use super::trial::{Candidate, first_showing};
use super::unique_rows::without_conflicts;
use super::varieties::day;
use crate::engine::table::Database;

/// Maximum number of rows that a sample is generated with, unless even the fewest groups give more.
const MOST_ROWS: usize = 320;
/// Small samples have at least this many rows: fewer would show where to look.
const FEWEST_ROWS: usize = 10;
/// Numbers of groups that are tried, the largest first: tables with many scans have many rows per group.
const GROUPS: [usize; 4] = [24, 14, 8, 5];
/// Numbers of groups in the smaller samples.
const SMALL: [&[usize]; 2] = [&[6], &[3]];
/// Number of variants tried for each size.
const ROTATIONS: usize = 3;
/// Number of samples with changes near the fault that are tried.
const CHANGED: usize = 40;

/// A mutant to make a sample for.
pub struct SampledMutant<'a> {
    /// The whole mutant.
    pub whole: Candidate<'a>,
    /// Its faults alone, if it has several.
    pub parts: Vec<Candidate<'a>>,
    /// The databases that kill it: first the whole, then each part.
    pub witnesses: Vec<&'a Database>,
}

/// Returns a sample for a mutant whose witness is known; `None` if the mutant shows on none, not even on its
/// witness with usual values.
///
/// The largest are tried first, and each is made only if those before it fail. The databases of the baseline come after
/// those made with usual values: they look less natural, but the script gives one result on each, whatever the order of
/// rows. The witness itself comes last: it shows where to look, but without any sample there is nothing to look at.
pub fn sample(subject: &Subject<'_>, mutant: &SampledMutant<'_>) -> Option<Database> {
    let SampledMutant { whole, parts, witnesses } = mutant;
    let usual =
        LazyCell::new(|| witnesses.iter().map(|witness| realistic(subject, witness)).collect::<Vec<Database>>());
    let with_witness = |sample: &Database| {
        usual.iter().fold(sample.clone(), |sample, usual| {
            with_rows(without_conflicts(subject.reference, sample, Some(usual)), usual)
        })
    };
    let large: Vec<Database> = usual_databases(subject, "sample").collect();
    let with_rows_of_witness = LazyCell::new(|| large.iter().map(with_witness).collect::<Vec<_>>());
    let hints = hints(subject, whole);
    let input = hints.input(whole.text);
    let changed = (0..if large.is_empty() { 0 } else { CHANGED }).filter_map(|number| {
        let (kind, at) = (number / large.len() % 2, number % large.len());
        let base = if kind == 0 { &large[at] } else { &with_rows_of_witness[at] };
        mutate_cells(&subject.reference.schema, base, &input, number).map(|database| realistic(subject, &database))
    });
    let small = SMALL.into_iter().flat_map(|groups| databases_of(subject, "sample", groups));
    let small = small.flat_map(|sample| [with_witness(&sample), sample]);
    let small = small.filter(|sample| sample.row_count() >= FEWEST_ROWS);
    let baseline = subject.baseline.iter().map(|baseline| realistic(subject, &baseline.database));
    let baseline = baseline.filter(|database| database.row_count() <= MOST_ROWS);
    let baseline = baseline.flat_map(|database| [with_witness(&database), database]);
    let made = large.iter().cloned().chain(iter::once_with(|| with_rows_of_witness.clone()).flatten());
    let made = made.chain(changed).chain(small).chain(baseline);
    first_showing(subject, whole, parts, made.chain(iter::once_with(|| usual.first().cloned()).flatten()))
}

/// Returns a sample of a script whose mutant no engine runs: the first on which the reference gives rows, the same in
/// any order of rows. `None` if there is none.
pub fn sample_of_reference(subject: &Subject<'_>) -> Option<Database> {
    let large = usual_databases(subject, "sample");
    let small = SMALL.into_iter().flat_map(|groups| databases_of(subject, "sample", groups));
    let baseline = subject.baseline.iter().map(|baseline| realistic(subject, &baseline.database));
    large.chain(small).chain(baseline).find(|database| {
        database.row_count() <= MOST_ROWS
            && subject
                .result_on(database)
                .is_some_and(|result| result.tables.iter().any(|table| !table.rows.is_empty()))
            && subject.is_stable_on(database)
    })
}

/// Makes databases of a script with usual values, whatever the mutant, as large as may be, each when it is asked for;
/// `key` keeps the draws of two purposes apart.
pub(super) fn usual_databases(subject: &Subject<'_>, key: &str) -> impl Iterator<Item = Database> {
    databases_of(subject, key, &GROUPS)
}

/// Makes databases with the first of these numbers of groups for which they are not too large, else with the last.
fn databases_of(subject: &Subject<'_>, key: &str, groups: &[usize]) -> impl Iterator<Item = Database> {
    (0..ROTATIONS).filter_map(move |rotation| usual_database(subject, key, groups, rotation))
}

fn usual_database(subject: &Subject<'_>, key: &str, groups: &[usize], rotation: usize) -> Option<Database> {
    let reference = subject.reference;
    let lineage = Lineage::new(&subject.bound, &subject.scopes);
    let evaluator = Evaluator::new(reference, &subject.bound);
    let constraints = bounded(&lineage, collect(&lineage, &evaluator));
    let usual = UsualSource { dictionary: &reference.dictionary, key };
    let generator =
        Generator::new(&reference.schema, &lineage, &constraints, &evaluator, day(reference)).with_usual(usual);
    let mut smallest = None;
    for groups in groups.iter().copied() {
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
        if database.row_count() <= MOST_ROWS {
            return Some(database);
        }
        smallest = Some(database);
    }
    smallest
}

/// Returns a database with the rows of another one among its own.
fn with_rows(mut joined: Database, other: &Database) -> Database {
    for rows in &other.tables {
        match joined.tables.iter_mut().find(|table| table.table == rows.table) {
            Some(table) => {
                let middle = table.rows.len() / 2;
                table.rows.splice(middle..middle, rows.rows.iter().cloned());
            }
            None => joined.tables.push(rows.clone()),
        }
    }
    joined
}
