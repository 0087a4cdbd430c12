//! Analyses: the kinds of question that scripts answer, each with a plan of its own.
//!
//! Every analysis takes trustworthy rows (`branch::rows`) and gives one result or more, whose grain is known. What does
//! not fit the tables of a question is refused, and another analysis is drawn.

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

/// How much a script does.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Branches.
    pub branches: usize,
    /// What each does.
    pub effort: BranchSize,
    /// Figures made of figures.
    pub derive: usize,
}

impl Size {
    /// How much an analysis of about so many lines does.
    pub fn of(lines: f64, draw: Draw) -> Size {
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
        Size { branches, effort, derive: draw.at("derive").between(2, 3 + (units as usize).min(6)) }
    }
}

/// What an analysis gives.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Title of the report.
    pub title: String,
    /// What the tables that it fills are called, without layer and period.
    pub name: String,
    /// The results, the main one first.
    pub results: Vec<OpenRelation>,
    /// What follows the name in the tables of the results after the first, where their grain does not say it.
    pub parts: Vec<String>,
}

impl Answer {
    fn new(title: String, name: String, results: Vec<OpenRelation>) -> Answer {
        Answer { title, name, results, parts: Vec::new() }
    }

    /// An answer whose one result is the open block of `relation`.
    fn with(builder: &mut PlanBuilder<'_>, relation: OpenRelation, title: String, name: String) -> Answer {
        let results = vec![steps::result(builder, relation, &title)];
        Answer::new(title, name, results)
    }
}

/// What an analysis is asked for.
#[derive(Clone, Copy)]
pub struct Inquiry<'q> {
    /// The question.
    pub question: &'q BusinessQuestion,
    /// How much of everything the answer has.
    pub size: Size,
    /// Chance.
    pub draw: Draw,
}

/// An answer, `None` if the domain has not what it takes; an error if a template of a pattern cannot be rendered.
type Analysed = Result<Option<Answer>, minijinja::Error>;

/// Plans an analysis.
type Analyse = fn(&mut PlanBuilder<'_>, Inquiry<'_>) -> Analysed;

/// The analyses: name, how often they are drawn, and what plans them.
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

/// Draws an analysis that fits a question and is none of those that are `done`, and plans it; gives its name and what it
/// gives.
///
/// # Errors
///
/// When a pattern's template cannot be rendered.
pub fn analyse(
    builder: &mut PlanBuilder<'_>,
    inquiry: Inquiry<'_>,
    done: &[&'static str],
) -> Result<Option<(&'static str, Answer)>, minijinja::Error> {
    let mut open: Vec<(&str, f64, Analyse)> = ANALYSES.to_vec();
    // What takes its rows from elsewhere is no further report on the same rows.
    let further = !done.is_empty();
    open.retain(|(name, _, _)| !done.contains(name) && (!further || !ELSEWHERE.contains(name)));
    for round in 0..open.len() {
        let draw = inquiry.draw.nth("analysis", round);
        let weights: Vec<f64> = open.iter().map(|(_, weight, _)| *weight).collect();
        let Some(place) = draw.weighted(&weights) else { break };
        let (name, _, plan) = open.remove(place);
        if let Some(answer) = plan(builder, Inquiry { draw: draw.at(name), ..inquiry })? {
            return Ok(Some((name, answer)));
        }
    }
    Ok(None)
}
