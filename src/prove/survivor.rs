//! How far the fault of a surviving mutant propagated.

use std::cell::Cell;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What the databases tried on a survivor have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Queries on the way from the fault to the results whose rows have differed on some database.
    #[serde(alias = "inside")]
    pub differing: usize,
    /// Queries on that way that can be run alone.
    #[serde(alias = "of")]
    pub probed: usize,
    /// Databases on which the results differ only by the order in which rows are read.
    #[serde(alias = "unsound")]
    pub order_dependent: usize,
}

/// Why a mutant survived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SurvivalClass {
    /// No database infects the state: the query of the fault gives the rows of the reference.
    NotInfected,
    /// A query on the way differs, but the difference does not reach the results.
    NotPropagated,
    /// The results differ only where they depend on the order of rows.
    OrderDependent,
    /// No query on the way runs alone, so that only the results were compared.
    NotProbed,
}

impl Observation {
    /// Returns why the mutant survived.
    pub fn class(&self) -> SurvivalClass {
        match self {
            Observation { order_dependent: 1.., .. } => SurvivalClass::OrderDependent,
            Observation { probed: 0, .. } => SurvivalClass::NotProbed,
            Observation { differing: 0, .. } => SurvivalClass::NotInfected,
            _ => SurvivalClass::NotPropagated,
        }
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class() {
            SurvivalClass::NotInfected => write!(to, "the same rows in the query of the fault on every database"),
            SurvivalClass::NotPropagated => {
                write!(
                    to,
                    "other rows in {} of {} queries on the way, the same in the results",
                    self.differing, self.probed
                )
            }
            SurvivalClass::OrderDependent => {
                write!(to, "other results on {} databases, where the order of rows decides them", self.order_dependent)
            }
            SurvivalClass::NotProbed => write!(to, "the same results; no query on the way runs alone"),
        }
    }
}

/// What a trial has counted so far.
#[derive(Debug, Default)]
pub(super) struct SurvivorCounts {
    databases: Cell<usize>,
    seen: Cell<Observation>,
}

impl SurvivorCounts {
    /// Counts one more database.
    pub(super) fn try_one(&self) {
        self.databases.set(self.databases.get() + 1);
    }

    /// Updates what was seen.
    pub(super) fn note(&self, change: impl FnOnce(&mut Observation)) {
        let mut seen = self.seen.get();
        change(&mut seen);
        self.seen.set(seen);
    }

    /// Returns the number of databases tried.
    pub(super) fn databases(&self) -> usize {
        self.databases.get()
    }

    /// Returns what they have shown.
    pub(super) fn seen(&self) -> Observation {
        self.seen.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_the_names_of_earlier_runs_are_read() {
        let seen: Observation = serde_json::from_str(r#"{"inside":1,"of":2,"unsound":3}"#).unwrap();
        assert_eq!(seen, Observation { differing: 1, probed: 2, order_dependent: 3 });
    }

    #[test]
    fn a_survivor_is_classed_by_the_most_that_was_seen_of_it() {
        let seen = |differing, probed, order_dependent| Observation { differing, probed, order_dependent };
        for (seen, class) in [
            (seen(0, 3, 0), SurvivalClass::NotInfected),
            (seen(2, 3, 0), SurvivalClass::NotPropagated),
            (seen(2, 3, 1), SurvivalClass::OrderDependent),
            (seen(0, 0, 0), SurvivalClass::NotProbed),
        ] {
            assert_eq!(seen.class(), class, "{seen}");
        }
    }
}
