//! What the page asks for: the queue, a task, a new judgement.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ReviewError;
use super::agreement::PanelAgreement;
use super::api::{AnnotatorProgress, Filter, NewJudgement, Overview, QueueItem, QueuePage, QueueQuery, Saved};
use super::attempts::Attempts;
use super::decisions::{self, QUEUED};
use super::judgement::{FairnessVerdict, Judgement, Refused, now};
use super::ledger::Ledger;
use super::solution::{Checked, SuiteChecker};
use super::task_view::{self, TaskView};
use crate::publish::record::{GoldRecord, SolverContext, TaskRecord};
use crate::store::RunDirectory;

/// How many tasks of the queue go in one answer.
const PAGE: usize = 100;

/// A run under review. One process holds it at a time.
pub struct ReviewSession {
    directory: RunDirectory,
    queue: Vec<TaskRecord>,
    positions: HashMap<String, usize>,
    gold: HashMap<String, GoldRecord>,
    attempts: Attempts,
    checker: SuiteChecker,
    ledger: Mutex<Ledger>,
}

impl ReviewSession {
    /// Opens a run for review: its tasks with decision `queued` (all, before anything is decided) and those that
    /// somebody judged already.
    ///
    /// # Errors
    ///
    /// When the run cannot be read, or another process holds it.
    pub fn open(run: &Path) -> Result<ReviewSession, ReviewError> {
        RunDirectory::open(run)?;
        let directory = RunDirectory::resume(run)?;
        let ledger = Ledger::open(&directory)?;
        let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
        let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
        let gold: HashMap<_, _> = gold.into_iter().map(|gold| (gold.instance_id.clone(), gold)).collect();
        let queue = queue(tasks, &gold, &directory, &ledger)?;
        let positions = queue.iter().enumerate().map(|(index, task)| (task.instance_id.clone(), index)).collect();
        let checker = SuiteChecker::new(&directory);
        let attempts = Attempts::open(directory.root());
        Ok(ReviewSession { directory, queue, positions, gold, attempts, checker, ledger: Mutex::new(ledger) })
    }

    pub fn directory(&self) -> &RunDirectory {
        &self.directory
    }

    /// The tasks to judge, in their order.
    pub fn queue(&self) -> &[TaskRecord] {
        &self.queue
    }

    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // A poisoned lock means that a request panicked between whole judgements: the ledger is still sound.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A task with its judge's record.
    pub fn task(&self, instance_id: &str) -> Result<(&TaskRecord, &GoldRecord), Refused> {
        let position = self.positions.get(instance_id);
        let pair = position.and_then(|index| Some((&self.queue[*index], self.gold.get(instance_id)?)));
        pair.ok_or_else(|| Refused::NoTask(instance_id.to_owned()))
    }

    /// How many tasks everyone has judged.
    pub fn overview(&self, annotator: &str) -> Overview {
        let ledger = self.ledger();
        let annotators =
            ledger.panel().iter().map(|name| AnnotatorProgress { name: name.clone(), judged: ledger.count(name) });
        Overview {
            run: self.directory.root().file_name().unwrap_or_default().to_string_lossy().into_owned(),
            annotator: annotator.to_owned(),
            total: self.queue.len(),
            judged: ledger.count(annotator),
            annotators: annotators.collect(),
            complete: ledger.complete().count(),
        }
    }

    /// A part of the queue: what matches the filter and holds every word of `search`, from `offset` on.
    pub fn page(&self, annotator: &str, wanted: &QueueQuery) -> QueuePage {
        let ledger = self.ledger();
        let words: Vec<String> = wanted.search.split_whitespace().map(str::to_lowercase).collect();
        let offset = wanted.offset;
        let wanted = |task: &&TaskRecord| {
            let mine = ledger.of(&task.instance_id, annotator).map(|judgement| judgement.verdict);
            let matches = match wanted.filter {
                Filter::All => true,
                Filter::Open => mine.is_none(),
                Filter::Fair => mine == Some(FairnessVerdict::Fair),
                Filter::Unfair => mine == Some(FairnessVerdict::Unfair),
                Filter::Ambiguous => mine == Some(FairnessVerdict::Ambiguous),
            };
            let text = (matches && !words.is_empty()).then(|| self.searched(task, mine.is_some()));
            matches && text.is_none_or(|text| words.iter().all(|word| text.contains(word)))
        };
        let matching: Vec<&TaskRecord> = self.queue.iter().filter(wanted).collect();
        let items = matching.iter().skip(offset).take(PAGE).map(|task| self.item(task, annotator, &ledger));
        QueuePage { total: matching.len(), offset, items: items.collect() }
    }

    /// The text of a task in which words are looked for; its fault is in it once it is judged.
    fn searched(&self, task: &TaskRecord, is_judged: bool) -> String {
        let TaskRecord { instance_id, domain, context, .. } = task;
        let (SolverContext::ErrorMessage(told) | SolverContext::UserQuery(told)) = context;
        let fault = if is_judged { self.fault(task) } else { "" };
        format!("{instance_id} {:?} {domain} {told} {fault}", task.track()).to_lowercase()
    }

    fn fault(&self, task: &TaskRecord) -> &str {
        let label = self.gold.get(&task.instance_id).and_then(|gold| gold.labels.first());
        label.map_or("", |label| label.fault.as_str())
    }

