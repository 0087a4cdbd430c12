//! The engine with the last word, ready to be asked by any thread.

use serde::{Deserialize, Serialize};

use super::EMBEDDED;
use super::case::Case;
use super::choice::Choice;
use super::compare::{Comparison, compare};
use super::desk::Desk;
use super::policy::Policies;
use super::spark::{Outcome, SparkError};
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
    /// What the platform forbids beyond the engine.
    pub policies: &'a Policies,
}

impl<'a> From<&'a Case> for Ground<'a> {
    fn from(case: &'a Case) -> Ground<'a> {
        Ground { schema: &case.schema, parameters: &case.parameters, policies: &case.policies }
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
        Ok(Executor::Spark(Desk::open(spark)?))
    }

    /// An engine of which records say the name; it is started when it is first asked, if ever.
    pub fn later(choice: &Choice, name: &str) -> Executor {
        match choice {
            Choice::Sqlite => Executor::Embedded,
            Choice::Spark(spark) => Executor::Spark(Desk::later(spark, name)),
        }
    }

    /// Engine, version and settings, as records name them.
    pub fn name(&self) -> &str {
        match self {
            Executor::Embedded => EMBEDDED,
            Executor::Spark(desk) => desk.name(),
        }
    }

    /// Why the engine, or else a policy of the ground, refuses a script; none when they accept it.
    ///
    /// # Errors
    ///
    /// In words, when it gives no verdict.
    pub fn rejection(&self, text: &str, ground: Ground<'_>) -> Result<Option<Rejection>, String> {
        let refused = match self {
            Executor::Embedded => case(ground).rejection(text),
            Executor::Spark(desk) => verdict(desk.check(text, ground))?,
        };
        Ok(refused.or_else(|| ground.policies.refuse(text, ground)))
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
        desk.absence()
    }
}

/// What the embedded engine knows of the ground; policies are asked beside it.
pub(super) fn case(ground: Ground<'_>) -> Case {
    Case { schema: ground.schema.clone(), parameters: ground.parameters.clone(), policies: Policies::default() }
}

/// Whether a judge accepts; an outcome that is neither is an error.
pub(super) fn verdict(outcome: Outcome) -> Result<Option<Rejection>, String> {
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
