//! The whole line: from seeds to a published run.
//!
//! Results do not depend on the number of workers: a fault's candidates are tried in their planned order by one worker,
//! and what a fault leaves short is shared out again only when all faults of the round have ended.

mod candidates;
mod card;
mod case;
mod combine;
mod control;
mod database_file;
mod funnel;
mod hunt;
mod kills;
mod parallel;
mod refill;
mod shares;
mod suite;
mod write;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::code::profile::{Complexity, Profile};
use crate::corpus::{self, CorpusError, Seed};
use crate::fault::{Taxonomy, TaxonomyError, Track};
use crate::inject::Mutant;
use crate::inject::plan::{Mix, sizes};
use crate::prove::Subject;
use crate::publish::complaint::{PhraseBook, PhraseError};
use crate::store::{RunDirectory, StoreError};

pub use candidates::candidates;
use card::RunCard;
pub use case::Case;
pub use database_file::{insert_statements, read_database};
pub use funnel::{FaultFunnel, Funnel, RefillFunnel, SuiteFunnel};
pub use hunt::{Found, Hunt, Planted, Proof, is_expected};
pub use kills::{FaultKills, KillFunnel, WitnessFunnel};
pub use refill::{Refilled, refill, settings_of};
use suite::Suites;

/// What to build.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the run goes.
    pub out: PathBuf,
    /// Seed of all chance.
    pub seed: u64,
    /// Syntax tasks wanted.
    pub syntax: usize,
    /// Semantic tasks wanted.
    pub semantic: usize,
    /// How many faults a task may have; never starts at 0.
    pub faults_per_task: RangeInclusive<usize>,
    /// Tasks without a fault wanted.
    pub controls: usize,
    /// Workers.
    pub jobs: usize,
    /// Go on with a run that was cut off.
    pub resume: bool,
    /// What the shares of faults follow.
    pub mix: Mix,
    /// A folder of the user's own seeds instead of those in the binary.
    pub seeds: Option<PathBuf>,
    /// A folder of the user's own taxonomy instead of the one in the binary.
    pub taxonomy: Option<PathBuf>,
    /// A folder of the user's own templates instead of those in the binary.
    pub templates: Option<PathBuf>,
    /// How complex a script must be; any script will do without it.
    pub complexity: Option<Complexity>,
}

/// Why a run cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The seeds cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The taxonomy cannot be read.
    #[error(transparent)]
    Taxonomy(#[from] TaxonomyError),
    /// The run directory cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The words of complaints cannot be read.
    #[error(transparent)]
    Phrases(#[from] PhraseError),
    /// The user asked to stop.
    #[error("stopped; what was proved is kept in {}; the same command with --seed {seed} --resume goes on", out.display())]
    Stopped {
        /// The run's directory.
        out: PathBuf,
        /// The run's seed.
        seed: u64,
    },
    /// The user asked to stop a refill.
    #[error("stopped; the run is as it was, what was proved is kept; `sqlfault build --refill {0}` goes on")]
    RefillStopped(PathBuf),
    /// The settings of a run cannot be read.
    #[error("{0}")]
    Card(String),
    /// No script passed its baseline.
    #[error("no script passed its baseline; mend one of them:\n{0}")]
    NoScript(String),
}

/// Told what happens, so that a terminal can show it.
pub trait Progress: Sync {
    /// A stage begins with this many steps.
    fn stage(&self, name: &str, steps: usize);
    /// One step is done.
    fn step(&self);
    /// Whether the user asked to stop; looked at between steps.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Builds a run and says how many of each went where.
///
/// # Errors
///
/// When inputs or the run directory cannot be used. Mutants that fail are data in the funnel, never errors.
pub fn build(settings: &Settings, progress: &dyn Progress) -> Result<Funnel, BuildError> {
    let taxonomy = match &settings.taxonomy {
        Some(folder) => Taxonomy::load(folder)?,
        None => Taxonomy::embedded()?,
    };
    let book = match &settings.templates {
        Some(folder) => PhraseBook::load(folder)?,
        None => PhraseBook::built_in()?,
    };
    let mut funnel = Funnel::new(&taxonomy);
    let seeds = read_seeds(settings, &mut funnel)?;
    let mut directory =
        if settings.resume { RunDirectory::resume(&settings.out)? } else { RunDirectory::create(&settings.out)? };
    progress.stage("baseline", seeds.len());
    let subjects = baselines(&seeds, settings, progress, &mut funnel);
    let go_on = || {
        if progress.is_stopped() {
            Err(BuildError::Stopped { out: settings.out.clone(), seed: settings.seed })
        } else {
            Ok(())
        }
    };
    go_on()?;
    if subjects.is_empty() {
        let reasons: Vec<String> = funnel.refused.iter().map(|(id, reason)| format!("  {id}: {reason}")).collect();
        return Err(BuildError::NoScript(reasons.join("\n")));
    }
    let card = RunCard::new(settings, &taxonomy, &subjects);
    directory.hold_settings(&card)?;
    let scripts: Vec<&Seed> = subjects.iter().map(|subject| subject.seed).collect();
    let candidates = candidates((settings.seed, settings.jobs), &taxonomy, &scripts, &mut funnel);
    let hunt = Hunt::new(settings, &taxonomy, &subjects, &directory)?;
    let mut found = Vec::new();
    for (track, wanted) in [(Track::Syntax, settings.syntax), (Track::Semantic, settings.semantic)] {
        found.extend(tasks_of(settings, &hunt, track, wanted, &candidates, progress, &mut funnel)?);
        go_on()?;
    }
    let suites = Suites::choose(settings, &taxonomy, &subjects, (&found, &hunt.trials()), &candidates);
    funnel.kills = KillFunnel::of(&taxonomy, &hunt.trials());
    funnel.suites = SuiteFunnel { tried: suites.tried, held_out: suites.held_out };
    funnel.controls = control::run(settings, (&taxonomy, &suites), &subjects, &directory)?;
    write::run(settings, (&taxonomy, book, &suites), &subjects, &hunt, found, &directory, &mut funnel)?;
    directory.finish(&card, &["proofs.partial.jsonl"])?;
    Ok(funnel)
}

/// Proved tasks of a track, each with as many faults as the settings ask for.
fn tasks_of(
    settings: &Settings,
    hunt: &Hunt<'_>,
    track: Track,
    wanted: usize,
    candidates: &BTreeMap<String, Vec<Mutant>>,
    progress: &dyn Progress,
    funnel: &mut Funnel,
) -> Result<Vec<Found>, BuildError> {
    if !combine::asks_for_several(&settings.faults_per_task) {
        return hunt.run(track, wanted, candidates, progress, funnel);
    }
    let sizes = sizes(settings.seed, track, wanted, &settings.faults_per_task);
    let singles = hunt.run(track, sizes.iter().sum(), candidates, progress, funnel)?;
    let combined = combine::combine(settings, &|mutant| hunt.subject(mutant), track, singles, sizes);
    let numbers = funnel.tracks.entry(track).or_default();
    numbers.asked = wanted;
    numbers.not_together = combined.lost;
    Ok(combined.tasks)
}

fn read_seeds(settings: &Settings, funnel: &mut Funnel) -> Result<Vec<Seed>, BuildError> {
    let read = match &settings.seeds {
        Some(folder) => corpus::read_folder(folder)?,
        None => corpus::embedded(),
    };
    let mut seeds = Vec::new();
    for seed in read {
        match seed {
            Ok(seed) => seeds.push(seed),
            Err(error) => funnel.refuse("unreadable", error.to_string()),
        }
    }
    Ok(seeds)
}

fn baselines<'a>(
    seeds: &'a [Seed],
    settings: &Settings,
    progress: &dyn Progress,
    funnel: &mut Funnel,
) -> Vec<Subject<'a>> {
    let ready = parallel::map(settings.jobs, seeds, |seed| {
        if progress.is_stopped() {
            return Err("not looked at".to_owned());
        }
        let simple = settings.complexity.and_then(|complexity| too_simple(complexity, seed));
        let subject = match simple {
            Some(reason) => Err(reason),
            None => Subject::new(seed).map_err(|refusal| refusal.to_string()),
        };
        progress.step();
        subject
    });
    let mut subjects = Vec::new();
    for (seed, subject) in seeds.iter().zip(ready) {
        match subject {
            Ok(subject) => subjects.push(subject),
            Err(reason) => funnel.refuse(&seed.id, reason),
        }
    }
    subjects
}

