//! The headline verdict: is an answer a correct repair?
//!
//! | credit | an answer has it when |
//! |---|---|
//! | graph | its canonical graph is that of the reference |
//! | alternative | its canonical graph is that of an accepted alternative |
//! | results | the requirement is met and nothing else changed, as defined below |
//!
//! *The requirement is met*: for a task with a complaint, the answer gives the reference's rows on the witness, a
//! database on which the issue does not; for a task with an error message, the engine no longer refuses the script.
//!
//! *Nothing else changed*: the answer writes the reference's tables and no others, with the reference's columns, and
//! gives equal rows (in order, where the reference fixes one) on every database of the suite, on the witnesses of the
//! run's other tasks on that script, on every held-out database drawn for the task ([`held_out`](super::held_out)), and
//! on the databases targeted at what the answer changes ([`targeted`](crate::prove::targeted)).
//!
//! How much text an answer changes, and where, is not part of the verdict: a rewrite from scratch can be correct. It is
//! reported separately, see [`localisation`](super::localisation).

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::engine::child::RunVerdict;
use crate::fault::Track;

/// The reason for which an answer is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Credit {
    /// The graph of the reference.
    Graph,
    /// The graph of an accepted alternative.
    Alternative,
    /// The requirement is met and nothing else changed.
    Results,
}

/// What running an answer showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Findings {
    /// Whether the requirement of the complaint or error message is met.
    pub requirement: bool,
    /// Whether the results are equal on every database of the suite.
    pub suite: bool,
    /// Whether the results are equal on the held-out databases; `None` if none could judge or the answer need not run
    /// there.
    #[serde(default, alias = "further", skip_serializing_if = "Option::is_none")]
    pub held_out: Option<bool>,
    /// Whether the results are equal on the databases targeted at what the answer changes; `None` if none could judge
    /// or the answer need not run there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub targeted: Option<bool>,
}

impl Findings {
    /// Derives the findings from the verdict on the suite. `witness` is its first database.
    pub(super) fn of(track: Track, verdict: &RunVerdict, witness: Option<&Path>) -> Findings {
        let refused = matches!(verdict, RunVerdict::Rejected { .. });
        let requirement = match track {
            Track::Syntax => !refused && !matches!(verdict, RunVerdict::Unjudged { .. }),
            Track::Semantic => match verdict {
                RunVerdict::Equal => true,
                // The witness comes first and the verdict names the first database that differs, so any other name
                // means that the witness agrees.
                RunVerdict::OtherRows { database, .. } | RunVerdict::OtherOrder { database, .. } => {
                    Some(database.as_path()) != witness
                }
                _ => false,
            },
        };
        Findings { requirement, suite: *verdict == RunVerdict::Equal, held_out: None, targeted: None }
    }

    /// The requirement is met and nothing else changed.
    pub fn credit(self) -> Option<Credit> {
        let differs = self.held_out == Some(false) || self.targeted == Some(false);
        (self.requirement && self.suite && !differs).then_some(Credit::Results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other_rows(database: &str) -> RunVerdict {
        RunVerdict::OtherRows { target: String::new(), database: database.into() }
    }

    #[test]
    fn a_verdict_shows_whether_the_requirement_is_met_and_whether_something_else_changed() {
        let failed = RunVerdict::Failed { message: String::new() };
        let cases = [
            (Track::Semantic, RunVerdict::Equal, (true, true)),
            (Track::Semantic, other_rows("witness"), (false, false)),
            (Track::Semantic, other_rows("second"), (true, false)),
            (Track::Semantic, RunVerdict::OtherTables { target: String::new() }, (false, false)),
            (Track::Semantic, failed.clone(), (false, false)),
            (Track::Syntax, RunVerdict::Equal, (true, true)),
            (Track::Syntax, other_rows("witness"), (true, false)),
            (Track::Syntax, failed, (true, false)),
        ];
        for (track, verdict, expected) in cases {
            let found = Findings::of(track, &verdict, Some(Path::new("witness")));
            assert_eq!((found.requirement, found.suite), expected, "{track:?} {verdict:?}");
        }
    }

    #[test]
    fn results_are_credited_only_when_no_further_database_tells_the_scripts_apart() {
        let base = Findings { requirement: true, suite: true, held_out: None, targeted: None };
        for (judged, credit) in
            [(None, Some(Credit::Results)), (Some(true), Some(Credit::Results)), (Some(false), None)]
        {
            assert_eq!(Findings { held_out: judged, ..base }.credit(), credit);
            assert_eq!(Findings { held_out: Some(true), targeted: judged, ..base }.credit(), credit);
        }
        assert_eq!(Findings { suite: false, ..base }.credit(), None);
        assert_eq!(Findings { requirement: false, ..base }.credit(), None);
    }
}
