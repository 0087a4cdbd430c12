//! The problems of a domain model, noted one by one.

use super::super::model::{Domain, Table};

/// Something wrong with a model.
#[derive(Debug, PartialEq, Eq)]
pub struct ModelProblem {
    /// The YAML keys that lead to it, outermost first.
    pub at: Vec<String>,
    /// What is wrong and what was expected.
    pub message: String,
}

pub(super) struct ModelChecker<'a> {
    pub(super) domain: &'a Domain,
    pub(super) found: Vec<ModelProblem>,
}

impl<'a> ModelChecker<'a> {
    /// Notes a problem at the end of `at`, a path with dots.
    pub(super) fn wrong(&mut self, at: &str, message: impl Into<String>) {
        let at = at.split('.').map(str::to_owned).collect();
        self.found.push(ModelProblem { at, message: message.into() });
    }

    /// Notes a problem unless `holds`.
    pub(super) fn expect(&mut self, holds: bool, at: &str, message: impl FnOnce() -> String) {
        if !holds {
            self.wrong(at, message());
        }
    }

    /// Splits `table.part`; `None`, with a problem noted, if there is no such table.
    pub(super) fn split(&mut self, at: &str, path: &'a str) -> Option<(&'a Table, &'a str)> {
        let Some((table, part)) = path.split_once('.') else {
            self.wrong(at, format!("`{path}` is not of the form `table.name`"));
            return None;
        };
        let found = self.domain.tables.get(table);
        self.expect(found.is_some(), at, || format!("there is no table `{table}`"));
        Some((found?, part))
    }

    /// Expects that `table.figure` exists; with `count`, `table.count`, the number of rows, will do.
    pub(super) fn figure(&mut self, at: &str, path: &'a str, count: bool) {
        if let Some((table, figure)) = self.split(at, path) {
            let holds = table.figures.has(figure) || (count && figure == "count");
            self.expect(holds, at, || format!("there is no figure `{path}`"));
        }
    }

    /// Expects a text for people: not empty, no blanks at its ends, no full stop.
    pub(super) fn words(&mut self, at: &str, words: &str) {
        let tidy = !words.trim().is_empty() && words.trim() == words && !words.ends_with('.');
        self.expect(tidy, at, || "words for people are not empty and do not end with a full stop".to_owned());
    }

    /// Expects a name for SQL: a letter first, then lower case, digits and underscores, at most 30 in all.
    pub(super) fn name(&mut self, at: &str, name: &str) {
        let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        let tidy = letters && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= 30;
        self.expect(tidy, at, || format!("`{name}` is not a name: lower case, digits and underscores, at most 30"));
    }
}
