//! The work on one composed reference: pure, so that it may be done anywhere and in any order.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::json;

use super::super::alternatives::Alternatives;
use super::super::baseline::{Baseline, Preparation};
use super::super::baselines::{Baselines, ReadyReference};
use super::super::candidates::{CandidateDraw, candidates};
use super::super::combine::combine;
use super::super::context::Context;
use super::super::defence::repaired_by;
use super::super::funnel::{Funnel, SuiteFunnel};
use super::super::manifest::ScriptRecord;
use super::super::policies;
use super::super::proven::ProvenMutant;
use super::super::publisher::{Publisher, TaskMaterial};
use super::super::samples::Samples;
use super::super::search::{Searched, loss, prove};
use super::super::suites::Suites;
use super::outcome::{Attempted, MadeTask, Outcome, TriedMutant};
use super::places::compose;
use super::plan::Planned;
use crate::corpus::compose::{Composed, Composer};
use crate::fault::Track;
use crate::inject::Mutant;
use crate::prove::Subject;
use crate::publish::complaint::PhraseBook;
use crate::publish::format::Files;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::StoreError;

/// Places that are tried for the own fault of a reference.
const OWN_PLACES: usize = 4;
/// Places that are tried for each other fault.
const OTHER_PLACES: usize = 2;

/// What all references of a run are worked on with.
#[derive(Clone, Copy)]
pub(super) struct WorkContext<'a> {
    pub context: Context<'a>,
    pub composer: &'a Composer,
    pub book: &'a PhraseBook,
}

impl WorkContext<'_> {
    /// Composes the reference and tries its faults until it has its task.
    pub fn outcome(&self, planned: &Planned) -> Outcome {
        let context = self.context;
        let composed = match compose(context, self.composer, planned.number) {
            Ok(composed) => composed,
            Err(reason) => return Outcome::nothing(planned.clone(), Some(reason)),
        };
        let reference = &composed.reference;
        let preparation = match planned.track {
            Track::Syntax => Preparation::Judging,
            Track::Semantic => Preparation::Composing,
        };
        let (baseline, subject) =
            Baseline::prepared(context.engine, &context.settings.policies, reference, preparation);
        let (coverage, subject) = match (baseline, subject) {
            (Baseline::Passed { coverage, .. }, Some(subject)) => (coverage, subject),
            (Baseline::Refused { reason }, _) => return Outcome::nothing(planned.clone(), Some(reason)),
            _ => return Outcome::nothing(planned.clone(), Some("the baseline gave no script".to_owned())),
        };
        let draw = CandidateDraw { seed: context.settings.seed, jobs: 1, taxonomy: context.taxonomy };
        let candidates = candidates(&draw, &[reference], &mut Funnel::default());
        let baselines = Baselines::of(vec![ReadyReference::new(reference, coverage, subject, context.settings)]);
        let mut outcome = Outcome::nothing(planned.clone(), None);
        outcome.policies = policies::count(&context.settings.policies, &[reference]);
        ReferenceWork { work: self, composed: &composed, baselines: &baselines, candidates: &candidates }
            .fill(&mut outcome);
        outcome
    }
}

/// Files that are kept until the outcome is taken.
#[derive(Default)]
struct KeptFiles(RefCell<BTreeMap<String, String>>);

impl Files for KeptFiles {
    fn file(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.0.borrow_mut().insert(name.to_owned(), String::from_utf8_lossy(content).into_owned());
        Ok(())
    }
}

/// One reference with its candidates.
struct ReferenceWork<'a> {
    work: &'a WorkContext<'a>,
    composed: &'a Composed,
    baselines: &'a Baselines<'a>,
    candidates: &'a BTreeMap<String, Vec<Mutant>>,
}

