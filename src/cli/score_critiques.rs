//! `sqlfault score --critiques`: the critique performance score (CPS), by the known edits and optionally by a model.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::Failure;
use super::terminal::escaped;
use crate::llm::{AskError, Budget, Cache, Client, Models, Prompt};
use crate::publish::critique::Critique;
use crate::score::model_judge::{GraderAgreement, RULES, question, regraded};
use crate::score::{
    Benchmark, CritiqueScore, Graded, NAMED_PROBLEMS, PredictionLine, PredictionLines, Task, control_score, grade,
};
use crate::store::locate;

/// Expected length of a model's reply with grades, in bytes.
const GRADES_BYTES: usize = 40;

/// Options of a model that judges wording.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judge of critiques")]
pub struct CritiqueJudgeOptions {
    /// With --critiques: a YAML file of models; one judges the wording beside the known edits
    #[arg(long, value_name = "FILE", requires = "critiques")]
    models: Option<PathBuf>,
    /// The model that judges, when the file has several
    #[arg(long, value_name = "NAME", requires = "models")]
    model: Option<String>,
    /// Send nothing: take the judge's answers from RUN/exchanges only
    #[arg(long, requires = "models")]
    offline: bool,
    /// Stop asking before more than this is spent, in the currency of the prices
    #[arg(long, value_name = "MONEY", requires = "models")]
    max_cost: Option<f64>,
}

/// One line of a file of critiques.
#[derive(Debug, Deserialize)]
struct CritiqueLine {
    instance_id: String,
    critique: Vec<Critique>,
}

/// Scores a file of critiques and prints the shares; tasks and controls without a critique count 0.
pub fn run(benchmark: &Benchmark, file: &Path, json: bool, judge: &CritiqueJudgeOptions) -> Result<(), Failure> {
    let answers = critiques(benchmark, file)?;
    let given = |id: &str| answers.get(id).map(Vec::as_slice);
    let entries = |task: &Task| -> &[Critique] { given(&task.record.instance_id).unwrap_or_default() };
    let graded: Vec<Graded> = benchmark.tasks().iter().map(|task| grade(task, entries(task))).collect();
    let controls: Vec<CritiqueScore> = benchmark.controls().iter().map(|id| control_score(given(id))).collect();
    let mut value = shares(&graded, &controls);
    if let Some(client) = client(benchmark, judge)? {
        value["judge"] = judged(&client, benchmark, &KnownEdits { graded: &graded, controls: &controls }, &entries)?;
    }
    if json {
        println!("{value:#}");
    } else {
        print(&value, "");
    }
    Ok(())
}

/// Reads a file of critiques, and reports lines that cannot be read or are about no task of the run. The last critique
/// of a task counts.
///
/// # Errors
///
/// If the file cannot be read or no line is about a task of the run.
fn critiques(benchmark: &Benchmark, file: &Path) -> Result<HashMap<String, Vec<Critique>>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let reader = BufReader::new(File::open(file).map_err(failed)?);
    let is_known = |id: &String| benchmark.task(id).is_some() || benchmark.controls().contains(id);
    let (mut critiques, mut problems) = (HashMap::new(), 0usize);
    for (index, line) in PredictionLines::new(reader).enumerate() {
        let problem = match line.map_err(failed)? {
            PredictionLine::Text(text) if text.trim().is_empty() => continue,
            PredictionLine::Text(text) => match serde_json::from_str::<CritiqueLine>(&text) {
                Ok(line) if is_known(&line.instance_id) => {
                    critiques.insert(line.instance_id, line.critique);
                    continue;
                }
                Ok(line) => format!("no task is called {}", line.instance_id),
                Err(error) => error.to_string(),
            },
            PredictionLine::Unusable(reason) => reason.to_owned(),
        };
        problems += 1;
        if problems <= NAMED_PROBLEMS {
            eprintln!("{}", escaped(&format!("{}: line {}: {problem}", file.display(), index + 1)));
        }
    }
    if problems > NAMED_PROBLEMS {
        eprintln!("{}: {} more problems", file.display(), problems - NAMED_PROBLEMS);
    }
    if critiques.is_empty() {
        return Err(format!("{}: no line is a critique of a task of this run", file.display()));
    }
    Ok(critiques)
}

