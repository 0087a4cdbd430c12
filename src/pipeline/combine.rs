//! Several faults in one task: faults that are proved alone, share no place, and are all needed.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Settings;
use super::hunt::{Found, Hunt, Planted};
use crate::code::edit::Edits;
use crate::code::span::Span;
use crate::engine::Engine;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::inject::plan::gather;
use crate::prove::admission::admit;
use crate::prove::confirmation::{differs, refused, try_semantic, try_syntax};
use crate::prove::trial::Candidate;
use crate::prove::{Subject, Verdict};

/// How many partners are tried for one more fault of a task.
const ATTEMPTS: usize = 8;

/// Tasks made of several faults, and why some could not be made.
#[derive(Debug, Default)]
pub(super) struct Combined {
    /// The tasks.
    pub tasks: Vec<Found>,
    /// Attempts that failed, by reason.
    pub lost: BTreeMap<String, usize>,
}

/// The candidates as they are hunted for: where tasks have several faults, those of a few scripts first.
pub(super) fn gathered<'a>(
    settings: &Settings,
    (track, wanted): (Track, usize),
    candidates: &'a BTreeMap<String, Vec<Mutant>>,
) -> Cow<'a, BTreeMap<String, Vec<Mutant>>> {
    const TASKS_OF_A_SCRIPT: usize = 2;
    if !asks_for_several(&settings.faults_per_task) {
        return Cow::Borrowed(candidates);
    }
    Cow::Owned(gather((settings.seed, track, wanted.div_ceil(TASKS_OF_A_SCRIPT)), candidates))
}

/// Makes tasks of the given sizes out of proved single faults.
///
/// Each size goes to the script that has most faults left; where a script has no partner that fits, the task stays
/// smaller, and below the least size it is given up.
pub(super) fn combine(
    settings: &Settings,
    hunt: &Hunt<'_, '_>,
    track: Track,
    singles: Vec<Found>,
    sizes: Vec<usize>,
) -> Combined {
    let mut by_script: BTreeMap<String, VecDeque<Found>> = BTreeMap::new();
    for single in singles {
        by_script.entry(single.mutant.script.clone()).or_default().push_back(single);
    }
    let orders = share(&by_script, sizes);
    let jobs: Vec<(VecDeque<Found>, Vec<usize>)> = by_script.into_values().zip(orders).collect();
    let results = in_parallel(settings.jobs, jobs, |(singles, sizes)| {
        let subject = singles.front().and_then(|single| hunt.roster().subject(&single.mutant.script))?;
        let (executor, least) = (hunt.executor(), *settings.faults_per_task.start());
        Some(Table { executor, subject, track, least }.group(singles, &sizes))
    });
    let mut combined = Combined::default();
    for part in results.into_iter().flatten() {
        combined.tasks.extend(part.tasks);
        for (reason, count) in part.lost {
            *combined.lost.entry(reason).or_default() += count;
        }
    }
    combined
}

/// Which sizes each script gets, the largest first.
fn share(by_script: &BTreeMap<String, VecDeque<Found>>, mut sizes: Vec<usize>) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = by_script.values().map(VecDeque::len).collect();
    let mut orders = vec![Vec::new(); left.len()];
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    for size in sizes {
        let Some(most) = (0..left.len()).max_by_key(|at| (left[*at], std::cmp::Reverse(*at))) else { break };
        orders[most].push(size);
        left[most] = left[most].saturating_sub(size);
    }
    orders
}

/// Runs the jobs on some workers; results come in the order of the jobs.
fn in_parallel<J: Send, R: Send>(workers: usize, jobs: Vec<J>, work: impl Fn(J) -> R + Sync) -> Vec<R> {
    let cells: Vec<Mutex<(Option<J>, Option<R>)>> = jobs.into_iter().map(|job| Mutex::new((Some(job), None))).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(|| {
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Ok(mut cell) = cell.lock() else { return };
                    cell.1 = cell.0.take().map(&work);
                }
            });
        }
    });
    cells.into_iter().filter_map(|cell| cell.into_inner().ok()?.1).collect()
}

/// The work on one script.
struct Table<'a, 's> {
    executor: &'a dyn Engine,
    subject: &'a Subject<'s>,
    track: Track,
    least: usize,
}

impl Table<'_, '_> {
    fn group(&self, mut singles: VecDeque<Found>, sizes: &[usize]) -> Combined {
        let mut combined = Combined::default();
        for size in sizes {
            let Some(mut task) = singles.pop_front() else { break };
            let mut partners = VecDeque::new();
            let mut attempts = 0;
            while let Some(partner) = singles.pop_front() {
                if task.parts.len() == *size || attempts == ATTEMPTS {
                    partners.push_back(partner);
                    break;
                }
                attempts += 1;
                match self.join(&task, &partner) {
                    Ok(larger) => task = larger,
                    Err(reason) => {
                        *combined.lost.entry(reason.to_owned()).or_default() += 1;
                        partners.push_back(partner);
                    }
                }
            }
            partners.extend(singles.drain(..));
            singles = partners;
            if task.parts.len() >= self.least {
                combined.tasks.push(task);
            } else {
                *combined.lost.entry("no partner that fits".to_owned()).or_default() += 1;
            }
        }
        combined
    }

