//! The words from which complaints put together figures, names and rules: `templates/complaint/words.yaml`.

mod rewording;
mod words;
mod known_names;
mod columns;
mod tables;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use self::columns::is_identifier;
use self::known_names::KnownNames;
use self::rewording::{Rewording, reworded};
pub use self::words::{
    BesidesWords, BoundaryWords, ConditionWords, DefaultWords, DeviationWords, DirectionWords, KeyWords, ListWords,
    ReportWords, RowWords, TimesWords, ValueWords,
};
pub(super) use self::words::{filled, is_read_on};
use super::grain::grouped_by;
use super::template::Template;
use crate::code::scope::RelationSource;
use crate::prove::Subject;
use crate::store::yaml::{YamlError, read_yaml};

/// Words and small templates; the file says what each is for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "`templates/complaint/words.yaml` documents each field where its words stand")]
pub struct Vocabulary {
    pub value: ValueWords,
    pub row: String,
    pub some_rows: String,
    pub most_rows: String,
    pub besides: BesidesWords,
    pub subtotals: Vec<String>,
    pub placeholders: Vec<String>,
    pub rows: RowWords,
    pub times: TimesWords,
    pub key: KeyWords,
    pub plurals: Vec<Rewording>,
    pub sums: Vec<Rewording>,
    /// Numbers of faults, from two on.
    pub faults: Vec<String>,
    pub list: ListWords,
    pub rules: Template,
    pub report: ReportWords,
    pub no_names: Vec<String>,
    pub flag: Template,
    pub nth_column: Template,
    pub column_by_name: Template,
    pub column: Template,
    pub shorter_columns: Vec<Rewording>,
    pub shorter_titles: Vec<Rewording>,
    pub abbreviations: BTreeMap<String, String>,
    pub default: DefaultWords,
    pub boundary: BoundaryWords,
    pub direction: DirectionWords,
    pub deviation: DeviationWords,
    pub correction: DeviationWords,
    pub separators: BTreeMap<String, String>,
    pub condition: ConditionWords,
    /// What the columns and tables of one script are called; see [`Vocabulary::naming`].
    #[serde(skip)]
    known: KnownNames,
}

/// Returns a value in lower case, without the signs around it.
fn bare(value: &str) -> String {
    value.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}

impl Vocabulary {
    /// Reads the file's text.
    ///
    /// # Errors
    ///
    /// When a field is missing or unknown, or a template uses a variable that is not known at its place.
    pub fn read(text: &str) -> Result<Vocabulary, YamlError> {
        let vocabulary: Vocabulary = read_yaml(text)?;
        match vocabulary.templates().into_iter().find(|(template, known)| template.fill(&sample(known)).is_err()) {
            None => Ok(vocabulary),
            Some((template, known)) => Err(YamlError {
                line: 1,
                column: 1,
                message: format!("`{}` may use {} only", template.text(), known.join(", ")),
            }),
        }
    }

