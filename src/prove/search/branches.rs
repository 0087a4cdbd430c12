//! Databases for the branches of a script that its first databases leave out.
//!
//! A branch that no row takes hides every fault inside it. Such a branch is looked for by changing the columns that its
//! expression reads, many at once, until its probe gives rows.

use super::hints::hints;
use crate::code::span::Span;
use crate::engine::sqlite::Sqlite;
use crate::prove::coverage::{Branch, branches};
use crate::prove::data_mutation::cells::mutate_cells;
use crate::prove::subject::{BaselineDatabase, Subject};
use crate::prove::trial::Candidate;

/// Databases that are tried for one branch.
const TRIES: usize = 120;
/// At most so many databases are added: every mutant is tried on each.
const MOST: usize = 4;

/// A database that was found, and the branches for which it was kept.
struct FoundDatabase<'a> {
    baseline: BaselineDatabase,
    takes: Vec<&'a Branch>,
}

/// Databases on which the reference is sound and takes branches that none of the subject's own takes.
pub fn branch_databases(subject: &Subject<'_>) -> Vec<BaselineDatabase> {
    let all = branches(&subject.bound, &subject.scopes, &subject.reference.schema);
    let is_known = |branch: &&Branch| subject.baseline.iter().any(|baseline| branch.is_taken(&baseline.loaded));
    let mut untaken: Vec<&Branch> = all.iter().filter(|branch| branch.probe.is_some() && !is_known(branch)).collect();
    let mut found: Vec<FoundDatabase<'_>> = Vec::new();
    while let Some(branch) = untaken.pop() {
        if find_database(subject, branch, &mut found)
            && let Some(find) = found.last_mut()
        {
            let (taken, left) = untaken.into_iter().partition(|other| other.is_taken(&find.baseline.loaded));
            find.takes.extend::<Vec<&Branch>>(taken);
            untaken = left;
        }
    }
    found.into_iter().map(|find| find.baseline).collect()
}

/// Looks for a database that takes `branch`. It comes last among `found`, in the place of the one it was made from where
/// it takes all that one was kept for.
fn find_database<'a>(subject: &Subject<'_>, branch: &'a Branch, found: &mut Vec<FoundDatabase<'a>>) -> bool {
    let nowhere = Candidate { text: subject.bound.text(), changed: Span::empty(0), about: &[branch.node] };
    let hints = hints(subject, &nowhere);
    let key = format!("{} {}", branch.line, branch.way);
    for number in 0..TRIES {
        let last = found.last().filter(|_| number % 2 == 0);
        let base = last.map_or(&subject.baseline[number % subject.baseline.len()], |find| &find.baseline);
        let candidate = mutate_cells(&subject.reference.schema, &base.database, &hints.input(&key), number);
        let taking = candidate.and_then(|database| {
            let loaded = Sqlite::open(&subject.reference.schema, &database).ok()?;
            branch.is_taken(&loaded).then_some((database, loaded))
        });
        let Some((database, loaded)) = taking else { continue };
        let replaces = last.is_some_and(|find| find.takes.iter().all(|other| other.is_taken(&loaded)));
        if !replaces && found.len() == MOST {
            continue;
        }
        let Ok(baseline) =
            BaselineDatabase::new(&subject.bound, &subject.reference.schema, &subject.translation, database)
        else {
            continue;
        };
        let mut takes = if replaces { found.pop().map(|find| find.takes).unwrap_or_default() } else { Vec::new() };
        takes.push(branch);
        found.push(FoundDatabase { baseline, takes });
        return true;
    }
    false
}
