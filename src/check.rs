//! Proves a finished run again from its files alone.

mod evidence;
mod report;
mod control;
mod mutants;

pub use report::{CheckReport, TaskProblem};

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::code::edit::Edits;
use crate::code::script::Script;
use crate::corpus::{ScriptFile, beyond_limits, tile};
use crate::engine::ExecutionContext;
use crate::engine::table::Database;
use crate::engine::{Engine, HIVE};
use crate::publish::leak::{Secrets, leaks};
use crate::publish::record::{Evidence, GoldRecord, PlantedFault, SolverContext, TaskRecord};
use crate::score::{Benchmark, self_test};
use crate::store::{RunDirectory, StoreError};
use evidence::{RecordNames, database};

/// Checks every task of a run: ids and complaints are unique, edits give the reference byte for byte, references are
/// accepted, issues fail or differ again, each of several faults is needed, no complaint has back quotes or the fault's
/// id, controls give what their references give, no refused or killed mutant has its reference's graph, and every
/// metric scores references and issues as it must.
pub fn check(run: &Path, engine: &Arc<dyn Engine>) -> Result<CheckReport, StoreError> {
    let directory = RunDirectory::open(run)?;
    let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
    let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
    let mut by_id: BTreeMap<&str, &GoldRecord> = gold.iter().map(|gold| (gold.instance_id.as_str(), gold)).collect();
    let mut report = CheckReport::default();
    let mut seen = BTreeSet::new();
    let mut complaints = BTreeSet::new();
    let known = RecordNames::of(&directory, &gold);
    for task in &tasks {
        let mut problems = Vec::new();
        if !seen.insert(&task.instance_id) {
            problems.push("its id occurs twice".to_owned());
        }
        let own = by_id.remove(task.instance_id.as_str());
        let too_large = own.and_then(|gold| beyond(task, gold));
        let own = own.filter(|_| too_large.is_none());
        problems.extend(own.into_iter().flat_map(|gold| known.problems(task, gold)));
        match &task.context {
            SolverContext::ErrorMessage(_) => report.syntax += 1,
            SolverContext::UserQuery(complaint) => {
                report.semantic += 1;
                if !complaints.insert(complaint) {
                    problems.push("another task has the same complaint".to_owned());
                }
            }
        }
        match own {
            None if too_large.is_some() => problems.extend(too_large),
            None => problems.push("it has no gold record".to_owned()),
            Some(gold) => problems.extend(TaskCheck::problems_of(&directory, &**engine, task, gold)),
        }
        report.add(&task.instance_id, problems);
    }
    by_id.keys().for_each(|id| report.add(id, vec!["gold without a task".to_owned()]));
    control::check(&directory, &**engine, &mut report)?;
    mutants::check(&directory, &tasks, &gold, &mut report)?;
    // A run whose records do not belong together cannot be opened; they are reported above.
    if let Ok(benchmark) = Benchmark::open(run) {
        self_test(&benchmark, engine).into_iter().for_each(|it| report.add(&it.instance_id, vec![it.what]));
    }
    Ok(report)
}

/// Why the scripts of a task are too large to be checked, as those of a foreign run may be; `None` if they are not.
fn beyond(task: &TaskRecord, gold: &GoldRecord) -> Option<String> {
    [&task.issue_sql, &gold.reference_sql].into_iter().find_map(|text| {
        let (place, what) = beyond_limits(&Script::new(text.as_str()))?;
        Some(format!("{place}: {what} end here; its scripts are not looked at"))
    })
}

/// One task under check, and what was found of it so far.
struct TaskCheck<'a> {
    directory: &'a RunDirectory,
    engine: &'a dyn Engine,
    task: &'a TaskRecord,
    gold: &'a GoldRecord,
    problems: Vec<String>,
}

impl<'a> TaskCheck<'a> {
    fn problems_of(
        directory: &'a RunDirectory,
        engine: &'a dyn Engine,
        task: &'a TaskRecord,
        gold: &'a GoldRecord,
    ) -> Vec<String> {
        let mut check = TaskCheck { directory, engine, task, gold, problems: Vec::new() };
        check.run();
        check.problems
    }

    fn run(&mut self) {
        let Some(context) = self.context() else { return };
        match &self.task.context {
            SolverContext::ErrorMessage(message) => self.syntax(&context, message),
            SolverContext::UserQuery(complaint) => self.semantic(&context, complaint),
        }
    }

    fn problem(&mut self, what: impl Into<String>) {
        self.problems.push(what.into());
    }

