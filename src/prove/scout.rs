//! Databases for the branches of a script that its first databases leave out.
//!
//! A branch that no row takes hides every fault inside it. Such a branch is looked for by changing the columns that its
//! expression reads, many at once, until its probe gives rows.

use super::coverage::{Branch, branches};
use super::data::volley::volley;
use super::subject::{Stocked, Subject};
use super::target::targets;
use super::trial::Suspect;
use crate::code::span::Span;
use crate::engine::sqlite::Sqlite;

/// Databases that are tried for one branch.
const TRIES: usize = 120;
/// At most so many databases are added: every mutant is tried on each.
const MOST: usize = 4;

/// A database that was found, and the branches for which it was kept.
struct Find<'a> {
    stocked: Stocked,
    takes: Vec<&'a Branch>,
}

/// Databases on which the reference is sound and takes branches that none of the subject's own takes.
pub fn scout(subject: &Subject<'_>) -> Vec<Stocked> {
    let all = branches(&subject.bound, &subject.scopes, &subject.reference.schema);
    let is_known = |branch: &&Branch| subject.pool.iter().any(|stocked| branch.is_taken(&stocked.loaded));
    let mut untaken: Vec<&Branch> = all.iter().filter(|branch| branch.probe.is_some() && !is_known(branch)).collect();
    let mut finds: Vec<Find<'_>> = Vec::new();
    while let Some(branch) = untaken.pop() {
        if seek(subject, branch, &mut finds)
            && let Some(find) = finds.last_mut()
        {
            let (taken, left) = untaken.into_iter().partition(|other| other.is_taken(&find.stocked.loaded));
            find.takes.extend::<Vec<&Branch>>(taken);
            untaken = left;
        }
    }
    finds.into_iter().map(|find| find.stocked).collect()
}

/// Looks for a database that takes `branch`. It comes last among `finds`, in the place of the one it was made from where
/// it takes all that one was kept for.
fn seek<'a>(subject: &Subject<'_>, branch: &'a Branch, finds: &mut Vec<Find<'a>>) -> bool {
    let nowhere = Suspect { text: subject.bound.text(), changed: Span::empty(0), about: &[branch.node] };
    let targets = targets(subject, &nowhere);
    let key = format!("{} {}", branch.line, branch.way);
    for number in 0..TRIES {
        let last = finds.last().filter(|_| number % 2 == 0);
        let base = last.map_or(&subject.pool[number % subject.pool.len()], |find| &find.stocked);
        let candidate = volley(&subject.reference.schema, &base.database, &targets.magazine(&key), number);
        let taking = candidate.and_then(|database| {
            let loaded = Sqlite::open(&subject.reference.schema, &database).ok()?;
            branch.is_taken(&loaded).then_some((database, loaded))
        });
        let Some((database, loaded)) = taking else { continue };
        let replaces = last.is_some_and(|find| find.takes.iter().all(|other| other.is_taken(&loaded)));
        if !replaces && finds.len() == MOST {
            continue;
        }
        let Ok(stocked) = Stocked::new(&subject.bound, &subject.reference.schema, &subject.translation, database)
        else {
            continue;
        };
        let mut takes = if replaces { finds.pop().map(|find| find.takes).unwrap_or_default() } else { Vec::new() };
        takes.push(branch);
        finds.push(Find { stocked, takes });
        return true;
    }
    false
}
