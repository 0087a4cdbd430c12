//! Optional: a share of the tasks is planted by models. What they propose is tried like any other mutant.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::funnel::Funnel;
use super::gained::Gained;
use super::hunt::{Found, Hunt};
use super::{BuildError, Progress, parallel};
use crate::code::edit::Edits;
use crate::corpus::Reference;
use crate::draft::{Drafter, Kept, Sources, Trouble};
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::Mutant;

/// Kinds of mistakes that a model chooses for one script.
const KINDS: usize = 3;

/// How models take part in a build.
#[derive(Clone, Debug)]
pub struct Rewrites {
    /// Which models, and how they are asked.
    pub sources: Sources,
    /// Share of the tasks of each track that models plant, from 0 to 1.
    pub share: f64,
    /// Let models reword complaints.
    pub reword: bool,
}

/// What `run.yaml` says of models.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RewriteCard {
    models: Vec<String>,
    share: f64,
    reword: bool,
}

impl RewriteCard {
    pub fn of(rewrites: &Rewrites) -> RewriteCard {
        let models = rewrites.sources.models.iter().map(|model| model.name.clone()).collect();
        RewriteCard { models, share: rewrites.share, reword: rewrites.reword }
    }
}

/// The numbers of what models proposed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewriteFunnel {
    /// Tasks wanted from models, by track.
    pub wanted: BTreeMap<Track, usize>,
    /// Scripts for which models were asked to choose kinds of mistakes.
    pub scripts: usize,
    /// Answers that were asked for, one a script and kind.
    pub asked: usize,
    /// Answers that passed the gates and were tried.
    pub drafted: usize,
    /// Mutants of models that were proved, by track.
    pub proved: BTreeMap<Track, usize>,
    /// Answers that are no mutants, by reason.
    pub rejected: BTreeMap<String, usize>,
    /// Complaints that models were asked to reword, by what became of them.
    pub complaints: BTreeMap<String, usize>,
    /// Why the models were not asked any further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// The work with models during one build.
pub(super) struct Authors {
    drafter: Drafter,
    share: f64,
    reword: bool,
    /// Who proposed a mutant, by its id.
    authors: BTreeMap<String, String>,
    numbers: RewriteFunnel,
    complaints: Mutex<BTreeMap<String, usize>>,
}

/// What the models need to know of a build.
pub(super) struct Ground<'a> {
    pub seed: u64,
    pub taxonomy: &'a Taxonomy,
    pub references: Vec<&'a Reference>,
    pub candidates: &'a BTreeMap<String, Vec<Mutant>>,
}

/// A script and the kind of mistake that a model plants in it; the number says whose turn it is.
type Order<'a> = (usize, &'a Reference, &'a Fault);

impl Authors {
    /// Prepares the models.
    pub fn new(rewrites: &Rewrites) -> Result<Authors, BuildError> {
        let drafter = Drafter::new(&rewrites.sources).map_err(BuildError::Models)?;
        let (authors, numbers, complaints) = Default::default();
        Ok(Authors { drafter, share: rewrites.share, reword: rewrites.reword, authors, numbers, complaints })
    }

    /// Proved mutants of models for a track, as many as its share of `wanted`. Scripts are asked about in an order that the
    /// reference draws, until there are enough, all were asked about, or the models stop answering.
    pub fn find(
        &mut self,
        (track, wanted): (Track, usize),
        ground: &Ground<'_>,
        hunt: &mut Hunt<'_, '_>,
        (funnel, gained): (&mut Funnel, &mut Gained),
        progress: &dyn Progress,
    ) -> Result<Vec<Found>, BuildError> {
        let wanted = (wanted as f64 * self.share).round() as usize;
        self.numbers.wanted.insert(track, wanted);
        let mut found: Vec<Found> = Vec::new();
        let mut references = in_turn(ground, track).into_iter().enumerate().peekable();
        while found.len() < wanted
            && self.numbers.stopped.is_none()
            && references.peek().is_some()
            && !progress.is_stopped()
        {
            let chunk: Vec<_> = references.by_ref().take((wanted - found.len()).div_ceil(KINDS).max(4)).collect();
            let orders = self.orders(&chunk, ground, track);
            let drafts = self.drafts(&orders);
            let more = hunt.run(track, wanted, &drafts, progress, funnel)?;
            gained.add(funnel, ground.taxonomy, track);
            more.iter().for_each(|item| hunt.keep(&item.mutant.fault));
            found.extend(more);
        }
        self.numbers.proved.insert(track, found.len());
        Ok(found)
    }

