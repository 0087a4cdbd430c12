//! Tries candidates until each fault has its share of proved mutants.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::funnel::{Funnel, TrackFunnel};
use super::{BuildError, Progress, Settings};
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::{Mix, quotas};
use crate::prove::trial::{Suspect, replay, try_semantic, try_syntax};
use crate::prove::{Subject, Verdict};
use crate::publish::difference::Facts;
use crate::store::{Log, RunDirectory, StoreError};

/// A verdict as the log of a run keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The mutant's id.
    pub mutant: String,
    /// How its trial ended.
    pub verdict: Verdict,
}

/// A proved mutant.
#[derive(Clone, Debug)]
pub struct Found {
    /// The mutant.
    pub mutant: Mutant,
    /// Its track.
    pub track: Track,
    /// Its proof.
    pub verdict: Verdict,
}

/// A search for proved mutants.
pub struct Hunt<'a> {
    settings: &'a Settings,
    taxonomy: &'a Taxonomy,
    subjects: HashMap<&'a str, &'a Subject<'a>>,
    known: HashMap<String, Verdict>,
    log: Log,
    /// Every trial of this run, for the records.
    trials: Mutex<BTreeMap<String, (Mutant, Verdict)>>,
}

/// One fault's part of a round.
struct Lane<'a> {
    fault: &'a Fault,
    candidates: &'a [Mutant],
    next: usize,
    quota: usize,
    found: Vec<(Mutant, Verdict)>,
    lost: BTreeMap<String, usize>,
}

