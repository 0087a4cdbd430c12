//! Shares over many scores.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::outcome::Score;
use crate::publish::record::Track;

/// Shares of a group of scores, each from 0 to 1.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Tasks.
    pub n: usize,
    /// Exact match.
    pub em: f64,
    /// Exact match of tokens.
    pub em_normalised: f64,
    /// Graph match.
    pub gm: f64,
    /// Modify-better.
    pub mb: f64,
    /// Execution accuracy.
    pub ex: f64,
    /// Accepted repairs.
    pub accepted: f64,
    /// How many answers ended in each way.
    pub outcomes: BTreeMap<String, usize>,
}

impl Tally {
    /// The shares of these scores.
    pub fn of<'a>(scores: impl IntoIterator<Item = &'a Score>) -> Tally {
        let mut tally = Tally::default();
        for score in scores {
            tally.n += 1;
            let counts = [
                (&mut tally.em, score.em),
                (&mut tally.em_normalised, score.em_normalised),
                (&mut tally.gm, score.gm),
                (&mut tally.mb, score.mb),
                (&mut tally.ex, score.ex),
                (&mut tally.accepted, score.accepted),
            ];
            for (count, hit) in counts {
                *count += f64::from(u8::from(hit));
            }
            *tally.outcomes.entry(score.outcome.name().to_owned()).or_default() += 1;
        }
        let shares =
            [&mut tally.em, &mut tally.em_normalised, &mut tally.gm, &mut tally.mb, &mut tally.ex, &mut tally.accepted];
        for share in shares {
            *share /= tally.n.max(1) as f64;
        }
        tally
    }
}

/// Shares overall and of each track.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Of all tasks.
    pub overall: Tally,
    /// Of the syntax track.
    pub syntax: Tally,
    /// Of the semantic track.
    pub semantic: Tally,
}

impl Summary {
    /// The shares of these scores.
    pub fn of(scores: &[Score]) -> Summary {
        let track = |track: Track| Tally::of(scores.iter().filter(|score| score.track == track));
        Summary { overall: Tally::of(scores), syntax: track(Track::Syntax), semantic: track(Track::Semantic) }
    }
}
