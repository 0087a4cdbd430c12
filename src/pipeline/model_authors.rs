//! Optional: a share of the tasks is planted by models. What they propose is tried like any other mutant.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::baselines::Baselines;
use super::context::Context;
use super::error::BuildError;
use super::funnel::{Funnel, ModelFunnel, Totals};
use super::proven::ProvedMutant;
use super::quotas::Quota;
use super::search::MutantSearch;
use super::secret::RunSecret;
use super::settings::ModelUse;
use crate::code::edit::Edits;
use crate::corpus::Reference;
use crate::draft::{DraftError, Drafter, RewordOutcome};
use crate::fault::{Fault, Track};
use crate::inject::Mutant;
use crate::parallel;

/// Kinds of mistakes that a model chooses for one script.
const KINDS: usize = 3;

/// The work with models during one build.
pub(super) struct ModelAuthors {
    drafter: Drafter,
    share: f64,
    reword: bool,
    /// Who proposed a mutant, by its id.
    authors: BTreeMap<String, String>,
    numbers: ModelFunnel,
    complaints: Mutex<BTreeMap<String, usize>>,
}

/// What the models need to know of a build.
pub(super) struct AuthorContext<'a, 's> {
    pub context: Context<'a>,
    pub baselines: &'a Baselines<'s>,
    pub candidates: &'a BTreeMap<String, Vec<Mutant>>,
}

/// A script and the kind of mistake that a model plants in it; the number decides which model is asked.
type Order<'a> = (usize, &'a Reference, &'a Fault);

impl ModelAuthors {
    /// Prepares the models.
    pub fn new(models: &ModelUse) -> Result<ModelAuthors, BuildError> {
        let drafter = Drafter::new(&models.sources).map_err(BuildError::Models)?;
        let (authors, numbers, complaints) = Default::default();
        Ok(ModelAuthors { drafter, share: models.share, reword: models.reword, authors, numbers, complaints })
    }

    /// Finds proven mutants of models for a track, as many as their share of the quota. Scripts are asked about in an
    /// order drawn from the random seed, until there are enough, all were asked about, or the models stop answering.
    pub fn find(
        &mut self,
        quota: Quota,
        material: &AuthorContext<'_, '_>,
        search: &mut MutantSearch<'_>,
        numbers: SearchNumbers<'_>,
    ) -> Result<Vec<ProvedMutant>, BuildError> {
        let SearchNumbers { funnel, totals } = numbers;
        let AuthorContext { context, baselines, .. } = *material;
        let track = quota.track;
        let quota = Quota { tasks: (quota.tasks as f64 * self.share).round() as usize, ..quota };
        self.numbers.wanted.insert(track, quota.tasks);
        let mut found: Vec<ProvedMutant> = Vec::new();
        let mut references = in_turn(material, track).into_iter().enumerate().peekable();
        let is_stopped = || context.progress.is_stopped();
        while found.len() < quota.tasks
            && self.numbers.stopped.is_none()
            && references.peek().is_some()
            && !is_stopped()
        {
            let asked = (quota.tasks - found.len()).div_ceil(KINDS).max(4);
            let chunk: Vec<_> = references.by_ref().take(asked).collect();
            let orders = self.orders(&chunk, material, track);
            let drafts = self.drafts(&orders, context.secret);
            let more = search.run(baselines, quota, &drafts, funnel)?;
            totals.add(funnel, context.taxonomy, track);
            more.iter().for_each(|item| search.keep(&item.mutant.fault));
            found.extend(more);
        }
        self.numbers.proved.insert(track, found.len());
        Ok(found)
    }

