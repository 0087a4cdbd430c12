//! A database for people to look at, on which a mutant shows: tens of rows with the values that they expect to see.
//!
//! It is made like the databases of the baseline, with more groups of rows, usual values and some rows that the script
//! leaves out; tables that hold one row for each key keep to that. Where the mutant does not show on it, the rows of
//! its witness are put among the others, and then cells near the fault are changed. Smaller databases come last: fewer
//! rows tie, so fewer scripts have a result that depends on the order of rows. Of several faults each shows alone, where
//! some database does that: whoever repairs all but one can see that something is left.

use std::cell::LazyCell;
use std::iter;
use std::sync::{Arc, OnceLock};

use super::data_mutation::cells::mutate_cells;
use super::realistic::realistic;
use super::reference_database::ReferenceDatabase;
use super::search::hints::hints;
use super::subject::Subject;
use super::trial::{Candidate, differs_on, first_showing};
use super::unique_rows::{with_unique_rows, without_conflicts};
use super::usual_databases::{READABLE, ROTATIONS, UsualSize, usual_database, usual_databases};
use crate::engine::table::Database;

/// Keeps the draws of samples apart from those of other databases.
const KEY: &str = "sample";
/// Small samples have at least this many rows: fewer would show where to look.
const FEWEST_ROWS: usize = 10;
/// The smaller samples.
const SMALL: [UsualSize; 2] = [UsualSize { groups: &[6], ..READABLE }, UsualSize { groups: &[3], ..READABLE }];
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

/// The databases that samples of one script are made from. Those that hang on no mutant are made once.
pub struct SampleSource<'a> {
    /// The script.
    pub subject: &'a Subject<'a>,
    large: DatabasesOfSize,
    small: OnceLock<Vec<Arc<ReferenceDatabase>>>,
    baseline: OnceLock<Vec<Arc<ReferenceDatabase>>>,
}

/// The databases of one size, each made when it is first asked for: most mutants show on the first.
pub(super) struct DatabasesOfSize {
    size: UsualSize,
    made: [OnceLock<Option<Arc<ReferenceDatabase>>>; ROTATIONS],
}

impl DatabasesOfSize {
    pub fn new(size: UsualSize) -> DatabasesOfSize {
        DatabasesOfSize { size, made: Default::default() }
    }

    pub fn databases(&self, subject: &Subject<'_>) -> impl Iterator<Item = &Arc<ReferenceDatabase>> {
        let made = |rotation| in_one_order(subject, usual_database(subject, KEY, self.size, rotation)?).map(Arc::new);
        let places = self.made.iter().enumerate();
        places.filter_map(move |(rotation, known)| known.get_or_init(|| made(rotation)).as_ref())
    }
}

impl<'a> SampleSource<'a> {
    /// Returns the source for a script. It makes databases when they are asked for.
    pub fn new(subject: &'a Subject<'a>) -> SampleSource<'a> {
        let (small, baseline) = Default::default();
        SampleSource { subject, large: DatabasesOfSize::new(READABLE), small, baseline }
    }

    /// Returns a sample for a mutant whose witness is known; `None` if the mutant shows on none, not even on its
    /// witness with usual values.
    ///
    /// The largest are tried first, and each is made only if those before it fail. The databases of the baseline come
    /// after those made with usual values: they look less natural, but the script gives one result on each, whatever
    /// the order of rows. The witness itself comes last, however long the reference takes on it: it shows where to look,
    /// but without any sample there is nothing to look at.
    pub fn sample(&self, mutant: &SampledMutant<'_>) -> Option<Database> {
        let SampledMutant { whole, parts, witnesses } = mutant;
        let subject = self.subject;
        let of_mutant = |database: Database| Arc::new(ReferenceDatabase::from(database));
        let usual =
            LazyCell::new(|| witnesses.iter().map(|witness| realistic(subject, witness)).collect::<Vec<Database>>());
        let with_witness = |sample: &ReferenceDatabase| {
            let joined = usual.iter().fold(sample.database.clone(), |sample, usual| {
                with_rows(without_conflicts(subject.reference, sample, Some(usual)), usual)
            });
            of_mutant(joined)
        };
        let large = LazyCell::new(|| self.large.databases(subject).collect::<Vec<_>>());
        let with_rows_of_witness =
            LazyCell::new(|| large.iter().map(|sample| with_witness(sample)).collect::<Vec<_>>());
        let with_witness_too = |sample: &Arc<ReferenceDatabase>| [with_witness(sample), Arc::clone(sample)];

        let hints = hints(subject, whole);
        let input = hints.input(whole.text);
        let changed = (0..CHANGED).map_while(|number| {
            let at = number.checked_rem(large.len())?;
            let is_plain = (number / large.len()).is_multiple_of(2);
            let base = if is_plain { &large[at].database } else { &with_rows_of_witness[at].database };
            let changed = mutate_cells(&subject.reference.schema, base, &input, number);
            Some(changed.map(|database| realistic(subject, &database)))
        });
        let made = self.large.databases(subject).cloned();
        let made = made.chain(iter::once_with(|| with_rows_of_witness.clone()).flatten());
        let made = made.chain(changed.flatten().map(of_mutant));
        let small = iter::once_with(|| self.small()).flatten().flat_map(with_witness_too);
        let made = made.chain(small.filter(|sample| sample.database.row_count() >= FEWEST_ROWS));
        let made = made.chain(iter::once_with(|| self.baseline()).flatten().flat_map(with_witness_too));
        let made = made.chain(iter::once_with(|| usual.first().cloned()).flatten().map(of_mutant));
        let last = || usual.first().filter(|witness| differs_on(subject, whole, witness)).cloned();
        first_showing(subject, whole, parts, made).or_else(last)
    }

    /// Returns a sample for a mutant that no engine runs: the first on which the reference gives rows, the same in any
    /// order of rows. `None` if there is none.
    pub fn of_reference(&self) -> Option<Database> {
        let made = self.large.databases(self.subject);
        let made = made.chain(iter::once_with(|| self.small()).flatten());
        let mut made = made.chain(iter::once_with(|| self.baseline()).flatten());
        let is_readable = |sample: &ReferenceDatabase| sample.database.row_count() <= READABLE.most_rows;
        let found = made.find(|sample| is_readable(sample) && sample.gives_stable_rows(self.subject));
        found.map(|sample| sample.database.clone())
    }

    fn small(&self) -> &[Arc<ReferenceDatabase>] {
        self.small.get_or_init(|| {
            let made = SMALL.iter().flat_map(|size| usual_databases(self.subject, KEY, *size));
            made.map(Arc::new).collect()
        })
    }

    fn baseline(&self) -> &[Arc<ReferenceDatabase>] {
        self.baseline.get_or_init(|| {
            let baseline = self.subject.baseline.iter().map(|baseline| realistic(self.subject, &baseline.database));
            let baseline = baseline.filter(|database| database.row_count() <= READABLE.most_rows);
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
