//! Header comments: what a script is for, who wrote and changed it, and when.

use chrono::{Days, NaiveDate};
use serde::Deserialize;

use crate::corpus::compose::draw::Draw;

/// Lines of headers, as data: `templates/comment/header.yaml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// People, by name or initials.
    people: Vec<String>,
    /// Ways to write a header; each has one language.
    forms: Vec<Form>,
}

/// One way to write a header. `{team}`, `{reader}`, `{title}`, `{date}`, `{who}`, `{what}` and `{column}` are filled in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    weight: f64,
    /// Lines above the changes.
    top: Vec<String>,
    /// One change.
    change: String,
    /// What the first change was.
    first: Vec<String>,
    /// What later changes were.
    later: Vec<String>,
}

/// What a header is about.
#[derive(Debug)]
pub struct HeaderSubject<'a> {
    /// The table that the script fills.
    pub table: Option<String>,
    /// Title of the report.
    pub title: String,
    /// Who owns the script.
    pub team: String,
    /// Who reads the report.
    pub reader: &'a str,
    /// Names of the columns of its results.
    pub columns: Vec<String>,
}

impl History {
    /// The lines of a header; all changes were made before the business date (`yyyy-MM-dd`).
    pub fn header(&self, about: &HeaderSubject<'_>, date: &str, draw: Draw) -> Vec<String> {
        let weights: Vec<f64> = self.forms.iter().map(|form| form.weight).collect();
        let Some(form) = draw.at("form").weighted(&weights).and_then(|place| self.forms.get(place)) else {
            return vec![about.title.clone()];
        };
        let mut lines: Vec<String> = about.table.iter().cloned().collect();
        let plain = |text: &String| {
            text.replace("{title}", &about.title).replace("{team}", &about.team).replace("{reader}", about.reader)
        };
        lines.extend(form.top.iter().map(plain));
        let Ok(mut day) = date.parse::<NaiveDate>() else { return lines };
        let mut changes = Vec::new();
        let count = draw.at("changes").below(5);
        for number in 0..count {
            let draw = draw.nth("change", number);
            day = day.checked_sub_days(Days::new(draw.at("days").between(3, 190) as u64)).unwrap_or(day);
            let whats = if number + 1 == count { &form.first } else { &form.later };
            let what = draw.at("what").pick(whats).cloned().unwrap_or_default();
            let column = draw.at("column").pick(&about.columns).cloned().unwrap_or_default();
            let who = draw.at("who").pick(&self.people).cloned().unwrap_or_default();
            let line = form.change.replace("{date}", &day.to_string()).replace("{who}", &who);
            changes.push(plain(&line.replace("{what}", &what.replace("{column}", &column))));
        }
        lines.extend(changes.into_iter().rev());
        lines
    }
}
