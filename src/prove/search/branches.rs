//! Databases for the branches of a script that its generated databases do not take.
//!
//! A branch that no row takes hides every fault inside it. The search changes the columns that the branch's expression
//! reads, until its probe gives rows.

use super::hints::hints;
use crate::code::span::Span;
use crate::engine::sqlite::Sqlite;
use crate::prove::coverage::{Branch, branches};
use crate::prove::data_mutation::cells::mutate_cells;
use crate::prove::subject::{BaselineDatabase, Subject};
use crate::prove::verdict::Candidate;

/// Databases tried for one branch.
const TRIES: usize = 120;
/// Maximum number of databases added: every mutant is tried on each.
const MOST: usize = 4;

/// Branches may take one of so many parts of the work on a script.
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
            && let Some(find) = found.last_mut()
        {
            let takes = |at: &usize| branches[*at].is_taken(&find.baseline.loaded);
            let (taken, left): (Vec<usize>, Vec<usize>) = untaken.into_iter().partition(takes);
            find.takes.extend(taken);
            untaken = left;
        }
    }
    subject.baseline.extend(found.into_iter().map(|find| find.baseline));
    for branch in branches.iter_mut().filter(|branch| !branch.taken) {
        branch.taken = subject.baseline.iter().any(|baseline| branch.is_taken(&baseline.loaded));
    }
    subject.branches = branches;
}

/// Looks for a database that takes a branch and appends it to `found`. It replaces the database from which it was made
/// if it takes all branches for which that one was kept.
fn find_database(subject: &Subject<'_>, branches: &[Branch], wanted: usize, found: &mut Vec<FoundDatabase>) -> bool {
    let branch = &branches[wanted];
    let nowhere = Candidate { text: subject.bound.text(), changed: Span::empty(0), about: &[branch.node] };
    let hints = hints(subject, &nowhere);
    let key = format!("{} {}", branch.line, branch.kind);
    for number in 0..TRIES {
        if subject.work.is_part_done(WORK_PARTS) {
            return false;
        }
        let last = found.last().filter(|_| number % 2 == 0);
        let base = last.map_or(&subject.baseline[number % subject.baseline.len()], |find| &find.baseline);
        let candidate = mutate_cells(&subject.reference.schema, &base.database, &hints.input(&key), number);
        let taking = candidate.and_then(|database| {
            let loaded = Sqlite::open(&subject.reference.schema, &database).ok()?;
            branch.is_taken(&loaded).then_some((database, loaded))
        });
        let Some((database, loaded)) = taking else { continue };
        let replaces = last.is_some_and(|find| find.takes.iter().all(|other| branches[*other].is_taken(&loaded)));
        if !replaces && found.len() == MOST {
            continue;
        }
        let Ok(baseline) =
            BaselineDatabase::new(&subject.bound, &subject.reference.schema, &subject.translation, database)
        else {
            continue;
        };
        let mut takes = if replaces { found.pop().map(|find| find.takes).unwrap_or_default() } else { Vec::new() };
        takes.push(wanted);
        found.push(FoundDatabase { baseline, takes });
        return true;
    }
    false
}
