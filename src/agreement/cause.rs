//! What two engines disagree about, and why.

use serde::{Deserialize, Serialize};

use crate::engine::spark_rules::{Rejection, RejectionStage};

/// What two engines disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisagreementKind {
    /// Spark refuses what the embedded engine accepts.
    RefusedBySparkOnly,
    /// Spark accepts what the embedded engine refuses.
    AcceptedBySparkOnly,
    /// Another error class.
    Class,
    /// Another place.
    Place,
    /// Other rows.
    Results,
    /// Other rows, but the embedded engine gives each of Spark's rows too when it reads the tables in another order:
    /// the script leaves the choice open, and neither engine is wrong.
    Tie,
    /// Other rows, and an engine's own rows change with the order in which the tables are read, but no order that was
    /// tried gives those of the other: an open choice among many, or one that hides an error.
    Unstable,
    /// One of the two fails at run time.
    Run,
    /// On one engine the mutant's results differ from the reference's, on the other they do not.
    Kill,
    /// An engine could not be asked: a statement that may not run there, or no answer.
    NotJudged,
}

impl DisagreementKind {
    /// Returns what differs, for a card.
    pub fn words(self) -> &'static str {
        match self {
            DisagreementKind::RefusedBySparkOnly => "refused by Spark only",
            DisagreementKind::AcceptedBySparkOnly => "accepted by Spark only",
            DisagreementKind::Class => "error class",
            DisagreementKind::Place => "place of the error",
            DisagreementKind::Results => "rows",
            DisagreementKind::Tie => "rows, by an open choice",
            DisagreementKind::Unstable => "rows, by their order",
            DisagreementKind::Run => "one fails",
            DisagreementKind::Kill => "told from the reference by one only",
            DisagreementKind::NotJudged => "not judged",
        }
    }

    /// Whether the disagreement is due to the order in which tables are read.
    pub fn is_open(self) -> bool {
        matches!(self, DisagreementKind::Tie | DisagreementKind::Unstable)
    }
}

/// A cause, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Both name a word of the same mistake: Spark's parser follows several readings at once, ours a single one.
    LooksAhead,
    /// Both refuse it while they check names and types: which of two mistakes they meet first is not fixed.
    OtherRuleFirst,
    /// The script leaves open which of several rows it takes, and each engine takes one: both are right.
    OpenChoice,
    /// The rows change with the order in which tables are read, but no order that was tried gives the other engine's.
    OpenOrder,
    /// The results differ already, and so does whether the mutant differs from its reference.
    FollowsResults,
    /// One engine could not run it: a limit, or a process that was lost.
    NotRun,
    /// Not known: to be looked at.
    #[default]
    Untraced,
}

impl Cause {
    /// Returns the cause as far as the kind of the disagreement alone tells it.
    pub fn of(about: DisagreementKind) -> Cause {
        match about {
            DisagreementKind::Tie => Cause::OpenChoice,
            DisagreementKind::Unstable => Cause::OpenOrder,
            DisagreementKind::Kill => Cause::FollowsResults,
            DisagreementKind::NotJudged | DisagreementKind::Run => Cause::NotRun,
            _ => Cause::Untraced,
        }
    }

    /// Returns the cause of two refusals with different classes or places.
    pub fn of_refusals(ours: &Rejection, theirs: &Rejection) -> Cause {
        let same = ours.class == theirs.class;
        match (ours.stage, theirs.stage) {
            (RejectionStage::Parse, RejectionStage::Parse) if same => Cause::LooksAhead,
            (RejectionStage::Analysis, RejectionStage::Analysis) if !same => Cause::OtherRuleFirst,
            _ => Cause::Untraced,
        }
    }

    /// Returns the cause in words, for a card.
    pub fn words(self) -> &'static str {
        match self {
            Cause::LooksAhead => "Spark's parser looks further ahead and names another word of the same mistake",
            Cause::OtherRuleFirst => "both refuse it, by different rules",
            Cause::OpenChoice => "the script leaves the choice of a row open, and both choices are right",
            Cause::OpenOrder => "the rows depend on the order in which tables are read",
            Cause::FollowsResults => "the results differ already",
            Cause::NotRun => "one engine could not run it",
            Cause::Untraced => "not known",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::span::{LineColumn, Span};

    fn rejection(stage: RejectionStage, class: &str) -> Rejection {
        let (sqlstate, message) = (String::new(), String::new());
        let place = LineColumn::of("", 0);
        Rejection { stage, class: class.to_owned(), sqlstate, span: Span::empty(0), place, message }
    }

    #[test]
    fn refusals_differ_by_how_far_a_parser_looks_or_by_which_rule_comes_first() {
        let of = |ours: (RejectionStage, &str), theirs: (RejectionStage, &str)| {
            Cause::of_refusals(&rejection(ours.0, ours.1), &rejection(theirs.0, theirs.1))
        };
        assert_eq!(of((RejectionStage::Parse, "A"), (RejectionStage::Parse, "A")), Cause::LooksAhead);
        assert_eq!(of((RejectionStage::Analysis, "A"), (RejectionStage::Analysis, "B")), Cause::OtherRuleFirst);
        assert_eq!(of((RejectionStage::Analysis, "A"), (RejectionStage::Analysis, "A")), Cause::Untraced);
        assert_eq!(of((RejectionStage::Parse, "A"), (RejectionStage::Analysis, "B")), Cause::Untraced);
    }
}
