//! Reads `predictions.jsonl`, one answer per line. Problems of a file are reported and counted but never stop the run.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde_json::Value;

use super::benchmark::Benchmark;
use crate::store::{FileError, StoreError};

/// The longest line that is read, in bytes: the largest answer, with every byte escaped.
const LONGEST_LINE: usize = 4 << 20;
/// How many problems are reported; further ones are only counted.
pub const NAMED_PROBLEMS: usize = 1_000;
/// How much of an id a message quotes, in characters.
const QUOTED: usize = 80;

/// One answer of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prediction {
    Text(String),
    /// There is no `predict_sql`.
    Absent,
    /// `predict_sql` is null: the solver has no answer.
    Null,
    /// `predict_sql` is not a string.
    WrongType,
    /// The id occurs more than once.
    Duplicate,
}

/// A problem of a file of predictions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PredictionError {
    /// A line is not a JSON object with an `instance_id`.
    #[error("line {line}: {message}")]
    Line {
        /// Line, from 1.
        line: usize,
        message: String,
    },
    /// The benchmark has no task with this id.
    #[error("line {line}: no task is called {instance_id}")]
    Unknown {
        /// Line, from 1.
        line: usize,
        instance_id: String,
    },
    /// An id occurs for the second time or more.
    #[error("line {line}: {instance_id} occurs again; none of its answers counts")]
    Duplicate {
        /// Line, from 1.
        line: usize,
        instance_id: String,
    },
}

impl PredictionError {
    /// Returns the kind of problem for machine-readable reports.
    pub fn name(&self) -> &'static str {
        match self {
            PredictionError::Line { .. } => "unreadable",
            PredictionError::Unknown { .. } => "unknown_task",
            PredictionError::Duplicate { .. } => "duplicate",
        }
    }
}

/// The answers of a file.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    pub answers: HashMap<String, Prediction>,
    /// The first thousand problems, in file order.
    pub problems: Vec<PredictionError>,
    pub problem_count: usize,
    /// Lines that are not blank.
    lines: usize,
    /// Lines with the id of a task and a field `predict_sql`.
    usable: usize,
    /// The field names of all objects.
    fields: BTreeSet<String>,
}

/// Reads a file of predictions for a benchmark. A line that is too long or not UTF-8 is a problem of that line alone.
///
/// # Errors
///
/// Only if the file itself cannot be read.
pub fn read_predictions(path: &Path, benchmark: &Benchmark) -> Result<Predictions, StoreError> {
    let failed = |source| StoreError::File(FileError { path: path.to_owned(), source });
    let reader = BufReader::new(File::open(path).map_err(failed)?);
    let known = |id: &str| benchmark.answerable(id).is_some();
    Predictions::read(reader, known).map_err(failed)
}

impl Predictions {
    /// Reads lines of JSON; `known` says whether the benchmark has an id.
    pub fn read(reader: impl BufRead, known: impl Fn(&str) -> bool) -> io::Result<Predictions> {
        let mut predictions = Predictions::default();
        for (index, line) in PredictionLines::new(reader).enumerate() {
            predictions.take(index + 1, &line?, &known);
        }
        Ok(predictions)
    }

    /// Adds one line.
    pub fn take(&mut self, number: usize, line: &PredictionLine, known: impl Fn(&str) -> bool) {
        let text = match line {
            PredictionLine::Text(text) => text.trim_start_matches('\u{feff}').trim(),
            PredictionLine::Unusable(reason) => {
                self.lines += 1;
                return self.note(PredictionError::Line { line: number, message: (*reason).to_owned() });
            }
        };
        if text.is_empty() {
            return;
        }
        self.lines += 1;
        match self.parsed(text) {
            Err(message) => self.note(PredictionError::Line { line: number, message }),
            Ok((id, _)) if !known(&id) => {
                let instance_id = id.chars().take(QUOTED).collect();
                self.note(PredictionError::Unknown { line: number, instance_id });
            }
            Ok((instance_id, prediction)) => {
                self.usable += usize::from(prediction != Prediction::Absent);
                if self.answers.contains_key(&instance_id) {
                    self.answers.insert(instance_id.clone(), Prediction::Duplicate);
                    self.note(PredictionError::Duplicate { line: number, instance_id });
                } else {
                    self.answers.insert(instance_id, prediction);
                }
            }
        }
    }

