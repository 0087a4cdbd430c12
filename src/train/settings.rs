//! What training pairs to make.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

use crate::export::{AnswerStyle, KeptOut, Split, SplitGroup};
use crate::inject::plan::Mix;
use crate::pipeline::Shard;

/// The file that a folder of training pairs keeps its settings in.
pub const SETTINGS: &str = "train.json";

/// What training pairs to make.
#[derive(Clone, Debug)]
pub struct TrainSettings {
    /// Where the parts go.
    pub out: PathBuf,
    /// Go on with a run that was cut off.
    pub resume: bool,
    pub jobs: usize,
    /// Proved pairs wanted of this shard.
    pub pairs: usize,
    /// Which parts are made here.
    pub shard: TrainShard,
    /// What the content of the parts depends on.
    pub recipe: PartSettings,
    pub split: Split,
    pub style: AnswerStyle,
    pub kept_out: KeptOut,
}

/// What the content of the parts depends on: equal for all shards of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartSettings {
    /// Version of this program.
    pub tool: String,
    pub seed: u64,
    pub format: String,
    /// Name of the style of answers.
    pub answers: String,
    /// The mix of faults to aim at.
    pub mix: Mix,
    /// Most pairs of one reference.
    pub pairs_of_a_reference: usize,
    /// Share of the pairs that engines refuse, from 0 to 1.
    pub syntax: f64,
    /// Share of the groups held out for validation and for testing.
    pub held_out: [f64; 2],
    /// Whether groups are business domains, not references.
    pub by_domain: bool,
    /// The least and the most faults of a pair.
    #[serde(default = "one_fault", skip_serializing_if = "is_one_fault")]
    pub faults: [usize; 2],
    /// Right scripts for each wrong one; where there are any, all are told with what they are for.
    #[serde(default, skip_serializing_if = "crate::store::is_zero")]
    pub controls: usize,
    /// Digest of the scripts that no pair may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_out: Option<String>,
}

fn one_fault() -> [usize; 2] {
    [1, 1]
}

fn is_one_fault(faults: &[usize; 2]) -> bool {
    *faults == one_fault()
}

/// What the file of settings holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsFile {
    /// What the parts depend on.
    pub recipe: PartSettings,
    /// Number of this shard, from 1, and of all.
    pub shard: [usize; 2],
    /// Proved pairs wanted.
    pub pairs: usize,
}

impl TrainSettings {
    /// What the file of settings holds.
    pub fn kept(&self) -> SettingsFile {
        let TrainShard(Shard { number, of }) = self.shard;
        SettingsFile { recipe: self.recipe.clone(), shard: [number, of], pairs: self.pairs }
    }
}

impl PartSettings {
    /// The seed that scripts are composed with. It is none of those that `build` and `compose` take for the same number, so
    /// that a benchmark and training pairs of one seed have no script in common.
    pub fn composing_seed(&self) -> u64 {
        xxh64(b"training", self.seed)
    }

    pub fn split(&self) -> Split {
        let [validation, test] = self.held_out;
        let group = if self.by_domain { SplitGroup::Domain } else { SplitGroup::SourceScript };
        Split { group, validation, test }
    }
}

/// One of several processes, each with parts of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainShard(pub Shard);

impl TrainShard {
    /// The numbers of its parts, without end.
    pub fn parts(self) -> impl Iterator<Item = u64> {
        let Shard { number, of } = self.0;
        (number as u64 - 1..).step_by(of)
    }
}
