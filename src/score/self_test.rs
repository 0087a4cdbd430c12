//! Self-test of a benchmark: checks what every metric says about its own scripts.

use std::sync::Arc;

use super::benchmark::{Benchmark, Task};
use super::judge::{Judge, JudgeSettings};
use super::localisation::ChangeLocation;
use super::outcome::{AnswerOutcome, Score};
use super::rewrites::rewrites;
use crate::code::script::Script;
use crate::corpus::beyond_limits;
use crate::engine::Engine;

/// A metric that does not have the value it must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub instance_id: String,
    pub what: String,
}

/// Scores the reference, rewrites of it that keep its meaning, and the issue of every task.
///
/// The reference must score 1 in every metric and change the right place. A rewrite may lose the two exact matches but
/// must keep all other metrics. The issue must score 0 in every metric: it differs in text, graph and results, and is
/// not nearer to the reference than itself. Rewrites run on the embedded engine only.
pub fn self_test(benchmark: &Benchmark, engine: &Arc<dyn Engine>) -> Vec<Violation> {
    let judge = Judge::with(benchmark, JudgeSettings::for_engine(engine));
    let execute = engine.external().is_none();
    let embedded = Judge::with(benchmark, JudgeSettings { execute, ..JudgeSettings::default() });
    let mut violations = Vec::new();
    // Scripts beyond the limits are not judged; `check` reports them.
    let is_within = |task: &&Task| {
        let texts = [&task.gold.reference_sql, &task.record.issue_sql];
        texts.into_iter().all(|text| beyond_limits(&Script::new(text.as_str())).is_none())
    };
    for task in benchmark.tasks().iter().filter(is_within) {
        let reference = &task.gold.reference_sql;
        let right = judge.answer(task, reference);
        let runs = right.outcome != AnswerOutcome::NotRun;
        let placed = right.place == Some(ChangeLocation { hit: true, elsewhere: 0 });
        let all = [right.em, right.em_normalised, right.gm, right.mb, right.ex || !runs, right.accepted, placed];
        note(&mut violations, task, "the reference as prediction scores below 1", &right, all.contains(&false));
        for (what, text) in rewrites(reference) {
            let score = embedded.answer(task, &text);
            let kept = score.gm && score.mb && score.accepted && (score.ex || score.outcome == AnswerOutcome::NotRun);
            note(&mut violations, task, &format!("the reference {what} scores below 1"), &score, !kept);
        }
        let issue = judge.answer(task, &task.record.issue_sql);
        let any = [issue.em, issue.em_normalised, issue.gm, issue.mb, issue.ex, issue.accepted];
        note(&mut violations, task, "the issue as prediction scores above 0", &issue, any.contains(&true));
    }
    violations
}

fn note(violations: &mut Vec<Violation>, task: &Task, what: &str, score: &Score, wrong: bool) {
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
        violations.push(Violation { instance_id: task.record.instance_id.clone(), what });
    }
}
