//! Tasks of several faults: each is proved alone, no two share a place, and repairing one alone
//! does not mend the script.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::baselines::Baselines;
use super::checkpoint::Phase;
use super::context::Context;
use super::proven::{ProvedMutant, TriedMutant};
use super::quotas::Quota;
use super::settings::BuildSettings;
use crate::code::span::Span;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::inject::plan::gather;
use crate::parallel;
use crate::prove::admission::admit;
use crate::prove::confirmation::{differs, refused, try_semantic, try_syntax};
use crate::prove::trial::Candidate;
use crate::prove::{Subject, Verdict};

/// How many partners are tried for one more fault of a task.
const ATTEMPTS: usize = 8;

/// Tasks made of several faults, and why some could not be made.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Combined {
    /// The tasks.
    pub tasks: Vec<ProvedMutant>,
    /// Attempts that failed, by reason.
    pub lost: BTreeMap<String, usize>,
}

/// Returns the candidates in search order. Where tasks have several faults, those of a few scripts come first.
pub(super) fn gathered<'a>(
    settings: &BuildSettings,
    quota: Quota,
    candidates: &'a BTreeMap<String, Vec<Mutant>>,
) -> Cow<'a, BTreeMap<String, Vec<Mutant>>> {
    const TASKS_OF_A_SCRIPT: usize = 2;
    if !settings.has_several_faults() {
        return Cow::Borrowed(candidates);
    }
    Cow::Owned(gather(candidates, settings.seed, quota.track, quota.tasks.div_ceil(TASKS_OF_A_SCRIPT)))
}

