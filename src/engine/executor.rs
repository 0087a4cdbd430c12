//! The engine with the last word, ready to be asked by any thread.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::EMBEDDED;
use super::case::Case;
use super::choice::{Choice, Judge, SparkChoice};
use super::compare::{Comparison, compare};
use super::spark::{Outcome, Settings, Spark, SparkError, flagged};
use super::spark_rules::Rejection;
use super::table::{Database, ScriptResult};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;

/// How Hive's parser is called in records.
pub const HIVE: &str = "Apache Hive 2.3 (parser)";

/// What one judge says of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// The judge and its version.
    pub engine: String,
    /// Why it refuses the script; none when it accepts it.
    pub rejection: Option<Rejection>,
}

/// Where a script runs: what every run is made of besides its text.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Table definitions.
    pub schema: &'a Schema,
    /// Values of placeholders.
    pub parameters: &'a Parameters,
}

impl<'a> From<&'a Case> for Ground<'a> {
    fn from(case: &'a Case) -> Ground<'a> {
        Ground { schema: &case.schema, parameters: &case.parameters }
    }
}

/// The engine with the last word.
#[derive(Debug)]
pub enum Executor {
    /// SQLite behind Spark's rules, in this process.
    Embedded,
    /// Spark, one request at a time.
    Spark(Desk),
}

impl Executor {
    /// Starts the engine chosen.
    ///
    /// # Errors
    ///
    /// When it is absent or does not start.
    pub fn open(choice: &Choice) -> Result<Executor, SparkError> {
        let Choice::Spark(spark) = choice else { return Ok(Executor::Embedded) };
        let started = Spark::start(settings(spark))?;
        let name = started.name();
        Ok(Executor::Spark(Desk { choice: spark.clone(), name, spark: Mutex::new(Seat::Taken(Box::new(started))) }))
    }

    /// An engine of which records say the name; it is started when it is first asked, if ever.
    pub fn later(choice: &Choice, name: &str) -> Executor {
        match choice {
            Choice::Sqlite => Executor::Embedded,
            Choice::Spark(spark) => {
                Executor::Spark(Desk { choice: spark.clone(), name: name.to_owned(), spark: Mutex::new(Seat::Empty) })
            }
        }
    }

    /// Engine, version and settings, as records name them.
    pub fn name(&self) -> &str {
        match self {
            Executor::Embedded => EMBEDDED,
            Executor::Spark(desk) => &desk.name,
        }
    }

    /// Why the engine refuses a script; none when it accepts it.
    ///
    /// # Errors
    ///
    /// In words, when it gives no verdict.
    pub fn rejection(&self, text: &str, ground: Ground<'_>) -> Result<Option<Rejection>, String> {
        match self {
            Executor::Embedded => Ok(case(ground).rejection(text)),
            Executor::Spark(desk) => verdict(desk.check(text, ground)),
        }
    }

    /// What a script gives on a database.
    ///
    /// # Errors
    ///
    /// In words, when it does not run to its end.
    pub fn run(&self, text: &str, ground: Ground<'_>, database: &Database) -> Result<ScriptResult, String> {
        match self {
            Executor::Embedded => case(ground).run(text, database),
            Executor::Spark(desk) => match desk.run(text, ground, database) {
                Outcome::Ran(result) => Ok(result),
                Outcome::Refused(refusal) => Err(refusal.rejection.message),
                other => Err(silence(&other)),
            },
        }
    }

    /// Whether two scripts both run on a database and give different rows.
    ///
    /// # Errors
    ///
    /// When one of them does not run.
    pub fn differ(
        &self,
        reference: &str,
        issue: &str,
        ground: Ground<'_>,
        database: &Database,
    ) -> Result<bool, String> {
        let expected = self.run(reference, ground, database)?;
        let found = self.run(issue, ground, database)?;
        Ok(matches!(compare(&expected, &found), Comparison::Different(_)))
    }

    /// Why the engine could not be started when it was first asked; none when it could, or was never asked.
    pub fn absence(&self) -> Option<String> {
        let Executor::Spark(desk) = self else { return None };
        match &*desk.seat() {
            Seat::Failed(words) => Some(words.clone()),
            _ => None,
        }
    }
}

