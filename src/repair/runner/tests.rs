use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::parallel::Unwatched;
use crate::repair::attempt::Mode;
use crate::store::locate;

/// Answers with the task's id; fails where it is told to, and counts its calls.
struct Scripted {
    name: &'static str,
    fails: Option<SolverError>,
    calls: AtomicUsize,
}

impl Scripted {
    fn boxed(name: &'static str, fails: Option<SolverError>) -> Box<Scripted> {
        Box::new(Scripted { name, fails, calls: AtomicUsize::new(0) })
    }
}

impl Solver for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn mode(&self) -> Mode {
        Mode::BuiltIn
    }

    fn repair(&self, assignment: &Assignment<'_>) -> Result<Attempt, SolverError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let id = &assignment.task.instance_id;
        match (&self.fails, id.as_str()) {
            (Some(error), "t1") => Err(error.clone()),
            _ => Ok(Attempt::built_in(id, self.name, Some(id.clone()))),
        }
    }
}

/// Has a bug that one task shows.
struct Panicking;

impl Solver for Panicking {
    fn name(&self) -> &str {
        "panicking"
    }

    fn mode(&self) -> Mode {
        Mode::BuiltIn
    }

    fn repair(&self, assignment: &Assignment<'_>) -> Result<Attempt, SolverError> {
        let id = &assignment.task.instance_id;
        assert_ne!(id, "t1", "broken");
        Ok(Attempt::built_in(id, self.name(), None))
    }
}

fn run_of(tasks: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let record = |number| TaskRecord::example(&format!("t{number}"), "select 1", "create table t (a int);");
    let records: Vec<TaskRecord> = (0..tasks).map(record).collect();
    let directory = RunDirectory::resume(folder.path()).unwrap();
    directory.write("run.yaml", b"seed: 1\n").unwrap();
    directory.write_records("tasks.jsonl", &records).unwrap();
    folder
}

fn run(folder: &tempfile::TempDir, solver: Box<Scripted>, jobs: usize) -> (SolverTally, Box<dyn Solver>) {
    let solvers: Vec<Box<dyn Solver>> = vec![solver];
    let mut summary = repair(folder.path(), &solvers, &RepairSettings { jobs, limit: None }, &Unwatched).unwrap();
    let name = solvers[0].name().to_owned();
    (summary.remove(&name).unwrap(), solvers.into_iter().next().unwrap())
}

/// Attack | a bug of ours, a panic, in a solver of `repair` | the command ends with 70 | that task is left untried and says so, the others are tried
#[test]
fn a_panic_of_a_solver_costs_one_task() {
    let folder = run_of(3);
    let solvers: Vec<Box<dyn Solver>> = vec![Box::new(Panicking)];
    let summary = repair(folder.path(), &solvers, &RepairSettings { jobs: 2, limit: None }, &Unwatched).unwrap();
    let tally = &summary["panicking"];
    assert_eq!((tally.outcomes.values().sum::<usize>(), tally.failed), (2, 1));
    let told = tally.failure.as_deref().unwrap();
    assert!(told.contains("t1") && told.contains("a bug of ours") && told.contains("broken"), "{told}");
}

#[test]
fn an_attempt_on_disk_is_not_repeated_and_a_line_cut_off_is_tried_again() {
    let folder = run_of(5);
    run(&folder, Scripted::boxed("s", None), 2);
    let path = locate(folder.path(), ATTEMPTS);
    let whole = fs::read_to_string(&path).unwrap();
    // What a kill leaves: two whole lines and a part of the third.
    let cut: usize = whole.split_inclusive('\n').take(2).map(str::len).sum();
    fs::write(&path, &whole[..cut + 20]).unwrap();
    let (tally, _) = run(&folder, Scripted::boxed("s", None), 2);
    assert_eq!((tally.earlier, tally.outcomes[&AttemptOutcome::Answered]), (2, 3));
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn any_number_of_workers_gives_the_same_bytes() {
    let bytes = |jobs| {
        let folder = run_of(20);
        run(&folder, Scripted::boxed("s", None), jobs);
        let read = |name: &str| fs::read_to_string(locate(folder.path(), name)).unwrap();
        (read(ATTEMPTS), read("predictions/s.jsonl"))
    };
    assert_eq!(bytes(1), bytes(7));
}

#[test]
fn a_failed_task_is_left_for_the_next_run() {
    let folder = run_of(3);
    let (tally, _) = run(&folder, Scripted::boxed("s", Some(SolverError::Task("down".to_owned()))), 1);
    assert_eq!((tally.failed, tally.outcomes[&AttemptOutcome::Answered]), (1, 2));
    assert_eq!(tally.failure.as_deref(), Some("down"));
    let (tally, _) = run(&folder, Scripted::boxed("s", None), 1);
    assert_eq!((tally.earlier, tally.outcomes[&AttemptOutcome::Answered]), (2, 1));
}

#[test]
fn a_solver_that_is_stopped_is_asked_no_more() {
    let folder = run_of(9);
    let (tally, _) = run(&folder, Scripted::boxed("s", Some(SolverError::StopReason("no money".to_owned()))), 1);
    assert_eq!((tally.failed, tally.outcomes[&AttemptOutcome::Answered]), (8, 1));
    assert_eq!(tally.failure.as_deref(), Some("no money"));
}
