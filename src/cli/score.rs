//! `sqlfault score`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::engine::EngineOptions;
use super::failure::Failure;
use super::heading::{ANSWERS, EXECUTION, OUTPUT, SQL_EVAL};
use super::terminal::escaped;
use super::verbosity::closing;
use super::{Exit, score_critiques, score_questions};
use crate::engine::Engine;
use crate::report::run_facts;
use crate::score::{
    AnswerFile, AnswerOutcome, Benchmark, ControlTally, FailingTask, Judge, JudgeSettings, MetricShares, PairedTest,
    PredictionLines, Predictions, Score, ScorePage, Summary, page, pairings, read_predictions,
};

/// How answers are read, for `--help`; the module `reply` has the full rules.
const READING: &str = "\
How answers are read: text that parses is the SQL. Otherwise thoughts (<think>) are dropped, and the first of these that \
is there counts: the field predict_sql of a JSON object; search-and-replace blocks, applied to the issue SQL; the last \
code block tagged as SQL, or the last one without a tag; <sql>…</sql>; what is left when prose before the first and \
after the last statement is dropped, if that parses; the whole text.

Tasks without an answer, empty ones, answers that are no text and ids that occur twice count 0 and are named under their \
outcome; lines that cannot be read and unknown ids are reported on standard error and counted. A file without a single \
answer, and a run on which no answer can be judged, are bad input (exit code 3).

Examples:
  sqlfault score runs/7 predictions.jsonl
  sqlfault score runs/7 predictions.jsonl --against baseline.jsonl --html report.html
  sqlfault score runs/7 critiques.jsonl --critiques
  my-model | sqlfault score runs/7 --stdin
  sqlfault score answers.jsonl --gold questions.csv --database databases/";

#[derive(Debug, Args)]
#[command(after_help = READING)]
pub struct ScoreOptions {
    /// The run's directory; with --gold the file of answers
    #[arg(required_unless_present = "gold")]
    run: Option<PathBuf>,
    /// Answers: lines of {"instance_id": …, "predict_sql": …}
    #[arg(required_unless_present_any = ["stdin", "gold"])]
    predictions: Option<PathBuf>,
    /// The answers are critiques: lines of {"instance_id": …, "critique": [{"clause": …, "explanation": …}]}
    #[arg(long, conflicts_with_all = ["stdin", "against", "scores"], help_heading = ANSWERS)]
    critiques: bool,
    /// A question file of SQL-Eval (CSV) instead of a run; answers are its column generated_query unless given
    #[arg(long, value_name = "FILE.csv", requires = "database", conflicts_with_all = ["predictions", "stdin", "against"], help_heading = SQL_EVAL)]
    gold: Option<PathBuf>,
    /// The SQLite file the questions are about, or a folder with <db_name>.sqlite
    #[arg(long, value_name = "FILE.sqlite", requires = "gold", help_heading = SQL_EVAL)]
    database: Option<PathBuf>,
    /// Read answers from standard input and write each one's score at once
    #[arg(long, conflicts_with_all = ["predictions", "against", "json", "scores"], help_heading = ANSWERS)]
    stdin: bool,
    /// Other answers to compare with, task by task
    #[arg(long, value_name = "PREDICTIONS", help_heading = ANSWERS)]
    against: Option<PathBuf>,
    /// Where to write the report as one HTML page, tables and plots of every group
    #[arg(long, value_name = "FILE", conflicts_with_all = ["stdin", "critiques", "gold"], help_heading = OUTPUT)]
    html: Option<PathBuf>,
    /// Shares as JSON instead of a table
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// Compare texts and graphs only; run nothing
    #[arg(long, help_heading = EXECUTION)]
    no_execution: bool,
    /// Seconds that one answer may run, over all databases of its task
    /// [default: 5, with Spark 60]
    #[arg(long, value_name = "SECONDS", help_heading = EXECUTION)]
    time_limit: Option<f64>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Time right answers as well (valid efficiency score): this many more runs of each
    #[arg(long, default_value_t = 0, value_name = "RUNS", help_heading = EXECUTION)]
    ves: u32,
    /// Where to write each answer's score, as lines of JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    scores: Option<PathBuf>,
    #[command(flatten)]
    judge: score_critiques::CritiqueJudgeOptions,
}

