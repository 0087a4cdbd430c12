//! What to build.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::code::parameters::Parameters;
use crate::code::profile::Complexity;
use crate::corpus::compose::ProfileName;
use crate::draft::Sources;
use crate::engine::EngineChoice;
use crate::engine::policy::Policies;
use crate::fault::Track;
use crate::inject::plan::{
    HARD_SEMANTIC_SIZES, HARD_SIZES, Mix, PAPER_SIZES, SINGLE, SizeShare, hint_draw, size_of, sizes,
};
use crate::prove::effort::Effort;
use crate::prove::preparation::ProofConditions;
use crate::publish::complaint::{HintLevel, Hints};
use crate::publish::difficulty::DifficultyTarget;

/// Where the references of a run come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ReferenceSource {
    /// Scripts composed for this run, a fresh one for every task.
    #[default]
    Composed,
    /// The hand-written scripts in the binary; several tasks a script.
    HandWritten,
    /// A folder of the user's own scripts; several tasks a script.
    Folder(PathBuf),
}

impl FromStr for ReferenceSource {
    type Err = String;

    fn from_str(text: &str) -> Result<ReferenceSource, String> {
        match text {
            "" => Err("expected `composed`, `hand-written` or a folder".to_owned()),
            "composed" => Ok(ReferenceSource::Composed),
            "hand-written" | "seeds" => Ok(ReferenceSource::HandWritten),
            folder => Ok(ReferenceSource::Folder(PathBuf::from(folder))),
        }
    }
}

impl TryFrom<String> for ReferenceSource {
    type Error = String;

    fn try_from(text: String) -> Result<ReferenceSource, String> {
        text.parse()
    }
}

impl fmt::Display for ReferenceSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReferenceSource::Composed => formatter.write_str("composed"),
            ReferenceSource::HandWritten => formatter.write_str("hand-written"),
            ReferenceSource::Folder(folder) => folder.display().fmt(formatter),
        }
    }
}

impl From<ReferenceSource> for String {
    fn from(source: ReferenceSource) -> String {
        source.to_string()
    }
}

/// How models take part in a build.
#[derive(Clone, Debug)]
pub struct ModelUse {
    /// Which models, and how they are asked.
    pub sources: Sources,
    /// Share of the tasks of each track that models plant, from 0 to 1.
    pub share: f64,
    /// Whether models reword complaints.
    pub reword: bool,
}

/// The settings of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildSettings {
    /// The run's directory.
    #[serde(skip)]
    pub out: PathBuf,
    /// The random seed, from which everything random in the run is derived.
    pub seed: u64,
    /// Syntax tasks wanted.
    pub syntax: usize,
    /// Semantic tasks wanted.
    pub semantic: usize,
    /// The range of faults per task; never starts at 0. `None` means one, except for syntax tasks of composed
    /// references: there the difficulty decides, and mixed difficulty follows the paper.
    pub faults_per_task: Option<RangeInclusive<usize>>,
    /// Tasks without a fault wanted.
    pub controls: usize,
    /// Number of workers.
    #[serde(skip)]
    pub jobs: usize,
    /// Whether to go on with a run that was cut off.
    #[serde(skip)]
    pub resume: bool,
    /// The mix that the quotas of faults follow.
    pub mix: Mix,
    /// Where the references come from.
    pub source: ReferenceSource,
    /// The dialect that the scripts of a folder are translated from, by sqlglot's name; `None` if they are read as they
    /// are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// Definitions of tables besides those in the folder of scripts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schema: Vec<PathBuf>,
    /// Values of placeholders in the scripts of a folder, and expressions for their own functions, that count before
    /// those that files beside the scripts give.
    #[serde(default, skip_serializing_if = "Parameters::is_empty")]
    pub parameters: Parameters,
    /// How much complaints tell.
    #[serde(default)]
    pub hints: Hints,
    /// How hard the tasks of composed references are to be.
    #[serde(default)]
    pub difficulty: DifficultyTarget,
    /// Lines of a composed reference, least and most; `None` leaves them to the composer.
    #[serde(default)]
    pub lines: Option<[usize; 2]>,
    /// Files of which a composed reference consists, least and most; `None` for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scripts: Option<[usize; 2]>,
    /// What composed references are to be like on average; `None` leaves it to the composer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileName>,
    /// How long to search for a database that kills a mutant. `None` means normal, and low for composed references, where
    /// another one costs less than a long search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// A folder of the user's own taxonomy instead of the one in the binary.
    pub taxonomy: Option<PathBuf>,
    /// A folder of the user's own templates instead of those in the binary.
    pub templates: Option<PathBuf>,
    /// How complex a script must be; `None` accepts any script.
    pub complexity: Option<Complexity>,
    /// Models that plant some of the faults; `None` asks no model.
    #[serde(skip)]
    pub models: Option<ModelUse>,
    /// The judging engine.
    pub engine: EngineChoice,
    /// Rules of the platform beyond the engine's.
    pub policies: Policies,
}

