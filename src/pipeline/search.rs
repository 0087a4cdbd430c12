//! Tries candidates until each fault has its quota of proven mutants.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::baselines::Baselines;
use super::context::Context;
use super::error::BuildError;
use super::funnel::{Funnel, TrackFunnel};
use super::proven::{ProvedMutant, TriedMutant};
use super::queues::{FaultQueue, MOST_SURVIVALS};
use super::quotas::{FaultShare, Quota, capped, distance, ideal, targets};
use super::records::WorkerRecords;
use super::trial::{TrialRecord, name};
use crate::code::script::Script;
use crate::engine::Engine;
use crate::engine::policy::Policy;
use crate::engine::spark_rules::{Rejection, RejectionStage};
use crate::fault::{Expectation, Fault, Track};
use crate::inject::Mutant;
use crate::parallel;
use crate::prove::admission::{Inadmissible, admit, check_restorable};
use crate::prove::{Subject, Verdict};
use crate::store::{Log, RunDirectory, StoreError};

/// The log of a run under way: the trials that a resumed run need not make again.
pub(super) const TRIALS: &str = "proofs.partial.jsonl";

/// The results of a run's search.
#[derive(Clone, Copy)]
pub(super) struct Searched<'a> {
    /// The proven mutants that tasks are made of.
    pub found: &'a [ProvedMutant],
    /// Every mutant that was tried, with its verdict.
    pub trials: &'a [TriedMutant],
    /// Every mutant that could be tried, by fault.
    pub candidates: &'a BTreeMap<String, Vec<Mutant>>,
}

/// A search for proven mutants. Trials that an earlier process or other workers made are not made again.
pub(super) struct MutantSearch<'a> {
    context: Context<'a>,
    /// Trials that an earlier process or other workers made.
    known: WorkerRecords,
    /// Number of faults in tasks that the run has already, by fault.
    kept: BTreeMap<String, usize>,
    log: Log,
    /// Every trial of this run, for the records.
    trials: Mutex<BTreeMap<String, (Mutant, TrialRecord)>>,
    /// How many of them were made here.
    made: AtomicUsize,
}