pub fn run(options: &ScoreOptions) -> Result<Exit, Failure> {
    let engine: Arc<dyn Engine> = Arc::from(options.engine.open(None)?);
    let mut settings = JudgeSettings::for_engine(&engine);
    if let Some(seconds) = options.time_limit {
        settings.allowance.milliseconds = (seconds.max(0.0) * 1000.0) as u64;
    }
    if let (Some(gold), Some(database)) = (&options.gold, &options.database) {
        let question_set = score_questions::QuestionSet { gold, database, predictions: options.run.as_deref() };
        score_questions::run(&question_set, &engine, settings.allowance, options.json)?;
        return Ok(Exit::Done);
    }
    let run = options.run.as_deref().unwrap_or(Path::new("."));
    let benchmark = Benchmark::open(run)?;
    if let (true, Some(file)) = (options.critiques, &options.predictions) {
        score_critiques::run(&benchmark, file, options.json, &options.judge)?;
        return Ok(Exit::Done);
    }
    let execute = !options.no_execution;
    let judge = Judge::with(&benchmark, JudgeSettings { execute, repeats: options.ves, ..settings });
    let Some(file) = &options.predictions else { return serve(&benchmark, &judge) };
    let first = scored(&benchmark, &judge, file)?;
    if let Some(path) = &options.scores {
        write(path, &first.scores).map_err(|error| Failure::output(path, &error))?;
    }
    let other = options.against.as_ref().map(|path| scored(&benchmark, &judge, path)).transpose()?;
    let pairings = other.as_ref().map_or_else(Vec::new, |other| pairings(&first.scores, &other.scores));
    if let Some(html) = &options.html {
        let sides: Vec<&ScoredFile<'_>> = std::iter::once(&first).chain(&other).collect();
        write_page(html, &benchmark, &sides, &pairings)?;
    }
    if options.json {
        print_json(&first, &pairings);
    } else {
        print_table(&first);
        print_pairings(&pairings);
    }
    closing("report", run.display());
    if execute { judged(&first.scores) } else { Ok(Exit::Done) }
}

/// Returns how `score` ends: done if all answers could be judged on data, short if some could, an error if none could.
fn judged(scores: &[Score]) -> Result<Exit, Failure> {
    let is_blind = |score: &&Score| matches!(score.outcome, AnswerOutcome::Unjudged | AnswerOutcome::NotRun);
    let without = scores.iter().filter(is_blind).count();
    let Some(example) = scores.iter().find(is_blind) else { return Ok(Exit::Done) };
    let reason = example.detail.clone().unwrap_or_else(|| "the run has no database for its script".to_owned());
    let first = format!("{}: {reason}", example.instance_id);
    if scores.iter().any(|score| score.outcome.is_judged()) {
        eprintln!("{}", escaped(&format!("{without} answers could not be judged on data; the first is {first}")));
        return Ok(Exit::Short);
    }
    Err(Failure::from(format!("no answer could be judged on data; the first is {first}")))
}

/// A file of answers with its scores.
struct ScoredFile<'a> {
    path: &'a Path,
    predictions: Predictions,
    scores: Vec<Score>,
    summary: Summary,
    /// What became of scripts without a fault, if there are answers about them.
    controls: Option<ControlTally>,
    problems: Vec<String>,
}

/// Scores answers as they come on standard input, one line of JSON for each; a line that cannot be read is answered by
/// its error.
fn serve(benchmark: &Benchmark, judge: &Judge<'_>) -> Result<Exit, Failure> {
    let mut output = std::io::stdout().lock();
    let mut write = |value: &serde_json::Value| writeln!(output, "{value}").and_then(|()| output.flush());
    let mut unusable = Predictions::default().unusable();
    for line in PredictionLines::new(std::io::stdin().lock()) {
        let line = line?;
        let mut read = Predictions::default();
        read.take(1, &line, |id| benchmark.answerable(id).is_some());
        unusable = unusable.and_then(|_| read.unusable());
        let problems = read.problems.iter().map(|problem| {
            let text = problem.to_string();
            let what = text.strip_prefix("line 1: ").unwrap_or(&text);
            serde_json::json!({ "error": what, "problem": problem.name() })
        });
        let answers = read.answers.iter().filter_map(|(id, answer)| Some((benchmark.answerable(id)?, answer)));
        let scores = answers.map(|(task, answer)| serde_json::json!(judge.prediction(task, Some(answer))));
        for value in problems.chain(scores) {
            match write(&value) {
                // The reader of the scores has gone, which is no error.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(Exit::Done),
                Err(error) => return Err(Failure::output(Path::new("standard output"), &error)),
                Ok(()) => {}
            }
        }
    }
    unusable.map_or(Ok(Exit::Done), |reason| Err(Failure::from(format!("standard input: {reason}"))))
}

