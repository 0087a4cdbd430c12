//! `predictions.jsonl`: one answer a line. What is wrong with a file is named and counted, and never stops the run.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::benchmark::Benchmark;
use crate::store::StoreError;

/// One answer of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prediction {
    /// Text.
    Text(String),
    /// `predict_sql` is absent or null.
    Absent,
    /// `predict_sql` is no text.
    WrongType,
    /// The id occurs more than once.
    Duplicate,
}

/// What is wrong in a file of predictions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PredictionError {
    /// A line is no JSON object with an `instance_id`.
    #[error("line {line}: {message}")]
    Line {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// An id that the benchmark does not have.
    #[error("line {line}: no task is called {instance_id}")]
    Unknown {
        /// Line, from 1.
        line: usize,
        /// The id.
        instance_id: String,
    },
    /// An id for the second time or more.
    #[error("line {line}: {instance_id} occurs again; none of its answers counts")]
    Duplicate {
        /// Line, from 1.
        line: usize,
        /// The id.
        instance_id: String,
    },
}

/// The answers of a file.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// By task.
    pub answers: HashMap<String, Prediction>,
    /// What is wrong, in file order.
    pub problems: Vec<PredictionError>,
}

/// Reads a file of predictions for a benchmark.
///
/// # Errors
///
/// Only when the file itself cannot be read.
pub fn read_predictions(path: &Path, benchmark: &Benchmark) -> Result<Predictions, StoreError> {
    let bytes = std::fs::read(path).map_err(|source| StoreError::File { path: path.to_owned(), source })?;
    Ok(Predictions::parse(&String::from_utf8_lossy(&bytes), |id| benchmark.task(id).is_some()))
}

impl Predictions {
    /// Reads lines of JSON; `known` tells which ids the benchmark has.
    pub fn parse(text: &str, known: impl Fn(&str) -> bool) -> Predictions {
        let mut predictions = Predictions::default();
        let mut seen = HashSet::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line_number = index + 1;
            match parse_line(line.trim_start_matches('\u{feff}')) {
                Err(message) => predictions.problems.push(PredictionError::Line { line: line_number, message }),
                Ok((instance_id, _)) if !known(&instance_id) => {
                    predictions.problems.push(PredictionError::Unknown { line: line_number, instance_id });
                }
                Ok((instance_id, _)) if !seen.insert(instance_id.clone()) => {
                    predictions.answers.insert(instance_id.clone(), Prediction::Duplicate);
                    predictions.problems.push(PredictionError::Duplicate { line: line_number, instance_id });
                }
                Ok((instance_id, prediction)) => {
                    predictions.answers.insert(instance_id, prediction);
                }
            }
        }
        predictions
    }
}

fn parse_line(line: &str) -> Result<(String, Prediction), String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let Value::Object(mut fields) = value else { return Err("not a JSON object".to_owned()) };
    let instance_id = match fields.remove("instance_id") {
        Some(Value::String(id)) => id,
        Some(Value::Number(number)) => number.to_string(),
        Some(_) => return Err("instance_id is no text".to_owned()),
        None => return Err("no instance_id".to_owned()),
    };
    let prediction = match fields.remove("predict_sql") {
        Some(Value::String(text)) => Prediction::Text(text),
        Some(Value::Null) | None => Prediction::Absent,
        Some(_) => Prediction::WrongType,
    };
    Ok((instance_id, prediction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_bad_line_is_named_and_the_rest_is_read() {
        let text = "{\"instance_id\":\"a\",\"predict_sql\":\"SELECT 1\"}\n\
                    not json\n\
                    [1]\n\
                    {\"predict_sql\":\"x\"}\n\
                    \n\
                    {\"instance_id\":\"zz\",\"predict_sql\":\"x\"}\n\
                    {\"instance_id\":\"b\",\"predict_sql\":7}\n\
                    {\"instance_id\":\"c\"}\n\
                    {\"instance_id\":\"d\",\"predict_sql\":\"1\"}\n\
                    {\"instance_id\":\"d\",\"predict_sql\":\"2\"}\n";
        let read = Predictions::parse(text, |id| id.len() == 1);
        assert_eq!(read.answers["a"], Prediction::Text("SELECT 1".to_owned()));
        assert_eq!(read.answers["b"], Prediction::WrongType);
        assert_eq!(read.answers["c"], Prediction::Absent);
        assert_eq!(read.answers["d"], Prediction::Duplicate);
        let lines: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        let starts =
            ["line 2:", "line 3: not a JSON", "line 4: no instance_id", "line 6: no task", "line 10: d occurs"];
        assert_eq!(lines.len(), starts.len(), "{lines:?}");
        for (line, start) in lines.iter().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
    }
}
