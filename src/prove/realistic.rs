//! Databases with the values that people expect to see: usual keys and names replace made-up ones, the same everywhere.
//!
//! A witness is as small as can be, and its keys are made for the fault alone. With usual values
//! it can be shown to people.

use std::collections::{BTreeSet, HashSet};

use super::data::scalar::plain;
use super::data::usual::instead_of_plain_word;
use super::data_mutation::entity;
use super::search::hints::compared_texts;
use super::subject::Subject;
use super::varieties::day;
use crate::corpus::dictionary::ColumnValues;
use crate::engine::table::{Database, Value};

/// Usual values that are tried for one made-up value.
const TRIES: usize = 40;

/// Returns the database with usual values in the columns for which they are known. Literals that the script compares with
/// something, numbers that are no keys, days and times stay. The caller has to check whether a fault still shows.
pub(super) fn realistic(subject: &Subject<'_>, database: &Database) -> Database {
    let texts = compared_texts(subject);
    let held = database.tables.iter().flat_map(|table| table.rows.iter().flatten()).map(plain).collect();
    let mut replacement =
        UsualReplacement { subject, texts: &texts, held, used: BTreeSet::new(), database: database.clone() };
    for table in &database.tables {
        let Some(definition) = subject.reference.schema.table(&table.table) else { continue };
        for (at, column) in definition.columns.iter().enumerate().filter(|(_, column)| !column.partition) {
            let Some(entry) = subject.reference.dictionary.column(&table.table, &column.name) else { continue };
            for row in &table.rows {
                replacement.replace(&row[at], &entry.values);
            }
        }
    }
    with_usual_words(subject, replacement.database, &texts)
}

/// Replaces the words of which generated databases are full where nothing is asked: the same word of a column by the
/// same usual value, unless the script names it.
fn with_usual_words(subject: &Subject<'_>, mut database: Database, texts: &[String]) -> Database {
    let day = day(subject.reference);
    for table in &mut database.tables {
        let Some(definition) = subject.reference.schema.table(&table.table) else { continue };
        for (at, column) in definition.columns.iter().enumerate().filter(|(_, column)| !column.partition) {
            let Some(entry) = subject.reference.dictionary.column(&table.table, &column.name) else { continue };
            for row in &mut table.rows {
                let Value::Text(text) = &row[at] else { continue };
                let replacement =
                    instead_of_plain_word(text, column, &entry.values, &day).filter(|_| !texts.contains(text));
                if let Some(value) = replacement {
                    row[at] = value;
                }
            }
        }
    }
    database
}

struct UsualReplacement<'a> {
    subject: &'a Subject<'a>,
    /// Literals of the script.
    texts: &'a [String],
    /// Values that the database held at first.
    held: HashSet<String>,
    /// Values that were replaced, and what they were replaced by.
    used: BTreeSet<String>,
    database: Database,
}

impl UsualReplacement<'_> {
    /// Replaces a made-up value, wherever it stands, by a usual one of its column.
    fn replace(&mut self, old: &Value, values: &ColumnValues) {
        let text = plain(old);
        // Short numbers stay: one may stand elsewhere as a quantity, which would change with it.
        let may_change = entity::is_identifier(old) && !self.used.contains(&text) && !self.texts.contains(&text);
        if !may_change || is_usual(&text, values) {
            return;
        }
        let unused = |new: &String| !self.used.contains(new) && !self.texts.contains(new) && !self.held.contains(new);
        let Some(new) = (0..TRIES).filter_map(|number| usual(number, values)).find(unused) else { return };
        self.used.extend([text, new.clone()]);
        let new = match old {
            Value::Integer(_) => new.parse().map_or(Value::Null, Value::Integer),
            _ => Value::Text(new),
        };
        if new != Value::Null {
            entity::rename(&self.subject.reference.schema, &mut self.database, old, &new);
        }
    }
}

/// Whether a value looks like those of its column.
fn is_usual(text: &str, values: &ColumnValues) -> bool {
    match values {
        ColumnValues::Keys(looks) => looks.iter().any(|look| shape(look) == shape(text)),
        ColumnValues::Texts(texts) => texts.iter().any(|(known, _)| known == text),
        ColumnValues::Examples(examples) => examples.iter().any(|known| known == text),
        ColumnValues::ByName
        | ColumnValues::Times(_)
        | ColumnValues::List { .. }
        | ColumnValues::Json(_)
        | ColumnValues::Range(..) => true,
    }
}

/// Returns a text with `9` for every digit.
fn shape(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_digit() { '9' } else { letter }).collect()
}

/// Returns the usual value of a column at this position; `None` if it has fewer.
fn usual(number: usize, values: &ColumnValues) -> Option<String> {
    match values {
        ColumnValues::Keys(looks) => Some(moved(looks.get(number % looks.len().max(1))?, number / looks.len() * 17)),
        ColumnValues::Texts(texts) => texts.get(number).map(|(text, _)| text.clone()),
        ColumnValues::Examples(examples) => examples.get(number).cloned(),
        ColumnValues::ByName
        | ColumnValues::Times(_)
        | ColumnValues::List { .. }
        | ColumnValues::Json(_)
        | ColumnValues::Range(..) => None,
    }
}

/// Returns a key with its last digits moved on.
fn moved(look: &str, step: usize) -> String {
    let digits: Vec<usize> =
        look.char_indices().filter(|(_, letter)| letter.is_ascii_digit()).map(|(at, _)| at).collect();
    let mut text: Vec<u8> = look.bytes().collect();
    let mut carried = step;
    for at in digits.into_iter().rev() {
        let sum = usize::from(text[at] - b'0') + carried;
        text[at] = b'0' + (sum % 10) as u8;
        carried = sum / 10;
    }
    String::from_utf8(text).unwrap_or_else(|_| look.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_on_in_their_own_form() {
        for (look, step, expected) in
            [("SH-0098", 17, "SH-0115"), ("A9B9", 1, "A0B0"), ("LGW", 3, "LGW"), ("7", 0, "7")]
        {
            assert_eq!(moved(look, step), expected);
        }
    }

    #[test]
    fn a_value_is_usual_in_the_form_of_its_column() {
        let keys = ColumnValues::Keys(vec!["SH-0098".to_owned()]);
        let codes = ColumnValues::Texts(vec![("PAID".to_owned(), 0.5), ("VOID".to_owned(), 0.5)]);
        for (text, values, expected) in [
            ("SH-1234", &keys, true),
            ("sho_b", &keys, false),
            ("VOID", &codes, true),
            ("sta_c", &codes, false),
            ("anything", &ColumnValues::ByName, true),
        ] {
            assert_eq!(is_usual(text, values), expected, "{text}");
        }
        assert_eq!(usual(1, &codes).as_deref(), Some("VOID"));
        assert_eq!(usual(2, &codes), None);
    }
}
