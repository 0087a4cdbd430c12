//! Takes dropped tasks out of a run, with the reason on record, and puts new ones of the same track in their places.
//!
//! Tasks that stay keep their bytes, so attempts at them count further. What was tried once is never tried again, so that
//! a dropped task cannot come back. The same run with the same decisions gives the same bytes.

mod drops;
mod files;
mod kept;
mod numbers;
mod search;

use std::collections::BTreeMap;

use super::card::RunCard;
use super::funnel::Funnel;
use super::hunt::Hunt;
use super::kills::KillFunnel;
use super::records::Records;
use super::roster::Roster;
use super::suite::Suites;
use super::write::Writer;
use super::{BuildError, Inputs, Progress, Settings};
use crate::engine::open;
use crate::fault::{Taxonomy, Track};
use crate::inject::Mutant;
use crate::prove::Verdict;
use crate::publish::dropped::Dropped;
use crate::store::RunDirectory;
use drops::Drops;
use kept::Kept;
use search::Search;

pub use kept::settings_of;

/// What a refill did.
#[derive(Debug)]
pub struct Refilled {
    /// Tasks that this refill took out.
    pub dropped: Vec<Dropped>,
    /// Tasks that this refill put in, by track.
    pub added: BTreeMap<Track, usize>,
    /// The numbers of the run as it is now.
    pub funnel: Funnel,
}

/// Proofs of a refill under way; one that was stopped takes them up again.
const PROOFS: &str = "proofs.partial.jsonl";

/// Refills the run in `settings.out`; `settings` come from [`settings_of`].
///
/// # Errors
///
/// When the run cannot be read or written, was built with other settings, or the user asked to stop.
pub fn refill(settings: &Settings, progress: &dyn Progress) -> Result<Refilled, BuildError> {
    let mut directory = RunDirectory::resume(&settings.out)?;
    let taxonomy = match &settings.taxonomy {
        Some(folder) => Taxonomy::load(folder)?,
        None => Taxonomy::embedded()?,
    };
    let taxonomy = taxonomy.under(&settings.policies);
    let run = Kept::read(&directory)?;
    let drops = Drops::of(&run, &taxonomy);
    let is_whole = drops.fresh == 0
        && run.count(Track::Syntax) >= settings.syntax
        && run.count(Track::Semantic) >= settings.semantic;
    let refilled = if is_whole {
        Refilled { dropped: Vec::new(), added: BTreeMap::new(), funnel: run.funnel }
    } else {
        round(settings, &taxonomy, (run, &drops), &directory, progress)?
    };
    drops.remove_databases(&directory)?;
    directory.remove(PROOFS)?;
    directory.unlock();
    Ok(refilled)
}

fn round(
    settings: &Settings,
    taxonomy: &Taxonomy,
    (run, drops): (Kept, &Drops),
    directory: &RunDirectory,
    progress: &dyn Progress,
) -> Result<Refilled, BuildError> {
    let Inputs { book, references, mut funnel, .. } = Inputs::read(settings)?;
    let executor = open(&settings.engine)?;
    progress.stage("baseline", references.len());
    let records = Records::default();
    let roster = Roster::new(settings, &*executor, &references, &records, (progress, &mut funnel));
    go_on(settings, progress)?;
    let mut card = RunCard::new(settings, taxonomy, &*executor, &roster);
    card.dropped = run.digest.clone();
    card.rewrites = run.rewrites.clone();
    directory.hold_settings(&card)?;
    let hunt = Hunt::new((settings, taxonomy), &*executor, &roster, records, directory)?;
    let suites = Suites::kept(directory, &roster);
    let writer = Writer::new((settings, taxonomy), (book, &suites), &*executor, directory);
    let mut search = Search::new((settings, taxonomy), hunt, writer, funnel);
    search.take_over(&run, drops);
    for (track, wanted) in [(Track::Syntax, settings.syntax), (Track::Semantic, settings.semantic)] {
        search.fill(track, wanted, progress)?;
    }
    let mut found = search.finish(&run, drops);
    found.funnel.suites = run.funnel.suites;
    found.funnel.kills = KillFunnel::of(taxonomy, &all_trials(&run, &found));
    if drops.fresh == 0 && found.added.is_empty() {
        return Ok(Refilled { dropped: Vec::new(), added: BTreeMap::new(), funnel: run.funnel });
    }
    files::write((settings, &*executor), (&run, drops), &found, &mut card, directory)?;
    Ok(Refilled { dropped: drops.fresh().to_vec(), added: found.added, funnel: found.funnel })
}

/// What the run ever tried.
fn all_trials(run: &Kept, found: &search::Outcome) -> Vec<(Mutant, Verdict)> {
    let before =
        run.mutants.values().filter_map(|mutant| Some((mutant.clone(), run.proofs.get(&mutant.id)?.verdict.clone())));
    let (mutants, proofs) = &found.trials;
    let since = mutants.iter().cloned().zip(proofs.iter().map(|proof| proof.verdict.clone()));
    let by_id: BTreeMap<String, (Mutant, Verdict)> =
        before.chain(since).map(|trial| (trial.0.id.clone(), trial)).collect();
    by_id.into_values().collect()
}

fn go_on(settings: &Settings, progress: &dyn Progress) -> Result<(), BuildError> {
    if progress.is_stopped() { Err(BuildError::RefillStopped(settings.out.clone())) } else { Ok(()) }
}
