//! What spans several tables: ratios, records of the same kind of thing, ledgers that agree, funnels, questions.

use serde::Deserialize;

use super::listed::Listed;

/// A figure divided by another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// What people call it: `share of returned units`.
    pub words: String,
    /// `table.figure` or `table.count`.
    pub top: String,
    /// `table.figure` or `table.count`.
    pub bottom: String,
}

/// Tables that record the same kind of thing.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Similar {
    /// Singular of the common thing: `sale`.
    pub one: String,
    /// Plural.
    pub many: String,
    /// For each table, common names and the columns (or SQL over `{column}`) that give them; the same names in each.
    pub tables: Listed<Listed<String>>,
    /// For each table, the code that marks its rows, such as `TILL`.
    pub marks: Listed<String>,
}

/// Two tables whose figures should agree.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reconciliation {
    /// What is compared, for people: `till takings and card settlements`.
    pub words: String,
    /// `table.figure`.
    pub left: String,
    /// `table.figure`.
    pub right: String,
    /// Columns of the left table and columns of the right one by which rows are compared.
    pub r#match: Listed<String>,
    /// Greatest difference with which the figures still agree; whether it belongs to them is a decision.
    pub tolerance: f64,
}

/// Steps through which an entity passes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityFunnel {
    /// What it is: `from app visit to purchase`.
    pub words: String,
    /// The entity that passes through it.
    pub entity: String,
    /// At least three steps, in order.
    pub steps: Listed<FunnelStep>,
}

/// One step of a funnel.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunnelStep {
    /// What it means: `opened the app`.
    pub words: String,
    /// Event table.
    pub table: String,
    /// Column with the entity.
    pub entity: String,
    /// Column with the moment.
    pub time: String,
    /// SQL over `{column}` that is true for rows of the step; if absent, every row is one.
    pub when: Option<String>,
}

/// A report that people of the business ask for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusinessQuestion {
    /// Title of the report: `weekly scorecard of stores`.
    pub title: String,
    /// Who needs it: `regional managers`.
    pub reader: String,
    /// What it is for, as a purpose: `see which stores lose sales to returns and empty shelves`.
    pub purpose: String,
    /// The entity that a row of the report is about.
    pub subject: String,
    /// Event and snapshot tables whose figures it needs; each reaches the subject through references.
    pub facts: Vec<String>,
    /// The kinds of analysis that answer it; empty if any will do.
    #[serde(default)]
    pub answers: Vec<String>,
    /// The stories that suit it; empty if any will do.
    #[serde(default)]
    pub stories: Vec<String>,
    /// `table.figure` of each figure that the report is to show; empty if any will do.
    #[serde(default)]
    pub figures: Vec<String>,
}

impl BusinessQuestion {
    /// Returns the facts of which it asks for figures; all of them if it asks for none.
    pub fn asked_facts(&self) -> Vec<&String> {
        let is_asked =
            |fact: &&String| self.figures.iter().any(|figure| figure.split('.').next() == Some(fact.as_str()));
        let asked: Vec<&String> = self.facts.iter().filter(is_asked).collect();
        if asked.is_empty() { self.facts.iter().collect() } else { asked }
    }

    /// Whether it is about all tables that record the same kind of thing.
    pub fn has_similar(&self, similar: &Similar) -> bool {
        similar.tables.names().all(|table| self.facts.iter().any(|fact| fact == table))
    }

    /// Whether it is about both tables whose figures should agree.
    pub fn has_both_sides(&self, sides: &Reconciliation) -> bool {
        let is_fact = |path: &str| self.facts.iter().any(|fact| Some(fact.as_str()) == path.split('.').next());
        is_fact(&sides.left) && is_fact(&sides.right)
    }
}

/// The kinds of analysis.
pub const ANALYSES: [&str; 14] = [
    "scorecard", "sources", "reconciliation", "features", "subtotals", "sessions", "cohorts", "balance", "periods",
    "ageing", "changes", "routing", "detail", "indicators",
];

/// The stories that a script may tell.
pub const STORIES: [&str; 8] = ["money", "delays", "activity", "mix", "quality", "trend", "risk", "value"];
