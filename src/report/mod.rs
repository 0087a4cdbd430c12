//! A run on one page: what it has against what was asked for, how it was proved, attacked, confirmed and tried, and ten
//! of its tasks. A fact that the run does not hold is `None` and reported as "not run".

mod faults;
mod files;
mod flow;
mod mix;
mod proof;
mod sample;
mod shape;
mod solvers;
mod tasks;
mod times;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::fault::{Taxonomy, TaxonomyError};
use crate::page::{PageError, html, plain};
use crate::pipeline::{Funnel, SuiteFunnel};
use crate::score::{Benchmark, BenchmarkError};
use crate::store::{RunDirectory, StoreError};
use files::RunFiles;

pub use files::RunFileError;
pub use flow::TrackFlow;
pub use mix::MixPart;
pub use proof::{AttackTable, ProofNumbers, SparkAgreement};
pub use sample::PublicSample;
pub use shape::ShapeRow;
pub use solvers::Trials;
pub use tasks::ShownTask;
pub use times::{BuildTimes, StageTime};

/// Why there is no report of a run.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Its tasks cannot be read.
    #[error(transparent)]
    Benchmark(#[from] BenchmarkError),
    /// It cannot be opened, or its records cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another file of it cannot be read.
    #[error(transparent)]
    File(#[from] RunFileError),
    /// The taxonomy in the binary is broken.
    #[error(transparent)]
    Taxonomy(#[from] TaxonomyError),
}

/// What a report says of a run.
#[derive(Debug, Serialize)]
pub struct RunReport {
    /// The name of its folder.
    pub name: String,
    /// Its settings, from `run.yaml`.
    pub settings: Map<String, Value>,
    /// How many tasks it has.
    pub count: usize,
    /// Its tasks by track against the mix.
    pub tracks: Vec<MixPart>,
    /// Its scripts against published benchmarks.
    pub shapes: Vec<ShapeRow>,
    /// Tasks by domain, most first.
    pub domains: Vec<GroupCount>,
    /// Tasks by level of difficulty; empty in runs made before it was measured.
    pub levels: Vec<GroupCount>,
    /// What the search tried, proved and lost, by track; `None` without `funnel.json`.
    pub flow: Option<Vec<TrackFlow>>,
    /// The verdicts on semantic mutants; `None` without `funnel.json`.
    pub proof: Option<ProofNumbers>,
    /// How good the suites are; `None` without `funnel.json`.
    pub suites: Option<SuiteFunnel>,
    /// What attacks got right; `None` if none was made.
    pub attacks: Option<AttackTable>,
    /// What Spark says; `None` if it was not asked.
    pub spark: Option<SparkAgreement>,
    /// What solvers did; `None` if none tried.
    pub trials: Option<Trials>,
    /// How long its build took; `None` if the file beside it is absent, as when it was made elsewhere.
    pub times: Option<BuildTimes>,
    pub tasks: Vec<ShownTask>,
}

/// Tasks of a group.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct GroupCount {
    pub name: String,
    pub count: usize,
}

impl RunReport {
    /// Reads a finished run.
    ///
    /// # Errors
    ///
    /// If one of its files is damaged; files that are absent are facts that it does not have.
    pub fn read(run: &Path) -> Result<RunReport, ReportError> {
        let benchmark = Benchmark::open(run)?;
        let directory = RunDirectory::open(run)?;
        let files = RunFiles::new(&directory);
        let settings = files.settings()?;
        let funnel: Option<Funnel> = files.json("funnel.json")?;
        let taxonomy = Taxonomy::embedded()?;
        let tasks = benchmark.tasks();
        let name = run.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        Ok(RunReport {
            name: name.unwrap_or_else(|| run.display().to_string()),
            count: tasks.len(),
            tracks: mix::parts(tasks, &taxonomy, &settings, funnel.as_ref()),
            settings,
            shapes: shape::rows(tasks),
            domains: most_first(counted(tasks.iter().map(|task| task.record.domain.clone()))),
            levels: counted(tasks.iter().filter_map(|task| Some(task.gold.difficulty.as_ref()?.level.to_string()))),
            flow: funnel.as_ref().map(|funnel| flow::flows(funnel, &taxonomy, tasks)),
            proof: funnel.as_ref().map(|funnel| ProofNumbers::of(&funnel.kills)),
            suites: funnel.as_ref().map(|funnel| funnel.suites),
            attacks: proof::attacks(&files)?,
            spark: proof::spark(&files)?,
            trials: solvers::trials(&files)?,
            times: BuildTimes::read(run),
            tasks: tasks::chosen(tasks).into_iter().map(|task| tasks::shown(task, &files)).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the report as one page that loads nothing.
    pub fn html(&self) -> Result<String, PageError> {
        html(include_str!("../../templates/report/run.html"), self)
    }

    /// Returns the report as plain text with tables, each value through `escape`.
    pub fn plain(&self, escape: fn(&str) -> String) -> Result<String, PageError> {
        plain(include_str!("../../templates/report/run.txt"), self, escape)
    }
}

/// Returns the settings of a run that are words or numbers, by name.
pub fn run_facts(run: &Path) -> Result<BTreeMap<String, String>, ReportError> {
    let settings = RunFiles::new(&RunDirectory::open(run)?).settings()?;
    let shown = settings.into_iter().filter_map(|(name, value)| match value {
        Value::String(text) => Some((name, text)),
        Value::Number(number) => Some((name, number.to_string())),
        _ => None,
    });
    Ok(shown.collect())
}

/// Counts names, in their order.
fn counted(names: impl Iterator<Item = String>) -> Vec<GroupCount> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    counts.into_iter().map(|(name, count)| GroupCount { name, count }).collect()
}

fn most_first(mut counts: Vec<GroupCount>) -> Vec<GroupCount> {
    counts.sort_by_key(|group| std::cmp::Reverse(group.count));
    counts
}
