//! Tries candidates until each fault has its share of proved mutants.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::funnel::{Funnel, TrackFunnel};
use super::shares::{Part, distance, shares, within};
use super::{BuildError, Progress, Settings};
use crate::engine::spark_rules::{Rejection, Stage};
use crate::fault::{Expectation, Fault, Taxonomy, Track};
use crate::inject::Mutant;
use crate::inject::plan::Mix;
use crate::prove::admission::{Inadmissible, admit, part_suffices};
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
pub struct Hunt<'a> {
    settings: &'a Settings,
    taxonomy: &'a Taxonomy,
    subjects: HashMap<&'a str, &'a Subject<'a>>,
    known: HashMap<String, Verdict>,
    /// Faults of tasks that the run has already, by fault.
    kept: BTreeMap<String, usize>,
    log: Log,
    /// Every trial of this run, for the records.
    trials: Mutex<BTreeMap<String, (Mutant, Verdict)>>,
}

/// One fault's part of a round.
struct Lane<'a> {
    fault: &'a Fault,
    candidates: &'a [Mutant],
    next: usize,
    /// Tasks of the fault that the run has already.
    kept: usize,
    quota: usize,
    found: Vec<(Mutant, Verdict)>,
    lost: BTreeMap<String, usize>,
}

impl Lane<'_> {
    /// Tasks that the fault has.
    fn reached(&self) -> usize {
        self.kept + self.found.len()
    }
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
        let kept = BTreeMap::new();
        Ok(Hunt { settings, taxonomy, subjects, known, kept, log, trials: Mutex::default() })
    }

    /// Takes verdicts of an earlier hunt for known.
    pub fn learn(&mut self, proofs: Vec<Proof>) {
        self.known.extend(proofs.into_iter().map(|proof| (proof.mutant, proof.verdict)));
    }

    /// Counts a fault of a task that the run has already.
    pub fn keep(&mut self, fault: &str) {
        *self.kept.entry(fault.to_owned()).or_default() += 1;
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
        let weights = self.weights(track);
        let mut lanes: Vec<Lane<'_>> = self.lanes(track, candidates);
        let lane_weights: Vec<f64> = lanes.iter().map(|lane| weights[lane.fault.id.as_str()]).collect();
        progress.stage(if track == Track::Syntax { "syntax tasks" } else { "semantic tasks" }, wanted);
        while !progress.is_stopped() && lanes.iter().map(Lane::reached).sum::<usize>() < wanted {
            let parts = self.parts(&lanes, &lane_weights);
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
        let parts = self.parts(&lanes, &lane_weights);
        self.count(track, wanted, &lanes, &parts, funnel);
        let missing = wanted.saturating_sub(lanes.iter().map(|lane| lane.kept).sum());
        let found = lanes.into_iter().flat_map(|lane| lane.found).take(missing);
        Ok(found.map(|(mutant, verdict)| Found::single(track, mutant, verdict)).collect())
    }

    /// How far each lane has come, and the row of the taxonomy that it counts for.
    fn parts(&self, lanes: &[Lane<'_>], weights: &[f64]) -> Vec<Part> {
        let row = |fault: &Fault| match (self.settings.mix, fault.labels.first()) {
            (Mix::Paper, Some(label)) => format!("{} / {} / {}", label.level1, label.level2, label.level3),
            _ => fault.id.clone(),
        };
        let part = |(lane, weight): (&Lane<'_>, &f64)| Part {
            row: row(lane.fault),
            weight: *weight,
            found: lane.reached(),
            open: lane.candidates.len() - lane.next,
        };
        lanes.iter().zip(weights).map(part).collect()
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
        let faults = self.taxonomy.by_id().map(|(_, fault)| fault).filter(|fault| fault.track == track);
        let lane = |fault: &'a Fault| Lane {
            fault,
            candidates: candidates.get(&fault.id).map_or(&[], Vec::as_slice),
            next: 0,
            kept: self.kept.get(&fault.id).copied().unwrap_or(0),
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
        while lane.reached() < lane.quota && lane.next < lane.candidates.len() && !progress.is_stopped() {
            let mutant = &lane.candidates[lane.next];
            lane.next += 1;
            if let Some(refusal) = self.subject(mutant).and_then(|subject| admit(&subject.seed.script, mutant).err()) {
                *lane.lost.entry(refusal.to_string()).or_default() += 1;
                continue;
            }
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
        let tried = || {
            let trials = self.trials.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            trials.get(&mutant.id).map(|(_, verdict)| verdict.clone())
        };
        let verdict = match self.known.get(&mutant.id).cloned().or_else(tried) {
            Some(known) => known,
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
        if self.subject(mutant).is_some_and(|subject| part_suffices(subject, mutant, verdict)) {
            return Some(Inadmissible::NotMinimal.to_string());
        }
        match (track, verdict) {
            (Track::Syntax, Verdict::Rejected { rejection }) => {
                let expected = self.taxonomy.fault(&mutant.fault).is_some_and(|fault| is_expected(fault, rejection));
                (!expected).then(|| "rejected at another stage than its fault says".to_owned())
            }
            (Track::Semantic, Verdict::Killed { witness, .. }) => {
                let subject = self.subject(mutant)?;
                let text = mutant.text(subject.seed.script.text()).ok()?;
                let Ok((reference, issue)) = replay(subject, &text, witness) else {
                    return Some("witness does not replay".to_owned());
                };
                let facts = Facts::of(&reference, &issue, &subject.seed.schema);
                facts.is_none().then(|| "nothing a user could notice".to_owned())
            }
            (_, Verdict::ProvedEqual { argument }) => Some(format!("{PROVED_EQUAL}: {}", argument.kind())),
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

/// Whether a fault fails at the stage that its entry names.
pub fn is_expected(fault: &Fault, rejection: &Rejection) -> bool {
    match rejection.stage {
        Stage::Parse => fault.expect == Expectation::RejectedAtParse,
        Stage::Analysis => fault.expect == Expectation::RejectedAtAnalysis,
        Stage::Run => fault.expect == Expectation::Runtime,
    }
}

/// How the reason of a mutant that is equal by an argument begins.
pub(super) const PROVED_EQUAL: &str = "proved equal";
/// The reason of a mutant that survives without an argument.
pub(super) const SURVIVED: &str = "equal on all databases tried";

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::ProvedEqual { .. } => PROVED_EQUAL,
        Verdict::Rejected { .. } => "rejected",
        Verdict::RejectedElsewhere { .. } => "rejected in a statement that was not edited",
        Verdict::Killed { .. } => "killed",
        Verdict::KilledByOrderOnly => "differs in order only",
        Verdict::Equivalent { databases: 0 } => "accepted",
        Verdict::Equivalent { .. } => SURVIVED,
        Verdict::FailsAtRun { .. } => "fails at run time",
        Verdict::Nondeterministic => "nondeterministic",
        Verdict::Unsupported { .. } => "not supported by the embedded engine",
    }
}