impl<'a> MutantSearch<'a> {
    /// Opens the log of the run and reads what an earlier process has proved already.
    ///
    /// # Errors
    ///
    /// If the log cannot be used.
    pub fn new(
        context: Context<'a>,
        mut known: WorkerRecords,
        directory: &RunDirectory,
    ) -> Result<MutantSearch<'a>, StoreError> {
        let log = directory.log(TRIALS)?;
        known.remember(log.records()?);
        let (kept, trials) = (BTreeMap::new(), Mutex::default());
        Ok(MutantSearch { context, known, kept, log, trials, made: AtomicUsize::new(0) })
    }

    /// Counts a fault of a task that the run has already.
    pub fn keep(&mut self, fault: &str) {
        *self.kept.entry(fault.to_owned()).or_default() += 1;
    }

    /// Returns how many mutants were tried here because no record held them.
    pub fn made(&self) -> usize {
        self.made.load(Ordering::Relaxed)
    }

    /// Returns every mutant tried, with its verdict, in order of ids.
    pub fn trials(&self) -> Vec<TriedMutant> {
        // A poisoned lock still guards whole entries.
        let trials = self.trials.lock().unwrap_or_else(PoisonError::into_inner);
        let tried = |(mutant, trial): &(Mutant, TrialRecord)| TriedMutant {
            mutant: mutant.clone(),
            verdict: trial.verdict.clone(),
        };
        trials.values().map(tried).collect()
    }

    /// Proves one mutant, or says why it cannot be published.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    pub fn prove(
        &self,
        baselines: &Baselines<'_>,
        track: Track,
        mutant: &Mutant,
    ) -> Result<Result<ProvedMutant, String>, StoreError> {
        let script = baselines.entry(&mutant.script).map(|entry| &entry.reference.script);
        if let Some(refusal) = script.and_then(|script| inadmissible(script, track, mutant)) {
            return Ok(Err(refusal.to_string()));
        }
        let trial = self.trial(baselines, track, mutant)?;
        Ok(match why_unpublishable(self.context, track, mutant, &trial) {
            None => Ok(ProvedMutant::single(track, mutant.clone(), trial.verdict)),
            Some(reason) => Err(reason),
        })
    }

    /// Returns everything that was tried, as the run records it: single mutants by id, then those of several faults.
    pub fn recorded(&self, found: &[ProvedMutant]) -> Vec<TriedMutant> {
        let mut trials = self.trials();
        trials.extend(found.iter().filter(|item| !item.several().is_empty()).map(ProvedMutant::tried));
        trials
    }

    /// Finds proven mutants of a track, spread over its faults as the mix asks, until the track has as many faults as
    /// the quota asks for, including those that it has already.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    pub fn run(
        &self,
        baselines: &Baselines<'_>,
        quota: Quota,
        candidates: &BTreeMap<String, Vec<Mutant>>,
        funnel: &mut Funnel,
    ) -> Result<Vec<ProvedMutant>, BuildError> {
        let Quota { track, tasks: wanted } = quota;
        let context = self.context;
        let mut queues = FaultQueue::all(context.taxonomy, context.settings.mix, track, candidates);
        for queue in &mut queues {
            queue.kept = self.kept.get(&queue.fault.id).copied().unwrap_or(0);
        }
        context.progress.stage(if track == Track::Syntax { "syntax tasks" } else { "semantic tasks" }, wanted);
        while !context.progress.is_stopped() && queues.iter().map(FaultQueue::reached).sum::<usize>() < wanted {
            let shares: Vec<FaultShare> = queues.iter().map(FaultQueue::share).collect();
            let mut targets = targets(wanted, &shares);
            if !self.kept.is_empty() {
                targets = capped(wanted, &shares, targets);
            }
            if targets.iter().zip(&shares).all(|(target, share)| *target <= share.proved || share.open == 0) {
                break;
            }
            for (queue, target) in queues.iter_mut().zip(targets) {
                queue.quota = target;
            }
            let ended = parallel::map(context.settings.jobs, &mut queues, |queue| self.fill(baselines, track, queue));
            ended.into_iter().collect::<Result<(), StoreError>>()?;
        }
        count(quota, &queues, funnel);
        let missing = wanted.saturating_sub(queues.iter().map(|queue| queue.kept).sum());
        Ok(queues.into_iter().flat_map(|queue| queue.proved).take(missing).collect())
    }

    /// Tries the candidates of a fault until it has its quota or none is left.
    fn fill(&self, baselines: &Baselines<'_>, track: Track, queue: &mut FaultQueue<'_>) -> Result<(), StoreError> {
        let is_stopped = || self.context.progress.is_stopped();
        while queue.reached() < queue.quota && queue.next < queue.candidates.len() && !is_stopped() {
            let mutant = &queue.candidates[queue.next];
            queue.next += 1;
            if queue.is_hopeless_in(&mutant.script) {
                queue.lose(format!("passed over: {MOST_SURVIVALS} others of the fault survived in the same script"));
                continue;
            }
            self.context.progress.at(&format!("{} in {}", queue.fault.id, mutant.script));
            match self.prove(baselines, track, mutant)? {
                Ok(proven) => {
                    queue.proved.push(proven);
                    self.context.progress.step();
                }
                Err(reason) => {
                    queue.survive(&mutant.script, &reason);
                    queue.lose(reason);
                }
            }
        }
        Ok(())
    }

    /// Returns the trial of a mutant, which is made here unless a record or the log holds it.
    fn trial(&self, baselines: &Baselines<'_>, track: Track, mutant: &Mutant) -> Result<TrialRecord, StoreError> {
        let tried = || {
            let trials = self.trials.lock().unwrap_or_else(PoisonError::into_inner);
            trials.get(&mutant.id).map(|(_, trial)| trial.clone())
        };
        let trial = match self.known.trial(&mutant.id).cloned().or_else(tried) {
            Some(known) => known,
            None => {
                let trial = self.try_mutant(baselines, track, mutant);
                self.log.append(&trial)?;
                trial
            }
        };
        let mut trials = self.trials.lock().unwrap_or_else(PoisonError::into_inner);
        trials.insert(mutant.id.clone(), (mutant.clone(), trial.clone()));
        Ok(trial)
    }

    fn try_mutant(&self, baselines: &Baselines<'_>, track: Track, mutant: &Mutant) -> TrialRecord {
        self.made.fetch_add(1, Ordering::Relaxed);
        match baselines.subject(&mutant.script) {
            Some(subject) => TrialRecord::shielded(self.context.engine, subject, track, mutant),
            None => TrialRecord::unsupported(mutant, "the script has no baseline".to_owned()),
        }
    }
}

