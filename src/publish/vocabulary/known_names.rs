//! What is known of the columns and tables of one script.

use std::collections::{BTreeMap, BTreeSet};

use super::Vocabulary;
use super::rewording::{shortened, without_repeated_words};
use crate::corpus::Dictionary;

/// What the columns and tables of one script are called; all names in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownNames {
    pub columns: BTreeMap<String, String>,
    /// Columns of the tables that the script reads, by table and name.
    pub read: BTreeMap<(String, String), String>,
    /// Columns of the results, by name.
    pub written: BTreeMap<String, String>,
    /// The same as who reads the results says them.
    pub said: BTreeMap<String, String>,
    pub tables: BTreeMap<String, String>,
    /// Output columns that may be added up; `None` if only their names can tell.
    pub additive: Option<BTreeSet<String>>,
    /// What the results are called, by table.
    pub reports: BTreeMap<String, String>,
    /// The same as who reads the results says it.
    pub titles: BTreeMap<String, String>,
    /// Columns that make a row of a result unique, by table.
    pub grain: BTreeMap<String, Vec<String>>,
    /// Columns by which the rows of a result are grouped, by table, where no more is known of it.
    pub grouped: BTreeMap<String, Vec<String>>,
    /// Tables that the script reads.
    pub read_tables: BTreeSet<String>,
}

impl Vocabulary {
    /// Returns the vocabulary with what a dictionary says of a script's columns and tables. Where it knows the tables,
    /// flags read as answers.
    #[must_use]
    pub fn naming(&self, dictionary: &Dictionary) -> Vocabulary {
        let tables = dictionary.tables.iter().map(|(name, entry)| (name.clone(), entry.many.clone())).collect();
        let additive = (!dictionary.outputs.is_empty()).then(|| dictionary.additive.clone());
        let entries = dictionary.tables.iter().flat_map(|(table, entry)| {
            entry.columns.iter().map(move |(name, column)| ((table.clone(), name.clone()), column.words.clone()))
        });
        let read = entries.filter(|(_, words)| self.is_name(words)).collect();
        let written = dictionary.outputs.clone().into_iter().filter(|(_, words)| self.is_name(words)).collect();
        let written: BTreeMap<String, String> = written;
        let said = shortened(&self.shorter_columns, &without_repeated_words(&written));
        let titles = shortened(&self.shorter_titles, &dictionary.reports);
        let (columns, reports) = (self.known_columns(dictionary), dictionary.reports.clone());
        let grain = dictionary.grain.clone();
        let known = KnownNames {
            columns,
            read,
            written,
            said,
            tables,
            additive,
            reports,
            titles,
            grain,
            ..KnownNames::default()
        };
        let value = if known.tables.is_empty() { self.value.clone() } else { self.value.with_answers() };
        Vocabulary { known, value, ..self.clone() }
    }

    /// Words of columns by name: those of the output, else those on which all tables with such a column agree.
    fn known_columns(&self, dictionary: &Dictionary) -> BTreeMap<String, String> {
        let mut words: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, entry) in dictionary.tables.values().flat_map(|table| &table.columns) {
            words.entry(name).or_default().insert(&entry.words);
        }
        let agreed = words.into_iter().filter(|(_, words)| words.len() == 1);
        let read =
            agreed.flat_map(|(name, words)| words.into_iter().map(move |words| (name.to_owned(), words.to_owned())));
        let written = dictionary.outputs.iter().map(|(name, words)| (name.clone(), words.clone()));
        read.chain(written).filter(|(_, words)| self.is_name(words)).collect()
    }

    /// Whether the known words of a column can serve as its name: `whether …` cannot.
    fn is_name(&self, words: &str) -> bool {
        let first = words.split_whitespace().next().unwrap_or_default();
        !first.is_empty() && !self.no_names.iter().any(|word| word == first)
    }
}
