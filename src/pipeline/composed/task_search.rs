//! The search for the task of one reference: its faults are proved and attacked one by one, then put together.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::super::alternatives::Alternatives;
use super::super::baselines::Baselines;
use super::super::combine::combined;
use super::super::context::Context;
use super::super::defence::{BuiltInAnswers, repaired_by};
use super::super::funnel::{Funnel, SuiteFunnel};
use super::super::gold::UnwrittenTask;
use super::super::manifest::ScriptRecord;
use super::super::proven::{ProvedMutant, TriedMutant};
use super::super::publisher::{Publisher, TaskMaterial};
use super::super::samples::Samples;
use super::super::search::{Searched, prove, why_unpublishable};
use super::super::settings::BuildSettings;
use super::super::suites::Suites;
use super::outcome::{MadeTask, Outcome, TriedCandidate};
use crate::corpus::compose::Composed;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::prove::Subject;
use crate::publish::complaint::{HintLevel, Hints, PhraseBook};
use crate::publish::difficulty::{Difficulty, DifficultyTarget};
use crate::publish::format::Files;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::StoreError;

/// Places tried for each of the reference's own faults.
const OWN_PLACES: usize = 4;
/// Places tried for each other fault.
const OTHER_PLACES: usize = 2;
/// Groups of faults tried when one more fault is proved.
const MOST_GROUPS: usize = 8;
/// Places drawn for each one tried: those far from where the fault shows are tried.
const CHOICE_PER_PLACE: usize = 2;

/// Files kept in memory until the outcome is taken.
#[derive(Default)]
struct KeptFiles(RefCell<BTreeMap<String, String>>);

impl Files for KeptFiles {
    fn file(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.0.borrow_mut().insert(name.to_owned(), String::from_utf8_lossy(content).into_owned());
        Ok(())
    }
}

/// A fault that is proved alone.
struct SingleFault {
    proven: ProvedMutant,
    /// The built-in solvers that repair it when it stands alone.
    repaired_by: BTreeSet<&'static str>,
}

/// A candidate that no task can be made of.
struct LostCandidate {
    /// A built-in solver that repairs it.
    repaired_by: Option<&'static str>,
    /// Why, as the funnel names it.
    reason: String,
}

impl LostCandidate {
    fn repaired(solver: &'static str) -> LostCandidate {
        LostCandidate { repaired_by: Some(solver), reason: format!("repaired by {solver}") }
    }
}

impl From<String> for LostCandidate {
    fn from(reason: String) -> LostCandidate {
        LostCandidate { repaired_by: None, reason }
    }
}

/// The search on one reference, with its candidates.
pub(super) struct TaskSearch<'a> {
    pub context: Context<'a>,
    pub book: &'a PhraseBook,
    pub composed: &'a Composed,
    pub baselines: &'a Baselines<'a>,
    pub candidates: &'a BTreeMap<String, Vec<Mutant>>,
}

