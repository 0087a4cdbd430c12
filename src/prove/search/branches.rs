//! Databases for the branches of a script that its generated databases do not take.
//!
//! A branch that no row takes hides every fault inside it. The search spreads the values of the columns that the branch's
//! expression reads, adds rows that are made for what leads there, and then changes single cells, until its probe gives
//! rows.

use super::branch_rows::{branch_rows, union};
use super::hints::{ColumnHints, hints};
use crate::code::span::Span;
use crate::engine::sqlite::Sqlite;
use crate::engine::table::Database;
use crate::prove::baseline::BaselineDatabase;
use crate::prove::coverage::{Branch, branches};
use crate::prove::data_mutation::cells::mutate_cells;
use crate::prove::data_mutation::column_change::BaseColumn;
use crate::prove::data_mutation::earlier_copies::with_earlier_copies;
use crate::prove::data_mutation::spread::{Spread, spread};
use crate::prove::reference_refusal::ReferenceRefusal;
use crate::prove::subject::Subject;
use crate::prove::unique_rows::with_unique_rows;
use crate::prove::varieties::day;
use crate::prove::verdict::Candidate;

/// Databases with random changes that are tried for one branch.
const RANDOM_CHANGES: usize = 120;
/// Columns of a branch whose values are spread one by one.
const SPREAD_COLUMNS: usize = 6;
/// The values of [`Spread::step`] that are tried, in this order.
const STEPS: [usize; 5] = [1, 5, 0, 1, 3];
/// The values of [`Spread::step`] that are tried where numbers differ by a few per cent.
const NARROW_STEPS: [usize; 3] = [1, 3, 0];
/// By how many days rows are copied to earlier ones, in the order in which it is tried; with 0 they are not copied.
const DAYS_EARLIER: [i64; 4] = [0, 7, 30, 1];
/// Databases of the baseline to which rows made for a branch are added.
const MOST_BASES: usize = 2;
/// Maximum number of databases added: every mutant is tried on each.
const MOST_FOUND: usize = 4;

/// The search for databases of branches may do one part in this many of the work on a script.
const WORK_PARTS: u64 = 4;

/// A database that was found, and the positions of the branches for which it was kept.
struct FoundDatabase {
    baseline: BaselineDatabase,
    takes: Vec<usize>,
}

/// Finds the branches of a script, and databases for those that no database of the baseline takes. The databases, on
/// which the reference is sound, join the baseline; the branches that they take are marked as taken.
pub fn add_branch_databases(subject: &mut Subject<'_>) {
    let mut branches = branches(&subject.bound, &subject.scopes, &subject.reference.schema);
    for branch in &mut branches {
        branch.taken = subject.baseline.iter().any(|baseline| branch.is_taken(&baseline.loaded));
    }
    let mut untaken: Vec<usize> =
        (0..branches.len()).filter(|at| branches[*at].probe.is_some() && !branches[*at].taken).collect();
    let mut found: Vec<FoundDatabase> = Vec::new();
    while !subject.work.is_part_done(WORK_PARTS)
        && let Some(wanted) = untaken.pop()
    {
        if find_database(subject, &branches, wanted, &mut found)
            && let Some(last) = found.last_mut()
        {
            let takes = |at: &usize| branches[*at].is_taken(&last.baseline.loaded);
            let (taken, left): (Vec<usize>, Vec<usize>) = untaken.into_iter().partition(takes);
            last.takes.extend(taken);
            untaken = left;
        }
    }
    subject.baseline.extend(found.into_iter().map(|found| found.baseline));
    for branch in branches.iter_mut().filter(|branch| !branch.taken) {
        branch.taken = subject.baseline.iter().any(|baseline| branch.is_taken(&baseline.loaded));
    }
    subject.branches = branches;
}

/// Looks for a database that takes a branch and appends it to `found`. It replaces the database from which it was made
/// if it takes all branches for which that one was kept.
fn find_database(subject: &Subject<'_>, branches: &[Branch], wanted: usize, found: &mut Vec<FoundDatabase>) -> bool {
    let search = BranchSearch { subject, branches, wanted };
    search.try_spread_values(found)
        || search.try_made_rows(found)
        || search.try_earlier_copies(found)
        || search.try_random_changes(found)
}

/// The search for a database that takes one branch.
struct BranchSearch<'a> {
    subject: &'a Subject<'a>,
    branches: &'a [Branch],
    /// Position of the branch.
    wanted: usize,
}

