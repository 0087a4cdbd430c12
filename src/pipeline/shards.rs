//! A run shared out: shards and workers make the trials, `merge` chooses from their records.
//!
//! A merged run has the bytes of an undivided one by construction: it is the same run, which reads from the
//! records what it would have tried, and tries itself what no record holds. A composed run shares out its
//! references, any other run its trials.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::composed::{self, ComposedItem, ComposedRecord};
use super::context::Context;
use super::error::BuildError;
use super::funnel::Funnel;
use super::inputs::Inputs;
use super::items::{ItemError, WorkItem, plan, work};
use super::records::{TOOL, WorkerRecord, WorkerRecords};
use super::run::{Assembled, assemble, assemble_composed};
use super::settings::{BuildSettings, ReferenceSource};
use crate::engine;
use crate::parallel::{self, Progress};
use crate::store::yaml::read_yaml;
use crate::store::{LARGEST_FILE, RunDirectory, StoreError, read_records, regular_text};

/// The settings of a plan, beside its items or records.
const PLAN: &str = "plan.yaml";
/// The items of a plan.
const ITEMS: &str = "items.jsonl";
/// The records of a shard.
const RECORDS: &str = "records.jsonl";
/// The folder in which a cluster leaves its records: for each of its starts a folder of files called `part-…`.
const PARTS: &str = "records";

/// One of `of` equal parts of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl Shard {
    fn has(self, item: usize) -> bool {
        item % self.of + 1 == self.number
    }
}

/// What all shards of a run share.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShardPlan {
    tool: String,
    settings: BuildSettings,
}

impl ShardPlan {
    fn of(settings: &BuildSettings) -> ShardPlan {
        ShardPlan { tool: TOOL.to_owned(), settings: settings.clone() }
    }
}