    /// Returns why there is nothing to score in the file, and what it holds instead; `None` if there is something to
    /// score.
    pub fn unusable(&self) -> Option<String> {
        if self.usable > 0 {
            return None;
        }
        let wanted = "no line has the `instance_id` of a task of this run and a `predict_sql`";
        Some(match (self.lines, self.fields.is_empty(), self.problems.first()) {
            (0, ..) => "there is no line in it".to_owned(),
            (_, true, Some(problem)) => format!("{wanted}; {problem}"),
            (_, _, problem) => {
                let found: Vec<&str> = self.fields.iter().map(String::as_str).take(20).collect();
                let first = problem.map_or_else(String::new, |problem| format!("; {problem}"));
                format!("{wanted}; the fields found are: {}{first}", found.join(", "))
            }
        })
    }

    fn note(&mut self, problem: PredictionError) {
        self.problem_count += 1;
        if self.problems.len() < NAMED_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Returns the id and the answer of a line, or what is wrong with it.
    fn parsed(&mut self, line: &str) -> Result<(String, Prediction), String> {
        let parsed = serde_json::from_str(line).or_else(|error| {
            // A lone surrogate has no UTF-8 form, but one broken character is no reason to lose the whole answer.
            let mended = without_lone_surrogates(line).ok_or(&error).map(|mended| serde_json::from_str(&mended));
            mended.ok().and_then(Result::ok).ok_or(error)
        });
        let mut fields = match parsed.map_err(|error| error.to_string())? {
            Value::Object(fields) => fields,
            Value::Array(_) => return Err("not a JSON object but an array; write one object a line".to_owned()),
            _ => return Err("not a JSON object".to_owned()),
        };
        let short = |name: &String| name.chars().take(QUOTED).collect();
        if self.fields.len() < NAMED_PROBLEMS {
            self.fields.extend(fields.keys().map(short));
        }
        let instance_id = match fields.remove("instance_id") {
            Some(Value::String(id)) => id,
            Some(Value::Number(number)) => number.to_string(),
            Some(_) => return Err("instance_id is not a text".to_owned()),
            None => return Err("no instance_id".to_owned()),
        };
        let prediction = match fields.remove("predict_sql") {
            Some(Value::String(text)) => Prediction::Text(text),
            Some(Value::Null) => Prediction::Null,
            None => Prediction::Absent,
            Some(_) => Prediction::WrongType,
        };
        Ok((instance_id, prediction))
    }
}

/// One line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PredictionLine {
    /// Its text, without the line break.
    Text(String),
    Unusable(&'static str),
}

/// The lines of a reader. The rest of a line that is too long is skipped without being kept in memory.
#[derive(Debug)]
pub struct PredictionLines<R> {
    reader: R,
}

impl<R: BufRead> PredictionLines<R> {
    pub fn new(reader: R) -> PredictionLines<R> {
        PredictionLines { reader }
    }

    /// Returns the bytes of the next line, cut off one byte after the longest allowed length; `None` at the end.
    fn bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (mut line, mut any) = (Vec::new(), false);
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(any.then_some(line));
            }
            any = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = (LONGEST_LINE + 1).saturating_sub(line.len());
            line.extend_from_slice(&part[..part.len().min(room)]);
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Some(line));
            }
        }
    }
}

impl<R: BufRead> Iterator for PredictionLines<R> {
    type Item = io::Result<PredictionLine>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.bytes().transpose()?;
        Some(bytes.map(|bytes| {
            if bytes.len() > LONGEST_LINE {
                return PredictionLine::Unusable("longer than 4 MiB");
            }
            if bytes.contains(&0) {
                return PredictionLine::Unusable("it holds NUL bytes; save the file as UTF-8 if it is UTF-16");
            }
            String::from_utf8(bytes).map_or(PredictionLine::Unusable("it is not UTF-8"), PredictionLine::Text)
        }))
    }
}

