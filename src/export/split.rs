//! Which rows are for training and which are held out: all rows of a group stay together, so that no reference (or
//! source script, or domain) is on two sides.

use sha2::{Digest, Sha256};

use crate::score::Task;

/// What forms a group, of which all rows are on one side of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SplitGroup {
    /// All tasks of one script and of the variants made from it (`compose --like`, `compose --models`)
    SourceScript,
    /// All tasks of one reference script
    Reference,
    /// All tasks of one business domain
    Domain,
}

impl SplitGroup {
    /// Returns the name of the group that a task belongs to.
    pub fn of(self, task: &Task) -> &str {
        match self {
            SplitGroup::Reference => task.gold.provenance.key(),
            SplitGroup::SourceScript => task.gold.provenance.source_key(),
            SplitGroup::Domain => &task.record.domain,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SplitSide {
    /// Rows to learn from.
    Train,
    /// Rows held out for choosing among models.
    Validation,
    /// Rows held out for the final measurement.
    Test,
}

impl SplitSide {
    /// Returns the name in files and cards.
    pub fn name(self) -> &'static str {
        match self {
            SplitSide::Train => "train",
            SplitSide::Validation => "validation",
            SplitSide::Test => "test",
        }
    }
}

/// How rows are split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    pub group: SplitGroup,
    /// Expected share of the groups held out for validation, from 0 to 1.
    pub validation: f64,
    /// Expected share of the groups held out for testing, from 0 to 1.
    pub test: f64,
}

impl Split {
    /// Returns the side of a task. A hash of the group's name decides: with the same shares, a group is on the same
    /// side in every export.
    pub fn side(&self, task: &Task) -> SplitSide {
        let digest = Sha256::digest(self.group.of(task).as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        let draw = u64::from_be_bytes(first) as f64 / u64::MAX as f64;
        match draw {
            _ if draw < self.test => SplitSide::Test,
            _ if draw < self.test + self.validation => SplitSide::Validation,
            _ => SplitSide::Train,
        }
    }
}
