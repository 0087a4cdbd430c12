//! Scripts of other dialects in Spark's words: an installed sqlglot translates them, statement by statement, in a
//! supervised Python process. It reads and writes text; nothing runs.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::python::{ProcessFailure, PythonProcess, PythonProgram, VARIABLE, answer, candidates, tried};

static PROGRAM: PythonProgram = PythonProgram {
    name: "sqlglot",
    text: include_str!("translator.py"),
    start: Duration::from_secs(60),
    farewell: Duration::from_secs(1),
};

/// How long the translation of one text may take; a script of a thousand lines takes about a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why nothing can be translated.
#[derive(Debug, thiserror::Error)]
pub enum TranslatorError {
    /// No Python that can import sqlglot.
    #[error(
        "no Python with sqlglot was found (tried {tried}); `python3 -m pip install sqlglot` installs it, or name a \
         Python that has it in {VARIABLE}"
    )]
    Absent {
        /// The Pythons tried.
        tried: String,
    },
    /// sqlglot does not start or gives no answer.
    #[error(transparent)]
    Process(#[from] ProcessFailure),
    /// sqlglot does not know the dialect.
    #[error("sqlglot knows no dialect `{name}`; it knows {}", .known.join(", "))]
    Unknown { name: String, known: Vec<String> },
}

/// A statement of a script and what it is in Spark SQL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TranslatedStatement {
    /// The line of its first word, from 1.
    pub line: usize,
    /// As it stands in the script, comments included.
    pub original: String,
    /// In Spark SQL; empty if it was left out.
    #[serde(default)]
    pub translated: String,
    /// What the translation does not carry over, in sqlglot's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// Why it cannot be translated; `None` if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

impl TranslatedStatement {
    /// Returns why it cannot be translated; `None` if it is.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }
}

/// A running sqlglot that translates from one dialect.
#[derive(Debug)]
pub struct DialectTranslator {
    process: PythonProcess,
    dialect: String,
}

impl DialectTranslator {
    /// Starts sqlglot for a dialect by sqlglot's name, such as `snowflake`.
    pub fn start(dialect: &str) -> Result<DialectTranslator, TranslatorError> {
        let candidates = candidates();
        let has_sqlglot = |python: &&std::path::PathBuf| answer(python, &["-c", "import sqlglot"]).is_some();
        let python = candidates.iter().find(has_sqlglot);
        let python = python.ok_or_else(|| TranslatorError::Absent { tried: tried(&candidates) })?;
        let process = PythonProcess::start(&PROGRAM, python, &[])?;
        let known: Vec<String> = serde_json::from_value(process.greeting["dialects"].clone()).unwrap_or_default();
        let name = dialect.to_lowercase();
        if !known.contains(&name) {
            return Err(TranslatorError::Unknown { name, known });
        }
        Ok(DialectTranslator { process, dialect: name })
    }

    pub fn dialect(&self) -> &str {
        &self.dialect
    }

    /// Returns the translator's name and version.
    pub fn name(&self) -> String {
        format!("sqlglot {}", self.process.greeting["version"].as_str().unwrap_or("of an unknown version"))
    }

    /// Translates the statements of a script, in order.
    ///
    /// # Errors
    ///
    /// If the process gives no answer. A statement that cannot be translated says so itself.
    pub fn translate(&mut self, text: &str) -> Result<Vec<TranslatedStatement>, ProcessFailure> {
        let request = json!({ "dialect": self.dialect, "text": text });
        let mut answer = self.process.ask(request, PATIENCE)?;
        let statements: Json = answer["statements"].take();
        serde_json::from_value(statements).map_err(|_| ProcessFailure::Ended(PROGRAM.name))
    }
}
