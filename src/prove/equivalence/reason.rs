//! Why two scripts are equivalent, as data and in words.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why two scripts give the same rows on every database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum EquivalenceReason {
    /// The value that the edit guards against NULL, or counts, is never NULL.
    NeverNull { what: String },
    /// The results differ only in rows whose key is NULL, and every reader drops those.
    NullKeysDropped { key: String },
    /// The values differ only in their time of day, and every reader looks at the day.
    SameDay { what: String },
    /// The engine makes the same conversion implicitly.
    SameConversion { what: String },
    /// No output of the script depends on the value.
    NeverRead,
    /// The value is NULL instead of a default, and every reader puts the same default in.
    SameDefault { default: String },
    /// Neither NULL nor the default that stands in for it meets the condition.
    DefaultFails { default: String },
    /// Every reader of the set operation gives the same whether or not rows are repeated.
    RepeatsIgnored,
}

impl EquivalenceReason {
    /// Returns the kind of reason, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            EquivalenceReason::NeverNull { .. } => "the value is never NULL",
            EquivalenceReason::NullKeysDropped { .. } => "rows with a NULL key are dropped",
            EquivalenceReason::SameDay { .. } => "only the day is read",
            EquivalenceReason::SameConversion { .. } => "the engine converts implicitly",
            EquivalenceReason::NeverRead => "the value is never read",
            EquivalenceReason::SameDefault { .. } => "the same default is applied again",
            EquivalenceReason::DefaultFails { .. } => "NULL and the default both fail the condition",
            EquivalenceReason::RepeatsIgnored => "repeated rows count once",
        }
    }
}

impl fmt::Display for EquivalenceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquivalenceReason::NeverNull { what } => write!(f, "{what} is never NULL there"),
            EquivalenceReason::NullKeysDropped { key } => {
                write!(f, "only rows in which {key} is NULL differ, and every reader drops those")
            }
            EquivalenceReason::SameDay { what } => write!(f, "only the day of {what} is read"),
            EquivalenceReason::SameConversion { what } => write!(f, "the engine converts {what} implicitly"),
            EquivalenceReason::NeverRead => write!(f, "no output of the script depends on the value"),
            EquivalenceReason::SameDefault { default } => write!(f, "every reader applies the default {default} again"),
            EquivalenceReason::DefaultFails { default } => {
                write!(f, "neither NULL nor the default {default} meets the condition")
            }
            EquivalenceReason::RepeatsIgnored => write!(f, "repeated rows count once for every reader"),
        }
    }
}
