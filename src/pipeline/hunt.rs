//! Tries candidates until each fault has its share of proved mutants.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::funnel::{Funnel, TrackFunnel};
use super::lanes::{Lane, lanes, parts};
use super::records::Records;
use super::roster::Roster;
use super::shares::{Part, distance, shares, within};
use super::trial::{Trial, name};
use super::{BuildError, Progress, Settings};
use crate::engine::Engine;
use crate::engine::policy::Policy;
use crate::engine::spark_rules::{Rejection, Stage};
use crate::fault::{Expectation, Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::prove::Verdict;
use crate::prove::admission::admit;
use crate::store::{Log, RunDirectory, StoreError};

/// A verdict as a run publishes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The mutant's id.
    pub mutant: String,
    /// How its trial ended.
    pub verdict: Verdict,
}

/// A fault that is proved alone.
#[derive(Clone, Debug)]
pub struct Planted {
    /// The mutant with this fault only.
    pub mutant: Mutant,
    /// Its proof.
    pub verdict: Verdict,
}

/// A proved mutant, with one fault or several.
#[derive(Clone, Debug)]
pub struct Found {
    /// The mutant.
    pub mutant: Mutant,
    /// Its track.
    pub track: Track,
    /// Its proof.
    pub verdict: Verdict,
    /// Its faults, each proved alone; never empty.
    pub parts: Vec<Planted>,
}

impl Found {
    fn single(track: Track, mutant: Mutant, verdict: Verdict) -> Found {
        let part = Planted { mutant: mutant.clone(), verdict: verdict.clone() };
        Found { mutant, track, verdict, parts: vec![part] }
    }
}

/// A search for proved mutants.
pub struct Hunt<'a, 's> {
    settings: &'a Settings,
    taxonomy: &'a Taxonomy,
    executor: &'a dyn Engine,
    roster: &'a Roster<'s>,
    /// What an earlier process or other workers have tried already.
    known: Records,
    /// Faults of tasks that the run has already, by fault.
    kept: BTreeMap<String, usize>,
    log: Log,
    /// Every trial of this run, for the records.
    trials: Mutex<BTreeMap<String, (Mutant, Trial)>>,
    /// How many of them were made here.
    made: AtomicUsize,
}

impl<'a, 's> Hunt<'a, 's> {
    /// Opens the log of the run and reads what an earlier process has proved already.
    ///
    /// # Errors
    ///
    /// When the log cannot be used.
    pub fn new(
        (settings, taxonomy): (&'a Settings, &'a Taxonomy),
        executor: &'a dyn Engine,
        roster: &'a Roster<'s>,
        mut known: Records,
        directory: &RunDirectory,
    ) -> Result<Hunt<'a, 's>, StoreError> {
        let log = directory.log("proofs.partial.jsonl")?;
        known.remember(log.records()?);
        let (kept, trials, made) = Default::default();
        Ok(Hunt { settings, taxonomy, executor, roster, known, kept, log, trials, made })
    }

    /// Counts a fault of a task that the run has already.
    pub fn keep(&mut self, fault: &str) {
        *self.kept.entry(fault.to_owned()).or_default() += 1;
    }

    /// The scripts.
    pub fn roster(&self) -> &'a Roster<'s> {
        self.roster
    }

