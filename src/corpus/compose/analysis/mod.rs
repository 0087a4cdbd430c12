//! Analyses: the kinds of question that scripts answer, each with a plan of its own.
//!
//! Every analysis takes cleaned rows (`branch::rows`) and gives one result or more, whose grain is known. One that the
//! tables of a question cannot feed is refused, and another is drawn.

mod ageing;
mod balance;
mod changes;
mod cohorts;
mod detail;
mod features;
mod indicators;
mod periods;
mod reconciliation;
mod routing;
mod scorecard;
mod sessions;
mod sources;
mod steps;
mod subtotals;

use super::branch::BranchSize;
use super::builder::PlanBuilder;
use super::domain::BusinessQuestion;
use super::draw::Draw;
use super::relation::OpenRelation;

/// How much an analysis does.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisSize {
    /// Branches, each over the rows of one table.
    pub branches: usize,
    /// How much each branch does.
    pub effort: BranchSize,
    /// Bounds the number of figures made of other figures.
    pub derive: usize,
}

impl AnalysisSize {
    /// Draws how much an analysis of about so many lines does.
    pub fn of(lines: f64, draw: Draw) -> AnalysisSize {
        let units = (lines / 50.0).max(1.0);
        let branches = (units * 0.75).round().clamp(2.0, 10.0) as usize;
        let each = lines / branches as f64;
        let effort = BranchSize {
            clean: draw.at("clean").below(3),
            rules: *draw.at("rules").pick(&[0, 1, 1, 1, 2, 2]).unwrap_or(&1),
            enrich: draw.at("enrich").below(4),
            row: draw.at("row").below(3),
            measures: ((each / 12.0).round() as usize).clamp(2, 30),
        };
        AnalysisSize { branches, effort, derive: draw.at("derive").between(2, 3 + (units as usize).min(6)) }
    }
}

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
    fn new(title: String, name: String, results: Vec<OpenRelation>) -> Analysis {
        Analysis { title, name, results, parts: Vec::new() }
    }

    /// Returns an answer whose one result is the open block of `relation`.
    fn with(builder: &mut PlanBuilder<'_>, relation: OpenRelation, title: String, name: String) -> Analysis {
        let results = vec![steps::result(builder, relation, &title)];
        Analysis::new(title, name, results)
    }
}

/// What an analysis is asked for.
#[derive(Clone, Copy)]
pub struct AnalysisRequest<'q> {
    /// The question.
    pub question: &'q BusinessQuestion,
    /// How much of everything the answer has.
    pub size: AnalysisSize,
    /// Draws for this analysis.
    pub draw: Draw,
}

/// An answer, `None` if the domain lacks what it takes, or an error if a pattern's template cannot be rendered.
type AnalysisOutcome = Result<Option<Analysis>, minijinja::Error>;

/// Plans an analysis.
type Analyse = fn(&mut PlanBuilder<'_>, AnalysisRequest<'_>) -> AnalysisOutcome;

/// The analyses: name, weight with which they are drawn, and the function that plans them.
const ANALYSES: [(&str, f64, Analyse); 14] = [
    ("scorecard", 1.5, scorecard::scorecard),
    ("sources", 1.4, sources::sources),
    ("reconciliation", 1.3, reconciliation::reconciliation),
    ("features", 1.5, features::features),
    ("subtotals", 1.3, subtotals::subtotals),
    ("sessions", 1.0, sessions::sessions),
    ("cohorts", 1.0, cohorts::cohorts),
    ("balance", 1.0, balance::balance),
    ("periods", 1.0, periods::periods),
    ("ageing", 1.2, ageing::ageing),
    ("changes", 2.5, changes::changes),
    ("routing", 1.2, routing::routing),
    ("detail", 1.5, detail::detail),
    ("indicators", 1.2, indicators::indicators),
];

/// Analyses whose rows are those of certain tables of the domain, not those of the question.
const ELSEWHERE: [&str; 3] = ["sources", "reconciliation", "balance"];

/// Draws an analysis that fits a question and is not in `done`, and plans it. Returns its name and its answer; `None`
/// if there is none.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn analyse(
    builder: &mut PlanBuilder<'_>,
    inquiry: AnalysisRequest<'_>,
    done: &[&'static str],
) -> Result<Option<(&'static str, Analysis)>, minijinja::Error> {
    let mut open: Vec<(&str, f64, Analyse)> = ANALYSES.to_vec();
    // A further report is on the same rows as the first.
    let further = !done.is_empty();
    open.retain(|(name, _, _)| !done.contains(name) && (!further || !ELSEWHERE.contains(name)));
    for round in 0..open.len() {
        let draw = inquiry.draw.nth("analysis", round);
        let factor = |name: &str| builder.analyses.get(name).copied().unwrap_or(1.0);
        let weights: Vec<f64> = open.iter().map(|(name, weight, _)| *weight * factor(name)).collect();
        let Some(place) = draw.weighted(&weights) else { break };
        let (name, _, plan) = open.remove(place);
        if let Some(answer) = plan(builder, AnalysisRequest { draw: draw.at(name), ..inquiry })? {
            return Ok(Some((name, answer)));
        }
    }
    Ok(None)
}
