//! What people call columns.

use super::Vocabulary;
use super::rewording::reworded;
use super::words::filled;

impl Vocabulary {
    /// Returns what people call a column of a table that the script reads; `None` if nothing is known of it.
    pub fn read_column(&self, table: &str, name: &str) -> Option<String> {
        self.known.read.get(&(table.to_lowercase(), name.to_lowercase())).cloned()
    }

    /// Returns what people call a column that the script computes: what is known of it, else its name in words. `None`
    /// if the tables are known but this column is not: then its name was made for programs.
    pub fn computed_column(&self, name: &str) -> Option<String> {
        match self.known.written.get(&name.to_lowercase()) {
            None if self.knows_tables() => None,
            None => Some(self.column(name)),
            words => words.cloned(),
        }
    }

    /// Whether the values of an output column may be added up; `None` if nothing is known of the output.
    pub fn is_additive(&self, name: &str) -> Option<bool> {
        self.known.additive.as_ref().map(|additive| additive.contains(&name.to_lowercase()))
    }

    /// Returns the sentence with each name between backquotes put into words.
    pub fn in_words(&self, sentence: &str) -> String {
        let parts = sentence.split('`').enumerate();
        parts.map(|(at, part)| if at % 2 == 1 { self.column(part) } else { part.to_owned() }).collect()
    }

    /// Returns what is known of a column as its name in words; `None` if nothing is.
    pub fn known_column(&self, name: &str) -> Option<&String> {
        self.known.columns.get(&name.to_lowercase())
    }

    /// Returns what a user calls a column: what is known of it, else its name, in words where others are.
    pub fn column(&self, name: &str) -> String {
        if let Some(words) = self.known_column(name) {
            return words.clone();
        }
        if self.cites_names() && is_identifier(name) {
            return name.to_owned();
        }
        match name.strip_prefix("is_").or_else(|| name.strip_prefix("has_")) {
            Some(property) => filled(&self.flag, &[("name", &self.plain(property))]),
            None => self.plain(name),
        }
    }

    /// Returns what who reads the results calls a column of them: in fewer words than [`Vocabulary::column`] where these
    /// still name it alone, by its name where there are words for the others and none for it.
    fn said_column(&self, name: &str) -> String {
        match self.known.said.get(&name.to_lowercase()) {
            Some(words) => words.clone(),
            None if self.known.written.is_empty() || self.known_column(name).is_some() => self.column(name),
            None => filled(&self.column_by_name, &[("name", name)]),
        }
    }

    /// Returns what who reads the results calls a column of them, counted from 0: by its place if it has no name.
    pub fn result_column(&self, name: &str, position: usize) -> String {
        match self.report.places.get(position) {
            Some(place) if self.cites_names() && !is_identifier(name) => self.column_at(place),
            _ => self.said_column(name),
        }
    }

    /// Returns what columns without a name are called, by their places.
    pub fn nth_columns(&self) -> impl Iterator<Item = String> + '_ {
        self.report.places.iter().map(|place| self.column_at(place))
    }

    fn column_at(&self, place: &str) -> String {
        filled(&self.nth_column, &[("place", place)])
    }

    /// Returns the name of a column as a sentence holds it: with an article if it is put into words.
    pub fn in_sentence(&self, column: &str) -> String {
        if self.cites_names() { column.to_owned() } else { filled(&self.column, &[("name", column)]) }
    }

    /// Returns what the figures of a column add up to, as a sentence holds it.
    pub fn sum(&self, column: &str) -> String {
        reworded(&self.sums, &self.in_sentence(column))
    }
}

/// Whether a column has a name: one without an alias is called by its expression.
pub fn is_identifier(name: &str) -> bool {
    name.chars().all(|sign| sign.is_alphanumeric() || sign == '_')
}