/// Reads the answers in a file and scores them, in the order of the tasks.
fn scored<'a>(benchmark: &Benchmark, judge: &Judge<'_>, path: &'a Path) -> Result<ScoredFile<'a>, Failure> {
    let predictions = read_predictions(path, benchmark)?;
    if let Some(reason) = predictions.unusable() {
        return Err(Failure::from(format!("{}: {reason}", path.display())));
    }
    for problem in &predictions.problems {
        eprintln!("{}", escaped(&format!("{}: {problem}", path.display())));
    }
    let unnamed = predictions.problem_count - predictions.problems.len();
    if unnamed > 0 {
        eprintln!("{}: {unnamed} more problems", path.display());
    }
    let answer = |id: &str| predictions.answers.get(id);
    let tasks = benchmark.tasks().iter();
    let scores: Vec<Score> = tasks.map(|task| judge.prediction(task, answer(&task.record.instance_id))).collect();
    let (summary, problems) = (Summary::of(benchmark, &scores), predictions.problems.iter());
    let problems = problems.map(ToString::to_string).collect();
    let controls = ControlTally::of(benchmark, judge, &predictions);
    Ok(ScoredFile { path, predictions, scores, summary, controls, problems })
}

fn write(path: &Path, scores: &[Score]) -> std::io::Result<()> {
    let lines: Result<Vec<String>, _> = scores.iter().map(serde_json::to_string).collect();
    std::fs::write(path, lines?.join("\n") + "\n")
}

fn write_page(
    file: &Path,
    benchmark: &Benchmark,
    sides: &[&ScoredFile<'_>],
    pairings: &[PairedTest],
) -> Result<(), Failure> {
    let names: Vec<String> = sides.iter().map(|side| side.path.display().to_string()).collect();
    let failing: Vec<Vec<FailingTask>> = sides.iter().map(|side| failing(benchmark, side)).collect();
    let shown: Vec<AnswerFile<'_>> = sides
        .iter()
        .zip(names.iter().zip(&failing))
        .map(|(side, (name, failing))| AnswerFile { name, summary: &side.summary, problems: &side.problems, failing })
        .collect();
    let title = format!("Scores on {}", benchmark.root().display());
    let facts = run_facts(benchmark.root())?;
    let shown = ScorePage { title: &title, facts: &facts, sides: &shown, pairings };
    let text = page(shown)?;
    std::fs::write(file, text).map_err(|error| Failure::output(file, &error))
}

/// The tasks whose answers are not accepted.
fn failing(benchmark: &Benchmark, side: &ScoredFile<'_>) -> Vec<FailingTask> {
    let answer = |score: &Score| side.predictions.answers.get(&score.instance_id);
    let tasks = benchmark.tasks().iter().zip(&side.scores);
    tasks.filter_map(|(task, score)| FailingTask::of(task, score, answer(score))).collect()
}

fn print_json(scored: &ScoredFile<'_>, pairings: &[PairedTest]) {
    let mut value = serde_json::json!(scored.summary);
    value["problems"] = serde_json::json!(scored.problems);
    if let Some(controls) = scored.controls {
        value["controls"] = serde_json::json!(controls);
    }
    if !pairings.is_empty() {
        value["against"] = serde_json::json!(pairings);
    }
    println!("{value:#}");
}

fn print_table(scored: &ScoredFile<'_>) {
    let ScoredFile { summary, predictions, .. } = scored;
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
    if let Some(ControlTally { n, accepted, left_alone, .. }) = scored.controls {
        println!("\nscripts without a fault: {accepted} of {n} right, {left_alone} of them left alone");
    }
    if predictions.problem_count > 0 {
        println!("{:>6}  problems in the file of predictions", predictions.problem_count);
    }
}

fn print_row(name: &str, tally: &MetricShares) {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let [low, high] = tally.intervals.get("accepted").copied().unwrap_or_default();
    println!(
        "{:<34}{:>5}{:>7}{:>8}{:>7}{:>7}{:>7}{:>10}{:>15}{:>7}",
        escaped(name).chars().take(33).collect::<String>(),
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

fn print_pairings(pairings: &[PairedTest]) {
    if pairings.is_empty() {
        return;
    }
    println!("\n{:<16}{:>8}{:>12}{:>13}{:>9}{:>10}", "", "both", "only first", "only second", "neither", "p");
    for PairedTest { metric, both, only_first, only_second, neither, p } in pairings {
        println!("{metric:<16}{both:>8}{only_first:>12}{only_second:>13}{neither:>9}{p:>10.4}");
    }
}
