//! Sibling vote: tasks with the same DDL are compared line by line, and a change that more than half of the others
//! agree on is made.

use std::collections::{BTreeMap, HashMap};

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::attack::{AttackAnswers, Public, changed};
use crate::parallel;

/// Returns the vote of each task's siblings; `None` if it has none or they agree on no change.
pub(super) fn vote(public: Public<'_>, jobs: usize) -> AttackAnswers {
    let mut by_tables: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, task) in public.tasks.iter().enumerate() {
        by_tables.entry(&task.schema_ddl).or_default().push(at);
    }
    parallel::map(jobs, 0..public.tasks.len(), |at| {
        let task = &public.tasks[at];
        let siblings = by_tables[task.schema_ddl.as_str()].iter().filter(|other| **other != at);
        let others: Vec<&str> = siblings.map(|other| public.tasks[*other].issue_sql.as_str()).collect();
        changed(task, majority(&task.issue_sql, &others)?)
    })
}

/// Returns the text with every change that more than half of the others have; `None` without others.
fn majority(text: &str, others: &[&str]) -> Option<String> {
    let own: Vec<&str> = text.split('\n').collect();
    let mut votes: BTreeMap<(usize, usize, Vec<&str>), usize> = BTreeMap::new();
    for other in others {
        let theirs: Vec<&str> = other.split('\n').collect();
        for change in capture_diff_slices(Algorithm::Myers, &own, &theirs) {
            if change.tag() == DiffTag::Equal {
                continue;
            }
            let (old, new) = (change.old_range(), change.new_range());
            // Lines that changed one by one are voted on one by one: a line that only this sibling has beside the one
            // that all have would otherwise hide that they agree.
            if old.len() == new.len() {
                for (at, line) in old.zip(&theirs[new]) {
                    *votes.entry((at, at + 1, vec![*line])).or_default() += 1;
                }
            } else {
                *votes.entry((old.start, old.end, theirs[new].to_vec())).or_default() += 1;
            }
        }
    }
    let agreed = votes.into_iter().filter(|(_, count)| 2 * count > others.len());
    let mut mended = own;
    // From the end, so that earlier places stay where they are; two agreed changes never overlap.
    for ((start, end, new), _) in agreed.rev() {
        if end <= mended.len() {
            mended.splice(start..end, new);
        }
    }
    (!others.is_empty()).then(|| mended.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::majority;

    #[test]
    fn what_most_others_agree_on_is_taken() {
        let whole = "SELECT a,\n  b\nFROM t\nWHERE x = 1";
        let others = [whole.replace("x = 1", "x = 2"), whole.replace("  b", "  c"), whole.to_owned()];
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        assert_eq!(majority(&whole.replace("FROM t", "FROM u"), &others).as_deref(), Some(whole));
        assert_eq!(majority(whole, &[]), None);
    }
}