    /// The task with one more fault, or why that is no task.
    fn join(&self, task: &Found, partner: &Found) -> Result<Found, &'static str> {
        if !task.parts.iter().all(|part| self.are_apart(&part.mutant, &partner.mutant)) {
            return Err("the faults share a place");
        }
        let parts: Vec<Planted> = task.parts.iter().chain(&partner.parts).cloned().collect();
        let whole = self.whole(&parts).ok_or("the edits of the faults meet")?;
        let text = admit(&self.subject.reference.script, &whole).map_err(|_| "the edits of the faults meet")?;
        let verdict = self.verdict(&text, &whole, &parts);
        if !is_proof(self.track, &verdict) {
            return Err("together the faults are not seen");
        }
        let each_needed = (0..parts.len()).all(|gone| self.is_broken_without(&parts, gone, &verdict));
        if !each_needed {
            return Err("one repair mends the script");
        }
        Ok(Found { mutant: whole, track: self.track, verdict, parts })
    }

    /// Whether no edit of one fault lies in the place of the other; a place as large as a statement is only its edits.
    fn are_apart(&self, left: &Mutant, right: &Mutant) -> bool {
        let places = |mutant: &Mutant| -> Vec<Span> {
            let script = &self.subject.reference.script;
            let site = script.tree().span(crate::code::tree::NodeId(mutant.site as u32));
            let is_small = site.end - site.start <= 400;
            let edits = mutant.edits.as_slice().iter().map(|edit| edit.span());
            edits.chain(is_small.then_some(site)).collect()
        };
        let meets = |a: &Span, b: &Span| a.start <= b.end && b.start <= a.end;
        let (left, right) = (places(left), places(right));
        !left.iter().any(|a| right.iter().any(|b| meets(a, b)))
    }

    fn whole(&self, parts: &[Planted]) -> Option<Mutant> {
        let edits = Edits::new(parts.iter().flat_map(|part| part.mutant.edits.as_slice()).cloned().collect()).ok()?;
        let faults: Vec<&str> = parts.iter().map(|part| part.mutant.fault.as_str()).collect();
        Some(Mutant::of_edits(&self.subject.reference.id, &self.subject.reference.key(), &faults.join("+"), edits))
    }

    fn verdict(&self, text: &str, whole: &Mutant, parts: &[Planted]) -> Verdict {
        let known = self.subject.bound.tree().len();
        let nodes: Vec<_> =
            parts.iter().flat_map(|part| part.mutant.nodes()).filter(|node| node.index() < known).collect();
        let candidate = Candidate { text, changed: whole.changed(self.subject.reference.script.text()), about: &nodes };
        match self.track {
            Track::Syntax => try_syntax(self.executor, self.subject, &candidate),
            Track::Semantic => try_semantic(self.executor, self.subject, &candidate),
        }
    }

    /// Whether the script is still broken when only this fault is repaired. What is left of two faults is a single one,
    /// which is proved already.
    fn is_broken_without(&self, parts: &[Planted], gone: usize, verdict: &Verdict) -> bool {
        if parts.len() == 2 {
            return true;
        }
        let rest: Vec<Planted> =
            parts.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, part)| part.clone()).collect();
        let text = self.whole(&rest).and_then(|mutant| mutant.text(self.subject.reference.script.text()).ok());
        let Some(text) = text else { return false };
        match self.track {
            Track::Syntax => refused(self.executor, self.subject, &text).is_some(),
            Track::Semantic => {
                let verdicts = rest.iter().map(|part| &part.verdict).chain([verdict]);
                verdicts.into_iter().any(|verdict| self.differs(&text, verdict))
            }
        }
    }

    fn differs(&self, text: &str, verdict: &Verdict) -> bool {
        let Verdict::Killed { witness, .. } = verdict else { return false };
        differs(self.executor, self.subject, text, witness)
    }
}

fn is_proof(track: Track, verdict: &Verdict) -> bool {
    matches!((track, verdict), (Track::Syntax, Verdict::Rejected { .. }) | (Track::Semantic, Verdict::Killed { .. }))
}

/// Whether a range asks for more than one fault a task.
pub(super) fn asks_for_several(range: &RangeInclusive<usize>) -> bool {
    *range.end() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs_whatever_the_workers() {
        for workers in [1, 3, 8] {
            assert_eq!(in_parallel(workers, (0..20).collect(), |job| job * 2), (0..40).step_by(2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_largest_sizes_go_to_the_scripts_with_most_faults() {
        let found = |script: &str| {
            let mutant = Mutant::of_edits(script, "k", "f", Edits::default());
            Found { mutant, track: Track::Syntax, verdict: Verdict::Nondeterministic, parts: Vec::new() }
        };
        let scripts = BTreeMap::from([
            ("a".to_owned(), VecDeque::from([found("a")])),
            ("b".to_owned(), VecDeque::from(vec![found("b"); 4])),
        ]);
        assert_eq!(share(&scripts, vec![1, 2, 2]), [vec![1], vec![2, 2]]);
    }
}
