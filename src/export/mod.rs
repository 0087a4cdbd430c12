//! Training material: the tasks of finished runs as rows of other people's formats.
//!
//! [`export`] reads runs one after the other and hands each task as an [`TrainingExample`] to a [`RowFormat`], which gives it the
//! shape that a trainer or an evaluation harness loads. Formats stand side by side in [`formats`]; a new one is one
//! file and one line there.

mod blocks;
mod example;
pub mod formats;
mod output;
mod split;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use blocks::{BlockStyle, blocks};
pub use example::{AnswerStyle, Rejected, RejectedKind, TrainingExample};
pub use formats::RowFormat;
pub use output::{ExportFolder, OutputError};
pub use split::{Split, SplitGroup, SplitSide};

use crate::inject::Mutant;
use crate::prove::Verdict;
use crate::repair::Attempt;
use crate::repair::assignment::Assignment;
use crate::repair::prompt::{PromptError, RepairPrompts};
use crate::score::{Benchmark, BenchmarkError, Task};
use crate::store::{RunDirectory, StoreError};

/// Why runs cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A run cannot be read.
    #[error(transparent)]
    Benchmark(#[from] BenchmarkError),
    /// A file of a run cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A row cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A prompt cannot be filled.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// A template of a format cannot be filled.
    #[error("export template: {0}")]
    Template(#[from] minijinja::Error),
    /// A task's table definitions cannot be read.
    #[error("task {0}: its table definitions cannot be read; `sqlfault check` says more")]
    Schema(String),
    /// Two runs have a task of the same id, or a run is named twice.
    #[error("the task {0} is in two of the runs; name each run once")]
    Twice(String),
    /// There is nothing to export.
    #[error("the runs gave no row in this format: {0}")]
    NoRows(&'static str),
}

/// What to export, and how.
#[derive(Clone, Debug)]
pub struct ExportSettings {
    /// Finished runs.
    pub runs: Vec<PathBuf>,
    /// A new or empty folder.
    pub out: PathBuf,
    /// What the wanted answer looks like.
    pub style: AnswerStyle,
    /// How rows are split.
    pub split: Split,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Rows by file.
    pub rows: BTreeMap<String, usize>,
    /// Tasks by side of the split.
    pub sides: BTreeMap<SplitSide, usize>,
    /// What the format leaves out.
    pub leaves_out: &'static str,
}

/// Writes the tasks of the runs in a format.
///
/// # Errors
///
/// When a run cannot be read, a file cannot be written, or the format has no row for any task.
pub fn export(settings: &ExportSettings, format: &dyn RowFormat) -> Result<Exported, ExportError> {
    let prompts = RepairPrompts::built_in()?;
    let mut output = ExportFolder::create(&settings.out)?;
    let mut sides: BTreeMap<SplitSide, usize> = BTreeMap::new();
    let mut known = HashSet::new();
    for path in &settings.runs {
        let run = FinishedRun::open(path)?;
        for task in run.benchmark.tasks() {
            if !known.insert(task.record.instance_id.clone()) {
                return Err(ExportError::Twice(task.record.instance_id.clone()));
            }
            let example = run.example(&prompts, task, settings.style)?;
            let side = settings.split.side(task);
            *sides.entry(side).or_default() += 1;
            format.write(&example, side, &mut output)?;
        }
    }
    format.finish(&sides, &output)?;
    let rows = output.finish()?;
    if rows.is_empty() && format.has_rows() {
        return Err(ExportError::NoRows(format.leaves_out()));
    }
    Ok(Exported { rows, sides, leaves_out: format.leaves_out() })
}

/// A finished run with what was proved and tried in it.
struct FinishedRun {
    path: String,
    benchmark: Benchmark,
    /// Proved mutants by reference.
    mutants: HashMap<String, Vec<Mutant>>,
    /// Answers that the judge did not accept, by task.
    failed: HashMap<String, Vec<String>>,
}

/// What export reads of a line of `proofs.jsonl`.
#[derive(Deserialize)]
struct ProofLine {
    mutant: String,
    verdict: Verdict,
}

/// What export reads of a line of `scores.jsonl`.
#[derive(Deserialize)]
struct ScoreLine {
    solver: String,
    instance_id: String,
    accepted: bool,
}

impl FinishedRun {
    fn open(path: &Path) -> Result<FinishedRun, ExportError> {
        let benchmark = Benchmark::open(path)?;
        let directory = RunDirectory::open(path)?;
        let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Ok(FinishedRun {
            path: absolute.display().to_string(),
            benchmark,
            mutants: proved_mutants(&directory)?,
            failed: failed_attempts(&directory)?,
        })
    }

    fn example<'a>(
        &'a self,
        prompts: &RepairPrompts,
        task: &'a Task,
        style: AnswerStyle,
    ) -> Result<TrainingExample<'a>, ExportError> {
        let assignment =
            Assignment::new(&task.record).map_err(|_| ExportError::Schema(task.record.instance_id.clone()))?;
        let prompt = match style {
            AnswerStyle::Lines | AnswerStyle::Minimal => prompts.diff(&assignment)?,
            AnswerStyle::Whole => prompts.whole(&assignment)?,
            AnswerStyle::Reasoned => prompts.reasoned(&assignment)?,
            AnswerStyle::Critique => prompts.critique(&assignment)?,
        };
        let (answer, changed) = example::answer(task, style);
        Ok(TrainingExample {
            task,
            run: &self.path,
            system: prompt.system.clone(),
            instruction: prompt.turns.join("\n\n"),
            answer,
            changed,
            rejected: self.rejected(task),
            style,
        })
    }

    /// Wrong answers to a task, each once, the most useful first.
    fn rejected(&self, task: &Task) -> Vec<Rejected> {
        let failed = self.failed.get(&task.record.instance_id).into_iter().flatten();
        let mut all: Vec<Rejected> =
            failed.map(|sql| Rejected { kind: RejectedKind::Attempt, sql: sql.clone() }).collect();
        let mutants = self.mutants.get(&task.gold.provenance.script).into_iter().flatten();
        all.extend(example::siblings(task, mutants));
        all.push(Rejected { kind: RejectedKind::Issue, sql: task.record.issue_sql.clone() });
        let mut seen = HashSet::new();
        all.retain(|rejected| seen.insert(rejected.sql.clone()));
        all
    }
}

