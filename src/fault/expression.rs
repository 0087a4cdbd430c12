//! A regular expression of a taxonomy file.

use regex::Regex;
use serde::Deserialize;

/// A regular expression.
#[derive(Clone, Debug)]
pub struct Expression(Regex);

impl std::ops::Deref for Expression {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        Regex::new(&source).map(Expression).map_err(serde::de::Error::custom)
    }
}