    /// Returns the schema, parameters and policies of the task, after checks that hold for both tracks.
    fn context(&mut self) -> Option<ExecutionContext> {
        match self.gold.repairs(&self.task.issue_sql) {
            Ok(true) => {}
            Ok(false) => self.problem("the edits do not give the reference"),
            Err(error) => self.problem(error.to_string()),
        }
        let (task, gold) = (self.task, self.gold);
        let names = |files: &[ScriptFile]| files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
        if names(&task.files) != names(&gold.files)
            || !tile(&task.files, task.issue_sql.len())
            || !tile(&gold.files, gold.reference_sql.len())
        {
            self.problem("its files are not the whole of its SQL, or not the same in issue and reference");
        }
        let policies = self.gold.provenance.policies.clone();
        let context = match ExecutionContext::read(&self.task.schema_ddl, &self.task.parameters, policies) {
            Ok(context) => context,
            Err(error) => {
                self.problem(format!("the schema does not read: {error}"));
                return None;
            }
        };
        match self.engine.rejection(&self.gold.reference_sql, context.by_ref()) {
            Ok(None) => {}
            Ok(Some(rejection)) => self.problem(format!("the reference is refused: {}", rejection.message)),
            Err(words) => self.problem(format!("the reference is not judged: {words}")),
        }
        Some(context)
    }

    fn syntax(&mut self, context: &ExecutionContext, message: &str) {
        let engine = self.engine;
        let Evidence::Rejected { engine: judge, .. } = &self.gold.evidence else {
            return self.problem("it has no rejection");
        };
        let hive = engine.external().filter(|_| judge == HIVE);
        let refuse = |text: &str| match hive {
            Some(engine) => engine.hive(text, context.by_ref()),
            None => engine.rejection(text, context.by_ref()),
        };
        // The message must be the same only if the judge is: Hive's parser knows no names and types, and the embedded
        // rules have messages of their own.
        let is_policy = context.policies.iter().any(|policy| policy.judge() == *judge);
        let same_judge = judge == engine.name() || is_policy || hive.is_some();
        match refuse(&self.task.issue_sql) {
            Ok(None) => self.problem("the issue is accepted"),
            Ok(Some(rejection)) if same_judge && rejection.message != message => {
                self.problem(format!("it is refused in other words: {}", rejection.message));
            }
            Ok(Some(_)) => {}
            Err(words) => self.problem(format!("the issue is not judged: {words}")),
        }
        self.parts(|text| matches!(refuse(text), Ok(Some(_))));
    }

    /// Checks that a task with several faults needs each of them: repaired alone, or left alone, it leaves the script
    /// broken.
    fn parts(&mut self, mut is_broken: impl FnMut(&str) -> bool) {
        let (task, gold) = (self.task, self.gold);
        if gold.parts.is_empty() {
            return;
        }
        let all: usize = gold.parts.iter().map(|part| part.edits.as_slice().len()).sum();
        let own = |part: &PlantedFault| part.edits.as_slice().iter().all(|edit| gold.edits.as_slice().contains(edit));
        if all != gold.edits.as_slice().len() || !gold.parts.iter().all(own) {
            return self.problem("the edits of its faults are not the edits of the repair");
        }
        for part in &gold.parts {
            if !gold.labels.iter().any(|label| label.fault == part.fault) {
                self.problem(format!("{} has no label", part.fault));
            }
            let others = gold.edits.as_slice().iter().filter(|edit| !part.edits.as_slice().contains(edit));
            let others = Edits::new(others.cloned().collect()).and_then(|edits| edits.apply(&task.issue_sql));
            for (text, what) in [(part.edits.apply(&task.issue_sql), "repaired"), (others, "left")] {
                match text {
                    Ok(text) if is_broken(&text) => {}
                    Ok(_) => self.problem(format!("{} {what} alone leaves a script that is not broken", part.fault)),
                    Err(error) => self.problem(error.to_string()),
                }
            }
        }
    }

    fn semantic(&mut self, context: &ExecutionContext, complaint: &str) {
        let (directory, engine, task, gold) = (self.directory, self.engine, self.task, self.gold);
        let differ =
            |text: &str, database: &Database| engine.differ(&gold.reference_sql, text, context.by_ref(), database);
        let Evidence::Killed { databases, .. } = &gold.evidence else {
            return self.problem("it has no witness");
        };
        let mut seen = BTreeSet::new();
        for (position, name) in databases.iter().enumerate() {
            if !seen.insert(name) {
                self.problem(format!("{name:?} is named twice"));
                continue;
            }
            let outcome = database(directory, name)
                .and_then(|database| differ(&task.issue_sql, &database).map_err(|error| format!("{name}: {error}")));
            match outcome {
                Err(error) => self.problem(error),
                Ok(false) if position == 0 => self.problem("the witness shows no difference"),
                Ok(_) => {}
            }
        }
        self.parts(|text| {
            let read = |name: &String| database(directory, name).ok();
            let mut known = databases.iter().filter_map(read);
            known.any(|database| differ(text, &database) == Ok(true))
        });
        let fault = gold.labels.first().map_or("", |label| label.fault.as_str());
        let secrets =
            Secrets { fault, operator: "", issue_sql: &task.issue_sql, repair: &gold.edits, cites_names: true };
        if complaint.contains('`') || complaint.contains(fault) && !fault.is_empty() {
            self.problem(format!("the complaint gives it away: {:?}", leaks(complaint, &[], &secrets)));
        }
    }
}