/// Grades by the known edits: of the tasks and of the controls, in their order in the run.
struct KnownEdits<'a> {
    graded: &'a [Graded],
    controls: &'a [CritiqueScore],
}

fn print(value: &Value, before: &str) {
    for (name, number) in value.as_object().into_iter().flatten() {
        match number {
            Value::Object(_) => print(number, &format!("{name} ")),
            Value::String(text) => println!("{:<18} {text}", format!("{before}{name}")),
            _ => println!("{:<18} {number}", format!("{before}{name}")),
        }
    }
}

fn shares(graded: &[Graded], controls: &[CritiqueScore]) -> Value {
    let scores: Vec<CritiqueScore> = graded.iter().map(Graded::score).collect();
    let n = scores.len().max(1) as f64;
    let sum = |count: fn(&CritiqueScore) -> usize| scores.iter().map(count).sum::<usize>();
    let all = scores.iter().chain(controls).map(|score| score.cps).sum::<f64>();
    let mut value = json!({
        "n": scores.len() + controls.len(),
        "cps": all / (scores.len() + controls.len()).max(1) as f64,
        "detected": sum(|score| usize::from(score.detected)) as f64 / n,
        "exact": sum(|score| score.exact),
        "partial": sum(|score| score.partial),
        "error": sum(|score| score.error),
        "redundant": sum(|score| score.redundant),
    });
    if !controls.is_empty() {
        let alarms = controls.iter().filter(|score| score.detected).count();
        let left_alone = controls.iter().map(|score| score.cps).sum::<f64>() / controls.len() as f64;
        value["controls"] = json!({ "n": controls.len(), "false_alarms": alarms, "cps": left_alone });
    }
    value
}

/// The model that judges, if one is asked for.
fn client(benchmark: &Benchmark, options: &CritiqueJudgeOptions) -> Result<Option<Client>, Failure> {
    let Some(path) = &options.models else { return Ok(None) };
    let models = Models::load(path)?;
    let model = match &options.model {
        Some(name) => models.model(name).ok_or_else(|| format!("{} has no model called {name}", path.display()))?,
        None => match &models.models[..] {
            [model] => model,
            _ => return Err(Failure::from(format!("{} has several models: name one with --model", path.display()))),
        },
    };
    let cache = Arc::new(Cache::new(&locate(benchmark.root(), "exchanges")));
    let budget = Arc::new(Budget::new(options.max_cost));
    Ok(Some(Client::new(model, &cache, &budget, options.offline)?))
}

/// The shares by the model's grades, and how far it agrees with the known edits on critiques that both graded.
fn judged<'a>(
    client: &Client,
    benchmark: &Benchmark,
    known: &KnownEdits<'_>,
    entries: &dyn Fn(&Task) -> &'a [Critique],
) -> Result<Value, String> {
    let (mut others, mut both, mut unread) = (Vec::with_capacity(known.graded.len()), Vec::new(), 0usize);
    for (task, ours) in benchmark.tasks().iter().zip(known.graded) {
        let critique = entries(task);
        let Some(question) = question(task, critique, ours) else {
            others.push(ours.clone());
            continue;
        };
        let theirs = match client.ask(&Prompt::new(RULES, question), GRADES_BYTES) {
            Ok(answer) => regraded(critique, ours, &answer.reply.text),
            Err(error @ (AskError::NotCached(_) | AskError::Cache(_))) => return Err(error.to_string()),
            Err(error) => {
                eprintln!("{}", escaped(&format!("{}: {error}", task.record.instance_id)));
                None
            }
        };
        match theirs {
            Some(theirs) => {
                both.push((ours, theirs.clone()));
                others.push(theirs);
            }
            // Where the model gives no grades, those by the known edits count.
            None => {
                unread += 1;
                others.push(ours.clone());
            }
        }
    }
    let agreement = GraderAgreement::of(both.iter().map(|(ours, theirs)| (*ours, theirs)));
    let mut value = shares(&others, known.controls);
    value["model"] = json!(client.model().name);
    value["not_graded"] = json!(unread);
    value["entries"] = json!(agreement.entries);
    value["agreement"] = json!(agreement.agreement);
    value["kappa"] = json!(agreement.kappa);
    Ok(value)
}
