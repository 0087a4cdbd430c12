//! `sqlfault score --critiques`: the critique performance score.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::publish::critique::Critique;
use crate::score::{Benchmark, CritiqueScore, critique_score};
use crate::store::read_records;

/// One line of a file of critiques.
#[derive(Debug, Deserialize)]
struct Line {
    instance_id: String,
    critique: Vec<Critique>,
}

/// Scores a file of critiques; tasks without one count 0.
pub fn run(benchmark: &Benchmark, file: &Path, json: bool) -> Result<(), String> {
    let lines: Vec<Line> = read_records(file).map_err(|error| error.to_string())?;
    for line in lines.iter().filter(|line| benchmark.task(&line.instance_id).is_none()) {
        eprintln!("{}: no task is called {}", file.display(), line.instance_id);
    }
    let answers: HashMap<&str, &Line> = lines.iter().map(|line| (line.instance_id.as_str(), line)).collect();
    let tasks = benchmark.tasks();
    let scores: Vec<CritiqueScore> = tasks
        .iter()
        .map(|task| {
            let answer = answers.get(task.record.instance_id.as_str());
            critique_score(task, answer.map_or(&[], |line| &line.critique))
        })
        .collect();
    let n = scores.len().max(1) as f64;
    let sum = |count: fn(&CritiqueScore) -> usize| scores.iter().map(count).sum::<usize>();
    let value = serde_json::json!({
        "n": scores.len(),
        "cps": scores.iter().map(|score| score.cps).sum::<f64>() / n,
        "detected": sum(|score| usize::from(score.detected)) as f64 / n,
        "exact": sum(|score| score.exact),
        "partial": sum(|score| score.partial),
        "error": sum(|score| score.error),
        "redundant": sum(|score| score.redundant),
    });
    if json {
        println!("{value:#}");
        return Ok(());
    }
    for (name, number) in value.as_object().into_iter().flatten() {
        println!("{name:<10} {number}");
    }
    Ok(())
}
