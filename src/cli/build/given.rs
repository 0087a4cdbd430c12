//! The settings of a build that may be given: on the command line, where no engine or placeholder is among them, and all
//! in a file of `--config`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use super::super::compose::{line_range, script_range};
use super::super::engine::EngineOption;
use super::super::heading::{MODELS, RUNS, WHAT};
use super::fault_range::fault_range;
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

/// Settings of a build; each may be left out.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GivenSettings {
    /// Where the run goes [default: runs/<seed>]
    #[arg(long, help_heading = RUNS)]
    pub out: Option<PathBuf>,
    /// Random seed; the same seed gives the same bytes [default: drawn and printed]
    #[arg(long, help_heading = RUNS)]
    pub seed: Option<u64>,
    /// Syntax tasks wanted [default: 469]
    #[arg(long, help_heading = WHAT)]
    pub syntax: Option<usize>,
    /// Semantic tasks wanted [default: 516]
    #[arg(long, help_heading = WHAT)]
    pub semantic: Option<usize>,
    /// Faults in one task, as `2` or `1..3` [default: 1; one to three in syntax tasks of composed scripts, 1.5 on
    /// average]
    #[arg(long, value_name = "MIN..MAX", value_parser = fault_range, help_heading = WHAT)]
    pub faults_per_task: Option<[usize; 2]>,
    /// Scripts without a fault wanted, untouched or rewritten without changing what they mean [default: 0]
    #[arg(long, help_heading = WHAT)]
    pub controls: Option<usize>,
    /// Workers [default: one a core]
    #[arg(long, help_heading = RUNS)]
    pub jobs: Option<NonZero<usize>>,
    /// The mix of faults to aim at [default: paper]
    #[arg(long, value_enum, help_heading = WHAT)]
    pub mix: Option<Mix>,
    /// How much complaints tell: the business rule and figures, figures only, what kind of wrong is seen, or each of
    /// these for some tasks [default: mixed]
    #[arg(long, value_enum)]
    pub hints: Option<Hints>,
    /// How hard tasks of composed scripts are to be: `easy`, short scripts, one place to repair, complaints that state
    /// the rule, levels 1 to 3; `hard`, 600 lines and more, several faults (three to five in a semantic task), complaints that state only the
    /// symptom, levels 4 and 5 [default: mixed]
    #[arg(long, value_enum, help_heading = WHAT)]
    pub difficulty: Option<DifficultyTarget>,
    /// Number of lines of a composed script [default: as --difficulty has them]
    #[arg(long, value_name = "MIN..MAX", value_parser = line_range, help_heading = WHAT)]
    pub lines: Option<[usize; 2]>,
    /// How many files a composed script consists of, each of which but the first reads tables that earlier ones make
    /// [default: 1]
    #[arg(long, value_name = "MIN..MAX", value_parser = script_range, help_heading = WHAT)]
    pub scripts: Option<[usize; 2]>,
    /// What composed scripts are to be like: `paper`, about as long and flat as in table 1 of the paper, for each track
    #[arg(long, value_enum, conflicts_with_all = ["difficulty", "lines", "scripts"], help_heading = WHAT)]
    pub profile: Option<ProfileName>,
    /// How long to search for a database that kills a mutant: low, normal or high [default: normal; low for composed
    /// scripts, where another one costs less than a long search]
    #[arg(long, value_name = "EFFORT", help_heading = RUNS)]
    pub effort: Option<Effort>,
    /// Where the references come from: `composed` for this run, a fresh one for every task; `hand-written`, the
    /// scripts in the binary; or a folder of your own scripts [default: composed]
    #[arg(long, alias = "seeds", value_name = "composed|hand-written|FOLDER", help_heading = WHAT)]
    pub source: Option<ReferenceSource>,
    /// The dialect that the scripts of the folder are written in, such as `snowflake`: an installed sqlglot translates
    /// them and their definitions
    #[arg(long, value_name = "NAME", help_heading = WHAT)]
    pub dialect: Option<String>,
    /// Definitions of tables besides those in the folder of scripts, in any form that `inject --schema` takes;
    /// `spark:DATABASE` asks the catalogue of your own Spark
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = WHAT)]
    pub schema: Vec<PathBuf>,
    /// A folder of your own taxonomy instead of the one carried in the binary
    #[arg(long, value_name = "DIR", help_heading = WHAT)]
    pub taxonomy: Option<PathBuf>,
    /// A folder whose complaint/*.yaml hold your own words of complaints instead of those carried in the binary, all
    /// files of `templates/complaint` of the project; complaint/rules.yaml may give rules for faults
    #[arg(long, value_name = "DIR", help_heading = WHAT)]
    pub templates: Option<PathBuf>,
    /// A YAML file of models, as for `repair`: they plant some of the faults, and every gate holds for them too
    #[arg(long, value_name = "FILE", help_heading = MODELS)]
    pub models: Option<PathBuf>,
    /// Share of the tasks whose faults models plant, from 0 to 1 [default: 0.25 with --models]
    #[arg(long, value_name = "SHARE", help_heading = MODELS)]
    pub rewrite_share: Option<f64>,
    /// Let models reword complaints
    #[arg(long, help_heading = MODELS)]
    pub reword: bool,
    /// Values of placeholders in the scripts of the folder, and expressions for their own functions.
    #[arg(skip)]
    pub parameters: Parameters,
    /// The engine that decides.
    #[arg(skip)]
    pub engine: Option<EngineOption>,
    /// Rules of the platform beyond the engine's.
    #[arg(skip)]
    pub policies: Policies,
    /// How complex a script must be: C(q) = alpha (depth + width) + beta · code lines must exceed tau.
    #[arg(skip)]
    pub complexity: Option<Complexity>,
}

impl GivenSettings {
    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no configuration; in words, with the place.
    pub fn read(path: &Path) -> Result<GivenSettings, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}; {}", path.display(), remedy(&error)))?;
        read_yaml(&text).map_err(|error| format!("{}:{error}", path.display()))
    }

    /// Returns these settings of the command line, and those of a file where the command line says nothing.
    pub fn or(self, file: GivenSettings) -> GivenSettings {
        GivenSettings {
            out: self.out.or(file.out),
            seed: self.seed.or(file.seed),
            syntax: self.syntax.or(file.syntax),
            semantic: self.semantic.or(file.semantic),
            faults_per_task: self.faults_per_task.or(file.faults_per_task),
            controls: self.controls.or(file.controls),
            jobs: self.jobs.or(file.jobs),
            mix: self.mix.or(file.mix),
            hints: self.hints.or(file.hints),
            difficulty: self.difficulty.or(file.difficulty),
            lines: self.lines.or(file.lines),
            scripts: self.scripts.or(file.scripts),
            profile: self.profile.or(file.profile),
            effort: self.effort.or(file.effort),
            source: self.source.or(file.source),
            dialect: self.dialect.or(file.dialect),
            schema: if self.schema.is_empty() { file.schema } else { self.schema },
            taxonomy: self.taxonomy.or(file.taxonomy),
            templates: self.templates.or(file.templates),
            models: self.models.or(file.models),
            rewrite_share: self.rewrite_share.or(file.rewrite_share),
            reword: self.reword || file.reword,
            parameters: file.parameters,
            engine: file.engine,
            policies: file.policies,
            complexity: file.complexity,
        }
    }
}
