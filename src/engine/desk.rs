//! Spark behind a lock: any thread may ask, one request at a time.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::EMBEDDED;
use super::choice::{Judge, SparkChoice};
use super::executor::{Ground, HIVE, Word, case, verdict};
use super::spark::{Outcome, Settings, Spark, SparkError, Times, flagged};
use super::spark_rules::Rejection;
use super::table::Database;

fn settings(choice: &SparkChoice) -> Settings {
    Settings { ansi: choice.ansi, master: choice.address.clone(), ..Settings::default() }
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
    /// What was asked before: a reference is run again and again on the databases of its script.
    known: Mutex<HashMap<[u8; 32], Outcome>>,
}

/// Answers that are kept.
const MOST_KNOWN: usize = 512;

impl Desk {
    /// Starts Spark.
    ///
    /// # Errors
    ///
    /// When it is absent or does not start.
    pub(super) fn open(choice: &SparkChoice) -> Result<Desk, SparkError> {
        let started = Spark::start(settings(choice))?;
        let name = started.name();
        Ok(Desk::new(choice, name, Seat::Taken(Box::new(started))))
    }

    /// Spark of which records say the name; it is started when it is first asked.
    pub(super) fn later(choice: &SparkChoice, name: &str) -> Desk {
        Desk::new(choice, name.to_owned(), Seat::Empty)
    }

    fn new(choice: &SparkChoice, name: String, seat: Seat) -> Desk {
        Desk { choice: choice.clone(), name, spark: Mutex::new(seat), known: Mutex::default() }
    }

    /// Version and settings, as records name the engine.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why it could not be started when it was first asked; none when it could, or was never asked.
    pub fn absence(&self) -> Option<String> {
        match &*self.seat() {
            Seat::Failed(words) => Some(words.clone()),
            _ => None,
        }
    }

    /// How long everything that was asked took; none when it was never asked.
    pub fn times(&self) -> Option<Times> {
        match &*self.seat() {
            Seat::Taken(spark) => Some(spark.times().clone()),
            _ => None,
        }
    }

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
        self.recall(text, ground, None, |spark| spark.check(text, ground.schema, ground.parameters))
    }

    /// Runs a script. Where the embedded engine runs it too, its knowledge of what has no order is used.
    pub fn run(&self, text: &str, ground: Ground<'_>, database: &Database) -> Outcome {
        let run = |spark: &mut Spark| spark.run(text, ground.schema, ground.parameters, database);
        match self.recall(text, ground, Some(database), run) {
            Outcome::Ran(result) => Outcome::Ran(match case(ground).run(text, database) {
                Ok(embedded) => flagged(result, &embedded),
                Err(_) => result,
            }),
            other => other,
        }
    }

    /// How long Spark itself takes over a script whose tables are loaded, asked anew each time; none when it does not run.
    pub fn time(&self, text: &str, ground: Ground<'_>, database: &Database) -> Option<Duration> {
        let timed = |spark: &mut Spark| {
            let before = spark.times().on_scripts();
            let outcome = spark.run(text, ground.schema, ground.parameters, database);
            matches!(outcome, Outcome::Ran(_)).then(|| spark.times().on_scripts().saturating_sub(before))
        };
        self.ask(timed).ok().flatten()
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

    /// The answer given before, or else the answer now. Only what Spark says of the script is kept, no mishap.
    fn recall(
        &self,
        text: &str,
        ground: Ground<'_>,
        database: Option<&Database>,
        question: impl FnOnce(&mut Spark) -> Outcome,
    ) -> Outcome {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key: [u8; 32] =
            Sha256::digest(format!("{text}\0{:?}\0{:?}\0{database:?}", ground.schema, ground.parameters)).into();
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let outcome = self.ask(question).unwrap_or_else(Outcome::Failed);
        if matches!(outcome, Outcome::Ran(_) | Outcome::Refused(_)) {
            let mut known = lock();
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            known.insert(key, outcome.clone());
        }
        outcome
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
