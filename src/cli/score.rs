//! `sqlfault score`.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::engine::EngineOptions;
use super::{Exit, bad_input, score_critiques, score_questions};
use crate::engine::Engine;
use crate::engine::child::Allowance;
use crate::score::{
    Benchmark, Isolation, Judge, Pairing, Predictions, Score, Settings, Side, Summary, Tally, page, pairings,
    read_predictions,
};

/// How answers are read; the rules in full stand in `score::answer`.
const READING: &str = "\
How answers are read: text that parses is the SQL; else the last code block tagged as SQL, or the last one without a \
tag; else what stands in <sql>…</sql>; else what is left when prose before the first and after the last statement is \
dropped, if that parses; else the whole text. Tasks without an answer, empty ones, answers that are no text and ids that \
occur twice count 0 and are named under their outcome; lines that cannot be read and unknown ids are told on standard \
error and counted.";

/// Options of `score`.
#[derive(Debug, Args)]
#[command(after_help = READING)]
pub struct Options {
    /// The run's directory; with --gold the file of answers
    #[arg(required_unless_present = "gold")]
    run: Option<PathBuf>,
    /// Answers: lines of {"instance_id": …, "predict_sql": …}
    #[arg(required_unless_present_any = ["stdin", "gold"])]
    predictions: Option<PathBuf>,
    /// The answers are critiques: lines of {"instance_id": …, "critique": [{"clause": …, "explanation": …}]}
    #[arg(long, conflicts_with_all = ["stdin", "against", "scores"])]
    critiques: bool,
    /// A question file of SQL-Eval (CSV) instead of a run; answers are its column generated_query unless given
    #[arg(long, value_name = "FILE.csv", requires = "database", conflicts_with_all = ["predictions", "stdin", "against"])]
    gold: Option<PathBuf>,
    /// The SQLite file the questions are about, or a folder with <db_name>.sqlite
    #[arg(long, value_name = "FILE.sqlite", requires = "gold")]
    database: Option<PathBuf>,
    /// Read answers from standard input and write each one's score at once
    #[arg(long, conflicts_with_all = ["predictions", "against", "json", "scores"])]
    stdin: bool,
    /// Other answers to compare with, task by task
    #[arg(long, value_name = "PREDICTIONS")]
    against: Option<PathBuf>,
    /// Where to write the report as one HTML page, tables and plots of every group
    #[arg(long, value_name = "FILE", conflicts_with_all = ["stdin", "critiques", "gold"])]
    html: Option<PathBuf>,
    /// Shares as JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Compare texts and graphs only; run nothing
    #[arg(long)]
    no_execution: bool,
    /// Seconds that one answer may run, over all databases of its task
    /// [default: 5, with Spark 60]
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Time right answers as well (valid efficiency score): this many more runs of each
    #[arg(long, default_value_t = 0, value_name = "RUNS")]
    ves: u32,
    /// Where to write each answer's score, as lines of JSON
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
    #[command(flatten)]
    judge: score_critiques::JudgeOptions,
}

/// Runs it.
pub fn run(options: &Options) -> Exit {
    let executor = match options.engine.open(None) {
        Ok(executor) => Arc::from(executor),
        Err(exit) => return exit,
    };
    match score(options, &executor) {
        Ok(()) => Exit::Done,
        Err(error) => bad_input(&error),
    }
}

fn score(options: &Options, executor: &Arc<dyn Engine>) -> Result<(), String> {
    let usual = if executor.is_embedded() { 5.0 } else { 60.0 };
    let milliseconds = (options.time_limit.unwrap_or(usual).max(0.0) * 1000.0) as u64;
    let allowance = Allowance { milliseconds, ..Allowance::default() };
    if let (Some(gold), Some(database)) = (&options.gold, &options.database) {
        let question_set = score_questions::QuestionSet { gold, database, predictions: options.run.as_deref() };
        return score_questions::run(&question_set, executor, allowance, options.json);
    }
    let run = options.run.as_deref().unwrap_or(Path::new("."));
    let benchmark = Benchmark::open(run).map_err(|error| error.to_string())?;
    if let (true, Some(file)) = (options.critiques, &options.predictions) {
        return score_critiques::run(&benchmark, file, options.json, &options.judge);
    }
    let execute = !options.no_execution;
    let mut settings = Settings { execute, allowance, repeats: options.ves, ..Settings::default() };
    if !executor.is_embedded() {
        settings.isolation = Isolation::Engine(Arc::clone(executor));
    }
    let judge = Judge::with(&benchmark, settings);
    let Some(file) = &options.predictions else {
        return serve(&benchmark, &judge).map_err(|error| error.to_string());
    };
    let (predictions, scores) = scored(&benchmark, &judge, file)?;
    if let Some(path) = &options.scores {
        write(path, &scores).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let summary = Summary::of(&benchmark, &scores);
    let other = match &options.against {
        Some(path) => {
            let (predictions, others) = scored(&benchmark, &judge, path)?;
            Some((path, Summary::of(&benchmark, &others), problems(&predictions), pairings(&scores, &others)))
        }
        None => None,
    };
    let pairings = other.as_ref().map_or(&[][..], |(.., pairings)| pairings);
    if let Some(html) = &options.html {
        let (told, name) = (problems(&predictions), |path: &Path| path.display().to_string());
        let first = (name(file), &summary, &told);
        let second = other.as_ref().map(|(path, summary, told, _)| (name(path), summary, told));
        let sides: Vec<(String, &Summary, &Vec<String>)> = std::iter::once(first).chain(second).collect();
        write_page(html, run, &sides, pairings)?;
    }
    if options.json {
        print_json(&summary, &predictions, pairings);
    } else {
        print_table(&summary, &predictions);
        print_pairings(pairings);
    }
    Ok(())
}

/// Scores answers as they come, one line of JSON for each line.
fn serve(benchmark: &Benchmark, judge: &Judge<'_>) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let read = Predictions::parse(&line, |id| benchmark.task(id).is_some());
        for problem in &read.problems {
            let text = problem.to_string();
            let what = text.strip_prefix("line 1: ").unwrap_or(&text);
            writeln!(output, "{}", serde_json::json!({"error": what}))?;
        }
        for (id, prediction) in &read.answers {
            if let Some(task) = benchmark.task(id) {
                serde_json::to_writer(&mut output, &judge.prediction(task, Some(prediction)))?;
                writeln!(output)?;
            }
        }
        output.flush()?;
    }
    Ok(())
}

