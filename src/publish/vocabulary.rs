//! The words from which complaints put together figures, names and rules: `templates/complaint/words.yaml`.

mod rewording;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use self::rewording::{Rewording, reworded, shortened};
use super::template::Template;
use crate::code::scope::RelationSource;
use crate::corpus::Dictionary;
use crate::prove::Subject;
use crate::store::yaml::{YamlError, read_yaml};

/// Words and small templates; the file says what each is for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "`templates/complaint/words.yaml` documents each field where its words stand")]
pub struct Vocabulary {
    pub value: ValueWords,
    pub row: String,
    pub subtotals: Vec<String>,
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

/// What the columns and tables of one script are called; all names in lower case.
#[derive(Clone, Debug, Default)]
struct KnownNames {
    columns: BTreeMap<String, String>,
    /// Columns of the tables that the script reads, by table and name.
    read: BTreeMap<(String, String), String>,
    /// Columns of the results, by name.
    written: BTreeMap<String, String>,
    /// The same as who reads the results says them.
    said: BTreeMap<String, String>,
    tables: BTreeMap<String, String>,
    /// Output columns that may be added up; `None` if only their names can tell.
    additive: Option<BTreeSet<String>>,
    /// What the results are called, by table.
    reports: BTreeMap<String, String>,
    /// The same as who reads the results says it.
    titles: BTreeMap<String, String>,
    /// Columns that make a row of a result unique, by table.
    grain: BTreeMap<String, Vec<String>>,
    /// Tables that the script reads.
    read_tables: BTreeSet<String>,
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Deserialize)]
            #[serde(deny_unknown_fields)]
            #[allow(missing_docs, reason = "`templates/complaint/words.yaml` documents each field where its words stand")]
            pub struct $name {
                $(pub $field: $kind,)*
            }
        )*
    };
}

words! {
    /// A cell of a report.
    ValueWords { yes: String, no: String, empty: String, nothing: String, blank: String }
    /// How many rows.
    RowWords { none: String, one: String, several: Template }
    /// How often a row stands there.
    TimesWords { one: String, two: String, several: Template }
    /// How the key of a row is said, such as "shop 12".
    KeyWords { part: Template, column: Template, separator: String, values: String, day: Template }
    /// Several names or values in a sentence.
    ListWords { last: String, alternative: String, separator: String }
    /// How a user refers to a table.
    ReportWords {
        of: Template, on: Template, list: Template, named: Template, other: Template, result: String, again: String,
        again_first: String, nouns: Vec<String>, listed: Vec<String>, joining: Vec<String>
    }
    /// What stands in for a missing value.
    DefaultWords { zero: String, empty_text: String }
    /// How to say whether the boundary value itself meets a comparison.
    BoundaryWords { included: String, excluded: String }
    /// The direction of an ordering.
    DirectionWords {
        latest_first: String, earliest_first: String, highest_first: String, lowest_first: String,
        alphabetical: String, reverse_alphabetical: String
    }
    /// To which side figures are wrong.
    DeviationWords { too_high: String, too_low: String }
    /// A condition on one column.
    ConditionWords {
        equal: Template, not_equal: Template, less: Template, less_or_equal: Template, greater: Template,
        greater_or_equal: Template, between: Template, filled: Template, missing: Template
    }
}

/// Prefixes of names that mark the layer of a table in a warehouse.
const LAYERS: [&str; 13] =
    ["ods_", "dwd_", "dws_", "dwb_", "dwm_", "dwt_", "ads_", "app_", "dim_", "fct_", "tmp_", "stg_", "rpt_"];