fn too_simple(complexity: Complexity, seed: &Seed) -> Option<String> {
    let profile = Profile::of(&seed.script);
    let value = complexity.of(&profile);
    let refused = !complexity.accepts(&profile);
    refused.then(|| format!("complexity {value:.1} is not above tau = {}; choose a lower tau", complexity.tau))
}

/// The dataset card of a run.
fn funnel_card(settings: &Settings, funnel: &Funnel, tasks: usize) -> String {
    let mut card = format!(
        "# SQL debugging tasks, seed {}\n\n{tasks} tasks. `tasks.jsonl` is what a solver sees, `gold.jsonl` what a judge sees, \
         `databases/` the fake databases that prove each semantic task, `funnel.json` what was lost and why.\n\n\
         | track | asked | published | distance of the mix |\n|---|---|---|---|\n",
        settings.seed
    );
    for (track, numbers) in &funnel.tracks {
        card.push_str(&format!(
            "| {track:?} | {} | {} | {:.3} |\n",
            numbers.asked, numbers.published, numbers.mix_distance
        ));
    }
    card.push_str(&funnel.kills.card());
    card.push_str(&funnel.suites.card());
    card.push_str(&refill_card(funnel));
    card.push_str(
        "\nJudged by the embedded engine (SQLite with Hive functions, and Spark's rules); not certified on Spark.\n",
    );
    card
}

/// What a card says of tasks that were dropped and replaced; nothing when none were.
fn refill_card(funnel: &Funnel) -> String {
    let Some(refill) = &funnel.refill else { return String::new() };
    let rounds = if refill.rounds == 1 { "one refill".to_owned() } else { format!("{} refills", refill.rounds) };
    let mut card = format!(
        "\nAfter {rounds} (`dropped.jsonl` has every dropped task with the reason):\n\n| track | dropped | refilled |\n|---|---|---|\n"
    );
    for track in funnel.tracks.keys() {
        let reasons = refill.dropped.get(track).into_iter().flatten();
        let reasons: Vec<String> = reasons.map(|(by, count)| format!("{count} {}", by.words())).collect();
        let reasons = if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") };
        let refilled = refill.refilled.get(track).copied().unwrap_or(0);
        card.push_str(&format!("| {track:?} | {reasons} | {refilled} |\n"));
    }
    card
}
