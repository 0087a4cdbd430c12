//! The arguments, in words.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why two scripts give the same rows on every database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum EquivalenceReason {
    /// What the edit guards against, or leaves out, does not occur.
    NeverNull {
        /// The expression.
        what: String,
    },
    /// They differ only in rows without a key, and these are lost when the rows are matched afterwards.
    LostWithoutKey {
        /// The key.
        key: String,
    },
    /// The call around it looks at the day only.
    DayOnly {
        /// The function.
        function: String,
    },
    /// It is a date already.
    DateAlready {
        /// The expression.
        what: String,
    },
    /// Compared by `>=` or `<` with a day, only the first ten characters decide.
    FirstTenCharacters,
    /// The engine makes the same conversion by itself.
    ConvertedAnyway {
        /// The expression.
        what: String,
    },
    /// Nothing reads what it computes.
    NeverRead,
    /// Wherever the value goes, only its day is looked at.
    DayOnlyAfterwards,
    /// Wherever the value goes, the same default is put in again.
    DefaultAgain {
        /// The default.
        default: String,
    },
    /// Neither NULL nor the default that stands in for it meets the condition.
    DefaultFailsToo {
        /// The default.
        default: String,
    },
    /// Where the rows go, a row that comes twice counts once.
    RepeatsIgnored,
    /// No row comes twice: each side has its keys, and the sides name themselves by different constants.
    NoRepeats,
    /// The key that is grouped by in addition has one value in all rows.
    OneValue {
        /// The key.
        what: String,
    },
    /// No two rows of the window have the same keys, so that all ways of numbering them agree.
    NoTies,
    /// A condition behind the join drops rows without a partner anyway.
    PartnerNeeded {
        /// The optional side.
        what: String,
    },
    /// The values between which a changed condition decides are the same to everything that reads them.
    ReadAlike {
        /// The values.
        values: String,
    },
    /// What no longer takes a branch takes the next one, which gives the same.
    NextBranch {
        /// The condition of the next branch.
        what: String,
    },
    /// Every row has a partner, for the optional side is made of the same rows.
    AlwaysPartnered {
        /// The optional side.
        what: String,
    },
    /// Rows without a partner carry nothing, and whoever reads them does without them.
    MissedByNoOne {
        /// The optional side.
        what: String,
    },
    /// The values differ only below a bound, and everything that reads them asks for more.
    BelowAsked {
        /// What differs.
        what: String,
    },
}

impl EquivalenceReason {
    /// The kind of argument, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            EquivalenceReason::NeverNull { .. } => "no NULL gets there",
            EquivalenceReason::LostWithoutKey { .. } => "rows without a key are lost afterwards",
            EquivalenceReason::DayOnly { .. } => "only the day is looked at",
            EquivalenceReason::NeverRead => "nothing reads it",
            EquivalenceReason::DayOnlyAfterwards => "only the day is looked at afterwards",
            EquivalenceReason::DefaultAgain { .. } => "the same default is put in again",
            EquivalenceReason::DateAlready { .. } => "it is a date already",
            EquivalenceReason::FirstTenCharacters => "the first ten characters decide",
            EquivalenceReason::ConvertedAnyway { .. } => "the engine converts it by itself",
            EquivalenceReason::DefaultFailsToo { .. } => "NULL and the default both fail the condition",
            EquivalenceReason::RepeatsIgnored => "repeated rows count once",
            EquivalenceReason::NoRepeats => "no row comes twice",
            EquivalenceReason::OneValue { .. } => "the key has one value only",
            EquivalenceReason::NoTies => "no two rows tie",
            EquivalenceReason::PartnerNeeded { .. } => "rows without a partner are dropped anyway",
            EquivalenceReason::ReadAlike { .. } => "all that reads the values takes them alike",
            EquivalenceReason::NextBranch { .. } => "the next branch gives the same",
            EquivalenceReason::AlwaysPartnered { .. } => "every row has a partner",
            EquivalenceReason::MissedByNoOne { .. } => "no one misses the rows without a partner",
            EquivalenceReason::BelowAsked { .. } => "they differ only below what is asked for",
        }
    }
}

impl fmt::Display for EquivalenceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquivalenceReason::NeverNull { what } => write!(f, "{what} is never NULL there"),
            EquivalenceReason::LostWithoutKey { key } => {
                write!(f, "only rows without {key} differ, and these are lost when the rows are matched by it")
            }
            EquivalenceReason::DayOnly { function } => write!(f, "{function} looks at the day only"),
            EquivalenceReason::NeverRead => write!(f, "no output of the script reads what it computes"),
            EquivalenceReason::DayOnlyAfterwards => write!(f, "wherever the value goes, only its day is looked at"),
            EquivalenceReason::DefaultAgain { default } => {
                write!(f, "wherever the value goes, the default {default} is put in again")
            }
            EquivalenceReason::DateAlready { what } => write!(f, "{what} is a date already"),
            EquivalenceReason::FirstTenCharacters => {
                write!(f, "compared by >= or < with a day, only the first ten characters decide")
            }
            EquivalenceReason::ConvertedAnyway { what } => {
                write!(f, "the engine converts {what} by itself in the same way")
            }
            EquivalenceReason::DefaultFailsToo { default } => {
                write!(f, "neither NULL nor the default {default} meets the condition")
            }
            EquivalenceReason::RepeatsIgnored => write!(f, "where the rows go, a row that comes twice counts once"),
            EquivalenceReason::NoRepeats => {
                write!(f, "no row comes twice: each side has its keys, and the sides name themselves differently")
            }
            EquivalenceReason::OneValue { what } => write!(f, "{what} has one value in all rows"),
            EquivalenceReason::NoTies => write!(f, "no two rows of a partition have the same keys of the ordering"),
            EquivalenceReason::PartnerNeeded { what } => {
                write!(f, "a condition behind the join drops rows without a partner in {what} anyway")
            }
            EquivalenceReason::ReadAlike { values } => write!(f, "all that reads the value takes {values} alike"),
            EquivalenceReason::NextBranch { what } => write!(f, "what misses the branch has {what} and gets the same"),
            EquivalenceReason::AlwaysPartnered { what } => {
                write!(f, "every row has a partner in {what}, which is made of the same rows")
            }
            EquivalenceReason::MissedByNoOne { what } => {
                write!(f, "rows without a partner in {what} carry NULLs only, as does whoever looks for them in vain")
            }
            EquivalenceReason::BelowAsked { what } => {
                write!(f, "{what} differ only below zero, and all readers ask for more")
            }
        }
    }
}
