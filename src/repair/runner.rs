//! Runs solvers over the tasks of a run. An attempt on disk is never repeated; a killed process loses none.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use super::assignment::Assignment;
use super::attempt::{Attempt, AttemptOutcome};
use super::sample::SolverSample;
use super::solver::{Solver, SolverError};
use crate::code::schema::SchemaError;
use crate::parallel::{self, Progress, shielded};
use crate::publish::control::ControlRecord;
use crate::publish::questions;
use crate::publish::record::TaskRecord;
use crate::store::{Log, RunDirectory, StoreError};

/// The file of attempts in a run directory.
pub const ATTEMPTS: &str = "attempts.jsonl";

#[derive(Clone, Copy, Debug)]
pub struct RepairSettings {
    /// Workers for solvers without a limit of their own.
    pub jobs: usize,
    /// Only this many tasks, and as many scripts without a fault, the first in their files.
    pub limit: Option<usize>,
}

/// What came of the attempts of one solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SolverTally {
    /// Attempts that were on disk before.
    pub earlier: usize,
    /// New attempts by outcome.
    pub outcomes: BTreeMap<AttemptOutcome, usize>,
    /// Tasks that could not be tried; the next run tries them again.
    pub failed: usize,
    /// Why the solver was stopped, or the first failure.
    pub failure: Option<String>,
    /// Money of the new attempts.
    pub cost: f64,
}

/// What came of a run of solvers, by solver.
pub type SolverTallies = BTreeMap<String, SolverTally>;

/// Lets every solver try every task it has not tried; then writes `attempts.jsonl` in a fixed order, and for each
/// solver `predictions/<solver>.jsonl` and, where a critic was asked, `critiques/<solver>.jsonl`.
///
/// # Errors
///
/// When the run cannot be read or written. Failures of solvers are in the tallies.
pub fn repair(
    run: &Path,
    solvers: &[Box<dyn Solver>],
    settings: &RepairSettings,
    progress: &dyn Progress,
) -> Result<SolverTallies, StoreError> {
    // Refuses a directory without a finished run; `resume` alone would start one in it.
    RunDirectory::open(run)?;
    let mut directory = RunDirectory::resume(run)?;
    let shown = PublicPart::read(&directory, settings.limit)?;
    let log = directory.log(ATTEMPTS)?;
    let earlier: Vec<Attempt> = log.records()?;
    let work = AttemptContext { run, solvers, shown: &shown, log: &log };
    let runner = SolverRunner::new(work, &earlier);
    progress.stage("repair", runner.queues.iter().map(|queue| queue.items.len()).sum());
    runner.work(settings.jobs, progress);
    let (summary, broken) = runner.finish();
    if let Some(error) = broken {
        return Err(error);
    }
    write(&directory, &shown.records)?;
    directory.unlock();
    Ok(summary)
}

/// Sorts the attempts by solver and task, so that a repeated run gives the same bytes, and writes what they answer.
fn write(directory: &RunDirectory, tasks: &[TaskRecord]) -> Result<(), StoreError> {
    let mut attempts: Vec<Attempt> = directory.read_records(ATTEMPTS)?;
    let order: HashMap<&str, usize> =
        tasks.iter().enumerate().map(|(index, task)| (task.instance_id.as_str(), index)).collect();
    let place = |attempt: &Attempt| order.get(attempt.instance_id.as_str()).copied().unwrap_or(usize::MAX);
    attempts.sort_by(|left, right| left.solver.cmp(&right.solver).then_with(|| place(left).cmp(&place(right))));
    directory.write_records(ATTEMPTS, &attempts)?;
    for group in attempts.chunk_by(|left, right| left.solver == right.solver) {
        let prediction = |attempt: &Attempt| {
            let sql = &attempt.predict_sql;
            serde_json::json!({ "instance_id": attempt.instance_id, "predict_sql": sql })
        };
        let predictions: Vec<_> = group.iter().map(prediction).collect();
        directory.write_records(&format!("predictions/{}.jsonl", group[0].solver), &predictions)?;
        let critique = |attempt: &Attempt| {
            let critique = attempt.critiques.first()?;
            Some(serde_json::json!({ "instance_id": attempt.instance_id, "critique": critique }))
        };
        let critiques: Vec<_> = group.iter().filter_map(critique).collect();
        if !critiques.is_empty() {
            directory.write_records(&format!("critiques/{}.jsonl", group[0].solver), &critiques)?;
        }
    }
    Ok(())
}

/// What solvers of a run are shown.
pub struct PublicPart {
    /// Tasks, then scripts without a fault in the form of tasks.
    pub records: Vec<TaskRecord>,
    /// How many are tasks.
    tasks: usize,
    /// What scripts are for, by id.
    pub questions: HashMap<String, String>,
}

impl PublicPart {
    /// Reads the public part of a run; `limit` is the most of tasks, and of scripts without a fault.
    pub fn read(directory: &RunDirectory, limit: Option<usize>) -> Result<PublicPart, StoreError> {
        let limit = limit.unwrap_or(usize::MAX);
        let mut records: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
        records.truncate(limit);
        let tasks = records.len();
        if directory.path("controls.jsonl").is_file() {
            let controls: Vec<ControlRecord> = directory.read_records("controls.jsonl")?;
            records.extend(controls.into_iter().take(limit).map(ControlRecord::into_task));
        }
        let question =
            |record: &TaskRecord| Some((record.instance_id.clone(), questions::read(directory, &record.instance_id)?));
        let questions = records.iter().filter_map(question).collect();
        Ok(PublicPart { records, tasks, questions })
    }