/// Returns the line with U+FFFD in place of every escaped surrogate without its other half; `None` if there is none.
fn without_lone_surrogates(line: &str) -> Option<String> {
    let unit = |at: usize| -> Option<u16> {
        let digits = line.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut mended, mut at, mut changed) = (String::with_capacity(line.len()), 0, false);
    while at < line.len() {
        let rest = &line[at..];
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str("\\ufffd");
                changed = true;
                at += 6;
                continue;
            }
            (Some(_), _) => 6,
            // Any other escape is skipped as a whole, so that the second character of `\\` does not start one.
            (None, _) if rest.starts_with('\\') => rest.chars().take(2).map(char::len_utf8).sum(),
            (None, _) => rest.chars().next().map_or(1, char::len_utf8),
        };
        mended.push_str(&rest[..length]);
        at += length;
    }
    changed.then_some(mended)
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
        let read = Predictions::read(text.as_bytes(), |id| id.len() == 1).unwrap();
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

    #[test]
    fn a_lone_surrogate_costs_one_character_and_no_answer() {
        let line = |sql: &str| format!("{{\"instance_id\":\"a\",\"predict_sql\":\"{sql}\"}}");
        for (written, read) in [
            ("x\\ud800y", "x\u{fffd}y"),
            ("\\udc00", "\u{fffd}"),
            ("\\ud83d\\ude00 \\ud83d", "😀 \u{fffd}"),
            ("\\\\ud800 \\ud800", "\\ud800 \u{fffd}"),
        ] {
            let found = Predictions::read(line(written).as_bytes(), |_| true).unwrap();
            assert_eq!(found.answers["a"], Prediction::Text(read.to_owned()), "{written}");
        }
    }

    #[test]
    fn a_line_that_cannot_be_read_is_one_problem_and_bounded() {
        let long = "x".repeat(LONGEST_LINE + 100);
        let mut file = format!("{{\"instance_id\":\"a\",\"predict_sql\":\"{long}\"}}\n").into_bytes();
        file.extend(b"\xff\xfe\n");
        file.extend(b"{\"instance_id\":\"b\",\"predict_sql\":\"SELECT 1\"}");
        let found = Predictions::read(&file[..], |_| true).unwrap();
        assert_eq!((found.answers.len(), found.problem_count, found.unusable()), (1, 2, None));
        assert_eq!(found.problems[0].to_string(), "line 1: longer than 4 MiB");
        assert_eq!(found.problems[1].to_string(), "line 2: it is not UTF-8");
    }

    #[test]
    fn a_file_without_a_single_answer_says_what_it_holds_instead() {
        let utf16: Vec<u8> = "{\"a\":1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (content, parts) in [
            (&b""[..], &["no line"][..]),
            (b"{\"id\":\"a\",\"sql\":\"SELECT 1\"}", &["fields found are: id, sql", "no instance_id"]),
            (b"{\"instance_id\":\"zz\",\"predict_sql\":\"SELECT 1\"}", &["no task is called zz"]),
            (b"{\"instance_id\":\"a\",\"sql\":\"SELECT 1\"}", &["fields found are: instance_id, sql"]),
            (b"[{\"instance_id\":\"a\"}]", &["an array; write one object a line"]),
            (&utf16, &["UTF-16"]),
        ] {
            let found = Predictions::read(content, |id| id == "a").unwrap().unusable().unwrap();
            assert!(parts.iter().all(|part| found.contains(part)), "{found}");
        }
        let gave_up = b"{\"instance_id\":\"a\",\"predict_sql\":null}";
        assert_eq!(Predictions::read(&gave_up[..], |_| true).unwrap().unusable(), None);
    }
}
