//! `sqlfault score`.

use std::path::PathBuf;

use clap::Args;

use super::{Exit, bad_input};
use crate::engine::child::Allowance;
use crate::score::{Benchmark, Judge, Predictions, Score, Settings, Summary, Tally, read_predictions};

/// Options of `score`.
#[derive(Debug, Args)]
pub struct Options {
    /// The run's directory
    run: PathBuf,
    /// Answers: lines of {"instance_id": …, "predict_sql": …}
    predictions: PathBuf,
    /// Shares as JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Compare texts and graphs only; run nothing
    #[arg(long)]
    no_execution: bool,
    /// Seconds that one answer may run, over all databases of its task
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS")]
    time_limit: f64,
    /// Where to write each answer's score, as lines of JSON
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
}

/// Runs it.
pub fn run(options: &Options) -> Exit {
    let benchmark = match Benchmark::open(&options.run) {
        Ok(benchmark) => benchmark,
        Err(error) => return bad_input(&error),
    };
    let predictions = match read_predictions(&options.predictions, &benchmark) {
        Ok(predictions) => predictions,
        Err(error) => return bad_input(&error),
    };
    for problem in &predictions.problems {
        eprintln!("{}: {problem}", options.predictions.display());
    }
    let milliseconds = (options.time_limit.max(0.0) * 1000.0) as u64;
    let allowance = Allowance { milliseconds, ..Allowance::default() };
    let judge = Judge::with(&benchmark, Settings { execute: !options.no_execution, allowance, ..Settings::default() });
    let scores = scores(&benchmark, &judge, &predictions);
    if let Some(path) = &options.scores
        && let Err(error) = write(path, &scores)
    {
        return bad_input(&format!("{}: {error}", path.display()));
    }
    let summary = Summary::of(&scores);
    if options.json {
        print_json(&summary, &predictions)
    } else {
        print_table(&summary, &predictions)
    }
    Exit::Done
}

fn scores(benchmark: &Benchmark, judge: &Judge<'_>, predictions: &Predictions) -> Vec<Score> {
    let answer = |id: &str| predictions.answers.get(id);
    benchmark.tasks().iter().map(|task| judge.prediction(task, answer(&task.record.instance_id))).collect()
}

fn write(path: &std::path::Path, scores: &[Score]) -> std::io::Result<()> {
    let lines: Result<Vec<String>, _> = scores.iter().map(serde_json::to_string).collect();
    std::fs::write(path, lines?.join("\n") + "\n")
}

fn print_json(summary: &Summary, predictions: &Predictions) {
    let problems: Vec<String> = predictions.problems.iter().map(ToString::to_string).collect();
    let mut value = serde_json::json!(summary);
    value["problems"] = serde_json::json!(problems);
    println!("{value:#}");
}

fn print_table(summary: &Summary, predictions: &Predictions) {
    println!("{:<10}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}", "", "n", "EM", "EM norm", "GM", "MB", "EX", "accepted");
    let rows = [("overall", &summary.overall), ("syntax", &summary.syntax), ("semantic", &summary.semantic)];
    for (name, tally) in rows {
        let Tally { n, em, em_normalised, gm, mb, ex, accepted, .. } = tally;
        let percent = |share: &f64| format!("{:.1}", share * 100.0);
        println!(
            "{name:<10}{n:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>10}",
            percent(em),
            percent(em_normalised),
            percent(gm),
            percent(mb),
            percent(ex),
            percent(accepted)
        );
    }
    println!();
    for (outcome, count) in &summary.overall.outcomes {
        println!("{count:>6}  {}", outcome.replace('_', " "));
    }
    if !predictions.problems.is_empty() {
        println!("{:>6}  problems in the file of predictions", predictions.problems.len());
    }
}
