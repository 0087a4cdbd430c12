//! A panic while an answer is judged costs that answer only; the next one is judged as if nothing had happened.

use std::fs::{File, Permissions};
use std::io::BufReader;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlfault::engine::child::serve;
use sqlfault::engine::table::Database;
use sqlfault::engine::{ContextRef, EmbeddedEngine, Engine, EngineVerdict, RunOutcome};
use sqlfault::parallel::Progress;
use sqlfault::repair::Attempt;
use sqlfault::score::{AnswerOutcome, Benchmark, Isolation, Judge, JudgeSettings, Score, TextReader};
use sqlfault::sift::scoring::scored;

use crate::common::{REFERENCE, TASKS, write_run};

/// An answer with this word causes the panic.
const BUG: &str = "panicking_column";
const WORDS: &str = "a bug of ours: a panic of the test";

fn panic_at_bug(text: &str) {
    assert!(!text.contains(BUG), "a panic of the test");
}

/// The scores of the answer that causes the panic, and of the reference after it.
fn scores(isolation: Isolation) -> [Score; 2] {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    let benchmark = Benchmark::open(folder.path()).unwrap();
    let judge = Judge::with(&benchmark, JudgeSettings { isolation, ..JudgeSettings::default() });
    let broken = format!("SELECT {BUG} FROM users");
    [&broken, REFERENCE].map(|answer| judge.score(TASKS[2].0, answer).unwrap())
}

fn assert_costs_one_answer(scores: &[Score; 2], outcome: AnswerOutcome) {
    let [broken, next] = scores;
    assert_eq!((broken.outcome, broken.accepted), (outcome, false), "{broken:?}");
    assert!(broken.detail.as_ref().is_some_and(|detail| detail.starts_with(WORDS)), "{broken:?}");
    assert_eq!((next.outcome, next.accepted), (AnswerOutcome::Equal, true), "{next:?}");
}

/// The embedded engine with a bug.
#[derive(Debug)]
struct EngineWithBug;

impl Engine for EngineWithBug {
    fn name(&self) -> &str {
        "an engine with a bug"
    }

    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome {
        panic_at_bug(text);
        EmbeddedEngine.check(text, context)
    }

    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        panic_at_bug(text);
        EmbeddedEngine.run(text, context, database)
    }

    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String> {
        panic_at_bug(text);
        EmbeddedEngine.verdicts(text, context)
    }
}

/// Attack | a bug of ours, a panic, while an engine in this process runs an answer | – | that answer is not judged and says why, the next is judged
#[test]
fn a_panic_of_an_engine_costs_one_answer() {
    let scores = scores(Isolation::Engine(Arc::new(EngineWithBug)));
    assert_costs_one_answer(&scores, AnswerOutcome::Unjudged);
}

/// Says nothing.
#[derive(Debug)]
struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &str, _: usize) {}
    fn step(&self) {}
}

/// Attack | a bug of ours, a panic, while `sift` scores the answer of a solver | – | that answer is not judged and says why, those of the others are scored
#[test]
fn a_panic_costs_one_score_of_a_sifted_run() {
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    let benchmark = Benchmark::open(folder.path()).unwrap();
    let isolation = Isolation::Engine(Arc::new(EngineWithBug));
    let judge = Judge::with(&benchmark, JudgeSettings { isolation, ..JudgeSettings::default() });
    let broken = format!("SELECT {BUG} FROM users");
    let attempt = |(solver, sql): (&str, &str)| Attempt::built_in(TASKS[2].0, solver, Some(sql.to_owned()));
    let attempts = [("one", broken.as_str()), ("other", REFERENCE)].map(attempt);
    let scores: Vec<Score> =
        scored(&benchmark, &judge, &attempts, 2, &Silent).into_iter().map(|line| line.score).collect();
    assert_costs_one_answer(&scores.try_into().unwrap(), AnswerOutcome::Unjudged);
}

/// Tells this program that it is the child.
const CHILD: &str = "SQLFAULT_TEST_CHILD";

/// A program that runs the test of this name as a child: answers go to the pipe, what the test harness says does not.
fn child_program(folder: &Path, test: &str) -> PathBuf {
    let program = folder.join("child");
    let this = std::env::current_exe().unwrap();
    let run = format!("exec '{}' --exact {test} --nocapture", this.display());
    std::fs::write(&program, format!("#!/bin/sh\n{CHILD}=1 {run} 3>&1 >&2\n")).unwrap();
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    program
}

/// Serves as the hidden subcommand of the program does, with a bug in the reading of answers.
fn be_child() {
    let mut texts = TextReader::default();
    let answers = File::options().write(true).open("/dev/fd/3").unwrap();
    serve(BufReader::new(std::io::stdin()), answers, |work, begins| {
        panic_at_bug(&work.to_string());
        texts.delegated(work, begins)
    })
    .unwrap();
}

/// Attack | a bug of ours, a panic, in the child process that judges an answer | `exit status: 70` in its score | that answer has crashed, with the words; the next is judged
#[test]
fn a_panic_in_the_child_costs_one_answer() {
    if std::env::var_os(CHILD).is_some() {
        return be_child();
    }
    let folder = tempfile::tempdir().unwrap();
    let program = child_program(folder.path(), "panics::a_panic_in_the_child_costs_one_answer");
    assert_costs_one_answer(&scores(Isolation::Process(program)), AnswerOutcome::Crashed);
}