/// The mutants of a run that an engine refuses or that give other rows than their reference, by reference.
fn proved_mutants(directory: &RunDirectory) -> Result<HashMap<String, Vec<Mutant>>, StoreError> {
    if !directory.path("mutants.jsonl").exists() {
        return Ok(HashMap::new());
    }
    let proofs: Vec<ProofLine> = directory.read_records("proofs.jsonl")?;
    let is_wrong = |proof: &&ProofLine| matches!(proof.verdict, Verdict::Killed { .. } | Verdict::Rejected { .. });
    let wrong: HashSet<String> = proofs.iter().filter(is_wrong).map(|proof| proof.mutant.clone()).collect();
    let mut by_reference: HashMap<String, Vec<Mutant>> = HashMap::new();
    for mutant in directory.read_records::<Mutant>("mutants.jsonl")? {
        if wrong.contains(&mutant.id) {
            by_reference.entry(mutant.script.clone()).or_default().push(mutant);
        }
    }
    Ok(by_reference)
}

/// Answers of solvers that `sift` scored and that the judge did not accept, by task.
fn failed_attempts(directory: &RunDirectory) -> Result<HashMap<String, Vec<String>>, StoreError> {
    let mut failed: HashMap<String, Vec<String>> = HashMap::new();
    if !directory.path("scores.jsonl").exists() || !directory.path("attempts.jsonl").exists() {
        return Ok(failed);
    }
    let scores: Vec<ScoreLine> = directory.read_records("scores.jsonl")?;
    let wrong: HashSet<(String, String)> =
        scores.into_iter().filter(|line| !line.accepted).map(|line| (line.instance_id, line.solver)).collect();
    for attempt in directory.read_records::<Attempt>("attempts.jsonl")? {
        let key = (attempt.instance_id, attempt.solver);
        if let Some(sql) = attempt.predict_sql.filter(|_| wrong.contains(&key)) {
            failed.entry(key.0).or_default().push(sql);
        }
    }
    Ok(failed)
}
