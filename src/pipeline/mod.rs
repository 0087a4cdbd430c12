//! The whole line: from references to a published run.
//!
//! Results do not depend on the number of workers: a fault's candidates are tried in their planned order by one worker,
//! and what a fault leaves short is shared out again only when all faults of the round have ended.

mod alternatives;
mod candidates;
mod card;
mod combine;
mod control;
mod funnel;
mod gained;
mod gold;
mod hunt;
mod insert_statements;
mod item;
mod kills;
mod lanes;
mod parallel;
mod policies;
mod records;
mod refill;
mod rewrites;
mod roster;
mod shard;
mod shares;
mod suite;
mod trial;
mod wording;
mod write;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::code::profile::Complexity;
use crate::corpus::{self, CorpusError, Reference};
use crate::engine::policy::Policies;
use crate::engine::spark::SparkError;
use crate::engine::{Choice, Engine};
use crate::fault::{Taxonomy, TaxonomyError, Track};
use crate::inject::Mutant;
use crate::inject::plan::{Mix, sizes};
use crate::publish::complaint::{PhraseBook, PhraseError};
use crate::store::{RunDirectory, StoreError};

use alternatives::Alternatives;
pub use candidates::candidates;
use card::RunCard;
pub use funnel::{FaultFunnel, Funnel, RefillFunnel, SuiteFunnel};
use gained::Gained;
pub use hunt::{Found, Hunt, Planted, Proof, is_expected};
pub use insert_statements::insert_statements;
pub use item::{Attempt, Item, ItemError, plan, work};
pub use kills::{FaultKills, KillFunnel, WitnessFunnel};
pub use policies::PolicyFunnel;
pub use records::{Record, Records, TOOL};
pub use refill::{Refilled, refill, settings_of};
use rewrites::{Authors, Ground};
pub use rewrites::{RewriteFunnel, Rewrites};
pub use roster::{Baseline, Entry, Roster};
pub use shard::{Merged, Shard, ShardError, build_shard, merge, write_plan};
use suite::Suites;
pub use trial::Trial;
use write::Words;

/// What to build.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Where the run goes.
    #[serde(skip)]
    pub out: PathBuf,
    /// Reference of all chance.
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
    #[serde(skip)]
    pub jobs: usize,
    /// Go on with a run that was cut off.
    #[serde(skip)]
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
    /// Models that plant some of the faults; without them nothing is asked.
    #[serde(skip)]
    pub rewrites: Option<Rewrites>,
    /// The engine with the last word.
    pub engine: Choice,
    /// Rules of the platform beyond the engine's.
    pub policies: Policies,
}

impl Settings {
    /// A benchmark of the paper's size, one fault a task, on one core, judged by the embedded engine.
    pub fn new(out: PathBuf, seed: u64) -> Settings {
        Settings {
            out,
            seed,
            syntax: 469,
            semantic: 516,
            faults_per_task: 1..=1,
            controls: 0,
            jobs: 1,
            resume: false,
            mix: Mix::Paper,
            seeds: None,
            taxonomy: None,
            templates: None,
            complexity: None,
            rewrites: None,
            engine: Choice::default(),
            policies: Policies::default(),
        }
    }
}

