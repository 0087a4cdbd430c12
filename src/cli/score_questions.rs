//! `sqlfault score --gold`: scores answers to question files of SQL-Eval.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::failure::Failure;
use super::terminal::escaped;
use crate::engine::Engine;
use crate::engine::child::Allowance;
use crate::reply::{ReplyContent, answer as read_answer};
use crate::score::sql_eval::{QueryRunner, QuestionScore, Questions};
use crate::score::{Prediction, Predictions};

/// A question file with its database and answers.
pub struct QuestionSet<'a> {
    pub gold: &'a Path,
    /// A SQLite file, or a folder of them.
    pub database: &'a Path,
    /// A file of answers; `None` if they are in the question file.
    pub predictions: Option<&'a Path>,
}

/// Scores the answers to a question file and prints the shares.
pub fn run(
    question_set: &QuestionSet<'_>,
    engine: &Arc<dyn Engine>,
    allowance: Allowance,
    json: bool,
) -> Result<(), Failure> {
    let questions = Questions::read(question_set.gold, question_set.database)?;
    let program = std::env::current_exe()?;
    let mut runner = QueryRunner::of(engine, &program);
    let answers = match question_set.predictions {
        Some(path) => answers(path, questions.rows.len())?,
        None => questions.rows.iter().map(|row| row.generated_query.clone().unwrap_or_default()).collect(),
    };
    let score = |(place, sql): (usize, &String)| questions.score(place, sql, &mut runner, allowance);
    let scores: Vec<QuestionScore> = answers.iter().enumerate().map(score).collect();
    print(&scores, json);
    Ok(())
}

/// The answers in the order of the rows, whose numbers from 1 are the ids; empty text for a row without an answer.
fn answers(path: &Path, rows: usize) -> Result<Vec<String>, String> {
    let known = |id: &str| id.parse::<usize>().is_ok_and(|row| (1..=rows).contains(&row));
    let read = std::fs::File::open(path).and_then(|file| Predictions::read(std::io::BufReader::new(file), known));
    let read = read.map_err(|error| format!("{}: {error}", path.display()))?;
    if let Some(reason) = read.unusable() {
        return Err(format!("{}: {reason}", path.display()));
    }
    for problem in &read.problems {
        eprintln!("{}", escaped(&format!("{}: {problem}", path.display())));
    }
    let answer = |row: usize| match read.answers.get(&row.to_string()) {
        Some(Prediction::Text(text)) => match read_answer(text, None) {
            ReplyContent::Sql(sql) => sql,
            ReplyContent::Empty | ReplyContent::TooLarge | ReplyContent::Inapplicable(_) => String::new(),
        },
        _ => String::new(),
    };
    Ok((1..=rows).map(answer).collect())
}

fn print(scores: &[QuestionScore], json: bool) {
    let mut groups: BTreeMap<&str, Vec<&QuestionScore>> = BTreeMap::new();
    for score in scores {
        groups.entry("overall").or_default().push(score);
        groups.entry(&score.category).or_default().push(score);
    }
    let share = |scores: &[&QuestionScore], hit: fn(&QuestionScore) -> bool| {
        scores.iter().filter(|score| hit(score)).count() as f64 / scores.len().max(1) as f64
    };
    if json {
        let tally = |scores: &Vec<&QuestionScore>| {
            serde_json::json!({
                "n": scores.len(),
                "exact": share(scores, |score| score.exact),
                "correct": share(scores, |score| score.correct),
                "strict": share(scores, |score| score.strict),
            })
        };
        let shares: BTreeMap<&str, _> = groups.iter().map(|(name, scores)| (*name, tally(scores))).collect();
        println!("{:#}", serde_json::json!({"shares": shares, "rows": scores}));
        return;
    }
    println!("{:<24}{:>6}{:>9}{:>9}{:>9}", "%", "n", "exact", "correct", "strict");
    for (name, scores) in &groups {
        let percent = |hit: fn(&QuestionScore) -> bool| format!("{:.1}", share(scores, hit) * 100.0);
        let (exact, correct) = (percent(|score| score.exact), percent(|score| score.correct));
        println!("{name:<24}{:>6}{exact:>9}{correct:>9}{:>9}", scores.len(), percent(|score| score.strict));
    }
}