/// Suffixes of names that mark how often a table is filled.
const PERIODS: [&str; 12] = ["_di", "_df", "_hi", "_hf", "_mi", "_mf", "_wi", "_wf", "_1d", "_nd", "_d", "_m"];

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
        let Vocabulary { rows, times, key, rules, report, flag, column, condition, .. } = self;
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
            (&report.of, &["title"]),
            (&report.on, &["title"]),
            (&report.list, &["title"]),
            (&report.named, &["table"]),
            (&report.other, &["table"]),
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
        vocabulary
    }

    /// Whether the script reads a table.
    pub fn is_read(&self, table: &str) -> bool {
        self.known.read_tables.contains(&table.to_lowercase())
    }

    /// Returns the vocabulary with what a dictionary says of a script's columns and tables.
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
        let said = shortened(&self.shorter_columns, &written);
        let titles = shortened(&self.shorter_titles, &dictionary.reports);
        let (columns, reports) = (self.known_columns(dictionary), dictionary.reports.clone());
        let grain = dictionary.grain.clone();
        let read_tables = BTreeSet::new();
        let known = KnownNames { columns, read, written, said, tables, additive, reports, titles, grain, read_tables };
        Vocabulary { known, ..self.clone() }
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

    /// Returns what the results of the script are called, by the tables in lower case that hold them; empty if nothing
    /// is known of them.
    pub fn reports(&self) -> &BTreeMap<String, String> {
        &self.known.reports
    }

    /// Returns the columns, in lower case, that make a row of the table that a script fills unique; empty if they are
    /// not known.
    pub fn grain(&self, table: &str) -> &[String] {
        self.known.grain.get(&table.to_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// Whether anything is known of a script's tables.
    pub fn knows_tables(&self) -> bool {
        !self.known.tables.is_empty()
    }

    /// Returns the sentence with each name between backquotes put into words.
    pub fn in_words(&self, sentence: &str) -> String {
        let parts = sentence.split('`').enumerate();
        parts.map(|(at, part)| if at % 2 == 1 { self.column(part) } else { part.to_owned() }).collect()
    }

    /// Whether complaints cite names as the script writes them: nothing is known of its tables, and a name put into words
    /// by rule reads like neither.
    pub fn cites_names(&self) -> bool {
        !self.knows_tables()
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
        // A column without alias is called by its expression, which is no name.
        if self.cites_names() && name.chars().all(|sign| sign.is_alphanumeric() || sign == '_') {
            return name.to_owned();
        }
        match name.strip_prefix("is_").or_else(|| name.strip_prefix("has_")) {
            Some(property) => filled(&self.flag, &[("name", &self.plain(property))]),
            None => self.plain(name),
        }
    }

    /// Returns what who reads the results calls a column of them: in fewer words than [`Vocabulary::column`] where these
    /// still name it alone.
    pub fn said_column(&self, name: &str) -> String {
        self.known.said.get(&name.to_lowercase()).cloned().unwrap_or_else(|| self.column(name))
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
        let short = name.rsplit('.').next().unwrap_or(name).trim_matches('`');
        if self.cites_names() && !short.is_empty() {
            return short.to_owned();
        }
        let bare = LAYERS.iter().find_map(|layer| short.strip_prefix(layer)).unwrap_or(short);
        let bare = PERIODS.iter().find_map(|period| bare.strip_suffix(period)).unwrap_or(bare);
        if bare.is_empty() { self.report.result.clone() } else { self.plain(bare) }
    }

    /// Returns how a user refers to a table: `table` is what [`Vocabulary::table`] calls it.
    pub fn report(&self, table: &str) -> String {
        if self.cites_names() && table != self.report.result {
            return table.to_owned();
        }
        filled(
            if has_noun(table, &self.report.nouns) { &self.report.named } else { &self.report.other },
            &[("table", table)],
        )
    }

    /// Returns the name of a column as a sentence holds it: with an article if it is put into words.
    pub fn in_sentence(&self, column: &str) -> String {
        if self.cites_names() { column.to_owned() } else { filled(&self.column, &[("name", column)]) }
    }

    /// Returns the plural of what a row is, such as `shops` of `shop`.
    pub fn plural(&self, name: &str) -> String {
        reworded(&self.plurals, name)
    }

    /// Returns what the figures of a column add up to, as a sentence holds it.
    pub fn sum(&self, column: &str) -> String {
        reworded(&self.sums, &self.in_sentence(column))
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

    /// A name with blanks for underscores and for the signs of an expression that names itself, without days such as `20240315`, abbreviations written out.
    fn plain(&self, name: &str) -> String {
        let is_day = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_digit());
        let words = name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty() && !is_day(word));
        let written = words.map(|word| self.abbreviations.get(word).map_or(word, String::as_str));
        written.collect::<Vec<_>>().join(" ")
    }
}

/// Fills a template of the vocabulary; [`Vocabulary::read`] has checked its variables.
pub(super) fn filled(template: &Template, variables: &[(&str, &str)]) -> String {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    template.fill(&variables).unwrap_or_default()
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

fn sample(known: &[&str]) -> BTreeMap<String, String> {
    known.iter().map(|name| ((*name).to_owned(), "x".to_owned())).collect()
}

#[cfg(test)]
mod tests;
