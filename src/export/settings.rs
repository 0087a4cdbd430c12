//! What to export, and how.

use std::path::PathBuf;

use super::example::AnswerStyle;
use super::kept_out::KeptOut;
use super::split::Split;

#[derive(Clone, Debug)]
pub struct ExportSettings {
    pub runs: Vec<PathBuf>,
    /// A new or empty folder.
    pub out: PathBuf,
    /// What the wanted answer looks like.
    pub style: AnswerStyle,
    /// Export what agents did where the judge accepted it, not the tasks with their references.
    pub trajectories: bool,
    pub split: Split,
    /// The β of preference pairs of critiques (equation 4 of SQLCritic).
    pub beta: f64,
    /// Least similarity of an attempt's skeleton to the reference's, from 0 to 1; below it the attempt is left out, as
    /// another query rather than a mistake.
    pub least_similarity: f64,
    /// Scripts that no row may contain.
    pub kept_out: KeptOut,
}
