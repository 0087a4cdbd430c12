//! `--config FILE`: the settings of a build as YAML. What the command line says wins.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::engine::EngineOption;
use crate::code::parameters::Parameters;
use crate::code::profile::Complexity;
use crate::corpus::compose::ProfileName;
use crate::engine::policy::Policies;
use crate::inject::Mix;
use crate::pipeline::ReferenceSource;
use crate::prove::effort::Effort;
use crate::publish::complaint::Hints;
use crate::publish::difficulty::DifficultyTarget;
use crate::store::remedy;
use crate::store::yaml::read_yaml;

/// All settings of a build; each may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where the run goes.
    pub out: Option<PathBuf>,
    /// Random seed.
    pub seed: Option<u64>,
    /// Syntax tasks wanted.
    pub syntax: Option<usize>,
    /// Semantic tasks wanted.
    pub semantic: Option<usize>,
    /// The least and the most faults of one task.
    pub faults_per_task: Option<[usize; 2]>,
    /// Scripts without a fault wanted.
    pub controls: Option<usize>,
    /// Workers.
    pub jobs: Option<usize>,
    /// The mix of faults to aim at.
    pub mix: Option<Mix>,
    /// How much complaints tell.
    pub hints: Option<Hints>,
    /// How hard tasks of composed scripts are to be.
    pub difficulty: Option<DifficultyTarget>,
    /// The least and the most lines of a composed script.
    pub lines: Option<[usize; 2]>,
    /// The least and the most files of a composed script.
    pub scripts: Option<[usize; 2]>,
    /// What composed scripts are to be like on average.
    pub profile: Option<ProfileName>,
    /// How long to search for a database that kills a mutant.
    pub effort: Option<Effort>,
    /// Where the references come from: `composed`, `hand-written` or a folder.
    pub source: Option<ReferenceSource>,
    /// The dialect that the scripts of the folder are translated from.
    pub dialect: Option<String>,
    /// Definitions of tables besides those in the folder of scripts.
    pub schema: Vec<PathBuf>,
    /// Values of placeholders in the scripts of the folder, and expressions for their own functions.
    pub parameters: Parameters,
    /// A folder of a taxonomy.
    pub taxonomy: Option<PathBuf>,
    /// A folder of templates.
    pub templates: Option<PathBuf>,
    /// A file of models that plant some of the faults.
    pub models: Option<PathBuf>,
    /// Share of the tasks whose faults models plant, from 0 to 1.
    pub rewrite_share: Option<f64>,
    /// Whether models reword complaints.
    pub reword: bool,
    /// The engine that decides.
    pub engine: Option<EngineOption>,
    /// Rules of the platform beyond the engine's.
    pub policies: Policies,
    /// How complex a script must be: C(q) = alpha (depth + width) + beta · code lines must exceed tau.
    pub complexity: Option<Complexity>,
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no configuration; in words, with the place.
    pub fn read(path: &Path) -> Result<Config, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}; {}", path.display(), remedy(&error)))?;
        read_yaml(&text).map_err(|error| format!("{}:{error}", path.display()))
    }
}
