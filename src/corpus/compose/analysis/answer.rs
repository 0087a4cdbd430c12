//! What an analysis gives.

use super::super::builder::PlanBuilder;
use super::super::relation::OpenRelation;
use super::steps;

/// What an analysis gives.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Title of the report.
    pub title: String,
    /// What the tables that it fills are called, without layer and suffix.
    pub name: String,
    /// The results, the main one first.
    pub results: Vec<OpenRelation>,
    /// What follows `name` in the tables of further results; without it, `by_` and the first column of the grain.
    pub parts: Vec<String>,
}

impl Analysis {
    pub(super) fn new(title: String, name: String, results: Vec<OpenRelation>) -> Analysis {
        Analysis { title, name, results, parts: Vec::new() }
    }

    /// Returns an answer whose one result is the open block of `relation`.
    pub(super) fn with(builder: &mut PlanBuilder<'_>, relation: OpenRelation, title: String, name: String) -> Analysis {
        let results = vec![steps::result(builder, relation, &title)];
        Analysis::new(title, name, results)
    }
}

/// An answer, `None` if the domain lacks what it takes, or an error if a pattern's template cannot be rendered.
pub(super) type AnalysisOutcome = Result<Option<Analysis>, minijinja::Error>;
