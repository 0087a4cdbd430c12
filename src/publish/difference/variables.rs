//! Turns facts into the variables of phrases.

use std::collections::BTreeMap;

use super::facts::{Deviation, ExampleRow, Facts};
use crate::publish::vocabulary::{Vocabulary, filled};

/// Returns the variables that a phrase may use. A fact that is unknown, or says nothing, has none.
pub(super) fn variables(facts: &Facts, vocabulary: &Vocabulary) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::from([("table".to_owned(), facts.table.clone())]);
    let mut set = |name: &str, text: String| variables.insert(name.to_owned(), text);
    let counts = [("missing", facts.missing), ("extra", facts.extra), ("duplicated", facts.duplicated)];
    let counts = counts.into_iter().chain([("changed", facts.changed)]);
    for (name, count) in counts.filter(|(_, count)| *count > 0) {
        set(name, vocabulary.row_count(count));
    }
    let affected = facts.affected();
    if affected > 1 {
        let all = affected == facts.changed && affected == facts.actual_rows;
        set("affected", if all { vocabulary.rows.all.clone() } else { vocabulary.row_count(affected) });
    }
    if facts.expected_rows != facts.actual_rows {
        set("expected_rows", vocabulary.row_count(facts.expected_rows));
        set("actual_rows", vocabulary.row_count(facts.actual_rows));
    }
    if let Some(total) = &facts.total {
        set("total_column", vocabulary.quoted(&total.column));
        set("expected_total", total.expected.clone());
        set("actual_total", total.actual.clone());
    }
    if !facts.others.is_empty() {
        let others: Vec<String> = facts.others.iter().map(|table| vocabulary.report(table)).collect();
        set("others", vocabulary.listed(&others, &vocabulary.list.last));
    }
    if let Some(example) = &facts.example {
        variables.extend(example_variables(example, vocabulary));
        // A value of one of several rows that nothing names would be taken for that of all.
        if example.key.is_empty() && facts.expected_rows > 1 {
            variables.retain(|name, _| name != "expected" && name != "actual");
        }
    }
    variables
}

fn example_variables(example: &ExampleRow, vocabulary: &Vocabulary) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    let mut set = |name: &str, text: String| variables.insert(name.to_owned(), text);
    if !example.key.is_empty() {
        set("key", key_text(&example.key, vocabulary));
    }
    if !example.instead.is_empty() {
        set("instead", key_text(&example.instead, vocabulary));
        set("position", example.position.to_string());
    }
    if example.times.max(example.expected_times) > 1 {
        set("times", vocabulary.times(example.times));
        set("expected_times", vocabulary.times(example.expected_times));
    }
    if let Some(cell) = &example.cell {
        set("column", vocabulary.quoted(&cell.column));
        // A number and a text may look the same.
        if cell.expected != cell.actual {
            set("expected", cell.expected.clone());
            set("actual", cell.actual.clone());
        }
        if let Some(deviation) = cell.deviation {
            let words = &vocabulary.deviation;
            let text = match deviation {
                Deviation::TooHigh => &words.too_high,
                Deviation::TooLow => &words.too_low,
            };
            set("deviation", text.clone());
        }
    }
    variables
}

fn key_text(key: &[(String, String)], vocabulary: &Vocabulary) -> String {
    let part = |(name, value): &(String, String)| filled(&vocabulary.key.part, &[("name", name), ("value", value)]);
    key.iter().map(part).collect::<Vec<_>>().join(&vocabulary.key.separator)
}
