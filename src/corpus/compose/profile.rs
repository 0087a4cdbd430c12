//! Profiles: what scripts are to be like on average, and how plans of such scripts are drawn; data in
//! `templates/profile/`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::analysis::AnalysisSize;
use super::draw::Draw;
use super::fact_figures::FactSize;
use crate::code::profile::Profile;
use crate::code::script::Script;
use crate::store::yaml::{YamlFileError, read_file_text};

/// The profile of the paper.
const PAPER: &str = include_str!("../../../templates/profile/paper.yaml");

/// The name of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum ProfileName {
    /// The means of the paper's table 1, by track.
    Paper,
}

/// Figures of a script, or their means.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeFigures {
    /// Words between white space.
    pub tokens: f64,
    /// Lines of text.
    pub lines: f64,
    /// Functions as sqlglot counts them.
    pub functions: f64,
    /// Depth of the deepest statement.
    pub ast_depth: f64,
    /// Children of the widest node.
    pub ast_width: f64,
}

/// A profile, as its file says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeProfile {
    /// The means of each kind of task: syntax, semantic.
    shapes: [ShapeFigures; 2],
    /// Factors by which plans aim beside the means, since most plans lie on one side of them.
    aim: ShapeFigures,
    /// How far the figures of one script lie from the means at most, as a share of them.
    spread: f64,
    /// Plans that are drawn for one script.
    pub plans: usize,
    /// Share of the blocks that become tables of their own.
    pub staging: f64,
    /// Share of the tables that are read by a sub-query of their own.
    pub derived: f64,
    /// Plain columns that a block takes along though nothing reads them, least and most.
    pub carried: [usize; 2],
    /// Share of blocks with a comment among those with a reason to tell.
    pub block_comments: f64,
    /// Width of a line beyond which expressions are broken.
    pub width: usize,
    /// Analyses with the factor by which each is drawn more or less often than usual; 1 for those that are not named.
    pub analyses: BTreeMap<String, f64>,
    /// Share of columns with a comment among figures whose names do not say all.
    pub column_comments: f64,
    facts: [usize; 2],
    clean: [usize; 2],
    rules: [usize; 2],
    enrich: [usize; 2],
    row: [usize; 2],
    measures: [usize; 2],
    derive: [usize; 2],
}

impl ShapeProfile {
    /// Reads a profile carried in the binary.
    ///
    /// # Errors
    ///
    /// If it does not read.
    pub fn embedded(name: ProfileName) -> Result<ShapeProfile, YamlFileError> {
        let (path, text) = match name {
            ProfileName::Paper => ("templates/profile/paper.yaml", PAPER),
        };
        read_file_text(Path::new(path), text)
    }

    /// Reads a profile of the user's from its text; errors name `path`.
    ///
    /// # Errors
    ///
    /// If it does not read.
    pub fn read(path: &Path, text: &str) -> Result<ShapeProfile, YamlFileError> {
        read_file_text(path, text)
    }

    /// Returns the means for each kind of task: syntax, semantic.
    pub fn shapes(&self) -> &[ShapeFigures] {
        &self.shapes
    }

    /// Draws the figures of one script for the kind of task of this number. What grows with the script grows together.
    pub(super) fn figures(&self, kind: usize, draw: Draw) -> ShapeFigures {
        let mean = self.shapes[kind % self.shapes.len()];
        let around = |label: &str| 1.0 + self.spread * (2.0 * draw.at(label).unit() - 1.0);
        let size = around("size");
        ShapeFigures {
            tokens: mean.tokens * self.aim.tokens * size,
            lines: mean.lines * self.aim.lines * size,
            functions: mean.functions * self.aim.functions * size,
            ast_depth: mean.ast_depth * self.aim.ast_depth,
            ast_width: mean.ast_width * self.aim.ast_width * around("width"),
        }
    }

    /// Draws how much an analysis does.
    pub(super) fn size(&self, draw: Draw) -> AnalysisSize {
        let between = |label: &str, [least, most]: [usize; 2]| draw.at(label).between(least, most);
        let fact_size = FactSize {
            clean: between("clean", self.clean),
            rules: between("rules", self.rules),
            enrich: between("enrich", self.enrich),
            row: between("row", self.row),
            measures: between("measures", self.measures),
        };
        AnalysisSize { facts: between("branches", self.facts), fact_size, derive: between("derive", self.derive) }
    }
}

impl ShapeFigures {
    /// Returns the figures of a script.
    pub fn of(script: &Script) -> ShapeFigures {
        let profile = Profile::of(script);
        ShapeFigures {
            tokens: profile.words as f64,
            lines: profile.lines as f64,
            functions: profile.functions as f64,
            ast_depth: profile.depth as f64,
            ast_width: profile.width as f64,
        }
    }

    /// Returns the figures with their names in records.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        [
            ("tokens", self.tokens),
            ("lines", self.lines),
            ("functions", self.functions),
            ("ast_depth", self.ast_depth),
            ("ast_width", self.ast_width),
        ]
    }

    /// Returns the means of figures, with their names; empty if there are none.
    pub fn means(figures: &[ShapeFigures]) -> Vec<(&'static str, f64)> {
        let mut sums: Vec<(&'static str, f64)> = figures.first().map_or_else(Vec::new, |first| first.named().to_vec());
        for (_, sum) in &mut sums {
            *sum = 0.0;
        }
        for own in figures {
            sums.iter_mut().zip(own.named()).for_each(|((_, sum), (_, value))| *sum += value / figures.len() as f64);
        }
        sums
    }

    /// Returns by what share figures are off those of `wanted`, as the root of the mean of their squares.
    pub(super) fn off(&self, wanted: &ShapeFigures) -> f64 {
        let pairs = self.named().into_iter().zip(wanted.named());
        let squares = pairs.map(|((_, own), (_, wanted))| ((own - wanted) / wanted).powi(2));
        (squares.sum::<f64>() / 5.0).sqrt()
    }
}
