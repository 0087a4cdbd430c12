//! The values that templates of a pattern may name.

use std::collections::BTreeMap;

use minijinja::Value;

use crate::corpus::compose::names::as_name;
use crate::corpus::compose::piece::{day, operand};
use crate::corpus::compose::relation::{ColumnMeaning, RelationColumn};

/// Named values for templates.
#[derive(Clone, Debug, Default)]
pub(super) struct TemplateValues {
    values: BTreeMap<String, Value>,
}

impl TemplateValues {
    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.values.insert(name.to_owned(), value.into());
    }

    pub(super) fn map(&mut self, name: &str, entries: BTreeMap<String, String>) {
        self.values.insert(name.to_owned(), Value::from(entries));
    }

    pub(super) fn value(&self) -> Value {
        Value::from_pairs(self.values.iter().map(|(name, value)| (name.clone(), value.clone())))
    }

    /// Adds the business date as `day` and days before it as `ago(n)`.
    pub(super) fn days(&mut self) {
        self.set("day", day(0));
        self.values.insert("ago".to_owned(), Value::from_function(|days: i64| day(-days)));
    }

    /// Adds the columns in slots: `<prefix>.<slot>` for use in expressions, and what is known of them.
    pub(super) fn columns(&mut self, prefix: &str, filled: &[(&str, &RelationColumn)]) {
        let of = |part: &dyn Fn(&RelationColumn) -> String| -> BTreeMap<String, String> {
            filled.iter().map(|(slot, column)| ((*slot).to_owned(), part(column))).collect()
        };
        self.map(prefix, of(&|column| operand(&column.text)));
        self.map(&format!("{prefix}_whole"), of(&|column| column.text.clone()));
        self.map(&format!("{prefix}_date"), of(&|column| date(column)));
        self.map(&format!("{prefix}_name"), of(&|column| column.name.clone()));
        self.map(&format!("{prefix}_words"), of(&|column| column.meaning.words.clone()));
        self.map(&format!("{prefix}_type"), of(&|column| column.meaning.kind.clone()));
        let missing = filled.iter().map(|(slot, column)| (*slot, Value::from(column.meaning.missing)));
        self.values.insert(format!("{prefix}_missing"), Value::from_pairs(missing));
        let values = filled.iter().map(|(slot, column)| (*slot, Value::from(known_values(&column.meaning))));
        self.values.insert(format!("{prefix}_values"), Value::from_pairs(values));
    }
}

/// Returns the day of a column with moments or days.
fn date(column: &RelationColumn) -> String {
    match column.meaning.kind.as_str() {
        _ if column.meaning.role == crate::corpus::compose::domain::Role::Day => operand(&column.text),
        "STRING" => format!("SUBSTR({}, 1, 10)", column.text),
        _ => format!("TO_DATE({})", column.text),
    }
}

/// A value that a column is known to have, as templates name it.
#[derive(Clone, Debug)]
pub(super) struct KnownValue {
    pub sql: String,
    pub name: String,
    pub words: String,
}

impl From<KnownValue> for Value {
    fn from(value: KnownValue) -> Value {
        Value::from_pairs([("sql", value.sql), ("name", value.name), ("words", value.words)])
    }
}

/// Returns the known values of a column, as SQL literals, parts of names and words.
pub(super) fn known_values(meaning: &ColumnMeaning) -> Vec<KnownValue> {
    let quoted = |value: &str| if meaning.kind == "STRING" { format!("'{value}'") } else { value.to_owned() };
    let known = |(value, words): &(String, String)| KnownValue {
        sql: quoted(value),
        name: as_name(value),
        words: words.clone(),
    };
    meaning.values.iter().map(known).collect()
}
