//! Reads a finished run with what was proved and tried in it: the source of examples and their wrong answers.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use super::critiques::{CriticAnswer, choice};
use super::error::ExportError;
use super::example::{self, AnswerStyle, Rejected, RejectedKind, TrainingExample};
use super::settings::ExportSettings;
use super::skeleton::similarity;
use super::trajectory::{AgentTurns, Trajectory};
use crate::inject::Mutant;
use crate::prove::Verdict;
use crate::publish::critique::Critique;
use crate::publish::questions;
use crate::repair::prompt::RepairPrompts;
use crate::repair::{Assignment, Attempt};
use crate::score::{Benchmark, Task};
use crate::store::{RunDirectory, StoreError};

/// A finished run with what was proved and tried in it.
pub(super) struct FinishedRun {
    path: String,
    pub benchmark: Benchmark,
    /// Proved mutants by reference.
    mutants: HashMap<String, Vec<Mutant>>,
    tried: Tried,
    directory: RunDirectory,
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
    pub fn open(path: &Path) -> Result<FinishedRun, ExportError> {
        let benchmark = Benchmark::open(path)?;
        let directory = RunDirectory::open(path)?;
        let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let tried = Tried::read(&directory, &benchmark)?;
        Ok(FinishedRun {
            path: absolute.display().to_string(),
            benchmark,
            mutants: proved_mutants(&directory)?,
            tried,
            directory,
        })
    }

    pub fn example<'a>(
        &'a self,
        prompts: &RepairPrompts,
        task: &'a Task,
        settings: &ExportSettings,
    ) -> Result<TrainingExample<'a>, ExportError> {
        let id = &task.record.instance_id;
        let assignment = Assignment::new(&task.record).map_err(|_| ExportError::Schema(id.clone()))?;
        let question = questions::read(&self.directory, id);
        let assignment = Assignment { question: question.as_deref(), ..assignment };
        let example = TrainingExample::new(prompts, task, &assignment, settings.style)?;
        let example = TrainingExample { run: &self.path, beta: settings.beta, ..example };
        if settings.style != AnswerStyle::Critique {
            return Ok(TrainingExample { rejected: self.rejected(task, settings.least_similarity), ..example });
        }
        let answers = self.tried.critics.get(id).map_or(&[][..], Vec::as_slice);
        let choice = choice(task, answers, &self.critiques_of_others(task));
        Ok(TrainingExample { answer: choice.chosen, rejected: choice.rejected, ..example })
    }

    /// Returns the conversations of agents about a task whose answers the judge accepted.
    pub fn trajectories<'a>(
        &'a self,
        prompts: &RepairPrompts,
        task: &'a Task,
    ) -> Result<Vec<Trajectory<'a>>, ExportError> {
        let accepted = self.tried.agents.get(&task.record.instance_id).into_iter().flatten();
        accepted.map(|agent| Trajectory::new(prompts, task, agent)).collect()
    }

    /// Wrong answers to a task, each once, the most useful first.
    fn rejected(&self, task: &Task, least_similarity: f64) -> Vec<Rejected> {
        let reference = &task.gold.reference_sql;
        let failed = self.tried.failed.get(&task.record.instance_id).into_iter().flatten();
        let failed = failed.filter(|sql| similarity(reference, sql) >= least_similarity);
        let mut all: Vec<Rejected> = failed.map(|sql| Rejected::sql(RejectedKind::Attempt, sql.clone())).collect();
        let mutants = self.mutants.get(&task.gold.provenance.script).into_iter().flatten();
        all.extend(example::siblings(task, mutants));
        all.push(Rejected::sql(RejectedKind::Issue, task.record.issue_sql.clone()));
        let mut seen = HashSet::new();
        // An attempt that gives the issue back is listed once, as the issue.
        let is_issue = |one: &Rejected| one.kind == RejectedKind::Attempt && one.text == task.record.issue_sql;
        all.retain(|one| !is_issue(one) && seen.insert(one.text.clone()));
        all
    }

    /// The label critiques of other tasks of the same domain.
    fn critiques_of_others(&self, task: &Task) -> Vec<&[Critique]> {
        let record = &task.record;
        let same =
            |other: &&Task| other.record.domain == record.domain && other.record.instance_id != record.instance_id;
        self.benchmark.tasks().iter().filter(same).map(|other| other.gold.critique.as_slice()).collect()
    }
}

/// The mutants of a run that the engine refuses or that give other rows than their reference, by reference.
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

/// What solvers tried, by task.
#[derive(Default)]
struct Tried {
    /// Answers that the judge did not accept.
    failed: HashMap<String, Vec<String>>,
    /// Answers of critics. A critique of a task counts only if its correction is scored; that of a control needs no
    /// score, as the right answer is to find nothing.
    critics: HashMap<String, Vec<CriticAnswer>>,
    /// Conversations of agents whose answers the judge accepted.
    agents: HashMap<String, Vec<AgentTurns>>,
}

impl Tried {
    /// Reads attempts, and what `sift` has scored of them.
    fn read(directory: &RunDirectory, benchmark: &Benchmark) -> Result<Tried, StoreError> {
        let mut tried = Tried::default();
        if !directory.path("attempts.jsonl").exists() {
            return Ok(tried);
        }
        let scores: Vec<ScoreLine> =
            if directory.path("scores.jsonl").exists() { directory.read_records("scores.jsonl")? } else { Vec::new() };
        let accepted: HashMap<(String, String), bool> =
            scores.into_iter().map(|line| ((line.instance_id, line.solver), line.accepted)).collect();
        for attempt in directory.read_records::<Attempt>("attempts.jsonl")? {
            let score = accepted.get(&(attempt.instance_id.clone(), attempt.solver.clone())).copied();
            let is_control = benchmark.control(&attempt.instance_id).is_some();
            tried.add(attempt, score, is_control);
        }
        Ok(tried)
    }

    fn add(&mut self, attempt: Attempt, score: Option<bool>, is_control: bool) {
        let id = &attempt.instance_id;
        if let Some(critique) = attempt.critique() {
            let led_to_right = if is_control { Some(critique.is_empty()) } else { score };
            let answer = led_to_right.map(|led_to_right| CriticAnswer { critique: critique.to_vec(), led_to_right });
            self.critics.entry(id.clone()).or_default().extend(answer);
        }
        if score == Some(true) {
            self.agents.entry(id.clone()).or_default().extend(AgentTurns::of(&attempt));
        }
        if let (Some(sql), Some(false)) = (attempt.predict_sql, score) {
            self.failed.entry(attempt.instance_id).or_default().push(sql);
        }
    }
}
