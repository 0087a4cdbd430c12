//! Nearest public script: the answer is the script that shares the greatest part of its lines with the task.

use std::collections::HashMap;

use super::attack::{AttackAnswers, Public, changed};
use crate::parallel;

/// How often each line occurs.
type LineCounts<'a> = HashMap<&'a str, usize>;

/// Returns the nearest public script of each task; `None` if no script shares a line with it.
pub(super) fn nearest(public: Public<'_>, jobs: usize) -> AttackAnswers {
    let known: Vec<LineCounts<'_>> = public.scripts.iter().map(|script| lines(script)).collect();
    parallel::map(jobs, public.tasks, |task| {
        let own = lines(&task.issue_sql);
        let mut best: Option<(f64, usize)> = None;
        for (at, script) in known.iter().enumerate() {
            let shared = similarity(&own, script);
            if shared > 0.0 && best.is_none_or(|(most, _)| shared > most) {
                best = Some((shared, at));
            }
        }
        changed(task, public.scripts[best?.1].clone())
    })
}

fn lines(text: &str) -> LineCounts<'_> {
    let mut lines = LineCounts::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        *lines.entry(line).or_default() += 1;
    }
    lines
}

/// Returns shared lines as a part of all lines of both (Jaccard of multisets).
fn similarity(one: &LineCounts<'_>, other: &LineCounts<'_>) -> f64 {
    let shared: usize = one.iter().map(|(line, count)| other.get(line).map_or(0, |others| *count.min(others))).sum();
    let all = one.values().sum::<usize>() + other.values().sum::<usize>() - shared;
    shared as f64 / all.max(1) as f64
}