impl BranchSearch<'_> {
    fn branch(&self) -> &Branch {
        &self.branches[self.wanted]
    }

    /// Tries rows that are made for the branch, added to the last database that was found or to the baseline's.
    fn try_made_rows(&self, found: &mut Vec<FoundDatabase>) -> bool {
        let made = branch_rows(self.subject, self.branch(), self.wanted);
        for rows in &made {
            let Some(last) = found.last() else { break };
            let database = union(&last.baseline.database, rows);
            if self.keep(database, true, found) {
                return true;
            }
        }
        let bases = self.subject.baseline.iter().take(MOST_BASES);
        let mut extended = bases.flat_map(|base| made.iter().map(|rows| union(&base.database, rows)));
        extended.any(|database| self.keep(database, false, found))
    }

    /// Returns the database on which the try of this number is based, in turns the last one that was found and one of the
    /// baseline, and whether it is the former.
    fn base<'f>(&'f self, number: usize, found: &'f [FoundDatabase]) -> (&'f Database, bool) {
        let baseline = &self.subject.baseline;
        match found.last().filter(|_| number.is_multiple_of(2)) {
            Some(last) => (&last.baseline.database, true),
            None => (&baseline[number % baseline.len()].database, false),
        }
    }

    /// Returns the columns that the branch reads, and what stands near it.
    fn hints(&self) -> ColumnHints {
        let text = self.subject.bound.text();
        hints(self.subject, &Candidate { text, changed: Span::empty(0), about: &[self.branch().node] })
    }

    /// Tries values spread over the columns that the branch reads, one by one and all at once.
    fn try_spread_values(&self, found: &mut Vec<FoundDatabase>) -> bool {
        let hints = self.hints();
        let input = hints.input("");
        let all: Vec<&BaseColumn> = hints.near.iter().collect();
        let single = all.iter().take(SPREAD_COLUMNS).map(|column| vec![*column]);
        let targets: Vec<Vec<&BaseColumn>> = single.chain((all.len() > 1).then(|| all.clone())).collect();
        let day = day(self.subject.reference);
        let tries = STEPS.iter().flat_map(|step| targets.iter().map(move |targets| (*step, targets)));
        tries.enumerate().any(|(number, (step, targets))| {
            let (base, replaces) = self.base(number, found);
            let how = Spread { day: &day, first: number, step, narrow: false };
            let database = spread(&self.subject.reference.schema, base, targets, &input, how);
            database.is_some_and(|database| self.keep(database, replaces, found))
        })
    }

    /// Tries rows that stand some days earlier as well, as they are and with other numbers in the columns that the branch
    /// reads.
    fn try_earlier_copies(&self, found: &mut Vec<FoundDatabase>) -> bool {
        let schema = &self.subject.reference.schema;
        let hints = self.hints();
        let input = hints.input("");
        let columns: Vec<&BaseColumn> = hints.near.iter().collect();
        let day = day(self.subject.reference);
        let bases = self.subject.baseline.iter().take(MOST_BASES);
        let tries = DAYS_EARLIER.iter().flat_map(|days| bases.clone().map(move |base| (*days, &base.database)));
        tries.enumerate().any(|(first, (days, base))| {
            let copied = if days == 0 { Some(base.clone()) } else { with_earlier_copies(schema, base, days) };
            let Some(copied) = copied else { return false };
            let how = |step| Spread { day: &day, first, step, narrow: true };
            let narrow: Vec<Database> =
                NARROW_STEPS.iter().filter_map(|step| spread(schema, &copied, &columns, &input, how(*step))).collect();
            narrow.into_iter().chain([copied]).any(|database| self.keep(database, false, found))
        })
    }

    /// Tries random changes to the columns that the branch reads.
    fn try_random_changes(&self, found: &mut Vec<FoundDatabase>) -> bool {
        let Subject { reference, work, .. } = self.subject;
        let branch = self.branch();
        let hints = self.hints();
        let key = format!("{} {}", branch.line, branch.kind);
        (0..RANDOM_CHANGES).any(|number| {
            if work.is_part_done(WORK_PARTS) {
                return false;
            }
            let (base, replaces) = self.base(number, found);
            let database = mutate_cells(&reference.schema, base, &hints.input(&key), number);
            database.is_some_and(|database| self.keep(database, replaces, found))
        })
    }

    /// Appends a database if it takes the branch and the reference is sound on it; it may replace the last one.
    fn keep(&self, database: Database, replaces: bool, found: &mut Vec<FoundDatabase>) -> bool {
        let Subject { bound, reference, translation, .. } = self.subject;
        let Ok(loaded) = Sqlite::open(&reference.schema, &database) else { return false };
        if !self.branch().is_taken(&loaded) {
            return false;
        }
        let takes_all = |last: &FoundDatabase| last.takes.iter().all(|other| self.branches[*other].is_taken(&loaded));
        let replaces = replaces && found.last().is_some_and(takes_all);
        if !replaces && found.len() == MOST_FOUND {
            return false;
        }
        let baseline = match BaselineDatabase::new(bound, &reference.schema, translation, database.clone()) {
            Ok(baseline) => baseline,
            Err(ReferenceRefusal::Nondeterministic { .. }) => {
                let unique = with_unique_rows(reference, database.clone());
                return unique != database && self.keep(unique, replaces, found);
            }
            Err(_) => return false,
        };
        let mut takes = if replaces { found.pop().map(|last| last.takes).unwrap_or_default() } else { Vec::new() };
        takes.push(self.wanted);
        found.push(FoundDatabase { baseline, takes });
        true
    }
}