/// Tries one mutant of a script; if a gate stops the mutant, the error says why.
pub(super) fn prove(
    engine: &dyn Engine,
    subject: &Subject<'_>,
    track: Track,
    mutant: &Mutant,
) -> Result<TrialRecord, String> {
    if let Some(refusal) = inadmissible(&subject.reference.script, track, mutant) {
        return Err(refusal.to_string());
    }
    Ok(TrialRecord::shielded(engine, subject, track, mutant))
}

/// Returns why a mutant that was tried cannot be published; `None` if it can.
pub(super) fn why_unpublishable(
    context: Context<'_>,
    track: Track,
    mutant: &Mutant,
    trial: &TrialRecord,
) -> Option<String> {
    if trial.flaw.is_some() {
        return trial.flaw.clone();
    }
    match (track, &trial.verdict) {
        (Track::Syntax, Verdict::Rejected { rejection, .. }) => {
            let fault = context.fault(&mutant.fault)?;
            unexpected(fault, rejection).map(str::to_owned)
        }
        (Track::Semantic, Verdict::Killed { .. }) => None,
        (_, Verdict::Equivalent { reason }) => Some(format!("{}: {}", name(&trial.verdict), reason.kind())),
        (_, verdict) => Some(name(verdict).to_owned()),
    }
}

fn count(quota: Quota, queues: &[FaultQueue<'_>], funnel: &mut Funnel) {
    let shares: Vec<FaultShare> = queues.iter().map(FaultQueue::share).collect();
    let numbers = TrackFunnel { asked: quota.tasks, mix_distance: distance(&shares), ..TrackFunnel::default() };
    funnel.tracks.insert(quota.track, numbers);
    for (queue, wanted) in queues.iter().zip(ideal(quota.tasks, &shares)) {
        let entry = funnel.fault(&queue.fault.id);
        entry.wanted = wanted;
        entry.tried = queue.next;
        entry.proved = queue.proved.len();
        entry.lost = queue.lost.clone();
    }
}

/// Whether a fault fails as its entry says: refused by its policy if it has one, and at the stage that the entry names.
pub fn is_expected(fault: &Fault, rejection: &Rejection) -> bool {
    unexpected(fault, rejection).is_none()
}

/// Returns how a rejection differs from what the fault's entry says; `None` if it does not.
fn unexpected(fault: &Fault, rejection: &Rejection) -> Option<&'static str> {
    match (fault.policy(), Policy::of(rejection)) {
        (None, Some(_)) => Some("refused by a policy, not by the engine"),
        (wanted, found) if wanted != found => Some("not refused by its policy"),
        _ => (!is_at_stage(fault, rejection)).then_some("rejected at another stage than its fault says"),
    }
}

fn is_at_stage(fault: &Fault, rejection: &Rejection) -> bool {
    match rejection.stage {
        RejectionStage::Parse => fault.expect == Expectation::RejectedAtParse,
        RejectionStage::Analysis => fault.expect == Expectation::RejectedAtAnalysis,
        RejectionStage::Run => fault.expect == Expectation::Runtime,
    }
}

/// Returns why a mutant cannot be a task of a track, whatever its trial would show; `None` if it can.
fn inadmissible(script: &Script, track: Track, mutant: &Mutant) -> Option<Inadmissible> {
    match admit(script, mutant) {
        Ok(issue) if track == Track::Syntax => check_restorable(script, mutant, &issue).err(),
        Ok(_) => None,
        Err(refusal) => Some(refusal),
    }
}
