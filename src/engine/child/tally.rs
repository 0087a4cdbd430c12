//! The verdict on a script over all databases, the same for every engine.

use std::time::Duration;

use super::request::{RunVerdict, TrialReply};

/// Times of a reference and of the script under test on the same database.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairTimes {
    pub reference: Duration,
    pub predict: Duration,
}

/// The worst outcome so far and the times of both scripts.
#[derive(Debug)]
pub(super) struct TrialTally {
    verdict: RunVerdict,
    reference: Duration,
    predict: Duration,
}

impl TrialTally {
    /// Starts with a script that nothing tells apart from its reference yet.
    pub(super) fn new() -> TrialTally {
        TrialTally { verdict: RunVerdict::Equal, reference: Duration::ZERO, predict: Duration::ZERO }
    }

    /// Adds the outcome on one database, with the times of the reference and of the script there.
    ///
    /// The worst outcome of all databases is kept, and the first among equals. Another order is the mildest difference.
    pub(super) fn add(&mut self, outcome: RunVerdict, times: PairTimes) {
        self.reference += times.reference;
        self.predict += times.predict;
        if outcome != RunVerdict::Equal && !(self.verdict.is_order() && outcome.is_order()) {
            self.verdict = outcome;
        }
    }

    /// Whether a others database can still make the verdict worse.
    pub(super) fn is_open(&self) -> bool {
        self.verdict == RunVerdict::Equal || self.verdict.is_order()
    }

    /// Returns the reply, given how many databases could judge.
    pub(super) fn reply(self, databases: usize) -> TrialReply {
        TrialReply {
            verdict: self.verdict,
            reference_microseconds: self.reference.as_micros() as u64,
            predict_microseconds: self.predict.as_micros() as u64,
            databases,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn order(target: &str) -> RunVerdict {
        RunVerdict::OtherOrder { target: target.to_owned(), database: PathBuf::from("d") }
    }

    fn failed(message: &str) -> RunVerdict {
        RunVerdict::Failed { message: message.to_owned() }
    }

    #[test]
    fn the_worst_outcome_is_kept_and_only_rows_or_failures_end_the_matter() {
        for (outcomes, wanted, open) in [
            (vec![RunVerdict::Equal, RunVerdict::Equal], RunVerdict::Equal, true),
            (vec![RunVerdict::Equal, order("a"), order("b"), RunVerdict::Equal], order("a"), true),
            (vec![order("a"), failed("x")], failed("x"), false),
            (vec![failed("x")], failed("x"), false),
        ] {
            let mut tally = TrialTally::new();
            let count = outcomes.len();
            for outcome in outcomes {
                tally
                    .add(outcome, PairTimes { reference: Duration::from_micros(2), predict: Duration::from_micros(3) });
            }
            assert_eq!(tally.is_open(), open, "{wanted:?}");
            let reply = tally.reply(count);
            assert_eq!(reply.verdict, wanted);
            assert_eq!(
                (reply.reference_microseconds, reply.predict_microseconds),
                (2 * count as u64, 3 * count as u64)
            );
        }
    }
}
