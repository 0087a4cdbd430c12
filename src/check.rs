//! Proves a finished run again from its files alone.

mod control;
mod evidence;
mod mutants;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::code::edit::Edits;
use crate::engine::ExecutionContext;
use crate::engine::table::Database;
use crate::engine::{Engine, HIVE};
use crate::publish::leak::{Secrets, leaks};
use crate::publish::record::{Evidence, GoldRecord, PlantedFault, SolverContext, TaskRecord};
use crate::score::{Benchmark, Violation, self_test};
use crate::store::{RunDirectory, StoreError};
use evidence::{Known, database};

/// What is wrong with a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProblem {
    /// The task.
    pub instance_id: String,
    /// What is wrong.
    pub what: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// Syntax tasks seen.
    pub syntax: usize,
    /// Semantic tasks seen.
    pub semantic: usize,
    /// Controls seen.
    pub controls: usize,
    /// Mutants whose graphs were compared, those without a task among them.
    pub mutants: usize,
    /// Everything that does not hold.
    pub problems: Vec<TaskProblem>,
}

/// Checks every task of a run: ids are unique, edits give the reference byte for byte, references run, issues fail or
/// differ again, each of several faults is needed, nothing leaks, controls give what their references give, and every
/// metric says of references and issues what it must.
///
/// # Errors
///
/// When the run cannot be read.
pub fn check(run: &Path, executor: &Arc<dyn Engine>) -> Result<CheckReport, StoreError> {
    let directory = RunDirectory::open(run)?;
    let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
    let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
    let mut by_id: BTreeMap<&str, &GoldRecord> = gold.iter().map(|gold| (gold.instance_id.as_str(), gold)).collect();
    let mut report = CheckReport::default();
    let mut seen = BTreeSet::new();
    let mut told = BTreeSet::new();
    let known = Known::of(&directory, &gold);
    for task in &tasks {
        let mut problems = Vec::new();
        if !seen.insert(&task.instance_id) {
            problems.push("its id occurs twice".to_owned());
        }
        let own = by_id.remove(task.instance_id.as_str());
        problems.extend(own.into_iter().flat_map(|gold| known.problems(task, gold)));
        match (&task.context, own) {
            (_, None) => problems.push("it has no gold record".to_owned()),
            (SolverContext::ErrorMessage(message), Some(gold)) => {
                report.syntax += 1;
                syntax(&**executor, task, gold, message, &mut problems);
            }
            (SolverContext::UserQuery(complaint), Some(gold)) => {
                report.semantic += 1;
                if !told.insert(complaint) {
                    problems.push("another task has the same complaint".to_owned());
                }
                semantic((&directory, &**executor), task, gold, complaint, &mut problems);
            }
        }
        let problem = |what| TaskProblem { instance_id: task.instance_id.clone(), what };
        report.problems.extend(problems.into_iter().map(problem));
    }
    let orphan = |id: &&str| TaskProblem { instance_id: (*id).to_owned(), what: "gold without a task".to_owned() };
    report.problems.extend(by_id.keys().map(orphan));
    control::check(&directory, &**executor, &mut report)?;
    mutants::check(&directory, &tasks, &gold, &mut report)?;
    // A run whose records do not belong together has been told so above, and is no benchmark.
    if let Ok(benchmark) = Benchmark::open(run) {
        let problem = |surprise: Violation| TaskProblem { instance_id: surprise.instance_id, what: surprise.what };
        report.problems.extend(self_test(&benchmark, executor).into_iter().map(problem));
    }
    Ok(report)
}

/// The schema and parameters of a task; also checks what holds for both tracks.
fn case(
    executor: &dyn Engine,
    task: &TaskRecord,
    gold: &GoldRecord,
    problems: &mut Vec<String>,
) -> Option<ExecutionContext> {
    match gold.repairs(&task.issue_sql) {
        Ok(true) => {}
        Ok(false) => problems.push("the edits do not give the reference".to_owned()),
        Err(error) => problems.push(error.to_string()),
    }
    let case = match ExecutionContext::read(&task.schema_ddl, &task.parameters, gold.provenance.policies.clone()) {
        Ok(case) => case,
        Err(error) => {
            problems.push(format!("the schema does not read: {error}"));
            return None;
        }
    };
    match executor.rejection(&gold.reference_sql, case.by_ref()) {
        Ok(None) => {}
        Ok(Some(rejection)) => problems.push(format!("the reference is refused: {}", rejection.message)),
        Err(words) => problems.push(format!("the reference is not judged: {words}")),
    }
    Some(case)
}

