//! Grades of a critique.

use serde::{Deserialize, Serialize};

/// How one entry of a critique is graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The clause is wrong, and for the reason given.
    Exact,
    /// The clause is wrong, and the reason given is part of it.
    Partial,
    /// The clause is wrong, and for another reason.
    Error,
    /// The clause is not wrong, or was named before.
    Redundant,
}
