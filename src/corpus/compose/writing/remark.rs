//! Remarks between the lines of a script: who asked, when, what is open, what was tried.

use serde::Deserialize;

use super::history::dated;
use crate::corpus::compose::draw::Draw;

/// Remarks, as data: `templates/comment/remark.yaml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remarks {
    /// Formats of ticket numbers, with `{number}`.
    tickets: Vec<String>,
    english: RemarkLines,
    chinese: RemarkLines,
}

/// The remarks of one language, by place.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RemarkLines {
    /// Before a step that has a name: who else reads it, why it stands alone.
    named: Vec<String>,
    /// Before any step.
    step: Vec<String>,
    /// Before a condition.
    condition: Vec<String>,
    /// Before a condition, another one as if it had been tried and commented out.
    test: Vec<String>,
    /// At the end of a statement.
    last: Vec<String>,
}

/// What remarks may name.
#[derive(Clone, Debug, Default)]
pub struct RemarkFacts {
    /// Who reads the report.
    pub reader: String,
    /// Who owns the script.
    pub team: String,
    /// The business date, `yyyy-MM-dd`.
    pub date: String,
    /// Who works on the script.
    pub people: Vec<String>,
    /// The tables that the script reads, without their databases.
    pub inputs: Vec<String>,
    /// The columns of its results.
    pub columns: Vec<String>,
    /// Whether these people write Chinese.
    pub is_chinese: bool,
}

/// A step before which a remark stands.
pub(super) struct RemarkedStep {
    /// Whether it has a name.
    pub is_named: bool,
    /// The tables that it reads, without their databases.
    pub inputs: Vec<String>,
}

/// The remarks of one script.
#[derive(Clone, Debug, Default)]
pub struct ScriptRemarks {
    tickets: Vec<String>,
    lines: RemarkLines,
    facts: RemarkFacts,
}

impl Remarks {
    /// Returns the remarks of a script, in its language.
    pub fn of_script(&self, facts: RemarkFacts, draw: Draw) -> ScriptRemarks {
        let lines = if facts.is_chinese { &self.chinese } else { &self.english };
        // A script has one format of ticket numbers.
        let tickets = draw.at("tickets").pick(&self.tickets).cloned().into_iter().collect();
        ScriptRemarks { tickets, lines: lines.clone(), facts }
    }
}

impl ScriptRemarks {
    /// Returns a remark before a step; it names no table that the step does not read.
    pub(super) fn step(&self, step: &RemarkedStep, draw: Draw) -> String {
        let named = self.lines.named.iter().filter(|_| step.is_named);
        let lines = named.chain(&self.lines.step).filter(|line| !step.inputs.is_empty() || !line.contains("{input}"));
        let input = draw.at("input").pick(&step.inputs).map_or("", String::as_str);
        let lines: Vec<String> = lines.map(|line| line.replace("{input}", input)).collect();
        self.filled(&lines, draw)
    }

    /// Returns a remark before a condition on a column.
    pub(super) fn condition(&self, column: &str, draw: Draw) -> String {
        let name = column.rsplit('.').next().unwrap_or(column);
        self.filled(&self.lines.condition, draw).replace("{column}", name)
    }

    /// Returns a condition on a column of days as if it had been tried and commented out.
    pub(super) fn test(&self, column: &str, draw: Draw) -> String {
        self.filled(&self.lines.test, draw).replace("{column}", column)
    }

    /// Returns a remark at the end of a statement.
    pub(super) fn last(&self, draw: Draw) -> String {
        self.filled(&self.lines.last, draw)
    }

    fn filled(&self, lines: &[String], draw: Draw) -> String {
        let line = draw.at("line").pick(lines).cloned().unwrap_or_default();
        let number = draw.at("number").between(118, 9870).to_string();
        let ticket = self.tickets.first().map(|ticket| ticket.replace("{number}", &number)).unwrap_or_default();
        let who = draw.at("who").pick(&self.facts.people).cloned().unwrap_or_default();
        let input = draw.at("input").pick(&self.facts.inputs).cloned().unwrap_or_default();
        let figure = draw.at("figure").pick(&self.facts.columns).cloned().unwrap_or_default();
        let date = dated(&self.facts.date, draw.at("days").between(4, 400));
        line.replace("{ticket}", &ticket)
            .replace("{who}", &who)
            .replace("{date}", &date)
            .replace("{month}", date.get(..7).unwrap_or(&date))
            .replace("{input}", &input)
            .replace("{figure}", &figure)
            .replace("{reader}", &self.facts.reader)
            .replace("{team}", &self.facts.team)
    }
}