/// Makes tasks of the given sizes out of proved single faults.
///
/// Each size goes to the script with the most faults left. Where a script has no partner that fits, the task stays
/// smaller; below the least size it is given up.
pub(super) fn combine(
    context: Context<'_>,
    baselines: &Baselines<'_>,
    track: Track,
    singles: Vec<ProvedMutant>,
    sizes: Vec<usize>,
) -> Combined {
    let mut by_script: BTreeMap<String, VecDeque<ProvedMutant>> = BTreeMap::new();
    for single in singles {
        by_script.entry(single.mutant.script.clone()).or_default().push_back(single);
    }
    let orders = share(&by_script, sizes);
    let scripts = by_script.into_iter().zip(orders).collect::<Vec<_>>();
    let results = parallel::map(context.settings.jobs, scripts, |((script, singles), sizes)| {
        let ids: Vec<&str> = singles.iter().map(|single| single.mutant.id.as_str()).collect();
        let key = format!("{script} {sizes:?} {}", ids.join(" "));
        context.step(Phase::Combination, &key, || {
            let subject = baselines.subject(&script)?;
            Some(Combiner { context, subject, track }.group(singles, &sizes))
        })
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

/// Combines faults of one script into one mutant.
///
/// # Errors
///
/// In words, if they cannot stand in one task.
pub(super) fn combined(
    context: Context<'_>,
    subject: &Subject<'_>,
    singles: Vec<ProvedMutant>,
) -> Result<ProvedMutant, String> {
    let mut singles = singles.into_iter();
    let first = singles.next().ok_or("there is no fault")?;
    let combiner = Combiner { context, subject, track: first.track };
    Ok(singles.try_fold(first, |task, partner| combiner.join(&task, &partner))?)
}

/// Returns the sizes of the tasks that each script gets, the largest first.
fn share(by_script: &BTreeMap<String, VecDeque<ProvedMutant>>, mut sizes: Vec<usize>) -> Vec<Vec<usize>> {
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

/// Combines the faults of one script.
struct Combiner<'a, 's> {
    context: Context<'a>,
    subject: &'a Subject<'s>,
    track: Track,
}

impl Combiner<'_, '_> {
    fn group(&self, mut singles: VecDeque<ProvedMutant>, sizes: &[usize]) -> Combined {
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
            if task.parts.len() >= self.context.settings.least_faults() {
                combined.tasks.push(task);
            } else {
                *combined.lost.entry("no partner that fits".to_owned()).or_default() += 1;
            }
        }
        combined
    }

    /// Returns the task with one more fault, or why the two do not make a task.
    fn join(&self, task: &ProvedMutant, partner: &ProvedMutant) -> Result<ProvedMutant, &'static str> {
        if !task.parts.iter().all(|part| self.are_apart(&part.mutant, &partner.mutant)) {
            return Err("the faults share a place");
        }
        let parts: Vec<TriedMutant> = task.parts.iter().chain(&partner.parts).cloned().collect();
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
        Ok(ProvedMutant { mutant: whole, track: self.track, verdict, parts })
    }

    /// Whether the places of two faults are apart: their edits, and their sites unless a site is large.
    fn are_apart(&self, left: &Mutant, right: &Mutant) -> bool {
        let places = |mutant: &Mutant| -> Vec<Span> {
            let script = &self.subject.reference.script;
            let site = script.tree().span(crate::code::tree::NodeId(mutant.site as u32));
            let is_small = site.end - site.start <= 400;
            let edits = mutant.edits.as_slice().iter().map(|edit| edit.span());
            edits.chain(is_small.then_some(site)).collect()
        };
        let (left, right) = (places(left), places(right));
        !left.iter().any(|a| right.iter().any(|b| a.touches(*b)))
    }

    fn whole(&self, parts: &[TriedMutant]) -> Option<Mutant> {
        let key = self.context.secret.script_key(self.subject.reference);
        Mutant::joined(&key, parts.iter().map(|part| &part.mutant))
    }

    fn verdict(&self, text: &str, whole: &Mutant, parts: &[TriedMutant]) -> Verdict {
        let nodes = self.subject.bound_nodes(parts.iter().flat_map(|part| part.mutant.nodes()));
        let candidate = Candidate { text, changed: whole.changed(self.subject.reference.script.text()), about: &nodes };
        match self.track {
            Track::Syntax => try_syntax(self.context.engine, self.subject, &candidate),
            Track::Semantic => try_semantic(self.context.engine, self.subject, &candidate),
        }
    }

    /// Whether the script is still broken when only this fault is repaired. Of two faults, the one
    /// left over is proved already.
    fn is_broken_without(&self, parts: &[TriedMutant], gone: usize, verdict: &Verdict) -> bool {
        if parts.len() == 2 {
            return true;
        }
        let rest: Vec<TriedMutant> =
            parts.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, part)| part.clone()).collect();
        let text = self.whole(&rest).and_then(|mutant| mutant.text(self.subject.reference.script.text()).ok());
        let Some(text) = text else { return false };
        match self.track {
            Track::Syntax => refused(self.context.engine, self.subject, &text).is_some(),
            Track::Semantic => {
                let verdicts = rest.iter().map(|part| &part.verdict).chain([verdict]);
                verdicts.into_iter().any(|verdict| self.differs(&text, verdict))
            }
        }
    }

    fn differs(&self, text: &str, verdict: &Verdict) -> bool {
        let Verdict::Killed { witness, .. } = verdict else { return false };
        differs(self.context.engine, self.subject, text, witness)
    }
}

fn is_proof(track: Track, verdict: &Verdict) -> bool {
    matches!((track, verdict), (Track::Syntax, Verdict::Rejected { .. }) | (Track::Semantic, Verdict::Killed { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edits;

    #[test]
    fn the_largest_sizes_go_to_the_scripts_with_most_faults() {
        let found = |script: &str| {
            let mutant = Mutant::of_edits(script, "k", "f", Edits::default());
            ProvedMutant { mutant, track: Track::Syntax, verdict: Verdict::Nondeterministic, parts: Vec::new() }
        };
        let scripts = BTreeMap::from([
            ("a".to_owned(), VecDeque::from([found("a")])),
            ("b".to_owned(), VecDeque::from(vec![found("b"); 4])),
        ]);
        assert_eq!(share(&scripts, vec![1, 2, 2]), [vec![1], vec![2, 2]]);
    }
}
