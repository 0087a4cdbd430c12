//! Header comments of composed scripts: what a script is for, who wrote and changed it, and when.

use chrono::{Datelike, Days, NaiveDate};
use serde::Deserialize;

use crate::corpus::compose::draw::Draw;

/// Lines of headers, as data: `templates/comment/header.yaml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// People, by name or initials.
    people: Vec<String>,
    /// Ways to write a header; each has one language.
    forms: Vec<HeaderForm>,
}

/// One way to write a header. `{team}`, `{reader}`, `{title}`, `{purpose}`, `{table}`, `{input}`, `{date}`, `{who}`,
/// `{what}`, `{column}` and `{source}` are filled in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderForm {
    weight: f64,
    /// Lines above the changes.
    top: Vec<String>,
    /// One change.
    change: String,
    /// What the first change may have been.
    first: Vec<String>,
    /// What later changes may have been.
    later: Vec<String>,
}

/// What a header is about.
#[derive(Debug)]
pub struct HeaderSubject<'a> {
    /// The first table that the script fills; `None` for a plain query.
    pub table: Option<String>,
    /// Title of the report.
    pub title: String,
    /// Who owns the script.
    pub team: String,
    /// Who reads the report.
    pub reader: &'a str,
    /// What it is for: `see which stores lose sales`.
    pub purpose: &'a str,
    /// Full names of the tables that the script reads.
    pub inputs: Vec<String>,
    /// Names of the columns of its results that may have been added later.
    pub columns: Vec<String>,
    /// Who works on the script.
    pub people: Vec<String>,
    /// Which of several files it heads: they share the form of their headers, and have changes of their own.
    pub step: Option<usize>,
}

/// Returns the line, or one for each input if it has `{input}`, all but the first with blanks before the input.
fn for_each_input(line: &str, inputs: &[String]) -> Vec<String> {
    let Some(place) = line.find("{input}") else { return vec![line.to_owned()] };
    let lead = &line[..place];
    let blank = " ".repeat(lead.chars().count());
    let written = |(number, input): (usize, &String)| format!("{}{input}", if number == 0 { lead } else { &blank });
    inputs.iter().enumerate().map(written).collect()
}

/// Returns the workday that lies so many days before `date` (`yyyy-MM-dd`), or up to two more.
pub(super) fn dated(date: &str, days: usize) -> String {
    date.parse::<NaiveDate>().map_or_else(|_| date.to_owned(), |day| workday(day, days).to_string())
}

fn workday(date: NaiveDate, days: usize) -> NaiveDate {
    let day = date.checked_sub_days(Days::new(days as u64)).unwrap_or(date);
    let since_friday = day.weekday().num_days_from_monday().saturating_sub(4);
    day.checked_sub_days(Days::new(since_friday.into())).unwrap_or(day)
}

impl History {
    /// Draws one to three people who work on one script, of the six that the company has in all scripts.
    pub fn people(&self, company: &str, draw: Draw) -> Vec<String> {
        let known: Vec<String> = Draw::new(0, 0).at(company).shuffled(&self.people).into_iter().take(6).collect();
        draw.shuffled(&known).into_iter().take(draw.at("many").between(1, 3)).collect()
    }

    /// Returns the lines of a header without comment marks; all changes lie before the business date (`yyyy-MM-dd`).
    pub fn header(&self, about: &HeaderSubject<'_>, date: &str, draw: Draw) -> Vec<String> {
        // A plain query fills no table that its header could name.
        let fits = |form: &&HeaderForm| about.table.is_some() || !form.top.iter().any(|line| line.contains("{table}"));
        let forms: Vec<&HeaderForm> = self.forms.iter().filter(fits).collect();
        let weights: Vec<f64> = forms.iter().map(|form| form.weight).collect();
        let Some(form) = draw.at("form").weighted(&weights).and_then(|place| forms.get(place)) else {
            return vec![about.title.clone()];
        };
        let names_table = form.top.iter().any(|line| line.contains("{table}"));
        let mut lines: Vec<String> = about.table.iter().filter(|_| !names_table).cloned().collect();
        let plain = |text: &String| {
            let table = about.table.as_deref().unwrap_or_default();
            text.replace("{title}", &about.title)
                .replace("{team}", &about.team)
                .replace("{reader}", about.reader)
                .replace("{purpose}", about.purpose)
                .replace("{table}", table)
        };
        lines.extend(form.top.iter().map(plain).flat_map(|line| for_each_input(&line, &about.inputs)));
        let Ok(mut day) = date.parse::<NaiveDate>() else { return lines };
        let mut changes = Vec::new();
        let draw = about.step.map_or(draw, |step| draw.nth("step", step));
        let count = draw.at("changes").below(5);
        let later = draw.at("later").shuffled(&form.later);
        for number in 0..count {
            let draw = draw.nth("change", number);
            // Most changes come in the first weeks, some years later.
            let most = draw.at("most").one_of([30, 190, 700]);
            day = workday(day, draw.at("days").between(3, most));
            // The changes are written from the last to the first.
            let first = || draw.at("what").pick(&form.first);
            let what = if number + 1 == count { first() } else { later.get(number % later.len().max(1)) };
            let what = what.cloned().unwrap_or_default();
            let column = draw.at("column").pick(&about.columns).cloned().unwrap_or_default();
            let who = draw.at("who").pick(&about.people).cloned().unwrap_or_default();
            let source = draw.at("source").pick(&about.inputs).cloned().unwrap_or_default();
            let source = source.rsplit('.').next().unwrap_or_default();
            let what = what.replace("{column}", &column).replace("{source}", source);
            let line = form.change.replace("{date}", &day.to_string()).replace("{who}", &who);
            changes.push(plain(&line.replace("{what}", &what)));
        }
        lines.extend(changes.into_iter().rev());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::dated;

    #[test]
    fn people_write_on_workdays() {
        // 2024-03-15 is a Friday.
        for (days, expected) in [(1, "2024-03-14"), (5, "2024-03-08"), (6, "2024-03-08"), (7, "2024-03-08")] {
            assert_eq!(dated("2024-03-15", days), expected, "{days}");
        }
        assert_eq!(dated("no date", 3), "no date");
    }
}