fn syntax(executor: &dyn Engine, task: &TaskRecord, gold: &GoldRecord, message: &str, problems: &mut Vec<String>) {
    let Some(case) = case(executor, task, gold, problems) else { return };
    let Evidence::Rejected { engine, .. } = &gold.evidence else {
        problems.push("it has no rejection".to_owned());
        return;
    };
    let asks_hive = engine == HIVE && !executor.is_embedded();
    let refuse = |text: &str| match asks_hive {
        true => executor.hive(text, case.by_ref()),
        false => executor.rejection(text, case.by_ref()),
    };
    // Only the engine that spoke can be held to its words; Hive's parser knows no names and types, ours are others.
    let is_policy = case.policies.iter().any(|policy| policy.judge() == *engine);
    let same_judge = engine == executor.name() || is_policy || asks_hive;
    match refuse(&task.issue_sql) {
        Ok(None) => problems.push("the issue is accepted".to_owned()),
        Ok(Some(rejection)) if same_judge && rejection.message != message => {
            problems.push(format!("it is refused in other words: {}", rejection.message));
        }
        Ok(Some(_)) => {}
        Err(words) => problems.push(format!("the issue is not judged: {words}")),
    }
    parts(task, gold, problems, |text| matches!(refuse(text), Ok(Some(_))));
}

/// Whether a task with several faults needs each of them: repaired alone, or left alone, it leaves the script broken.
fn parts(task: &TaskRecord, gold: &GoldRecord, problems: &mut Vec<String>, mut is_broken: impl FnMut(&str) -> bool) {
    if gold.parts.is_empty() {
        return;
    }
    let all: usize = gold.parts.iter().map(|part| part.edits.as_slice().len()).sum();
    let own = |part: &PlantedFault| part.edits.as_slice().iter().all(|edit| gold.edits.as_slice().contains(edit));
    if all != gold.edits.as_slice().len() || !gold.parts.iter().all(own) {
        problems.push("the edits of its faults are not the edits of the repair".to_owned());
        return;
    }
    for part in &gold.parts {
        if !gold.labels.iter().any(|label| label.fault == part.fault) {
            problems.push(format!("{} has no label", part.fault));
        }
        let others = gold.edits.as_slice().iter().filter(|edit| !part.edits.as_slice().contains(edit));
        let others = Edits::new(others.cloned().collect()).and_then(|edits| edits.apply(&task.issue_sql));
        for (text, what) in [(part.edits.apply(&task.issue_sql), "repaired"), (others, "left")] {
            match text {
                Ok(text) if is_broken(&text) => {}
                Ok(_) => problems.push(format!("{} {what} alone leaves a script that is not broken", part.fault)),
                Err(error) => problems.push(error.to_string()),
            }
        }
    }
}

fn semantic(
    (directory, executor): (&RunDirectory, &dyn Engine),
    task: &TaskRecord,
    gold: &GoldRecord,
    complaint: &str,
    problems: &mut Vec<String>,
) {
    let Some(case) = case(executor, task, gold, problems) else { return };
    let differ = |text: &str, database: &Database| executor.differ(&gold.reference_sql, text, case.by_ref(), database);
    let Evidence::Killed { databases, .. } = &gold.evidence else {
        problems.push("it has no witness".to_owned());
        return;
    };
    for (position, name) in databases.iter().enumerate() {
        let database = database(directory, name);
        let outcome = database
            .and_then(|database| differ(&task.issue_sql, &database).map_err(|error| format!("{name}: {error}")));
        match outcome {
            Err(error) => problems.push(error),
            Ok(false) if position == 0 => problems.push("the witness shows no difference".to_owned()),
            Ok(_) => {}
        }
    }
    parts(task, gold, problems, |text| {
        let read = |name: &String| database(directory, name).ok();
        let mut known = databases.iter().filter_map(read);
        known.any(|database| differ(text, &database) == Ok(true))
    });
    let fault = gold.labels.first().map_or("", |label| label.fault.as_str());
    let quoted: Vec<String> = Vec::new();
    let secrets = Secrets { fault, operator: "", issue_sql: &task.issue_sql, repair: &gold.edits };
    if complaint.contains('`') || complaint.contains(fault) && !fault.is_empty() {
        problems.push(format!("the complaint gives it away: {:?}", leaks(complaint, &quoted, &secrets)));
    }
}