    fn item(&self, task: &TaskRecord, annotator: &str, ledger: &Ledger) -> QueueItem {
        let verdict = ledger.of(&task.instance_id, annotator).map(|judgement| judgement.verdict);
        QueueItem {
            position: self.positions.get(&task.instance_id).copied().unwrap_or_default(),
            instance_id: task.instance_id.clone(),
            track: task.track(),
            domain: task.domain.clone(),
            // It says what is wrong, so it shows after the verdict only.
            fault: verdict.map_or_else(String::new, |_| self.fault(task).to_owned()),
            verdict,
        }
    }

    /// Everything about a task that an annotator may see: before a judgement what a solver sees, then the answer too.
    pub fn view(&self, instance_id: &str, annotator: &str) -> Result<TaskView, ReviewError> {
        let (task, gold) = self.task(instance_id)?;
        let attempts = self.attempts.of(instance_id, &task.issue_sql);
        let mut view = task_view::of(&self.directory, task, gold, attempts);
        view.position = self.positions.get(instance_id).copied().unwrap_or_default();
        let ledger = self.ledger();
        view.mine = ledger.of(instance_id, annotator).cloned();
        if view.mine.is_none() {
            return Ok(view.blind());
        }
        // Blind until the whole panel has judged.
        if ledger.is_open(instance_id) {
            let others = ledger.of_task(instance_id).into_iter().filter(|other| other.annotator != annotator);
            view.others = others.cloned().collect();
        }
        Ok(view)
    }

    /// Runs a solution of a task.
    pub fn check(&self, instance_id: &str, sql: &str) -> Result<Checked, ReviewError> {
        let (task, gold) = self.task(instance_id)?;
        Ok(self.checker.check(task, gold, sql))
    }

    /// Runs a solution of a task for an annotator: rows and databases are shown only to those who have judged the task.
    pub fn check_for(&self, annotator: &str, instance_id: &str, sql: &str) -> Result<Checked, ReviewError> {
        let checked = self.check(instance_id, sql)?;
        let has_judged = self.ledger().of(instance_id, annotator).is_some();
        Ok(if has_judged { checked } else { Checked { databases: Vec::new(), ..checked } })
    }

    /// Stores a new judgement. When this returns, the disk has it.
    pub fn judge(&self, annotator: &str, new: NewJudgement) -> Result<Saved, ReviewError> {
        self.task(&new.instance_id)?;
        let alternative = new.alternative.filter(|sql| !sql.trim().is_empty());
        let known = self.ledger().of(&new.instance_id, annotator).cloned();
        // The same text was run when it came; a judgement with another verdict need not run it again.
        let before = known.as_ref().filter(|known| known.alternative == alternative && alternative.is_some());
        let checked = match (&alternative, before) {
            (Some(sql), None) => Some(self.check(&new.instance_id, sql)?),
            _ => None,
        };
        let accepted = checked.as_ref().map(|checked| checked.accepted);
        let judgement = Judgement {
            instance_id: new.instance_id,
            annotator: annotator.to_owned(),
            verdict: new.verdict,
            why: new.why.trim().to_owned(),
            note: new.note.trim().to_owned(),
            alternative_accepted: accepted.or_else(|| before.and_then(|before| before.alternative_accepted)),
            alternative,
            withdrawn: false,
            at: now(),
        };
        let mut ledger = self.ledger();
        if known.is_none_or(|known| !known.says_the_same(&judgement)) {
            ledger.append(vec![judgement.clone()])?;
        }
        Ok(Saved { judged: ledger.count(annotator), judgement, checked })
    }

    /// Takes back what an annotator says about a task, as if they had not judged it; returns how many tasks they have
    /// judged now.
    pub fn withdraw(&self, annotator: &str, instance_id: &str) -> Result<usize, ReviewError> {
        self.task(instance_id)?;
        let mut ledger = self.ledger();
        if let Some(known) = ledger.of(instance_id, annotator) {
            let withdrawn = Judgement { withdrawn: true, at: now(), ..known.clone() };
            ledger.append(vec![withdrawn])?;
        }
        Ok(ledger.count(annotator))
    }

    /// Agreement on the tasks that the whole panel judged; nothing of the others shows in it.
    pub fn agreement(&self) -> PanelAgreement {
        PanelAgreement::of(&self.ledger())
    }
}

fn queue(
    tasks: Vec<TaskRecord>,
    gold: &HashMap<String, GoldRecord>,
    directory: &RunDirectory,
    ledger: &Ledger,
) -> Result<Vec<TaskRecord>, ReviewError> {
    let decided = decisions::read(directory)?;
    let judged = ledger.tasks();
    // The last line on a task holds.
    let decisions: Option<HashMap<&str, &str>> = decided.as_ref().map(|decided| {
        decided.iter().map(|decision| (decision.instance_id.as_str(), decision.decision.as_str())).collect()
    });
    let waits = |id: &str| decisions.as_ref().is_none_or(|decisions| decisions.get(id) == Some(&QUEUED));
    let mut seen = HashSet::new();
    let mut wanted = |task: &TaskRecord| {
        let id = task.instance_id.as_str();
        (waits(id) || judged.contains(id)) && gold.contains_key(id) && seen.insert(id.to_owned())
    };
    Ok(tasks.into_iter().filter(|task| wanted(task)).collect())
}

#[cfg(test)]
mod tests;
