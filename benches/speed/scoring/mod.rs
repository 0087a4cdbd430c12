//! Scoring answers by their texts (EM, GM and MB), on the tasks of a run that is built here.

mod growth;
mod peer;

use std::collections::HashMap;
use std::hint::black_box;

use sqlfault::code::schema::Schema;
use sqlfault::code::script::Script;
use sqlfault::parallel::Progress;
use sqlfault::pipeline::{BuildSettings, build};
use sqlfault::score::{self, Benchmark, Judge, ReferenceDistance, Task, graph_match};
use sqlparser::dialect::DatabricksDialect;
use sqlparser::parser::Parser;

use crate::clock::{alone, in_turns, time};
use crate::table::{each, row, shown};

struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &str, _: usize) {}
    fn step(&self) {}
}

/// Builds a run of the paper's size and measures its tasks.
pub fn measure() {
    let folder = tempfile::tempdir().expect("a folder for the run");
    let out = folder.path().join("run");
    let settings = BuildSettings::new(out.clone(), 6);
    build(&settings, &Silent).expect("the embedded references build");
    let benchmark = Benchmark::open(&out).expect("a run that was just built");
    whole(&benchmark);
    graphs(&benchmark);
    yardsticks(&benchmark);
    growth::measure();
}

/// Measures EM, GM and MB of one answer to every task, on one core, in a single round.
fn whole(benchmark: &Benchmark) {
    let judge = Judge::with(benchmark, score::JudgeSettings { execute: false, ..score::JudgeSettings::default() });
    let answers = answers(benchmark);
    let mut hits = [0usize; 4];
    let taken = time(&mut || {
        for (task, answer) in benchmark.tasks().iter().zip(&answers) {
            let score = judge.answer(task, answer);
            let found = [score.em, score.em_normalised, score.gm, score.mb];
            hits.iter_mut().zip(found).for_each(|(count, hit)| *count += usize::from(hit));
        }
    });
    let [em, normalised, gm, mb] = hits;
    let what = format!(
        "score {} answers: EM {em}, normalised {normalised}, GM {gm}, MB {mb}; {} lines each",
        answers.len(),
        benchmark.tasks().iter().map(|task| task.gold.complexity.lines).sum::<usize>() / answers.len().max(1)
    );
    row(&what, &shown(taken), "budget 8 s", taken.as_secs_f64() / 8.0, (1.0, false));
}

/// One answer to each task, of the kinds that solvers give, in turn.
fn answers(benchmark: &Benchmark) -> Vec<String> {
    let mut of_script: HashMap<&str, Vec<&Task>> = HashMap::new();
    for task in benchmark.tasks() {
        of_script.entry(&task.gold.provenance.script).or_default().push(task);
    }
    let tasks = benchmark.tasks().iter().enumerate();
    tasks.map(|(place, task)| answer(place, task, &of_script[task.gold.provenance.script.as_str()])).collect()
}

fn answer(place: usize, task: &Task, siblings: &[&Task]) -> String {
    let (reference, issue) = (&task.gold.reference_sql, &task.record.issue_sql);
    match place % 6 {
        0 => reference.clone(),
        // The right repair in a layout and spelling of its own.
        1 => respelled(reference),
        2 => issue.clone(),
        // Another bug of the same script in place of this one.
        3 => siblings[place % siblings.len()].record.issue_sql.clone(),
        // The right repair, and a wrong one beside it.
        4 => issue.replacen(" = ", " <> ", 1).replacen("COUNT(", "SUM(", 1),
        // An answer that was cut off.
        _ => reference.chars().take(reference.chars().count() * 9 / 10).collect(),
    }
}

/// The text with words in lower case and lines indented by two more blanks.
fn respelled(text: &str) -> String {
    use sqlfault::code::token::TokenKind;
    let script = Script::new(text);
    let piece = |token: &sqlfault::code::token::Token| {
        let slice = token.span().of(text);
        match token.kind {
            TokenKind::Word => slice.to_lowercase(),
            TokenKind::Blank => slice.replace('\n', "\n  "),
            _ => slice.to_owned(),
        }
    };
    script.all_tokens().iter().map(piece).collect()
}

/// Measures GM of scripts that are read already, against the least that any such comparison costs: reading them.
fn graphs(benchmark: &Benchmark) {
    let mut seen = std::collections::HashSet::new();
    let tasks: Vec<&Task> = benchmark.tasks().iter().filter(|task| seen.insert(&task.gold.provenance.script)).collect();
    let pairs: Vec<(Script, Script, Schema)> = tasks
        .iter()
        .map(|task| {
            let schema = Schema::read(&task.record.schema_ddl).expect("a schema of a run");
            let reference = task.gold.reference_sql.as_str();
            (Script::new(respelled(reference)), Script::new(reference), schema)
        })
        .collect();
    let bound: Vec<String> = tasks.iter().map(|task| bound(task)).collect();
    let [ours, floor] = in_turns([
        &mut || pairs.iter().for_each(|(left, right, schema)| assert!(graph_match(left, right, schema))),
        &mut || {
            for text in bound.iter().chain(&bound) {
                black_box(Parser::parse_sql(&DatabricksDialect {}, text).ok());
            }
        },
    ]);
    let one = each(ours, 2 * pairs.len());
    let ratio = ours.as_secs_f64() / floor.as_secs_f64();
    let what = format!("GM, a script ({} pairs)", pairs.len());
    let read = format!("sqlparser reading it {}", shown(each(floor, 2 * pairs.len())));
    row(&what, &shown(one), &read, ratio, (2.0, false));
    peer::measure(&bound, one);
}

fn bound(task: &Task) -> String {
    let parameters: sqlfault::code::parameters::Parameters = task.record.parameters.iter().collect();
    parameters.bind(&task.gold.reference_sql).unwrap_or_default()
}

/// Measures MB of an answer that has another task's bug, together with the distance of the issue.
fn yardsticks(benchmark: &Benchmark) {
    let tasks = benchmark.tasks();
    let scripts: Vec<[Script; 3]> = tasks
        .iter()
        .zip(tasks.iter().cycle().skip(1))
        .map(|(task, other)| {
            let text = |text: &String| Script::new(text.as_str());
            [text(&task.gold.reference_sql), text(&task.record.issue_sql), text(&other.record.issue_sql)]
        })
        .collect();
    let taken = alone(&mut || {
        for [reference, issue, prediction] in &scripts {
            black_box(ReferenceDistance::new(reference.clone(), issue.clone()).is_nearer(prediction));
        }
    });
    let one = each(taken, scripts.len());
    row("MB, an answer with its issue", &shown(one), "budget 4 ms", one.as_secs_f64() / 4e-3, (1.0, false));
}