impl BuildSettings {
    /// Returns the settings of a benchmark of the paper's size, on one core, judged by the embedded engine.
    pub fn new(out: PathBuf, seed: u64) -> BuildSettings {
        BuildSettings {
            out,
            seed,
            syntax: 469,
            semantic: 516,
            faults_per_task: None,
            controls: 0,
            jobs: 1,
            resume: false,
            mix: Mix::Paper,
            source: ReferenceSource::default(),
            dialect: None,
            schema: Vec::new(),
            parameters: Parameters::default(),
            hints: Hints::default(),
            difficulty: DifficultyTarget::default(),
            lines: None,
            scripts: None,
            profile: None,
            effort: None,
            taxonomy: None,
            templates: None,
            complexity: None,
            models: None,
            engine: EngineChoice::default(),
            policies: Policies::default(),
        }
    }

    /// Returns what the proofs of the run are made under.
    pub(super) fn conditions(&self) -> ProofConditions {
        ProofConditions { policies: self.policies.clone(), effort: self.effort }
    }

    /// Returns how much the complaint of a task is to tell.
    pub(super) fn hints_of(&self, task: &str) -> HintLevel {
        self.hints.level(hint_draw(self.seed, task))
    }

    /// Whether tasks on scripts that are not composed may have more than one fault.
    pub(super) fn has_several_faults(&self) -> bool {
        self.faults_per_task.as_ref().is_some_and(|range| *range.end() > 1)
    }

    /// Returns the fewest faults that a task may have.
    pub(super) fn least_faults(&self) -> usize {
        self.faults_per_task.as_ref().map_or(1, |range| *range.start())
    }

    /// Returns the number of faults of each of `tasks` tasks.
    pub(super) fn sizes(&self, track: Track, tasks: usize) -> Vec<usize> {
        match &self.faults_per_task {
            Some(range) => sizes(self.seed, track, tasks, range),
            None => vec![1; tasks],
        }
    }

    /// Returns how many faults the tasks on composed references have, with the share of each number.
    pub(super) fn size_shares(&self, track: Track) -> Vec<SizeShare> {
        match (&self.faults_per_task, track) {
            (Some(range), _) => {
                let share = 1.0 / range.clone().count() as f64;
                range.clone().map(|size| SizeShare { size, share }).collect()
            }
            (None, track) => match (self.difficulty, track) {
                (DifficultyTarget::Easy, _) | (DifficultyTarget::Mixed, Track::Semantic) => SINGLE.to_vec(),
                (DifficultyTarget::Mixed, Track::Syntax) => PAPER_SIZES.to_vec(),
                (DifficultyTarget::Hard, Track::Syntax) => HARD_SIZES.to_vec(),
                (DifficultyTarget::Hard, Track::Semantic) => HARD_SEMANTIC_SIZES.to_vec(),
            },
        }
    }

    /// Returns the track for whose tasks the composed reference of this number has its shape, so that the tracks share out
    /// the numbers as they do the tasks; `None` if it may have a task of any track.
    pub(super) fn track_on(&self, number: usize) -> Option<Track> {
        self.profile?;
        let tasks = (self.syntax + self.semantic).max(1);
        let is_syntax = (number + 1) * self.syntax / tasks > number * self.syntax / tasks;
        Some(if is_syntax { Track::Syntax } else { Track::Semantic })
    }

    /// Returns how many faults the task on the composed reference of this number has.
    pub(super) fn size_on(&self, track: Track, number: usize) -> usize {
        size_of(self.seed, track, &number.to_string(), &self.size_shares(track))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_reads_as_it_is_written() {
        for source in
            [ReferenceSource::Composed, ReferenceSource::HandWritten, ReferenceSource::Folder("my/scripts".into())]
        {
            assert_eq!(source.to_string().parse(), Ok(source));
        }
        assert!("".parse::<ReferenceSource>().is_err());
    }
}