/// The answers of a file and their scores, in the order of the tasks.
fn scored(benchmark: &Benchmark, judge: &Judge<'_>, path: &Path) -> Result<(Predictions, Vec<Score>), String> {
    let predictions = read_predictions(path, benchmark).map_err(|error| error.to_string())?;
    for problem in &predictions.problems {
        eprintln!("{}: {problem}", path.display());
    }
    let answer = |id: &str| predictions.answers.get(id);
    let tasks = benchmark.tasks().iter();
    let scores = tasks.map(|task| judge.prediction(task, answer(&task.record.instance_id))).collect();
    Ok((predictions, scores))
}

fn write(path: &Path, scores: &[Score]) -> std::io::Result<()> {
    let lines: Result<Vec<String>, _> = scores.iter().map(serde_json::to_string).collect();
    std::fs::write(path, lines?.join("\n") + "\n")
}

fn problems(predictions: &Predictions) -> Vec<String> {
    predictions.problems.iter().map(ToString::to_string).collect()
}

fn write_page(
    file: &Path,
    run: &Path,
    sides: &[(String, &Summary, &Vec<String>)],
    pairings: &[Pairing],
) -> Result<(), String> {
    let sides: Vec<Side<'_>> = sides.iter().map(|(name, summary, problems)| Side { name, summary, problems }).collect();
    let title = format!("Scores on {}", run.display());
    let text = page(&title, &sides, pairings).map_err(|error| error.to_string())?;
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn print_json(summary: &Summary, predictions: &Predictions, pairings: &[Pairing]) {
    let problems = problems(predictions);
    let mut value = serde_json::json!(summary);
    value["problems"] = serde_json::json!(problems);
    if !pairings.is_empty() {
        value["against"] = serde_json::json!(pairings);
    }
    println!("{value:#}");
}

fn print_table(summary: &Summary, predictions: &Predictions) {
    println!(
        "{:<34}{:>5}{:>7}{:>8}{:>7}{:>7}{:>7}{:>10}{:>15}{:>7}",
        "%", "n", "EM", "EM norm", "GM", "MB", "EX", "accepted", "95 %", "place"
    );
    let rows = [("overall", &summary.overall), ("syntax", &summary.syntax), ("semantic", &summary.semantic)];
    rows.into_iter().for_each(|(name, tally)| print_row(name, tally));
    for dimension in ["level1", "domain", "length"] {
        println!();
        for (group, tally) in summary.by.get(dimension).into_iter().flatten() {
            print_row(group, tally);
        }
    }
    println!();
    for (outcome, count) in &summary.overall.outcomes {
        println!("{count:>6}  {}", outcome.replace('_', " "));
    }
    if let Some(ves) = summary.overall.ves {
        println!("\nvalid efficiency score {:.1}", ves * 100.0);
    }
    if !predictions.problems.is_empty() {
        println!("{:>6}  problems in the file of predictions", predictions.problems.len());
    }
}

fn print_row(name: &str, tally: &Tally) {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let [low, high] = tally.intervals.get("accepted").copied().unwrap_or_default();
    println!(
        "{:<34}{:>5}{:>7}{:>8}{:>7}{:>7}{:>7}{:>10}{:>15}{:>7}",
        name.chars().take(33).collect::<String>(),
        tally.n,
        percent(tally.em),
        percent(tally.em_normalised),
        percent(tally.gm),
        percent(tally.mb),
        percent(tally.ex),
        percent(tally.accepted),
        format!("{} - {}", percent(low), percent(high)),
        percent(tally.localised)
    );
}

fn print_pairings(pairings: &[Pairing]) {
    if pairings.is_empty() {
        return;
    }
    println!("\n{:<16}{:>8}{:>12}{:>13}{:>9}{:>10}", "", "both", "only first", "only second", "neither", "p");
    for Pairing { metric, both, only_first, only_second, neither, p } in pairings {
        println!("{metric:<16}{both:>8}{only_first:>12}{only_second:>13}{neither:>9}{p:>10.4}");
    }
}