/// Why shards cannot be made or merged.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The build fails as an undivided one would.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The trials of an item cannot be made.
    #[error(transparent)]
    Item(#[from] ItemError),
    /// A folder holds no plan.
    #[error("{path}: {message}; give folders made by `build --shard` or `build --plan-only`")]
    NoPlan {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// Two shards belong to different runs.
    #[error("{0} belongs to another run than the first folder: other settings or another version")]
    OtherRun(PathBuf),
    /// The records come from engines of different versions or settings.
    #[error("the records come from different engines: {0}")]
    OtherEngine(String),
}

/// Writes the items of a run and its settings into `settings.out`; returns the numbers of items and of trials.
///
/// # Errors
///
/// If inputs or the folder cannot be used.
pub fn write_plan(settings: &BuildSettings, progress: &dyn Progress) -> Result<(usize, usize), ShardError> {
    if settings.source == ReferenceSource::Composed {
        let items = with_context(settings, progress, |context, inputs| Ok(composed::plan(context, inputs)?))?;
        open(settings)?.write_records(ITEMS, &items)?;
        return Ok((items.len(), items.len()));
    }
    let items = plan(settings)?;
    let directory = open(settings)?;
    directory.write_records(ITEMS, &items)?;
    Ok((items.len(), items.iter().map(|item| item.attempts.len()).sum()))
}

/// Works on the items of one shard and keeps their records in `settings.out`; returns how many items it has.
///
/// # Errors
///
/// If inputs, the engine or the folder cannot be used.
pub fn build_shard(settings: &BuildSettings, shard: Shard, progress: &dyn Progress) -> Result<usize, ShardError> {
    if settings.source == ReferenceSource::Composed {
        return with_context(settings, progress, |context, inputs| composed_shard(context, inputs, shard));
    }
    let mut items: Vec<WorkItem> = plan(settings)?.into_iter().filter(|item| shard.has(item.number)).collect();
    let all = items.len();
    let engine = engine::open(&settings.engine).map_err(BuildError::from)?;
    let directory = open(settings)?;
    let log = directory.log(RECORDS)?;
    let done: Vec<usize> = log.records::<WorkerRecord>()?.into_iter().map(|record| record.number).collect();
    items.retain(|item| !done.contains(&item.number));
    progress.stage("items", items.len());
    let left = AtomicUsize::new(items.len());
    let outcomes = parallel::map(settings.jobs, &items, |item| {
        if progress.is_stopped() || engine.absence().is_some() {
            return Ok(());
        }
        log.append(&work(&*engine, item.clone())?)?;
        left.fetch_sub(1, Ordering::Relaxed);
        progress.step();
        Ok(())
    });
    outcomes.into_iter().collect::<Result<Vec<()>, ShardError>>()?;
    if left.into_inner() > 0 {
        let stopped = BuildError::Stopped { out: settings.out.clone(), seed: settings.seed };
        return Err(engine.absence().map_or(stopped, BuildError::EngineNeeded).into());
    }
    Ok(all)
}

/// Works on the references of one shard of a composed run: every `shard.of`-th of those planned for the first round.
fn composed_shard(context: Context<'_>, inputs: &Inputs, shard: Shard) -> Result<usize, ShardError> {
    let directory = open(context.settings)?;
    let items = composed::plan(context, inputs)?.into_iter().enumerate();
    let items: Vec<ComposedItem> = items.filter(|(number, _)| shard.has(*number)).map(|(_, item)| item).collect();
    composed::work_all(context, inputs, &items, &directory.log(RECORDS)?)?;
    Ok(items.len())
}

/// Calls `work` with the inputs and the engine that the settings name.
fn with_context<T>(
    settings: &BuildSettings,
    progress: &dyn Progress,
    work: impl FnOnce(Context<'_>, &Inputs) -> Result<T, ShardError>,
) -> Result<T, ShardError> {
    let engine = engine::open(&settings.engine).map_err(BuildError::from)?;
    let inputs = Inputs::read(settings)?;
    work(Context::new(settings, &inputs.taxonomy, &*engine, progress), &inputs)
}

/// Opens or creates the folder of a part, which holds the settings of the plan.
fn open(settings: &BuildSettings) -> Result<RunDirectory, StoreError> {
    let directory = if settings.resume {
        RunDirectory::resume_part(&settings.out)?
    } else {
        RunDirectory::create_part(&settings.out)?
    };
    directory.check_part_settings(PLAN, &ShardPlan::of(settings))?;
    Ok(directory)
}

/// What to merge, and into what.
#[derive(Clone, Copy, Debug)]
pub struct Merge<'a> {
    /// Folders of shards, or one of a plan with the records that a cluster left in it.
    pub folders: &'a [PathBuf],
    /// Where the run goes.
    pub out: &'a Path,
    /// Workers for what no record holds.
    pub jobs: usize,
    /// Whether to go on with a merge that was cut off.
    pub resume: bool,
}

/// A merged run.
#[derive(Clone, Debug)]
pub struct Merged {
    /// Random seed of the run.
    pub seed: u64,
    /// Its funnel.
    pub funnel: Funnel,
    /// Number of mutants, or composed references, that no record held: the work on them was done here.
    pub tried_here: usize,
    /// Records read.
    pub records: usize,
}

/// Merges the folders into the run of which they are parts.
///
/// # Errors
///
/// If the folders do not belong together, or inputs or `out` cannot be used.
pub fn merge(merge: Merge<'_>, progress: &dyn Progress) -> Result<Merged, ShardError> {
    let Merge { folders, out, jobs, resume } = merge;
    let mut plans = folders.iter().map(|folder| read_plan(folder).map(|plan| (folder, plan)));
    let no_folder = || ShardError::NoPlan { path: PathBuf::new(), message: "no folder was given".to_owned() };
    let (_, first) = plans.next().ok_or_else(no_folder)??;
    let text = |plan: &ShardPlan| serde_json::to_string(plan).unwrap_or_default();
    for plan in plans {
        let (folder, plan) = plan?;
        if text(&plan) != text(&first) || plan.tool != TOOL {
            return Err(ShardError::OtherRun(folder.clone()));
        }
    }
    if first.settings.source == ReferenceSource::Composed {
        return merge_composed(merge, first, progress);
    }
    let mut records = WorkerRecords::default();
    let mut count = 0;
    for folder in folders {
        for record in records_of::<WorkerRecord>(folder)? {
            count += 1;
            if !records.add(record) {
                return Err(ShardError::OtherRun(folder.clone()));
            }
        }
    }
    if records.engines().len() > 1 {
        let names: Vec<&str> = records.engines().iter().map(String::as_str).collect();
        return Err(ShardError::OtherEngine(names.join("; ")));
    }
    let settings = BuildSettings { out: out.to_owned(), jobs, resume, ..first.settings };
    let engine = match records.engines().first() {
        Some(name) => engine::open_later(&settings.engine, name),
        None => engine::open(&settings.engine).map_err(BuildError::from)?,
    };
    let inputs = Inputs::read(&settings)?;
    let context = Context::new(&settings, &inputs.taxonomy, &*engine, progress);
    let Assembled { funnel, tried_here } = assemble(context, &inputs, records)?;
    Ok(Merged { seed: settings.seed, funnel, tried_here, records: count })
}

/// Makes a composed run from its records, and works on what they do not hold.
fn merge_composed(merge: Merge<'_>, plan: ShardPlan, progress: &dyn Progress) -> Result<Merged, ShardError> {
    let Merge { folders, out, jobs, resume } = merge;
    let mut outcomes = Vec::new();
    let mut engines = BTreeSet::new();
    for folder in folders {
        for record in records_of::<ComposedRecord>(folder)? {
            if record.tool != TOOL {
                return Err(ShardError::OtherRun(folder.clone()));
            }
            engines.insert(record.engine);
            outcomes.push(record.outcome);
        }
    }
    if engines.len() > 1 {
        return Err(ShardError::OtherEngine(engines.into_iter().collect::<Vec<_>>().join("; ")));
    }
    let (seed, records) = (plan.settings.seed, outcomes.len());
    let settings = BuildSettings { out: out.to_owned(), jobs, resume, ..plan.settings };
    let Assembled { funnel, tried_here } =
        with_context(&settings, progress, |context, inputs| Ok(assemble_composed(context, inputs, outcomes)?))?;
    Ok(Merged { seed, funnel, tried_here, records })
}

fn read_plan(folder: &Path) -> Result<ShardPlan, ShardError> {
    let path = folder.join(PLAN);
    let no_plan = |message: String| ShardError::NoPlan { path: path.clone(), message };
    let text = regular_text(&path, LARGEST_FILE).map_err(|error| no_plan(error.to_string()))?;
    read_yaml(&text).map_err(|error| no_plan(error.to_string()))
}

/// Reads the records of a shard, and those that a cluster left in parts, in a folder for each of its starts.
fn records_of<T: DeserializeOwned>(folder: &Path) -> Result<Vec<T>, StoreError> {
    let inside = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let starts = inside(&folder.join(PARTS)).filter(|path| path.is_dir());
    let is_part = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
    let mut files: Vec<PathBuf> = starts.flat_map(|start| inside(&start)).filter(is_part).collect();
    files.push(folder.join(RECORDS));
    files.sort();
    let mut records = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        records.extend(read_records(file)?);
    }
    Ok(records)
}