    /// Asks the models which kinds of mistakes to plant in these scripts.
    fn orders<'a>(
        &mut self,
        chunk: &[(usize, &'a Reference)],
        material: &AuthorContext<'a, '_>,
        track: Track,
    ) -> Vec<Order<'a>> {
        let choose = |(turn, reference): &(usize, &'a Reference)| {
            let kinds = kinds(material, reference, track);
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

    /// Asks the models for the mutants and returns them by fault.
    fn drafts(&mut self, orders: &[Order<'_>], secret: RunSecret) -> BTreeMap<String, Vec<Mutant>> {
        if self.numbers.stopped.is_some() {
            return BTreeMap::new();
        }
        let drafter = &self.drafter;
        let write = |(turn, reference, fault): &Order<'_>| drafter.draft(*turn, reference, fault);
        let written = parallel::map(drafter.workers(), orders, write);
        self.numbers.asked += orders.len();
        let mut drafts: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
        for (answer, (_, reference, _)) in written.into_iter().zip(orders) {
            match answer {
                Ok(mut drafted) => {
                    drafted.mutant = drafted.mutant.rekeyed(&secret.script_key(reference));
                    self.numbers.drafted += 1;
                    self.authors.insert(drafted.mutant.id.clone(), drafted.model);
                    drafts.entry(drafted.mutant.fault.clone()).or_default().push(drafted.mutant);
                }
                Err(trouble) => self.note(trouble),
            }
        }
        drafts
    }

    fn note(&mut self, trouble: DraftError) {
        match trouble {
            DraftError::Reject(reject) => self.reject(&reject.to_string(), 1),
            DraftError::Stopped(message) => {
                self.reject("the models were stopped", 1);
                self.numbers.stopped.get_or_insert(message);
            }
        }
    }

    fn reject(&mut self, reason: &str, count: usize) {
        *self.numbers.rejected.entry(reason.to_owned()).or_default() += count;
    }

    /// Removes the candidates whose edits a model has made already.
    pub fn without_drafts(&self, candidates: &mut BTreeMap<String, Vec<Mutant>>, search: &MutantSearch<'_>) {
        let trials = search.trials();
        let taken: HashSet<(&str, &Edits)> = trials
            .iter()
            .map(|tried| &tried.mutant)
            .filter(|mutant| self.authors.contains_key(&mutant.id))
            .map(|mutant| (mutant.script.as_str(), &mutant.edits))
            .collect();
        let is_free = |mutant: &Mutant| !taken.contains(&(mutant.script.as_str(), &mutant.edits));
        candidates.values_mut().for_each(|mutants| mutants.retain(is_free));
    }

    /// Returns the models that proposed the faults of a task; `None` if operators did.
    pub fn of(&self, item: &ProvedMutant) -> Option<String> {
        let names: BTreeSet<&str> =
            item.parts.iter().filter_map(|part| self.authors.get(&part.mutant.id)).map(String::as_str).collect();
        (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(", "))
    }

    /// Returns a complaint in a model's words, if that is wanted and the words pass both checks.
    pub fn reworded(
        &self,
        complaint: &str,
        quoted: &[String],
        gives_away: &dyn Fn(&str) -> bool,
        is_repeated: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        if !self.reword {
            return None;
        }
        let turn = complaint.len();
        let judged = self.drafter.reword(turn, complaint, quoted).and_then(|words| match () {
            () if gives_away(&words) => Err(RewordOutcome::Leak),
            () if is_repeated(&words) => Err(RewordOutcome::Duplicate),
            () => Ok(words),
        });
        let outcome = judged.as_ref().err().copied().unwrap_or(RewordOutcome::Reworded);
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        *complaints.entry(outcome.to_string()).or_default() += 1;
        judged.ok()
    }

    /// The numbers so far.
    pub fn numbers(&self) -> ModelFunnel {
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner).clone();
        ModelFunnel { complaints, ..self.numbers.clone() }
    }
}

/// The numbers that a search changes.
pub(super) struct SearchNumbers<'a> {
    pub funnel: &'a mut Funnel,
    pub totals: &'a mut Totals,
}

/// Returns the scripts in the order in which models are asked about them.
fn in_turn<'s>(material: &AuthorContext<'_, 's>, track: Track) -> Vec<&'s Reference> {
    let mut references = material.baselines.references();
    references.sort_by_cached_key(|reference| {
        let mut hash = Sha256::new();
        hash.update(material.context.settings.seed.to_le_bytes());
        hash.update(format!("\0rewrites\0{track:?}\0{}", reference.id));
        <[u8; 32]>::from(hash.finalize())
    });
    references
}

/// Returns the faults of a track that can be planted in a script.
fn kinds<'a>(material: &AuthorContext<'a, '_>, reference: &Reference, track: Track) -> Vec<&'a Fault> {
    let fits = |fault: &&'a Fault| {
        let mutants = material.candidates.get(&fault.id).map_or(&[][..], Vec::as_slice);
        fault.track == track && mutants.iter().any(|mutant| mutant.script == reference.id)
    };
    material.context.taxonomy.by_id().map(|(_, fault)| fault).filter(fits).collect()
}