impl ReferenceWork<'_> {
    /// Tries one candidate after the other until there is a task.
    fn fill(&self, outcome: &mut Outcome) {
        let context = self.work.context;
        let reference = &self.composed.reference;
        let Some(subject) = self.baselines.subject(&reference.id) else { return };
        let track = outcome.planned.track;
        let size = context.settings.size_on(track, &reference.id);
        let mut singles: Vec<ProvenMutant> = Vec::new();
        for mutant in self.in_turn(&outcome.planned) {
            if context.progress.is_stopped() || context.engine.absence().is_some() {
                break;
            }
            let mut lost = match self.single(subject, track, mutant, outcome) {
                Ok(single) => {
                    singles.push(single);
                    None
                }
                Err(reason) => Some(reason),
            };
            if lost.is_none() && singles.len() >= size {
                lost = self.publish(subject, &mut singles, size, outcome);
            }
            outcome.attempts.push(Attempted { fault: mutant.fault.clone(), lost });
            if outcome.task.is_some() {
                break;
            }
        }
    }

    /// The candidates of the planned faults, in the order in which they are tried.
    fn in_turn(&self, planned: &Planned) -> Vec<&Mutant> {
        let places = |at: usize| if at == 0 { OWN_PLACES } else { OTHER_PLACES };
        let of_fault =
            |(at, fault): (usize, &String)| self.candidates.get(fault).into_iter().flatten().take(places(at));
        planned.faults.iter().enumerate().flat_map(of_fault).collect()
    }

    /// One fault, proved and not repaired by any built-in solver; or why it cannot be used.
    fn single(
        &self,
        subject: &Subject<'_>,
        track: Track,
        mutant: &Mutant,
        outcome: &mut Outcome,
    ) -> Result<ProvenMutant, String> {
        let context = self.work.context;
        let trial = prove(context.engine, subject, track, mutant)?;
        outcome.trials.push(TriedMutant { mutant: mutant.clone(), verdict: trial.verdict.clone() });
        if let Some(reason) = loss(context, track, mutant, &trial) {
            return Err(reason);
        }
        let single = ProvenMutant::single(track, mutant.clone(), trial.verdict);
        match repaired_by(context, subject, &single) {
            Some(solver) => Err(format!("repaired by {solver}")),
            None => Ok(single),
        }
    }

    /// Makes the task of the faults that were found; returns why there is none.
    fn publish(
        &self,
        subject: &Subject<'_>,
        singles: &mut Vec<ProvenMutant>,
        size: usize,
        outcome: &mut Outcome,
    ) -> Option<String> {
        let WorkContext { context, book, .. } = *self.work;
        let track = outcome.planned.track;
        let item = if size == 1 {
            singles.pop()
        } else {
            let combined = combine(context, self.baselines, track, singles.clone(), vec![size]);
            for (reason, count) in combined.lost {
                *outcome.not_together.entry(reason).or_default() += count;
            }
            combined.tasks.into_iter().find(|task| task.parts.len() == size)
        };
        let item = item?;
        let trials: Vec<_> = outcome.trials.iter().map(|tried| (tried.mutant.clone(), tried.verdict.clone())).collect();
        let found = [item];
        let searched = Searched { found: &found, trials: &trials, candidates: self.candidates };
        // A repair of a syntax task may be wrong in what it means: its answers need good databases as well.
        let suites = Suites::choose(context, self.baselines, searched);
        let samples = Samples::make(context, self.baselines, &found);
        let alternatives = Alternatives::find(context, self.baselines, &suites, &samples, searched);
        let material = TaskMaterial { suites: &suites, samples: &samples, alternatives: &alternatives };
        let files = KeptFiles::default();
        let mut publisher = Publisher::new(context, book, None, &files);
        let mut counted = Funnel::default();
        let [item] = &found;
        match publisher.publish(subject, item, material, &mut counted) {
            Ok(true) => {}
            Ok(false) => return counted.faults.into_values().flat_map(|fault| fault.lost.into_keys()).next(),
            Err(error) => return Some(error.to_string()),
        }
        if size > 1 {
            outcome.trials.push(TriedMutant { mutant: item.mutant.clone(), verdict: item.verdict.clone() });
        }
        outcome.suites = SuiteFunnel { tried: suites.tried, held_out: suites.held_out };
        outcome.complaints = publisher.complaints.determination;
        outcome.task = publisher.records.into_values().next().map(|(task, gold)| self.made(task, gold));
        outcome.files = files.0.into_inner();
        None
    }

    fn made(&self, task: TaskRecord, gold: GoldRecord) -> MadeTask {
        let complexity = self.work.context.settings.complexity.unwrap_or_default();
        let script = self.baselines.entries().first().map(|entry| json!(ScriptRecord::of(entry, complexity)));
        let Composed { reference, style, .. } = self.composed;
        let specification = json!({ "script": reference.id, "style": style,
            "specification": self.composed.specification_file() });
        MadeTask { task, gold, script: script.unwrap_or_default(), specification }
    }
}