    /// What the models choose for these scripts.
    fn orders<'a>(&mut self, chunk: &[(usize, &'a Reference)], ground: &Ground<'a>, track: Track) -> Vec<Order<'a>> {
        let choose = |(turn, reference): &(usize, &'a Reference)| {
            let kinds = kinds(ground, reference, track);
            if kinds.is_empty() { Ok((Vec::new(), 0)) } else { self.drafter.choose(*turn, reference, &kinds, KINDS) }
        };
        let chosen = parallel::map(self.drafter.workers(), chunk, choose);
        self.numbers.scripts += chunk.len();
        let mut orders = Vec::new();
        for ((turn, reference), chosen) in chunk.iter().zip(chosen) {
            match chosen {
                Ok((kinds, unknown)) => {
                    if unknown > 0 {
                        self.reject(&crate::draft::Reject::UnknownType.to_string(), unknown);
                    }
                    orders.extend(kinds.into_iter().map(|fault| (*turn, *reference, fault)));
                }
                Err(trouble) => self.note(trouble),
            }
        }
        orders
    }

    /// The mutants that the models write, by fault.
    fn drafts(&mut self, orders: &[Order<'_>]) -> BTreeMap<String, Vec<Mutant>> {
        if self.numbers.stopped.is_some() {
            return BTreeMap::new();
        }
        let drafter = &self.drafter;
        let write = |(turn, reference, fault): &Order<'_>| drafter.draft(*turn, reference, fault);
        let written = parallel::map(drafter.workers(), orders, write);
        self.numbers.asked += orders.len();
        let mut drafts: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
        for answer in written {
            match answer {
                Ok(drafted) => {
                    self.numbers.drafted += 1;
                    self.authors.insert(drafted.mutant.id.clone(), drafted.model);
                    drafts.entry(drafted.mutant.fault.clone()).or_default().push(drafted.mutant);
                }
                Err(trouble) => self.note(trouble),
            }
        }
        drafts
    }

    fn note(&mut self, trouble: Trouble) {
        match trouble {
            Trouble::Reject(reject) => self.reject(&reject.to_string(), 1),
            Trouble::Stop(message) => {
                self.reject("the models were stopped", 1);
                self.numbers.stopped.get_or_insert(message);
            }
        }
    }

    fn reject(&mut self, reason: &str, count: usize) {
        *self.numbers.rejected.entry(reason.to_owned()).or_default() += count;
    }

    /// Candidates without those that make an edit that a model made.
    pub fn without_drafts(&self, candidates: &mut BTreeMap<String, Vec<Mutant>>, hunt: &Hunt<'_, '_>) {
        let trials = hunt.trials();
        let taken: HashSet<(&str, &Edits)> = trials
            .iter()
            .filter(|(mutant, _)| self.authors.contains_key(&mutant.id))
            .map(|(mutant, _)| (mutant.script.as_str(), &mutant.edits))
            .collect();
        let is_free = |mutant: &Mutant| !taken.contains(&(mutant.script.as_str(), &mutant.edits));
        candidates.values_mut().for_each(|mutants| mutants.retain(is_free));
    }

    /// The models that proposed the faults of a task; none when operators did.
    pub fn of(&self, item: &Found) -> Option<String> {
        let names: BTreeSet<&str> =
            item.parts.iter().filter_map(|part| self.authors.get(&part.mutant.id)).map(String::as_str).collect();
        (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(", "))
    }

    /// A complaint in a model's words, when that is wanted and the words pass both checks.
    pub fn reworded(
        &self,
        complaint: &str,
        quoted: &[String],
        gives_away: &dyn Fn(&str) -> bool,
        is_told: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        if !self.reword {
            return None;
        }
        let turn = complaint.len();
        let judged = self.drafter.reword(turn, complaint, quoted).and_then(|words| match () {
            () if gives_away(&words) => Err(Kept::Leak),
            () if is_told(&words) => Err(Kept::Told),
            () => Ok(words),
        });
        let outcome = judged.as_ref().err().copied().unwrap_or(Kept::Reworded);
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        *complaints.entry(outcome.to_string()).or_default() += 1;
        judged.ok()
    }

    /// The numbers so far.
    pub fn numbers(&self) -> RewriteFunnel {
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner).clone();
        RewriteFunnel { complaints, ..self.numbers.clone() }
    }
}

/// The scripts in the order in which models are asked about them.
fn in_turn<'a>(ground: &Ground<'a>, track: Track) -> Vec<&'a Reference> {
    let mut references = ground.references.clone();
    references.sort_by_cached_key(|reference| {
        let mut hash = Sha256::new();
        hash.update(ground.seed.to_le_bytes());
        hash.update(format!("\0rewrites\0{track:?}\0{}", reference.id));
        <[u8; 32]>::from(hash.finalize())
    });
    references
}

/// The faults of a track that can be planted in a script.
fn kinds<'a>(ground: &Ground<'a>, reference: &Reference, track: Track) -> Vec<&'a Fault> {
    let fits = |fault: &&'a Fault| {
        let mutants = ground.candidates.get(&fault.id).map_or(&[][..], Vec::as_slice);
        fault.track == track && mutants.iter().any(|mutant| mutant.script == reference.id)
    };
    ground.taxonomy.by_id().map(|(_, fault)| fault).filter(fits).collect()
}