fn case(ground: Ground<'_>) -> Case {
    Case { schema: ground.schema.clone(), parameters: ground.parameters.clone() }
}

fn settings(choice: &SparkChoice) -> Settings {
    Settings { ansi: choice.ansi, master: choice.address.clone(), ..Settings::default() }
}

/// Whether a judge accepts; an outcome that is neither is an error.
fn verdict(outcome: Outcome) -> Result<Option<Rejection>, String> {
    match outcome {
        Outcome::Ran(_) => Ok(None),
        Outcome::Refused(refusal) => Ok(Some(refusal.rejection)),
        other => Err(silence(&other)),
    }
}

/// Why there is no verdict, in words.
pub fn silence(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Denied(words) | Outcome::Failed(words) => words.clone(),
        Outcome::TimedOut => "it took too long".to_owned(),
        Outcome::Ran(_) | Outcome::Refused(_) => String::new(),
    }
}

#[derive(Debug)]
enum Seat {
    Empty,
    Taken(Box<Spark>),
    Failed(String),
}

/// Spark behind a lock, started when it is first needed.
#[derive(Debug)]
pub struct Desk {
    choice: SparkChoice,
    name: String,
    spark: Mutex<Seat>,
}

impl Desk {
    /// Who judges syntax.
    pub fn judge(&self) -> Judge {
        self.choice.judge
    }

    /// From now on one request may take this long, in milliseconds. An engine that is not there needs no limit.
    pub fn limit(&self, timeout_ms: u64) {
        let _ = self.ask(|spark| spark.limit(timeout_ms));
    }

    /// Checks a script without running its queries.
    pub fn check(&self, text: &str, ground: Ground<'_>) -> Outcome {
        self.ask(|spark| spark.check(text, ground.schema, ground.parameters)).unwrap_or_else(Outcome::Failed)
    }

    /// Runs a script. Where the embedded engine runs it too, its knowledge of what has no order is used.
    pub fn run(&self, text: &str, ground: Ground<'_>, database: &Database) -> Outcome {
        let outcome = self.ask(|spark| spark.run(text, ground.schema, ground.parameters, database));
        match outcome.unwrap_or_else(Outcome::Failed) {
            Outcome::Ran(result) => Outcome::Ran(match case(ground).run(text, database) {
                Ok(embedded) => flagged(result, &embedded),
                Err(_) => result,
            }),
            other => other,
        }
    }

    /// Why Hive's parser refuses a script; none when it reads it.
    ///
    /// # Errors
    ///
    /// In words, when it gives no verdict.
    pub fn hive(&self, text: &str, ground: Ground<'_>) -> Result<Option<Rejection>, String> {
        let refusal = self.ask(|spark| spark.hive(text, ground.parameters))?.map_err(|error| error.to_string())?;
        Ok(refusal.map(|refusal| refusal.rejection))
    }

    /// What every judge says of a script, the one with the last word first.
    ///
    /// # Errors
    ///
    /// In words, when one gives no verdict.
    pub fn words(&self, text: &str, ground: Ground<'_>) -> Result<Vec<Word>, String> {
        let mut words = Vec::new();
        if self.choice.judge != Judge::Hive {
            words.push(Word { engine: self.name.clone(), rejection: verdict(self.check(text, ground))? });
        }
        if self.choice.judge != Judge::Spark {
            words.push(Word { engine: HIVE.to_owned(), rejection: self.hive(text, ground)? });
        }
        words.push(Word { engine: EMBEDDED.to_owned(), rejection: case(ground).rejection(text) });
        Ok(words)
    }

    fn ask<T>(&self, question: impl FnOnce(&mut Spark) -> T) -> Result<T, String> {
        let mut seat = self.seat();
        if matches!(*seat, Seat::Empty) {
            *seat = match Spark::start(settings(&self.choice)) {
                Ok(spark) => Seat::Taken(Box::new(spark)),
                Err(error) => Seat::Failed(error.to_string()),
            };
        }
        match &mut *seat {
            Seat::Taken(spark) => Ok(question(spark)),
            Seat::Failed(words) => Err(words.clone()),
            Seat::Empty => Err(String::new()),
        }
    }

    fn seat(&self) -> MutexGuard<'_, Seat> {
        // A thread that panicked left at most an unread answer behind, which the next request passes over.
        self.spark.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
