//! Opens a finished run as a benchmark: tasks, gold records and the databases that answers are judged on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::corpus::{CorpusError, Reference, ReferenceCard, read_texts};
use crate::publish::control::{ControlGold, ControlRecord};
use crate::publish::record::{Evidence, GoldRecord, TaskRecord, shared_database};
use crate::store::{RunDirectory, StoreError};

/// The file of control scripts, which have no fault.
const CONTROLS: &str = "controls.jsonl";
/// The file of their gold records.
const CONTROLS_GOLD: &str = "controls_gold.jsonl";

/// Why a run cannot be used as a benchmark.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A task has no gold record.
    #[error("task {0} has no gold record")]
    NoGold(String),
    /// A task's evidence names a file outside the run.
    #[error("task {0}: the database {1:?} leads out of the run")]
    Outside(String, String),
    /// Two tasks have the same id.
    #[error("the id {0} occurs twice")]
    Duplicate(String),
}

/// A task with its gold record.
#[derive(Clone, Debug)]
pub struct Task {
    /// What a solver sees.
    pub record: TaskRecord,
    /// What a judge sees.
    pub gold: GoldRecord,
    /// Files of its databases, the witness first. Empty if the run has none for this script.
    pub databases: Vec<PathBuf>,
    /// Witnesses of the other tasks on the same script. Each shows another bug that a wrong repair may introduce.
    pub witnesses: Vec<PathBuf>,
}

impl Task {
    /// Returns the task's reference with its tables.
    pub fn reference(&self) -> Result<Reference, CorpusError> {
        ReferenceTexts::of(self).read()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ReferenceTexts {
    script: String,
    sql: String,
    schema_ddl: String,
    card: ReferenceCard,
}

impl ReferenceTexts {
    /// Collects the texts of a task's reference.
    pub fn of(task: &Task) -> ReferenceTexts {
        let script = task.gold.provenance.script.clone();
        let card = ReferenceCard {
            domain: task.record.domain.clone(),
            title: script.clone(),
            parameters: task.record.parameters.iter().collect(),
            ..ReferenceCard::default()
        };
        let (sql, schema_ddl) = (task.gold.reference_sql.clone(), task.record.schema_ddl.clone());
        ReferenceTexts { script, sql, schema_ddl, card }
    }

    /// Parses the reference.
    pub fn read(self) -> Result<Reference, CorpusError> {
        read_texts(self.script, self.sql, self.schema_ddl, self.card)
    }
}

/// A finished run.
#[derive(Debug)]
pub struct Benchmark {
    root: PathBuf,
    tasks: Vec<Task>,
    by_id: HashMap<String, usize>,
    controls: Vec<String>,
    /// The control scripts with their gold records, by id.
    control_tasks: HashMap<String, Task>,
}

impl Benchmark {
    /// Reads a run.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or tasks and gold records do not belong together.
    pub fn open(run: &Path) -> Result<Benchmark, BenchmarkError> {
        let directory = RunDirectory::open(run)?;
        let records: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
        let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
        let mut gold: HashMap<String, GoldRecord> =
            gold.into_iter().map(|gold| (gold.instance_id.clone(), gold)).collect();
        let mut tasks: Vec<Task> = Vec::with_capacity(records.len());
        let mut by_id = HashMap::with_capacity(records.len());
        for record in records {
            let id = record.instance_id.clone();
            if by_id.insert(id.clone(), tasks.len()).is_some() {
                return Err(BenchmarkError::Duplicate(id));
            }
            let gold = gold.remove(&id).ok_or(BenchmarkError::NoGold(id))?;
            let databases = databases(&directory, &gold)?;
            tasks.push(Task { record, gold, databases, witnesses: Vec::new() });
        }
        share_witnesses(&mut tasks);
        let (controls, control_tasks) = controls(&directory)?;
        Ok(Benchmark { root: directory.root().to_owned(), tasks, by_id, controls, control_tasks })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its tasks, in the order of `tasks.jsonl`.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Returns the ids of the control scripts.
    pub fn controls(&self) -> &[String] {
        &self.controls
    }

    /// Returns the control script with this id as a task whose repair is to leave it alone.
    pub fn control(&self, instance_id: &str) -> Option<&Task> {
        self.control_tasks.get(instance_id)
    }

    pub fn task(&self, instance_id: &str) -> Option<&Task> {
        self.position(instance_id).map(|position| &self.tasks[position])
    }

    /// Returns the task or control script with this id: what an answer can be about.
    pub fn answerable(&self, instance_id: &str) -> Option<&Task> {
        self.task(instance_id).or_else(|| self.control(instance_id))
    }

    /// Returns the position in [`Benchmark::tasks`] of the task with this id.
    pub fn position(&self, instance_id: &str) -> Option<usize> {
        self.by_id.get(instance_id).copied()
    }
}

/// Gives every task the witnesses of the other tasks on its script.
fn share_witnesses(tasks: &mut [Task]) {
    let mut of_script: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for task in tasks.iter().filter(|task| matches!(task.gold.evidence, Evidence::Killed { .. })) {
        let known = of_script.entry(task.gold.provenance.script.clone()).or_default();
        known.extend(task.databases.first().cloned());
    }
    for task in tasks {
        let all = of_script.get(&task.gold.provenance.script).into_iter().flatten();
        task.witnesses = all.filter(|path| !task.databases.contains(path)).cloned().collect();
    }
}

/// Reads the ids of the control scripts, and each of them as a task.
fn controls(directory: &RunDirectory) -> Result<(Vec<String>, HashMap<String, Task>), BenchmarkError> {
    if !directory.path(CONTROLS).is_file() {
        return Ok(Default::default());
    }
    let records: Vec<ControlRecord> = directory.read_records(CONTROLS)?;
    let ids = records.iter().map(|control| control.instance_id.clone()).collect();
    if !directory.path(CONTROLS_GOLD).is_file() {
        return Ok((ids, HashMap::new()));
    }
    let gold: Vec<ControlGold> = directory.read_records(CONTROLS_GOLD)?;
    let mut gold: HashMap<String, ControlGold> =
        gold.into_iter().map(|gold| (gold.instance_id.clone(), gold)).collect();
    let task = |control: ControlRecord| {
        let record = control.into_task();
        let gold = gold.remove(&record.instance_id)?.into_task(&record);
        let task = |databases| Task { record, gold: gold.clone(), databases, witnesses: Vec::new() };
        Some(databases(directory, &gold).map(|databases| (gold.instance_id.clone(), task(databases))))
    };
    let tasks: Result<_, BenchmarkError> = records.into_iter().filter_map(task).collect();
    Ok((ids, tasks?))
}

/// Returns the databases a task is judged on: those of its proof or, for a syntax task, those of its script.
fn databases(directory: &RunDirectory, gold: &GoldRecord) -> Result<Vec<PathBuf>, BenchmarkError> {
    if let Evidence::Killed { databases, .. } = &gold.evidence {
        let outside = |name: &String| BenchmarkError::Outside(gold.instance_id.clone(), name.clone());
        return databases.iter().map(|name| directory.inside(name).ok_or_else(|| outside(name))).collect();
    }
    let numbered = (0..).map(|number| directory.path(&shared_database(gold.provenance.key(), number)));
    Ok(numbered.take_while(|path| path.is_file()).collect())
}
