//! Analyses: the kinds of question that scripts answer, each with a plan of its own.
//!
//! Every analysis takes cleaned rows (`fact_figures::rows`) and gives one result or more, whose grain is known. One that the
//! tables of a question cannot feed is refused, and another is drawn.

mod request;
mod steps;
mod answer;
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
mod subtotals;

pub use answer::Analysis;
pub use indicators::INDICATOR_CODES;
pub use request::{AnalysisRequest, AnalysisSize};

use super::builder::PlanBuilder;
use answer::AnalysisOutcome;

/// Plans an analysis.
type Analyse = fn(&mut PlanBuilder<'_>, AnalysisRequest<'_>) -> AnalysisOutcome;

/// The analyses: name, weight with which they are drawn, and the function that plans them.
const ANALYSES: [(&str, f64, Analyse); 14] = [
    ("scorecard", 0.7, scorecard::scorecard),
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
    let answers = &inquiry.question.answers;
    let is_answer = |name: &str| answers.is_empty() || answers.iter().any(|answer| answer == name);
    open.retain(|(name, _, _)| is_answer(name) && !done.contains(name) && (!further || !ELSEWHERE.contains(name)));
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

#[cfg(test)]
mod tests {
    use super::ANALYSES;
    use crate::corpus::compose::domain;

    #[test]
    fn questions_may_name_every_analysis() {
        assert_eq!(ANALYSES.map(|(name, _, _)| name), domain::ANALYSES);
    }
}
