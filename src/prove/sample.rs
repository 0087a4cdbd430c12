//! A database for people to look at, on which a mutant shows: tens of rows with the values that they expect to see.
//!
//! It is made like the databases of the baseline, with more groups of rows, usual values and some rows that the script
//! leaves out; tables that hold one row for each key keep to that. Where the mutant does not show on it, the rows of
//! its witness are put among the others, and then cells near the fault are changed. Smaller databases come last: fewer
//! rows tie, so fewer scripts have a result that depends on the order of rows. Of several faults each shows alone, where
//! some database does that: whoever repairs all but one can see that something is left. Other repairs of the same place,
//! which are wrong, give other rows than the reference, again where some database does that: people who compare rows can
//! rule them out.

use std::cell::LazyCell;
use std::iter;
use std::sync::{Arc, OnceLock};

use super::data_mutation::cells::mutate_cells;
use super::data_mutation::scattered_nulls::PartlyNullColumns;
use super::mutant_script::MutantText;
use super::realistic::realistic;
use super::reference_database::ReferenceDatabase;
use super::search::hints::hints;
use super::subject::Subject;
use super::trial::{Candidate, WantedSample, differs_on, differs_on_any, first_showing};
use super::unique_rows::{with_unique_rows, without_conflicts};
use super::usual_databases::{GROUPS, MOST_ROWS, ROTATIONS, usual_database, usual_databases};
use crate::engine::table::Database;

/// Keeps the draws of samples apart from those of other databases.
const KEY: &str = "sample";
/// Small samples have at least this many rows: fewer would show where to look.
const FEWEST_ROWS: usize = 10;
/// Numbers of groups in the smaller samples.
const SMALL: [&[usize]; 2] = [&[6], &[3]];
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
    /// Other repairs of its place, which the sample should tell from the reference.
    pub others: &'a [MutantText],
}

/// The databases that samples of one script are made from. Those that hang on no mutant are made once.
pub struct SampleSource<'a> {
    /// The script.
    pub subject: &'a Subject<'a>,
    large: [OnceLock<Option<Arc<ReferenceDatabase>>>; ROTATIONS],
    small: OnceLock<Vec<Arc<ReferenceDatabase>>>,
    baseline: OnceLock<Vec<Arc<ReferenceDatabase>>>,
}