    /// The engine with the last word.
    pub fn executor(&self) -> &'a dyn Engine {
        self.executor
    }

    /// How many mutants were tried here, because no record held them.
    pub fn made(&self) -> usize {
        self.made.load(Ordering::Relaxed)
    }

    /// Every mutant tried, with its verdict, by id.
    pub fn trials(&self) -> Vec<(Mutant, Verdict)> {
        // A poisoned lock means that a worker panicked between whole entries.
        let trials = self.trials.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        trials.values().map(|(mutant, trial)| (mutant.clone(), trial.verdict.clone())).collect()
    }

    /// Finds proved mutants of a track, shared among its faults as the mix has it, until the track has `wanted` with those
    /// it has already.
    ///
    /// # Errors
    ///
    /// When the log cannot be written.
    pub fn run(
        &self,
        track: Track,
        wanted: usize,
        candidates: &BTreeMap<String, Vec<Mutant>>,
        progress: &dyn Progress,
        funnel: &mut Funnel,
    ) -> Result<Vec<Found>, BuildError> {
        let mix = self.settings.mix;
        let mut lanes = lanes((mix, track), self.taxonomy, candidates);
        for lane in &mut lanes {
            lane.kept = self.kept.get(&lane.fault.id).copied().unwrap_or(0);
        }
        progress.stage(if track == Track::Syntax { "syntax tasks" } else { "semantic tasks" }, wanted);
        while !progress.is_stopped() && lanes.iter().map(Lane::reached).sum::<usize>() < wanted {
            let parts = parts(mix, &lanes);
            let mut targets = shares(wanted, &parts);
            if !self.kept.is_empty() {
                targets = within(wanted, &parts, targets);
            }
            if targets.iter().zip(&parts).all(|(target, part)| *target <= part.found || part.open == 0) {
                break;
            }
            for (lane, target) in lanes.iter_mut().zip(targets) {
                lane.quota = target;
            }
            self.round(track, &mut lanes, progress)?;
        }
        let parts = parts(mix, &lanes);
        self.count(track, wanted, &lanes, &parts, funnel);
        let missing = wanted.saturating_sub(lanes.iter().map(|lane| lane.kept).sum());
        let found = lanes.into_iter().flat_map(|lane| lane.found).take(missing);
        Ok(found.map(|(mutant, verdict)| Found::single(track, mutant, verdict)).collect())
    }

    /// Lets each lane try candidates until it has its quota or none is left; lanes are spread over the workers.
    fn round(&self, track: Track, lanes: &mut [Lane<'_>], progress: &dyn Progress) -> Result<(), StoreError> {
        let cells: Vec<Mutex<&mut Lane<'_>>> = lanes.iter_mut().map(Mutex::new).collect();
        let next = AtomicUsize::new(0);
        let failure: Mutex<Option<StoreError>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.settings.jobs.max(1) {
                scope.spawn(|| {
                    while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Ok(mut lane) = cell.lock() else { return };
                        if let Err(error) = self.drive(track, &mut lane, progress) {
                            failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                            return;
                        }
                    }
                });
            }
        });
        match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn drive(&self, track: Track, lane: &mut Lane<'_>, progress: &dyn Progress) -> Result<(), StoreError> {
        while lane.reached() < lane.quota && lane.next < lane.candidates.len() && !progress.is_stopped() {
            let mutant = &lane.candidates[lane.next];
            lane.next += 1;
            let script = self.roster.entry(&mutant.script).map(|entry| &entry.reference.script);
            if let Some(refusal) = script.and_then(|script| admit(script, mutant).err()) {
                *lane.lost.entry(refusal.to_string()).or_default() += 1;
                continue;
            }
            let trial = self.trial(track, mutant)?;
            match self.loss(track, mutant, &trial) {
                None => {
                    lane.found.push((mutant.clone(), trial.verdict));
                    progress.step();
                }
                Some(reason) => *lane.lost.entry(reason).or_default() += 1,
            }
        }
        Ok(())
    }

    fn trial(&self, track: Track, mutant: &Mutant) -> Result<Trial, StoreError> {
        let tried = || {
            let trials = self.trials.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            trials.get(&mutant.id).map(|(_, trial)| trial.clone())
        };
        let trial = match self.known.trial(&mutant.id).cloned().or_else(tried) {
            Some(known) => known,
            None => {
                let trial = self.try_mutant(track, mutant);
                self.log.append(&trial)?;
                trial
            }
        };
        let mut trials = self.trials.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        trials.insert(mutant.id.clone(), (mutant.clone(), trial.clone()));
        Ok(trial)
    }

    fn try_mutant(&self, track: Track, mutant: &Mutant) -> Trial {
        self.made.fetch_add(1, Ordering::Relaxed);
        match self.roster.subject(&mutant.script) {
            Some(subject) => Trial::run(self.executor, subject, track, mutant),
            None => {
                let verdict = Verdict::Unsupported { reason: "the script has no baseline".to_owned() };
                Trial { mutant: mutant.id.clone(), verdict, flaw: None }
            }
        }
    }

    /// Why a mutant cannot be published; none when it can.
    fn loss(&self, track: Track, mutant: &Mutant, trial: &Trial) -> Option<String> {
        if trial.flaw.is_some() {
            return trial.flaw.clone();
        }
        match (track, &trial.verdict) {
            (Track::Syntax, Verdict::Rejected { rejection, .. }) => {
                let fault = self.taxonomy.fault(&mutant.fault)?;
                unexpected(fault, rejection).map(str::to_owned)
            }
            (Track::Semantic, Verdict::Killed { .. }) => None,
            (_, Verdict::Equivalent { reason }) => Some(format!("{}: {}", name(&trial.verdict), reason.kind())),
            (_, verdict) => Some(name(verdict).to_owned()),
        }
    }

    fn count(&self, track: Track, wanted: usize, lanes: &[Lane<'_>], parts: &[Part], funnel: &mut Funnel) {
        let sum: f64 = parts.iter().map(|part| part.weight).sum();
        funnel
            .tracks
            .insert(track, TrackFunnel { asked: wanted, mix_distance: distance(parts), ..TrackFunnel::default() });
        for (lane, part) in lanes.iter().zip(parts) {
            let entry = funnel.fault(&lane.fault.id);
            entry.wanted = (wanted as f64 * part.weight / sum.max(f64::MIN_POSITIVE)).round() as usize;
            entry.tried = lane.next;
            entry.proved = lane.found.len();
            entry.lost = lane.lost.clone();
        }
    }
}

/// Whether a fault fails as its entry says: refused by its policy if it has one, and at the stage that it names.
pub fn is_expected(fault: &Fault, rejection: &Rejection) -> bool {
    unexpected(fault, rejection).is_none()
}

/// What is not as the fault's entry says.
fn unexpected(fault: &Fault, rejection: &Rejection) -> Option<&'static str> {
    match (fault.policy(), Policy::of(rejection)) {
        (None, Some(_)) => Some("refused by a policy, not by the engine"),
        (wanted, found) if wanted != found => Some("not refused by its policy"),
        _ => (!is_at_stage(fault, rejection)).then_some("rejected at another stage than its fault says"),
    }
}

fn is_at_stage(fault: &Fault, rejection: &Rejection) -> bool {
    match rejection.stage {
        Stage::Parse => fault.expect == Expectation::RejectedAtParse,
        Stage::Analysis => fault.expect == Expectation::RejectedAtAnalysis,
        Stage::Run => fault.expect == Expectation::Runtime,
    }
}
