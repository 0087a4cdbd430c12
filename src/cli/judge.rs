//! Who judges syntax beside the embedded rules.

use std::cell::RefCell;

use clap::ValueEnum;

use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::engine::spark::{Outcome, Settings, Spark, SparkError};

/// Whose words a syntax mutant is told in; a mutant that a judge accepts is no syntax mutant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Judge {
    /// The embedded rules.
    #[default]
    Embedded,
    /// Spark.
    Spark,
    /// Hive's own parser.
    Hive,
    /// Spark and Hive's parser: both must refuse.
    Both,
}

/// The judge, with its engine started.
pub struct Bench {
    judge: Judge,
    spark: Option<RefCell<Spark>>,
}

impl Bench {
    /// Starts the engine that the judge needs.
    ///
    /// # Errors
    ///
    /// When it is absent or does not start.
    pub fn open(judge: Judge) -> Result<Bench, SparkError> {
        let spark = match judge {
            Judge::Embedded => None,
            _ => Some(RefCell::new(Spark::start(Settings::default())?)),
        };
        Ok(Bench { judge, spark })
    }

    /// What the judge says of a text that the embedded rules refuse with these words; none when it accepts it.
    pub fn words(&self, text: &str, schema: &Schema, parameters: &Parameters, embedded: &str) -> Option<String> {
        let Some(spark) = &self.spark else { return Some(embedded.to_owned()) };
        let mut spark = spark.borrow_mut();
        let by_spark = match self.judge {
            Judge::Hive => None,
            _ => match spark.check(text, schema, parameters) {
                Outcome::Refused(refusal) => Some(refusal.rejection.message),
                _ => return None,
            },
        };
        let by_hive = match self.judge {
            Judge::Spark => None,
            _ => Some(spark.hive(text, parameters).ok().flatten()?.rejection.message),
        };
        let words: Vec<String> = by_spark.into_iter().chain(by_hive).collect();
        Some(words.join("\n"))
    }
}