impl TaskSearch<'_> {
    /// Tries one candidate after the other until there is a task; if none of the planned size
    /// can be made, a smaller one.
    pub fn fill(&self, outcome: &mut Outcome) {
        let Some(subject) = self.baselines.subject(&self.composed.reference.id) else { return };
        let size = outcome.planned.size;
        let mut singles = Vec::new();
        for (at, fault) in outcome.planned.faults.clone().iter().enumerate() {
            let places = if at < size { OWN_PLACES } else { OTHER_PLACES };
            for mutant in self.places(fault, places) {
                if self.is_cut_short() {
                    return;
                }
                let is_proved = self.attempt(subject, mutant, &mut singles, outcome);
                if outcome.task.is_some() {
                    return;
                }
                // One proved place of a fault is enough for a task of several faults.
                if is_proved && size > 1 {
                    break;
                }
            }
        }
        for smaller in (self.context.settings.least_faults()..size).rev() {
            for last in 0..singles.len() {
                self.put_together(subject, &singles[..=last], smaller, outcome);
                if outcome.task.is_some() || self.is_cut_short() {
                    return;
                }
            }
        }
    }

    /// Returns the places of a fault to try, in order. An easy run takes places of a single edit, a hard
    /// one prefers places of many. Unless the run is easy, places far from the end of the script, where its
    /// last result shows, go first.
    fn places(&self, fault: &str, most: usize) -> Vec<&Mutant> {
        let difficulty = self.context.settings.difficulty;
        let drawn = self.candidates.get(fault).into_iter().flatten();
        let edits = |mutant: &&Mutant| mutant.edits.as_slice().len();
        let start = |mutant: &&Mutant| mutant.edits.span().start;
        let mut places: Vec<&Mutant> = match difficulty {
            DifficultyTarget::Easy => drawn.filter(|mutant| edits(mutant) == 1).collect(),
            DifficultyTarget::Mixed => drawn.take(CHOICE_PER_PLACE * most).collect(),
            DifficultyTarget::Hard => drawn.collect(),
        };
        match difficulty {
            DifficultyTarget::Easy => {}
            DifficultyTarget::Mixed => places.sort_by_key(start),
            DifficultyTarget::Hard => places.sort_by_key(|mutant| (Reverse(edits(mutant)), start(mutant))),
        }
        places.truncate(most);
        places
    }

    /// Returns why the task would not have the difficulty wanted; `None` if it would.
    fn why_other_level(&self, subject: &Subject<'_>, item: &ProvedMutant) -> Option<String> {
        let settings = self.context.settings;
        if settings.difficulty == DifficultyTarget::Mixed {
            return None;
        }
        let hints = (item.track == Track::Semantic).then(|| settings.hints_of(&item.mutant.id));
        match UnwrittenTask::of(self.context, subject, item) {
            Ok(draft) => self.why_refused_level(&draft.difficulty(hints)),
            Err(reason) => Some(reason),
        }
    }

    /// Returns why a difficulty is not the one wanted; `None` if it is.
    fn why_refused_level(&self, difficulty: &Difficulty) -> Option<String> {
        let BuildSettings { difficulty: target, hints, .. } = self.context.settings;
        let needs_saying = difficulty.measures.hints == Some(HintLevel::Rule) && *hints != Hints::Rule;
        if *target == DifficultyTarget::Hard && needs_saying {
            return Some("its complaint has to tell the rule".to_owned());
        }
        let wanted = target.levels();
        (!wanted.contains(&difficulty.level)).then(|| format!("its level is {}", difficulty.level))
    }

    fn is_cut_short(&self) -> bool {
        let context = self.context;
        context.progress.is_stopped() || context.engine.absence().is_some()
    }

    /// Tries a candidate alone and with those before it; returns whether it is proved.
    fn attempt(
        &self,
        subject: &Subject<'_>,
        mutant: &Mutant,
        singles: &mut Vec<SingleFault>,
        outcome: &mut Outcome,
    ) -> bool {
        let fault = mutant.fault.clone();
        let single = match self.single(subject, mutant, outcome) {
            Ok(single) => single,
            Err(LostCandidate { repaired_by, reason }) => {
                let repaired_by = repaired_by.map(str::to_owned);
                outcome.attempts.push(TriedCandidate { fault, repaired_by, lost: Some(reason) });
                return false;
            }
        };
        let repaired_by = single.repaired_by.first().map(|solver| (*solver).to_owned());
        singles.push(single);
        let lost = self.put_together(subject, singles, outcome.planned.size, outcome);
        outcome.attempts.push(TriedCandidate { fault, repaired_by, lost });
        true
    }

    /// Proves one fault alone and finds out who repairs it, or says why it cannot be used.
    fn single(
        &self,
        subject: &Subject<'_>,
        mutant: &Mutant,
        outcome: &mut Outcome,
    ) -> Result<SingleFault, LostCandidate> {
        let (context, track) = (self.context, outcome.planned.track);
        let is_alone = outcome.planned.size == 1;
        let answers =
            (is_alone && track == Track::Semantic).then(|| BuiltInAnswers::to(context, subject, mutant, None));
        // What a solver writes again from the text alone cannot be a task, whatever the proof would say.
        if let Some(solver) = answers.as_ref().and_then(|answers| answers.first_restoring(subject)) {
            return Err(LostCandidate::repaired(solver));
        }
        let trial = prove(context.engine, subject, track, mutant)?;
        outcome.trials.push(TriedMutant { mutant: mutant.clone(), verdict: trial.verdict.clone() });
        if let Some(reason) = why_unpublishable(context, track, mutant, &trial) {
            return Err(reason.into());
        }
        let proven = ProvedMutant::single(track, mutant.clone(), trial.verdict);
        let repaired_by = match answers {
            Some(answers) => answers.repairing(subject, &proven),
            None => repaired_by(context, subject, &proven),
        };
        match repaired_by.first() {
            Some(solver) if is_alone => Err(LostCandidate::repaired(solver)),
            _ => Ok(SingleFault { proven, repaired_by }),
        }
    }

    /// Makes a task of the last fault and `size - 1` earlier ones; returns why a group that fits
    /// together was not published.
    fn put_together(
        &self,
        subject: &Subject<'_>,
        singles: &[SingleFault],
        size: usize,
        outcome: &mut Outcome,
    ) -> Option<String> {
        for group in groups_with_last(singles.len(), size).into_iter().take(MOST_GROUPS) {
            let group: Vec<&SingleFault> = group.into_iter().map(|at| &singles[at]).collect();
            match self.joined(subject, &group) {
                Ok(item) => return self.publish(subject, item, outcome),
                Err(reason) => *outcome.not_together.entry(reason).or_default() += 1,
            }
        }
        None
    }

    /// Combines the faults into one mutant that no built-in solver repairs, or says why that fails.
    fn joined(&self, subject: &Subject<'_>, group: &[&SingleFault]) -> Result<ProvedMutant, String> {
        let by_all = group.iter().map(|single| single.repaired_by.clone()).reduce(|all, own| &all & &own);
        if let Some(solver) = by_all.iter().flatten().next() {
            return Err(format!("{solver} repairs each of the faults"));
        }
        let parts: Vec<ProvedMutant> = group.iter().map(|single| single.proven.clone()).collect();
        let item = combined(self.context, subject, parts)?;
        match item.several() {
            [] => Ok(item),
            _ => match repaired_by(self.context, subject, &item).first() {
                Some(solver) => Err(format!("{solver} repairs the faults together")),
                None => Ok(item),
            },
        }
    }

    /// Makes the task; returns why it could not.
    fn publish(&self, subject: &Subject<'_>, item: ProvedMutant, outcome: &mut Outcome) -> Option<String> {
        let TaskSearch { context, book, .. } = *self;
        let several = !item.several().is_empty();
        if let Some(reason) = self.why_other_level(subject, &item) {
            return Some(reason);
        }
        let found = [item];
        let searched = Searched { found: &found, trials: &outcome.trials, candidates: self.candidates };
        // An answer to a syntax task may run and still give wrong rows, so syntax tasks need good databases as well.
        let suites = Suites::choose(context, self.baselines, searched);
        let alternatives = Alternatives::find(context, self.baselines, &suites, searched);
        let samples = Samples::make(context, self.baselines, &found, &alternatives);
        let material = TaskMaterial { suites: &suites, samples: &samples, alternatives: &alternatives };
        let files = KeptFiles::default();
        let mut publisher = Publisher::new(context, book, None, &files);
        let mut counted = Funnel::default();
        let [item] = &found;
        let entry = self.baselines.entry(&item.mutant.script)?;
        match publisher.publish(entry, item, material, &mut counted) {
            Ok(true) => {}
            Ok(false) => return counted.faults.into_values().flat_map(|fault| fault.lost.into_keys()).next(),
            Err(error) => return Some(error.to_string()),
        }
        let (task, gold) = publisher.records.into_values().next()?;
        // The complaint may tell more than was asked for, which changes the level.
        if let Some(reason) = gold.difficulty.as_ref().and_then(|difficulty| self.why_refused_level(difficulty)) {
            return Some(reason);
        }
        if several {
            outcome.trials.push(item.tried());
        }
        outcome.suites = SuiteFunnel { tried: suites.tried, held_out: suites.held_out };
        outcome.complaints = publisher.complaints.determination;
        outcome.task = Some(self.made(task, gold));
        outcome.files = files.0.into_inner();
        None
    }

    fn made(&self, task: TaskRecord, gold: GoldRecord) -> MadeTask {
        let complexity = self.context.settings.complexity.unwrap_or_default();
        let script = self.baselines.entries().first().map(|entry| json!(ScriptRecord::of(entry, complexity)));
        let Composed { reference, style, .. } = self.composed;
        let specification = json!({ "script": reference.id, "style": style,
            "specification": self.composed.specification_file() });
        MadeTask { task, gold, script: script.unwrap_or_default(), specification }
    }
}

/// Returns all groups of `size` out of `count` positions that contain the last one, in lexicographic order.
fn groups_with_last(count: usize, size: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    let mut groups = vec![Vec::new()];
    for _ in 1..size {
        let longer = |group: Vec<usize>| {
            let next = group.last().map_or(0, |at| at + 1);
            (next..last).map(move |at| [group.as_slice(), &[at]].concat())
        };
        groups = groups.into_iter().flat_map(longer).collect();
    }
    groups.iter().map(|group| [group.as_slice(), &[last]].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::groups_with_last;

    #[test]
    fn every_group_has_the_last_one() {
        assert_eq!(groups_with_last(1, 1), [[0]]);
        assert_eq!(groups_with_last(3, 1), [[2]]);
        assert_eq!(groups_with_last(3, 2), [[0, 2], [1, 2]]);
        assert_eq!(groups_with_last(4, 3), [[0, 1, 3], [0, 2, 3], [1, 2, 3]]);
        assert!(groups_with_last(1, 2).is_empty() && groups_with_last(0, 1).is_empty());
    }
}
