//! Gold self-test: what every metric must say about a benchmark's own scripts.

use std::sync::Arc;

use super::benchmark::{Benchmark, Task};
use super::judge::{Isolation, Judge, Settings};
use super::outcome::{Outcome, Score};
use super::place::Placement;
use crate::code::script::Script;
use crate::code::token::TokenKind;
use crate::engine::Executor;
use crate::engine::child::Allowance;

/// A metric that says something else than it must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surprise {
    /// The task.
    pub instance_id: String,
    /// What is wrong.
    pub what: String,
}

/// Scores the reference, the reference in another layout, and the issue of every task.
///
/// The reference must score 1 everywhere. In another layout it must keep everything but the exact match. The issue must
/// score 0 everywhere: it differs in text, graph and results, and is not nearer to the reference than itself.
pub fn self_test(benchmark: &Benchmark, executor: &Arc<Executor>) -> Vec<Surprise> {
    // These scripts are the benchmark's own, so they need no process of their own.
    let judge = Judge::with(benchmark, trusted(executor));
    let text_only = Judge::with(benchmark, Settings { execute: false, ..Settings::default() });
    let mut surprises = Vec::new();
    for task in benchmark.tasks() {
        let reference = &task.gold.reference_sql;
        let right = judge.answer(task, reference);
        let runs = right.outcome != Outcome::NotRun;
        let placed = right.place == Some(Placement { hit: true, elsewhere: 0 });
        let all = [right.em, right.em_normalised, right.gm, right.mb, right.ex || !runs, right.accepted, placed];
        note(&mut surprises, task, "the reference as prediction scores below 1", &right, all.contains(&false));
        let relaid = text_only.answer(task, &relaid(reference));
        let kept = relaid.em_normalised && relaid.gm && relaid.mb && relaid.accepted;
        note(&mut surprises, task, "the reference in another layout scores below 1", &relaid, !kept);
        let issue = judge.answer(task, &task.record.issue_sql);
        let any = [issue.em, issue.em_normalised, issue.gm, issue.mb, issue.ex, issue.accepted];
        note(&mut surprises, task, "the issue as prediction scores above 0", &issue, any.contains(&true));
    }
    surprises
}

fn trusted(executor: &Arc<Executor>) -> Settings {
    match **executor {
        Executor::Embedded => Settings { isolation: Isolation::InProcess, ..Settings::default() },
        Executor::Spark(_) => {
            let allowance = Allowance { milliseconds: 60_000, ..Allowance::default() };
            Settings { isolation: Isolation::Spark(Arc::clone(executor)), allowance, ..Settings::default() }
        }
    }
}

fn note(surprises: &mut Vec<Surprise>, task: &Task, what: &str, score: &Score, wrong: bool) {
    if wrong {
        let metrics = [
            ("em", score.em),
            ("em_normalised", score.em_normalised),
            ("gm", score.gm),
            ("mb", score.mb),
            ("ex", score.ex),
            ("accepted", score.accepted),
        ];
        let metrics: Vec<String> = metrics.iter().map(|(name, value)| format!("{name} {}", u8::from(*value))).collect();
        let what = format!("{what}: {}, {}", metrics.join(" "), score.outcome.name());
        surprises.push(Surprise { instance_id: task.record.instance_id.clone(), what });
    }
}

/// The same tokens with other blanks and comments between them.
fn relaid(text: &str) -> String {
    let script = Script::new(text);
    let piece = |token: &crate::code::token::Token| match token.kind {
        TokenKind::Blank => "\n  /* - */ -- -\n\t",
        TokenKind::LineComment | TokenKind::BlockComment => "",
        _ => token.span.of(text),
    };
    script.all_tokens().iter().map(piece).collect()
}