/// Why a run cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The references cannot be read.
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
    /// The engine asked for is absent or does not start.
    #[error(transparent)]
    Engine(#[from] SparkError),
    /// The engine asked for was needed after all, and is absent or does not start.
    #[error("{0}")]
    EngineNeeded(String),
    /// The user asked to stop a refill.
    #[error("stopped; the run is as it was, what was proved is kept; `sqlfault build --refill {0}` goes on")]
    RefillStopped(PathBuf),
    /// A model cannot be asked.
    #[error("{0}")]
    Models(String),
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
/// When inputs, the engine or the run directory cannot be used. Mutants that fail are data in the funnel, never errors.
pub fn build(settings: &Settings, progress: &dyn Progress) -> Result<Funnel, BuildError> {
    let inputs = Inputs::read(settings)?;
    let executor = crate::engine::open(&settings.engine)?;
    assemble(settings, inputs, (&*executor, Records::default()), progress).map(|(funnel, _)| funnel)
}

/// What a run is made of, as read.
struct Inputs {
    taxonomy: Taxonomy,
    book: PhraseBook,
    references: Vec<Reference>,
    funnel: Funnel,
}

impl Inputs {
    fn read(settings: &Settings) -> Result<Inputs, BuildError> {
        let taxonomy = match &settings.taxonomy {
            Some(folder) => Taxonomy::load(folder)?,
            None => Taxonomy::embedded()?,
        };
        let book = match &settings.templates {
            Some(folder) => PhraseBook::load(folder)?,
            None => PhraseBook::built_in()?,
        };
        let taxonomy = taxonomy.under(&settings.policies);
        let mut funnel = Funnel::new(&taxonomy);
        let references = read_references(settings, &mut funnel)?;
        Ok(Inputs { taxonomy, book, references, funnel })
    }
}

/// The run itself, and how many mutants were tried. What the records know is not tried again.
fn assemble(
    settings: &Settings,
    inputs: Inputs,
    (executor, records): (&dyn Engine, Records),
    progress: &dyn Progress,
) -> Result<(Funnel, usize), BuildError> {
    let Inputs { taxonomy, book, references, mut funnel } = inputs;
    let mut directory =
        if settings.resume { RunDirectory::resume(&settings.out)? } else { RunDirectory::create(&settings.out)? };
    progress.stage("baseline", references.len());
    let roster = Roster::new(settings, executor, &references, &records, (progress, &mut funnel));
    let go_on = || match executor.absence() {
        _ if progress.is_stopped() => Err(BuildError::Stopped { out: settings.out.clone(), seed: settings.seed }),
        Some(words) => Err(BuildError::EngineNeeded(words)),
        None => Ok(()),
    };
    go_on()?;
    if roster.entries().is_empty() {
        let reasons: Vec<String> = funnel.refused.iter().map(|(id, reason)| format!("  {id}: {reason}")).collect();
        return Err(BuildError::NoScript(reasons.join("\n")));
    }
    let card = RunCard::new(settings, &taxonomy, executor, &roster);
    directory.hold_settings(&card)?;
    funnel.policies = policies::count(&settings.policies, &roster.references());
    let mut candidates = candidates((settings.seed, settings.jobs), &taxonomy, &roster.references(), &mut funnel);
    let mut hunt = Hunt::new((settings, &taxonomy), executor, &roster, records, &directory)?;
    let mut authors = settings.rewrites.as_ref().map(Authors::new).transpose()?;
    let mut gained = Gained::default();
    let mut found = Vec::new();
    for (track, wanted) in [(Track::Syntax, settings.syntax), (Track::Semantic, settings.semantic)] {
        let mut drafted = Vec::new();
        if let Some(authors) = &mut authors {
            let all = settings.faults_of(track, wanted);
            let ground = Ground {
                seed: settings.seed,
                taxonomy: &taxonomy,
                references: roster.references(),
                candidates: &candidates,
            };
            drafted = authors.find((track, all), &ground, &mut hunt, (&mut funnel, &mut gained), progress)?;
            authors.without_drafts(&mut candidates, &hunt);
        }
        found.extend(tasks_of(settings, &hunt, (track, wanted), drafted, &candidates, progress, &mut funnel)?);
        gained.add(&mut funnel, &taxonomy, track);
        go_on()?;
    }
    gained.finish(&mut funnel, &Funnel::default());
    let trials = hunt.trials();
    let suites = Suites::choose(settings, &taxonomy, &roster, (&found, &trials), &candidates);
    funnel.kills = KillFunnel::of(&taxonomy, &trials);
    funnel
        .kills
        .timed(roster.entries().iter().filter_map(Entry::subject).flat_map(|it| it.reductions.times()).collect());
    funnel.suites = SuiteFunnel { tried: suites.tried, held_out: suites.held_out };
    funnel.controls = control::run(settings, (&taxonomy, &suites), &hunt, &directory)?;
    go_on()?;
    let tried = (found.as_slice(), trials.as_slice());
    let alternatives = Alternatives::find(settings.jobs, (&taxonomy, &roster, &suites), tried, &candidates);
    let words = Words { book, suites: &suites, alternatives: &alternatives };
    write::run(settings, (&taxonomy, words), (&hunt, authors.as_ref()), found, &directory, &mut funnel)?;
    directory.finish(&card, &["proofs.partial.jsonl"])?;
    Ok((funnel, hunt.made()))
}

impl Settings {
    /// How many faults the tasks of a track have together.
    pub(crate) fn faults_of(&self, track: Track, tasks: usize) -> usize {
        if combine::asks_for_several(&self.faults_per_task) {
            sizes(self.seed, track, tasks, &self.faults_per_task).iter().sum()
        } else {
            tasks
        }
    }
}

/// Proved tasks of a track, each with as many faults as the settings ask for; those that models planted come first.
fn tasks_of(
    settings: &Settings,
    hunt: &Hunt<'_, '_>,
    (track, wanted): (Track, usize),
    mut singles: Vec<Found>,
    candidates: &BTreeMap<String, Vec<Mutant>>,
    progress: &dyn Progress,
    funnel: &mut Funnel,
) -> Result<Vec<Found>, BuildError> {
    let candidates = combine::gathered(settings, (track, wanted), candidates);
    singles.extend(hunt.run(track, settings.faults_of(track, wanted), &candidates, progress, funnel)?);
    if !combine::asks_for_several(&settings.faults_per_task) {
        return Ok(singles);
    }
    let sizes = sizes(settings.seed, track, wanted, &settings.faults_per_task);
    let combined = combine::combine(settings, hunt, track, singles, sizes);
    let numbers = funnel.tracks.entry(track).or_default();
    numbers.asked = wanted;
    numbers.not_together = combined.lost;
    Ok(combined.tasks)
}

fn read_references(settings: &Settings, funnel: &mut Funnel) -> Result<Vec<Reference>, BuildError> {
    let read = match &settings.seeds {
        Some(folder) => corpus::read_folder(folder)?,
        None => corpus::embedded(),
    };
    let mut references = Vec::new();
    for reference in read {
        match reference {
            Ok(reference) => references.push(reference),
            Err(error) => funnel.refuse("unreadable", error.to_string()),
        }
    }
    Ok(references)
}
