//! What an analysis is asked for, and how much of it.

use super::super::domain::BusinessQuestion;
use super::super::draw::Draw;
use super::super::fact_figures::FactSize;

/// How much an analysis does.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisSize {
    /// Facts, each with figures of its own.
    pub facts: usize,
    /// What is done with each fact.
    pub fact_size: FactSize,
    /// Bounds the number of figures made of other figures.
    pub derive: usize,
}

impl AnalysisSize {
    /// Draws how much an analysis of about so many lines does.
    pub fn of(lines: f64, draw: Draw) -> AnalysisSize {
        let units = (lines / 50.0).max(1.0);
        let facts = (units * 0.75).round().clamp(2.0, 10.0) as usize;
        let each = lines / facts as f64;
        let fact_size = FactSize {
            clean: draw.at("clean").below(3),
            rules: *draw.at("rules").pick(&[0, 1, 1, 1, 2, 2]).unwrap_or(&1),
            enrich: draw.at("enrich").one_of([0, 1, 1, 2, 2, 3]),
            row: draw.at("row").below(3),
            measures: ((each / 15.0).round() as usize).clamp(2, 30),
        };
        AnalysisSize { facts, fact_size, derive: draw.at("derive").between(2, 3 + (units as usize).min(6)) }
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
