//! What people call tables, and the reports that they hold.

use std::collections::BTreeMap;

use super::Vocabulary;
use super::words::filled;
use crate::engine::table::DIRECTORY;
use crate::publish::grain::Grain;

/// Prefixes of names that mark the layer of a table in a warehouse.
const LAYERS: [&str; 13] =
    ["ods_", "dwd_", "dws_", "dwb_", "dwm_", "dwt_", "ads_", "app_", "dim_", "fct_", "tmp_", "stg_", "rpt_"];
/// Suffixes of names that mark how often a table is filled.
const PERIODS: [&str; 12] = ["_di", "_df", "_hi", "_hf", "_mi", "_mf", "_wi", "_wf", "_1d", "_nd", "_d", "_m"];

impl Vocabulary {
    /// Returns what the results of the script are called, by the tables in lower case that hold them; empty if nothing
    /// is known of them.
    pub fn reports(&self) -> &BTreeMap<String, String> {
        &self.known.reports
    }

    /// Returns the columns, in lower case, that make a row of the table that a script fills unique, and whether they are
    /// what it is about; there are none if they are not known.
    pub fn grain(&self, table: &str) -> Grain<'_> {
        let table = table.to_lowercase();
        match self.known.grain.get(&table) {
            Some(columns) => Grain { columns, is_identity: true },
            None => Grain { columns: self.known.grouped.get(&table).map_or(&[], Vec::as_slice), is_identity: false },
        }
    }

    /// Returns the title of the report that a table holds, as short as it can be said; `None` if it is not known.
    pub fn title(&self, table: &str) -> Option<&String> {
        self.known.titles.get(&table.to_lowercase())
    }

    /// Returns what a business user calls the table that a script fills.
    pub fn filled_table(&self, name: &str) -> String {
        match self.title(name).map(|title| uncapitalized(title)) {
            Some(title) if has_noun(&title, &self.report.nouns) => title,
            Some(title) if has_noun(&title, &self.report.listed) => filled(&self.report.list, &[("title", &title)]),
            Some(title) if self.joins(&title) => filled(&self.report.on, &[("title", &title)]),
            Some(title) => filled(&self.report.of, &[("title", &title)]),
            None => self.table(name),
        }
    }

    /// Whether a title has a word or a comma in it that no noun can stand behind, as in "posts against a shop".
    fn joins(&self, title: &str) -> bool {
        let joining = |word: &str| word.ends_with(',') || self.report.joining.iter().any(|joining| joining == word);
        title.split_whitespace().any(joining)
    }

    /// Returns what a user calls a table: what is known of its rows, else its name, in words and without the markers of
    /// layer and period where other names are in words.
    pub fn table(&self, name: &str) -> String {
        if let Some(words) = self.known.tables.get(&name.replace('`', "").to_lowercase()) {
            return words.clone();
        }
        if name.starts_with(DIRECTORY) {
            return self.report.file.clone();
        }
        // A data set may have the name of a path.
        let short = name.rsplit(['.', '/']).next().unwrap_or(name).trim_matches('`');
        if self.cites_names() && !short.is_empty() {
            return short.to_owned();
        }
        let bare = LAYERS.iter().find_map(|layer| short.strip_prefix(layer)).unwrap_or(short);
        let bare = PERIODS.iter().find_map(|period| bare.strip_suffix(period)).unwrap_or(bare);
        if bare.is_empty() { self.report.result.clone() } else { self.plain(bare) }
    }

    /// Returns what a user calls one of several results that have no name, `position` being counted from 0 among those of
    /// its kind: rows that a query gives, or a file.
    pub fn nth_result(&self, position: usize, is_file: bool) -> String {
        let report = &self.report;
        let (one, nth) = if is_file { (&report.file, &report.nth_file) } else { (&report.result, &report.nth) };
        report.places.get(position).map_or_else(|| one.clone(), |place| filled(nth, &[("place", place)]))
    }

    /// Returns what results are called that have no name of their own.
    pub fn nameless(&self) -> impl Iterator<Item = String> + '_ {
        let own = [&self.report.result, &self.report.file].map(String::clone);
        let places = 0..self.report.places.len();
        own.into_iter().chain(places.flat_map(|at| [false, true].map(|is_file| self.nth_result(at, is_file))))
    }

    /// Returns how a user refers to a table: `table` is what [`Vocabulary::table`] calls it.
    pub fn report(&self, table: &str) -> String {
        if self.cites_names() && self.nameless().all(|nameless| nameless != table) {
            return table.to_owned();
        }
        filled(
            if has_noun(table, &self.report.nouns) { &self.report.named } else { &self.report.other },
            &[("table", table)],
        )
    }
}

/// Whether the last word of a name or one of the first two is one of `nouns`.
fn has_noun(name: &str, nouns: &[String]) -> bool {
    let words: Vec<&str> = name.split(' ').collect();
    words.iter().take(2).chain(words.last()).any(|word| nouns.iter().any(|noun| noun == word))
}

/// A title inside a sentence: its first letter in lower case, unless it begins an abbreviation.
fn uncapitalized(title: &str) -> String {
    let mut letters = title.chars();
    match letters.next() {
        Some(first) if !letters.as_str().starts_with(|next: char| next.is_uppercase() || next.is_numeric()) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => title.to_owned(),
    }
}