impl<'a> Hunt<'a> {
    /// Opens the log of the run and reads what an earlier process has proved already.
    ///
    /// # Errors
    ///
    /// When the log cannot be used.
    pub fn new(
        settings: &'a Settings,
        taxonomy: &'a Taxonomy,
        subjects: &'a [Subject<'a>],
        directory: &RunDirectory,
    ) -> Result<Hunt<'a>, StoreError> {
        let log = directory.log("proofs.partial.jsonl")?;
        let known = log.records::<Proof>()?.into_iter().map(|proof| (proof.mutant, proof.verdict)).collect();
        let subjects = subjects.iter().map(|subject| (subject.seed.id.as_str(), subject)).collect();
        Ok(Hunt { settings, taxonomy, subjects, known, log, trials: Mutex::default() })
    }

    /// The subject of a mutant.
    pub fn subject(&self, mutant: &Mutant) -> Option<&'a Subject<'a>> {
        self.subjects.get(mutant.script.as_str()).copied()
    }

    /// Every mutant tried, with its verdict, by id.
    pub fn trials(&self) -> Vec<(Mutant, Verdict)> {
        // A poisoned lock means that a worker panicked between whole entries.
        let trials = self.trials.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        trials.values().cloned().collect()
    }

    /// Finds `wanted` proved mutants of a track, shared among its faults as the mix has it.
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
        let weights = self.weights(track);
        let mut lanes: Vec<Lane<'_>> = self.lanes(track, candidates);
        let lane_weights: Vec<f64> = lanes.iter().map(|lane| weights[lane.fault.id.as_str()]).collect();
        progress.stage(if track == Track::Syntax { "syntax tasks" } else { "semantic tasks" }, wanted);
        let mut total = 0;
        while total < wanted {
            let open: Vec<usize> = lanes.iter().map(|lane| lane.candidates.len() - lane.next).collect();
            let shares = quotas(wanted - total, &lane_weights, &open);
            if shares.iter().all(|share| *share == 0) {
                break;
            }
            for (lane, share) in lanes.iter_mut().zip(&shares) {
                lane.quota = lane.found.len() + share;
            }
            self.round(track, &mut lanes, progress)?;
            total = lanes.iter().map(|lane| lane.found.len()).sum();
        }
        self.count(track, wanted, &lanes, &lane_weights, funnel);
        let found = lanes.into_iter().flat_map(|lane| lane.found);
        Ok(found.map(|(mutant, verdict)| Found { mutant, track, verdict }).collect())
    }

    fn weights(&self, track: Track) -> HashMap<&'a str, f64> {
        let paper = self.taxonomy.prevalence();
        let weight = |(at, fault): (usize, &'a Fault)| {
            let weight = match self.settings.mix {
                Mix::Paper => paper[at],
                Mix::Shipped => f64::from(u8::from(fault.is_shipped())),
                Mix::Uniform => 1.0,
            };
            (fault.id.as_str(), weight)
        };
        let faults = self.taxonomy.faults().iter().enumerate().filter(|(_, fault)| fault.track == track);
        faults.map(weight).collect()
    }

    fn lanes<'b>(&self, track: Track, candidates: &'b BTreeMap<String, Vec<Mutant>>) -> Vec<Lane<'b>>
    where
        'a: 'b,
    {
        let faults = self.taxonomy.faults().iter().filter(|fault| fault.track == track);
        let lane = |fault: &'a Fault| Lane {
            fault,
            candidates: candidates.get(&fault.id).map_or(&[], Vec::as_slice),
            next: 0,
            quota: 0,
            found: Vec::new(),
            lost: BTreeMap::new(),
        };
        faults.map(lane).collect()
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
        while lane.found.len() < lane.quota && lane.next < lane.candidates.len() {
            let mutant = &lane.candidates[lane.next];
            lane.next += 1;
            let verdict = self.verdict(track, mutant)?;
            match self.loss(track, mutant, &verdict) {
                None => {
                    lane.found.push((mutant.clone(), verdict));
                    progress.step();
                }
                Some(reason) => *lane.lost.entry(reason).or_default() += 1,
            }
        }
        Ok(())
    }

    fn verdict(&self, track: Track, mutant: &Mutant) -> Result<Verdict, StoreError> {
        let verdict = match self.known.get(&mutant.id) {
            Some(known) => known.clone(),
            None => {
                let verdict = self.try_mutant(track, mutant);
                self.log.append(&Proof { mutant: mutant.id.clone(), verdict: verdict.clone() })?;
                verdict
            }
        };
        let mut trials = self.trials.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        trials.insert(mutant.id.clone(), (mutant.clone(), verdict.clone()));
        Ok(verdict)
    }

    fn try_mutant(&self, track: Track, mutant: &Mutant) -> Verdict {
        let Some(subject) = self.subject(mutant) else {
            return Verdict::Unsupported { reason: "the script has no baseline".to_owned() };
        };
        let original = subject.seed.script.text();
        let text = match mutant.text(original) {
            Ok(text) => text,
            Err(error) => return Verdict::Unsupported { reason: error.to_string() },
        };
        let nodes: Vec<_> =
            mutant.nodes().into_iter().filter(|node| node.index() < subject.bound.tree().len()).collect();
        let suspect = Suspect { text: &text, changed: mutant.changed(original), about: &nodes };
        match track {
            Track::Syntax => try_syntax(subject, &suspect),
            Track::Semantic => try_semantic(subject, &suspect),
        }
    }

    /// Why a mutant cannot be published; none when it can.
    fn loss(&self, track: Track, mutant: &Mutant, verdict: &Verdict) -> Option<String> {
        match (track, verdict) {
            (Track::Syntax, Verdict::Rejected { .. }) => None,
            (Track::Semantic, Verdict::Killed { witness, .. }) => {
                let subject = self.subject(mutant)?;
                let text = mutant.text(subject.seed.script.text()).ok()?;
                let Ok((reference, issue)) = replay(subject, &text, witness) else {
                    return Some("witness does not replay".to_owned());
                };
                let facts = Facts::of(&reference, &issue, &subject.seed.schema);
                facts.is_none().then(|| "nothing a user could notice".to_owned())
            }
            (_, verdict) => Some(name(verdict).to_owned()),
        }
    }

    fn count(&self, track: Track, wanted: usize, lanes: &[Lane<'_>], weights: &[f64], funnel: &mut Funnel) {
        let found: usize = lanes.iter().map(|lane| lane.found.len()).sum();
        let sum: f64 = weights.iter().sum();
        let distance = lanes.iter().zip(weights).map(|(lane, weight)| {
            (lane.found.len() as f64 / (found.max(1)) as f64 - weight / sum.max(f64::MIN_POSITIVE)).abs()
        });
        let mix_distance = (distance.sum::<f64>() / 2.0 * 1e4).round() / 1e4;
        funnel.tracks.insert(track, TrackFunnel { asked: wanted, published: 0, mix_distance });
        for (lane, weight) in lanes.iter().zip(weights) {
            let entry = funnel.fault(&lane.fault.id);
            entry.wanted = (wanted as f64 * weight / sum.max(f64::MIN_POSITIVE)).round() as usize;
            entry.tried = lane.next;
            entry.proved = lane.found.len();
            entry.lost = lane.lost.clone();
        }
    }
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Rejected { .. } => "rejected",
        Verdict::RejectedElsewhere { .. } => "rejected in a statement that was not edited",
        Verdict::Killed { .. } => "killed",
        Verdict::KilledByOrderOnly => "differs in order only",
        Verdict::Equivalent { databases: 0 } => "accepted",
        Verdict::Equivalent { .. } => "equal on all databases tried",
        Verdict::FailsAtRun { .. } => "fails at run time",
        Verdict::Nondeterministic => "nondeterministic",
        Verdict::Unsupported { .. } => "not supported by the embedded engine",
    }
}
