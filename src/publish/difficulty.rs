//! How hard a task is, as far as it can be measured: a level from 1 to 5 with the measures behind it.
//!
//! `docs/difficulty.md` has the formula and how it orders the success of the built-in solvers.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::complaint::{HintLevel, Hints};
use crate::fault::Track;

/// The highest level.
pub const HARDEST: u8 = 5;

/// The measures from which the level of a task is computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifficultyMeasures {
    /// The track: syntax tasks are easier, as their message names a place.
    pub track: Track,
    /// Lines of the correct script.
    pub lines: usize,
    /// Tokens that the repair changes.
    pub tokens: usize,
    /// Places that the repair changes.
    pub places: usize,
    /// Lines between the first place of the repair and where the fault shows: the place of the message for a syntax
    /// task, the end of the script, where its last result is, for a semantic one.
    pub distance: usize,
    /// Statements between the first place of the repair and where the fault shows.
    pub statements: usize,
    /// Files between them; 0 also if the script is one file.
    #[serde(default, skip_serializing_if = "crate::store::is_zero")]
    pub files: usize,
    /// Other places of the script where the same fault could stand.
    pub decoys: usize,
    /// How much the complaint tells; `None` for a syntax task.
    pub hints: Option<HintLevel>,
}

/// How hard the tasks of a run are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum DifficultyTarget {
    /// Short scripts with one place to repair, and the rule told.
    Easy,
    /// As they come.
    #[default]
    Mixed,
    /// Long scripts, faults at several places and far from where they show, and only the symptom told.
    Hard,
}

impl DifficultyTarget {
    /// The levels that tasks of such a run may have; others are not published.
    pub fn levels(self) -> RangeInclusive<u8> {
        match self {
            DifficultyTarget::Easy => 1..=3,
            DifficultyTarget::Mixed => 1..=HARDEST,
            DifficultyTarget::Hard => 4..=HARDEST,
        }
    }

    /// The least and the most lines of a composed script; `None` leaves them to the composer.
    pub fn lines(self) -> Option<[usize; 2]> {
        match self {
            DifficultyTarget::Easy => Some([60, 120]),
            DifficultyTarget::Mixed => None,
            DifficultyTarget::Hard => Some([600, 1000]),
        }
    }

    /// How much complaints tell.
    pub fn hints(self) -> Hints {
        match self {
            DifficultyTarget::Easy => Hints::Rule,
            DifficultyTarget::Mixed => Hints::Mixed,
            DifficultyTarget::Hard => Hints::Symptom,
        }
    }
}

/// How hard a task is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difficulty {
    /// From 1, easy, to [`HARDEST`].
    pub level: u8,
    pub measures: DifficultyMeasures,
}

impl Difficulty {
    /// Computes the level.
    pub fn of(measures: DifficultyMeasures) -> Difficulty {
        // Points are never negative, and a level is small.
        let level = (1 + measures.points() as u8).min(HARDEST);
        Difficulty { level, measures }
    }
}

impl DifficultyMeasures {
    /// The sum of what each measure adds; each whole point raises the level by one.
    fn points(&self) -> f64 {
        let doublings = |count: usize| (count.max(1) as f64).log2();
        let no_message = if self.track == Track::Semantic { 0.5 } else { 0.0 };
        let hints = match self.hints {
            None | Some(HintLevel::Rule) => 0.0,
            Some(HintLevel::Figures) => 0.5,
            Some(HintLevel::Symptom) => 1.0,
        };
        no_message
            + hints
            + (0.5 * doublings(self.tokens)).min(2.0)
            + (0.5 * self.places.saturating_sub(1) as f64).min(1.5)
            + (0.2 * doublings(1 + self.distance)).min(1.5)
            + (0.5 * self.statements as f64).min(1.0)
            + (0.5 * (self.lines as f64 / 100.0).max(1.0).log2()).min(2.0)
            + (0.1 * doublings(1 + self.decoys)).min(0.75)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn easy() -> DifficultyMeasures {
        DifficultyMeasures {
            track: Track::Syntax,
            lines: 80,
            tokens: 1,
            places: 1,
            distance: 0,
            statements: 0,
            files: 0,
            decoys: 0,
            hints: None,
        }
    }

    #[test]
    fn each_measure_alone_makes_a_task_harder() {
        let points = |change: &dyn Fn(&mut DifficultyMeasures)| {
            let mut measures = easy();
            change(&mut measures);
            measures.points()
        };
        assert_eq!(easy().points(), 0.0);
        let changes: [&dyn Fn(&mut DifficultyMeasures); 8] = [
            &|it| it.track = Track::Semantic,
            &|it| it.lines = 600,
            &|it| it.tokens = 4,
            &|it| it.places = 2,
            &|it| it.distance = 40,
            &|it| it.statements = 1,
            &|it| it.decoys = 7,
            &|it| it.hints = Some(HintLevel::Symptom),
        ];
        for (number, change) in changes.iter().enumerate() {
            assert!(points(change) > 0.0, "measure {number} counts nothing");
        }
    }

    #[test]
    fn levels_begin_at_one_and_end_at_five() {
        assert_eq!(Difficulty::of(easy()).level, 1);
        let hard = DifficultyMeasures {
            track: Track::Semantic,
            lines: 5_000,
            tokens: 40,
            places: 9,
            distance: 4_000,
            statements: 12,
            files: 0,
            decoys: 300,
            hints: Some(HintLevel::Symptom),
        };
        assert_eq!(Difficulty::of(hard).level, HARDEST);
        assert_eq!(Difficulty::of(DifficultyMeasures { tokens: 2, lines: 200, ..easy() }).level, 2);
    }
}
