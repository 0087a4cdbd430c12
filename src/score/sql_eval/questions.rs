//! Reads question files and scores answers to questions.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::braces::alternatives;
use super::frames::{OrderContext, ResultFrame, compare_df, strict, subset_df};
use super::runner::QueryRunner;
use crate::engine::child::{Allowance, QueryReply};
use crate::score::outcome::AnswerOutcome;

/// Why a question file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum QuestionsError {
    /// It is not CSV, or a column is missing.
    #[error("{file}: {source}")]
    File { file: PathBuf, source: csv::Error },
    /// The database of a question does not exist.
    #[error("{file}: row {row} is about this database, which is not there")]
    Database {
        file: PathBuf,
        /// Number of the row, from 1.
        row: usize,
    },
}

/// One row of a question file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct QuestionRow {
    pub question: String,
    /// Gold queries with alternatives in braces.
    pub query: String,
    /// `group_by`, `order_by`, `ratio` and so on.
    #[serde(default)]
    pub query_category: String,
    /// The name of the database, for a folder of databases.
    #[serde(default)]
    pub db_name: String,
    /// A model's answer, in files written by SQL-Eval.
    #[serde(default)]
    pub generated_query: Option<String>,
}

impl QuestionRow {
    /// Whether the order of rows matters by SQL-Eval's rule.
    pub fn is_ordered(&self) -> bool {
        let text = self.question.to_lowercase();
        let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        self.query_category == "order_by" || words.any(|word| ["order", "sort", "arrange"].contains(&word))
    }
}

/// A question file and the databases it is about.
#[derive(Clone, Debug)]
pub struct Questions {
    pub rows: Vec<QuestionRow>,
    database: PathBuf,
}

/// The score of one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionScore {
    /// Number of the row, from 1.
    pub row: usize,
    pub category: String,
    /// How running it ended; `equal` follows the strict rules.
    pub outcome: AnswerOutcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Whether it is right by `compare_df`.
    pub exact: bool,
    /// Whether it is right by `compare_df` or `subset_df`.
    pub correct: bool,
    /// Whether it is right by our own rules.
    pub strict: bool,
}

impl Questions {
    /// Reads a question file. `database` is a SQLite file, or a folder with `<db_name>.sqlite`.
    ///
    /// # Errors
    ///
    /// If it is not CSV with the required columns, or a database does not exist. The error names the row.
    pub fn read(file: &Path, database: &Path) -> Result<Questions, QuestionsError> {
        let problem = |source| QuestionsError::File { file: file.to_owned(), source };
        let mut reader = csv::Reader::from_path(file).map_err(problem)?;
        let rows: Result<Vec<QuestionRow>, csv::Error> = reader.deserialize().collect();
        let questions = Questions { rows: rows.map_err(problem)?, database: database.to_owned() };
        for (place, question) in questions.rows.iter().enumerate() {
            let file = questions.file(question);
            if !file.is_file() {
                return Err(QuestionsError::Database { file, row: place + 1 });
            }
        }
        Ok(questions)
    }

    /// Returns the database file that a question is about.
    fn file(&self, question: &QuestionRow) -> PathBuf {
        match self.database.is_dir() {
            true => self.database.join(format!("{}.sqlite", question.db_name)),
            false => self.database.clone(),
        }
    }

    /// Scores an answer to the question at `place` (from 0).
    pub fn score(&self, place: usize, sql: &str, runner: &mut QueryRunner, allowance: Allowance) -> QuestionScore {
        let question = &self.rows[place];
        let mut score = QuestionScore {
            row: place + 1,
            category: question.query_category.clone(),
            outcome: AnswerOutcome::Empty,
            detail: None,
            exact: false,
            correct: false,
            strict: false,
        };
        if sql.trim().is_empty() {
            return score;
        }
        let mut run = |sql: &str| self.run(question, sql, runner, allowance);
        let generated = match run(sql) {
            Ok(frame) => frame,
            Err((outcome, detail)) => return QuestionScore { outcome, detail, ..score },
        };
        score.outcome = AnswerOutcome::OtherRows;
        for gold in alternatives(&question.query) {
            let Ok(expected) = run(&gold) else {
                score.detail.get_or_insert_with(|| format!("the gold query does not run: {gold}"));
                continue;
            };
            let ordered = question.is_ordered();
            score.strict |= strict(&expected, &generated, ordered);
            score.exact |= compare_df(
                &expected,
                &generated,
                OrderContext { ordered, gold_sql: &question.query, generated_sql: sql },
            );
            score.correct |= score.exact || subset_df(&expected, &generated, ordered);
            if score.strict && score.exact {
                break;
            }
        }
        if score.strict {
            score.outcome = AnswerOutcome::Equal;
        }
        score
    }

    fn run(
        &self,
        question: &QuestionRow,
        sql: &str,
        runner: &mut QueryRunner,
        allowance: Allowance,
    ) -> Result<ResultFrame, (AnswerOutcome, Option<String>)> {
        match runner.query(self.file(question), sql, allowance) {
            QueryReply::Result { columns, rows } => Ok(ResultFrame { columns, rows }),
            QueryReply::Ended(verdict) => Err(AnswerOutcome::of(&verdict)),
        }
    }
}