    pub fn tasks(&self) -> &[TaskRecord] {
        &self.records[..self.tasks]
    }

    /// What a solver is given of the record at a position.
    pub fn assignment(&self, at: usize) -> Result<Assignment<'_>, SchemaError> {
        let record = &self.records[at];
        let question = self.questions.get(&record.instance_id).map(String::as_str);
        Ok(Assignment { question, is_control: at >= self.tasks, ..Assignment::new(record)? })
    }
}

/// The work of solvers that share workers.
struct Queue {
    /// Workers; `None` for as many as there are jobs.
    workers: Option<usize>,
    /// Positions of a solver and a record.
    items: Vec<(usize, usize)>,
}

/// Who tries what, and where it is written down.
#[derive(Clone, Copy)]
struct AttemptContext<'a> {
    run: &'a Path,
    solvers: &'a [Box<dyn Solver>],
    shown: &'a PublicPart,
    log: &'a Log,
}

struct SolverRunner<'a> {
    work: AttemptContext<'a>,
    queues: Vec<Queue>,
    state: Mutex<RunnerState>,
}

#[derive(Default)]
struct RunnerState {
    summary: SolverTallies,
    stopped: HashSet<usize>,
    broken: Option<StoreError>,
}

impl<'a> SolverRunner<'a> {
    fn new(work: AttemptContext<'a>, earlier: &[Attempt]) -> SolverRunner<'a> {
        let AttemptContext { solvers, shown, .. } = work;
        let done: HashSet<(&str, &str)> =
            earlier.iter().map(|attempt| (attempt.solver.as_str(), attempt.instance_id.as_str())).collect();
        let mut state = RunnerState::default();
        let mut shared = Queue { workers: None, items: Vec::new() };
        let mut queues = Vec::new();
        for (position, solver) in solvers.iter().enumerate() {
            let own = if solver.takes_controls() { &shown.records[..] } else { shown.tasks() };
            let fresh = |task: &TaskRecord| !done.contains(&(solver.name(), task.instance_id.as_str()));
            let items: Vec<_> = (0..own.len()).filter(|at| fresh(&own[*at])).map(|at| (position, at)).collect();
            let tally = SolverTally { earlier: own.len() - items.len(), ..SolverTally::default() };
            state.summary.insert(solver.name().to_owned(), tally);
            match solver.concurrency() {
                None => shared.items.extend(items),
                workers => queues.push(Queue { workers, items }),
            }
        }
        queues.push(shared);
        SolverRunner { work, queues, state: Mutex::new(state) }
    }

    fn work(&self, jobs: usize, progress: &dyn Progress) {
        // One pool for each queue: a slow provider does not keep the solvers of this machine waiting.
        thread::scope(|scope| {
            for queue in &self.queues {
                let workers = queue.workers.unwrap_or(jobs).clamp(1, queue.items.len().max(1));
                let items = &queue.items;
                scope.spawn(move || {
                    parallel::map(workers, items, |(solver, task)| {
                        self.one(*solver, *task);
                        progress.step();
                    })
                });
            }
        });
    }

    /// Lets a solver try a task, unless it was stopped.
    fn one(&self, solver: usize, task: usize) {
        let stopped = self.with_state(|state| state.stopped.contains(&solver) || state.broken.is_some());
        if stopped {
            return self.note(solver, Err(SolverError::Task("not tried".to_owned())));
        }
        let id = &self.work.shown.records[task].instance_id;
        let attempt = shielded(id, || self.attempt(solver, task));
        self.note(solver, attempt.unwrap_or_else(|panic| Err(SolverError::Task(format!("{id}: {panic}")))));
    }

    fn attempt(&self, solver: usize, task: usize) -> Result<Attempt, SolverError> {
        let record = &self.work.shown.records[task];
        let failed = |error: &dyn std::fmt::Display| SolverError::Task(format!("{}: {error}", record.instance_id));
        let assignment = self.work.shown.assignment(task).map_err(|error| failed(&error))?;
        let sample = SolverSample::find(self.work.run, &record.instance_id).map_err(|error| failed(&error))?;
        self.work.solvers[solver].repair(&assignment.with_sample(sample))
    }

    /// Writes an attempt down before it is counted.
    fn note(&self, solver: usize, result: Result<Attempt, SolverError>) {
        let written = result.as_ref().ok().map_or(Ok(()), |attempt| self.work.log.append(attempt));
        self.with_state(|state| {
            state.broken = state.broken.take().or(written.err());
            let tally = state.summary.entry(self.work.solvers[solver].name().to_owned()).or_default();
            match result {
                Ok(attempt) => {
                    *tally.outcomes.entry(attempt.outcome).or_default() += 1;
                    tally.cost += attempt.cost;
                }
                Err(error) => {
                    tally.failed += 1;
                    if matches!(error, SolverError::StopReason(_)) {
                        state.stopped.insert(solver);
                    }
                    tally.failure.get_or_insert(error.to_string());
                }
            }
        });
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut RunnerState) -> T) -> T {
        // A worker that panicked did so outside this lock; the counts are whole.
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn finish(self) -> (SolverTallies, Option<StoreError>) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.summary, state.broken)
    }
}

#[cfg(test)]
mod tests;