    fn templates(&self) -> Vec<(&Template, &'static [&'static str])> {
        let Vocabulary { rows, times, key, rules, report, flag, nth_column, column_by_name, column, condition, .. } =
            self;
        let ConditionWords { equal, not_equal, less, less_or_equal, greater, greater_or_equal, .. } = condition;
        let ConditionWords { between, filled, missing, .. } = condition;
        let compared = [equal, not_equal, less, less_or_equal, greater, greater_or_equal];
        let mut templates: Vec<(&Template, &[&str])> = vec![
            (&rows.several, &["count"]),
            (&times.several, &["count"]),
            (&key.part, &["name", "value"]),
            (&key.column, &["name", "value"]),
            (&key.day, &["key", "day"]),
            (rules, &["first", "next"]),
            (nth_column, &["place"]),
            (column_by_name, &["name"]),
            (&report.of, &["title"]),
            (&report.on, &["title"]),
            (&report.list, &["title"]),
            (&report.named, &["table"]),
            (&report.other, &["table"]),
            (&report.nth, &["place"]),
            (&report.nth_file, &["place"]),
            (flag, &["name"]),
            (column, &["name"]),
            (between, &["column", "low", "high"]),
            (filled, &["column"]),
            (missing, &["column"]),
        ];
        templates.extend(compared.map(|template| (template, &["column", "value"][..])));
        templates
    }

    /// Returns the vocabulary with what is known of a script: what its dictionary says of columns and tables, and which
    /// tables it reads.
    #[must_use]
    pub fn of_script(&self, subject: &Subject<'_>) -> Vocabulary {
        let read = subject.scopes.relations().filter_map(|(_, relation)| match &relation.source {
            RelationSource::Table(name) | RelationSource::Written(name) => Some(name.to_lowercase()),
            _ => None,
        });
        let mut vocabulary = self.naming(&subject.reference.dictionary);
        vocabulary.known.read_tables = read.collect();
        if vocabulary.known.grain.is_empty() {
            vocabulary.known.grouped = grouped_by(&subject.bound, &subject.scopes, &subject.reference.schema);
        }
        vocabulary
    }

    /// Whether the script reads a table.
    pub fn is_read(&self, table: &str) -> bool {
        self.known.read_tables.contains(&table.to_lowercase())
    }

    /// Whether anything is known of a script's tables.
    pub fn knows_tables(&self) -> bool {
        !self.known.tables.is_empty()
    }

    /// Whether complaints cite names as the script writes them: nothing is known of its tables, and a name put into words
    /// by rule reads like neither.
    pub fn cites_names(&self) -> bool {
        !self.knows_tables()
    }

    /// Returns the words of a name, or of an expression that has none: without underscores and other signs, without days such
    /// as `20240315`, and with abbreviations written out.
    fn plain(&self, name: &str) -> String {
        let is_day = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit());
        let words = name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty() && !is_day(word));
        let written = words.map(|word| self.abbreviations.get(word).map_or(word, String::as_str));
        written.collect::<Vec<_>>().join(" ")
    }

    /// Returns the plural of what a row is, such as `shops` of `shop`.
    pub fn plural(&self, name: &str) -> String {
        reworded(&self.plurals, name)
    }

    /// Whether a value in a key says that its row adds up others.
    pub fn is_subtotal(&self, value: &str) -> bool {
        self.subtotals.contains(&bare(value))
    }

    /// Whether a value in a key says that it is not known what its row is.
    pub fn is_placeholder(&self, value: &str) -> bool {
        self.placeholders.contains(&bare(value))
    }

    /// Returns a number of rows in words.
    pub fn row_count(&self, count: usize) -> String {
        match count {
            0 => self.rows.none.clone(),
            1 => self.rows.one.clone(),
            count => filled(&self.rows.several, &[("count", &count.to_string())]),
        }
    }

    /// Returns a number of faults in words.
    pub fn fault_count(&self, count: usize) -> String {
        let words = count.checked_sub(2).and_then(|at| self.faults.get(at));
        words.cloned().unwrap_or_else(|| count.to_string())
    }

    /// Returns in words how often a row occurs; `count` is at least 1.
    pub fn times(&self, count: usize) -> String {
        match count {
            1 => self.times.one.clone(),
            2 => self.times.two.clone(),
            count => filled(&self.times.several, &[("count", &count.to_string())]),
        }
    }

    /// Returns the items as a list in a sentence, with `last` before the last one.
    pub fn listed(&self, items: &[String], last: &str) -> String {
        match items {
            [] => String::new(),
            [one] => one.clone(),
            [head @ .., end] => format!("{}{last}{end}", head.join(&self.list.separator)),
        }
    }
}

fn sample(known: &[&str]) -> BTreeMap<String, String> {
    known.iter().map(|name| ((*name).to_owned(), "x".to_owned())).collect()
}

#[cfg(test)]
mod tests;