impl<'a> SampleSource<'a> {
    /// Returns the source for a script. It makes databases when they are asked for.
    pub fn new(subject: &'a Subject<'a>) -> SampleSource<'a> {
        let (large, small, baseline) = Default::default();
        SampleSource { subject, large, small, baseline }
    }

    /// Returns a sample for a mutant whose witness is known; `None` if the mutant shows on none, not even on its
    /// witness with usual values.
    ///
    /// The largest are tried first, and each is made only if those before it fail. The databases of the baseline come
    /// after those made with usual values: they look less natural, but the script gives one result on each, whatever
    /// the order of rows. The witness itself comes last, however long the reference takes on it: it shows where to look,
    /// but without any sample there is nothing to look at.
    pub fn sample(&self, mutant: &SampledMutant<'_>) -> Option<Database> {
        let SampledMutant { whole, witnesses, .. } = mutant;
        let subject = self.subject;
        let usual =
            LazyCell::new(|| witnesses.iter().map(|witness| realistic(subject, witness)).collect::<Vec<Database>>());
        let with_witness = |sample: &Database| {
            usual.iter().fold(sample.clone(), |sample, usual| {
                with_rows(without_conflicts(subject.reference, sample, Some(usual)), usual)
            })
        };
        let of_mutant = |database: Database| Arc::new(ReferenceDatabase::from(database));
        let large = LazyCell::new(|| self.large().collect::<Vec<_>>());
        let with_rows_of_witness =
            LazyCell::new(|| large.iter().map(|sample| with_witness(&sample.database)).collect::<Vec<_>>());
        let with_witness_too =
            |sample: &Arc<ReferenceDatabase>| [of_mutant(with_witness(&sample.database)), Arc::clone(sample)];

        let hints = hints(subject, whole);
        let input = hints.input(whole.text);
        let changed = (0..CHANGED).map_while(|number| {
            let at = number.checked_rem(large.len())?;
            let is_plain = (number / large.len()).is_multiple_of(2);
            let base = if is_plain { &large[at].database } else { &with_rows_of_witness[at] };
            let changed = mutate_cells(&subject.reference.schema, base, &input, number);
            Some(changed.map(|database| realistic(subject, &database)))
        });
        let changed = changed.flatten();
        let made = self.large().cloned();
        let made = made.chain(iter::once_with(|| with_rows_of_witness.clone()).flatten().map(of_mutant));
        let with_nulls = || {
            if mutant.others.is_empty() { Vec::new() } else { self.with_scattered_nulls(&large, &with_rows_of_witness) }
        };
        let made = made.chain(iter::once_with(with_nulls).flatten().map(of_mutant));
        let made = made.chain(changed.map(of_mutant));
        let small = iter::once_with(|| self.small()).flatten().flat_map(with_witness_too);
        let made = made.chain(small.filter(|sample| sample.database.row_count() >= FEWEST_ROWS));
        let made = made.chain(iter::once_with(|| self.baseline()).flatten().flat_map(with_witness_too));
        let made = made.chain(iter::once_with(|| usual.first().cloned()).flatten().map(of_mutant));
        let last = || usual.first().filter(|witness| differs_on(subject, whole, witness)).cloned();
        let wanted = WantedSample { whole: *whole, parts: self.parts_that_show(mutant), others: mutant.others };
        first_showing(subject, &wanted, made).or_else(last)
    }

    /// Returns the databases with NULL in further cells of the columns in which the script has met NULL, in each column in
    /// other rows: where NULLs stand side by side, nobody can tell which of the columns counts.
    fn with_scattered_nulls(&self, large: &[&Arc<ReferenceDatabase>], with_witness: &[Database]) -> Vec<Database> {
        let schema = &self.subject.reference.schema;
        let known = self.subject.baseline.iter().map(|baseline| &baseline.database);
        let columns = PartlyNullColumns::of(schema, known.chain(with_witness));
        let bases = large.iter().map(|sample| &sample.database).chain(with_witness);
        bases.enumerate().map(|(number, base)| columns.with_more_nulls(base, number)).collect()
    }

    /// Returns the parts of a mutant that differ on a witness or on one of the largest databases: one that differs nowhere,
    /// as half of a text that moves, cannot be asked to show.
    fn parts_that_show<'b>(&self, mutant: &SampledMutant<'b>) -> Vec<Candidate<'b>> {
        let SampledMutant { parts, witnesses, .. } = mutant;
        let shows = |part: &&Candidate<'_>| differs_on_any(self.subject, part, witnesses, self.large());
        parts.iter().filter(shows).copied().collect()
    }

    /// Returns a sample for a mutant that no engine runs: the first on which the reference gives rows, the same in any
    /// order of rows. `None` if there is none.
    pub fn of_reference(&self) -> Option<Database> {
        let made = self.large();
        let made = made.chain(iter::once_with(|| self.small()).flatten());
        let mut made = made.chain(iter::once_with(|| self.baseline()).flatten());
        let found =
            made.find(|sample| sample.database.row_count() <= MOST_ROWS && sample.gives_stable_rows(self.subject));
        found.map(|sample| sample.database.clone())
    }

    /// The largest databases, each made when it is first asked for: most mutants show on the first.
    fn large(&self) -> impl Iterator<Item = &Arc<ReferenceDatabase>> {
        let made = |rotation| {
            let made = usual_database(self.subject, KEY, &GROUPS, rotation)?;
            in_one_order(self.subject, made).map(Arc::new)
        };
        let large = self.large.iter().enumerate();
        large.filter_map(move |(rotation, known)| known.get_or_init(|| made(rotation)).as_ref())
    }

    fn small(&self) -> &[Arc<ReferenceDatabase>] {
        self.small.get_or_init(|| {
            let made = SMALL.iter().flat_map(|groups| usual_databases(self.subject, KEY, groups));
            made.map(Arc::new).collect()
        })
    }

    fn baseline(&self) -> &[Arc<ReferenceDatabase>] {
        self.baseline.get_or_init(|| {
            let baseline = self.subject.baseline.iter().map(|baseline| realistic(self.subject, &baseline.database));
            let baseline = baseline.filter(|database| database.row_count() <= MOST_ROWS);
            baseline.map(|database| Arc::new(ReferenceDatabase::from(database))).collect()
        })
    }
}

/// Returns a database on which the script gives one result, whatever the order of rows: this one, or if it gives several
/// there, this one without the rows that nothing tells apart; `None` if that does not help.
fn in_one_order(subject: &Subject<'_>, made: ReferenceDatabase) -> Option<ReferenceDatabase> {
    if made.is_stable(subject) {
        return Some(made);
    }
    let unique = ReferenceDatabase::from(with_unique_rows(subject.reference, made.database));
    unique.is_stable(subject).then_some(unique)
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
