//! Turns facts into the variables of phrases.

use std::collections::BTreeMap;

use super::facts::{Besides, Cell, Deviation, ExampleRow, Facts, Symptom};
use super::normal_cell::bare;
use crate::prove::data::calendar;
use crate::publish::vocabulary::{DeviationWords, Vocabulary, filled};

/// Most further columns that are named.
const MOST_NAMED: usize = 2;
/// Most parts of a key that are named with their columns, where all are words or codes.
const MOST_LABELS: usize = 3;
/// Least letters and digits of a code that names a row without the name of its column.
const LEAST_SIGNS: usize = 4;
/// Least digits of a number that does: a shorter one would be taken for how many there are.
const LEAST_DIGITS: usize = 7;

/// Returns the variables that a phrase may use. A fact that is unknown, or says nothing, has none. `brief` names rows by
/// their values alone where these look like names.
pub(super) fn variables(facts: &Facts, vocabulary: &Vocabulary, brief: bool) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::from([("table".to_owned(), facts.table.clone())]);
    variables.extend(count_variables(facts, vocabulary));
    variables.extend(total_variables(facts, vocabulary));
    if !facts.others.is_empty() {
        let others: Vec<String> = facts.others.iter().map(|table| vocabulary.report(table)).collect();
        variables.insert(others_variable(facts).to_owned(), vocabulary.listed(&others, &vocabulary.list.last));
    }
    if let Some(example) = &facts.example {
        variables.extend(example_variables(example, vocabulary, brief));
        // A value of one of several rows that nothing names would be taken for that of all.
        let is_everywhere = example.cell.as_ref().is_some_and(|cell| cell.is_everywhere);
        if example.key.is_empty() && facts.expected_rows > 1 && !is_everywhere {
            variables.retain(|name, _| !matches!(name.as_str(), "expected" | "actual" | "more"));
        }
    }
    // A column that is called as its report would be taken for it.
    let is_of_report = |column: &String| bare(column) == bare(&facts.table);
    if let Some(label) = variables.get("label").filter(|label| is_of_report(label)).cloned() {
        let by_name = filled(&vocabulary.column_by_name, &[("name", &label)]);
        variables.extend(["column", "label"].map(|name| (name.to_owned(), by_name.clone())));
    }
    if let Some(besides) = facts.besides {
        let (name, words) = besides_variable(besides, vocabulary);
        variables.insert(name.to_owned(), words.clone());
    }
    if is_blank_in_part(facts) {
        variables.insert("some_rows".to_owned(), vocabulary.some_rows.clone());
    }
    one_or_an_example(facts, &mut variables);
    variables
}

fn besides_variable(besides: Besides, vocabulary: &Vocabulary) -> (&'static str, &String) {
    match besides {
        Besides::WrongValues => ("other_rows", &vocabulary.besides.wrong_values),
        Besides::ExtraRows => ("rows_too_many", &vocabulary.besides.extra_rows),
        Besides::ExtraRow => ("row_too_many", &vocabulary.besides.extra_row),
        Besides::MissingRows => ("rows_too_few", &vocabulary.besides.missing_rows),
        Besides::MissingRow => ("row_too_few", &vocabulary.besides.missing_row),
        Besides::OtherColumns => ("other_columns", &vocabulary.besides.other_columns),
    }
}

/// Whether a column that is wrongly blank is so in several rows and not in all.
fn is_blank_in_part(facts: &Facts) -> bool {
    let cell = facts.example.as_ref().and_then(|example| example.cell.as_ref());
    let is_in_part = |cell: &Cell| cell.rows > 1 && !cell.is_all_blank;
    facts.symptom == Symptom::NullOrEmpty && cell.is_some_and(is_in_part)
}

/// Returns how many rows there are and should be, and what those are that are missing or too many.
fn count_variables(facts: &Facts, vocabulary: &Vocabulary) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    let mut set = |name: &str, text: String| _ = variables.insert(name.to_owned(), text);
    // Where some rows stand in for others, or repeat some, none are missing in all, and none too many.
    let alone = |count: usize, difference: usize| if count == difference { count } else { 0 };
    let missing = alone(facts.missing, facts.expected_rows.saturating_sub(facts.actual_rows));
    let extra = alone(facts.extra, facts.actual_rows.saturating_sub(facts.expected_rows));
    let counts = [missing, extra, facts.duplicated, facts.changed];
    let counts = ["missing", "extra", "duplicated", "changed"].into_iter().zip(counts);
    counts.filter(|(_, count)| *count > 1).for_each(|(name, count)| set(name, vocabulary.row_count(count)));
    if has_fitting_counts(facts) {
        set("expected_rows", vocabulary.row_count(facts.expected_rows));
        set("actual_rows", vocabulary.row_count(facts.actual_rows));
        set("expected_number", facts.expected_rows.to_string());
        set("actual_number", facts.actual_rows.to_string());
    }
    let kind = facts.kind.as_ref().filter(|_| !vocabulary.cites_names());
    match (kind, missing + extra) {
        (Some(kind), _) if kind.values == 1 => set("thing", kind.column.clone()),
        // Nobody says that some are missing where hardly one is left.
        _ if facts.symptom == Symptom::MissingRows && lacks_most(facts) => {
            set("most_rows", vocabulary.most_rows.clone());
        }
        (Some(kind), _) => set("things", vocabulary.plural(&kind.column)),
        (None, _) if facts.symptom == Symptom::Duplicates && facts.duplicated == 1 => {
            set("thing", vocabulary.row.clone());
        }
        (None, 1) => set("thing", vocabulary.row.clone()),
        (None, _) => {}
    }
    variables
}

/// Whether two thirds of the rows or more are missing.
fn lacks_most(facts: &Facts) -> bool {
    facts.missing > 1 && facts.actual_rows > 0 && facts.missing * 3 >= facts.expected_rows * 2
}

/// Returns the sum of a column, which is that of the wrong cell's as well if it is the same.
fn total_variables(facts: &Facts, vocabulary: &Vocabulary) -> BTreeMap<String, String> {
    let Some(total) = &facts.total else { return BTreeMap::new() };
    let cell = facts.example.as_ref().and_then(|example| example.cell.as_ref());
    let is_of_cell = cell.is_some_and(|cell| cell.column == total.column);
    let of_column = [
        ("total", vocabulary.sum(&total.column)),
        ("expected_total", total.expected.clone()),
        ("actual_total", total.actual.clone()),
    ];
    let of_cell = [("expected_sum", total.expected.clone()), ("actual_sum", total.actual.clone())];
    let all = of_column.into_iter().chain(of_cell.into_iter().filter(|_| is_of_cell));
    all.map(|(name, text)| (name.to_owned(), text)).collect()
}

/// Returns the variable for the other results that are wrong: one of its own if the same is wrong in all of them as in the
/// one that the complaint is about.
fn others_variable(facts: &Facts) -> &'static str {
    let variable = |symptom| match symptom {
        Symptom::MissingRows | Symptom::EmptyResult => "others_lacking_rows",
        Symptom::ExtraRows => "others_with_extra_rows",
        Symptom::WrongValue | Symptom::WrongTotal => "others_with_wrong_values",
        _ => "others",
    };
    let own = variable(facts.symptom);
    if facts.others_symptom.map(variable) == Some(own) { own } else { "others" }
}

/// Whether the numbers of rows differ, and the way that the symptom says.
fn has_fitting_counts(facts: &Facts) -> bool {
    let Facts { expected_rows, actual_rows, .. } = facts;
    match facts.symptom {
        Symptom::MissingRows | Symptom::MissingCopies | Symptom::EmptyResult => actual_rows < expected_rows,
        Symptom::ExtraRows | Symptom::Duplicates | Symptom::SplitRows => actual_rows > expected_rows,
        _ => actual_rows != expected_rows,
    }
}

/// Calls a row `key` if it is the only one that shows the symptom, `example` if others do; a row with a wrong cell is
/// both, as a cell is told for itself.
fn one_or_an_example(facts: &Facts, variables: &mut BTreeMap<String, String>) {
    if !facts.has_more_examples() || facts.symptom == Symptom::WrongOrder {
        return;
    }
    let is_of_cells = facts.example.as_ref().is_some_and(|example| example.cell.is_some());
    if let Some(key) = variables.get("key").cloned() {
        variables.insert("example".to_owned(), key);
    }
    if !is_of_cells {
        variables.remove("key");
    }
}

fn example_variables(example: &ExampleRow, vocabulary: &Vocabulary, brief: bool) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    let mut set = |name: &str, text: String| variables.insert(name.to_owned(), text);
    if !example.key.is_empty() {
        set("key", key_text(&example.key, vocabulary, brief));
    }
    if !example.instead.is_empty() {
        set("instead", key_text(&example.instead, vocabulary, brief));
        set("position", example.position.to_string());
    }
    if example.times.max(example.expected_times) > 1 {
        set("times", vocabulary.times(example.times));
        set("expected_times", vocabulary.times(example.expected_times));
    }
    if let Some(cell) = &example.cell {
        variables.extend(cell_variables(cell, vocabulary));
    }
    variables
}

fn cell_variables(cell: &Cell, vocabulary: &Vocabulary) -> BTreeMap<String, String> {
    let names = [("column", vocabulary.in_sentence(&cell.column)), ("label", cell.column.clone())];
    let mut variables = BTreeMap::from(names.map(|(name, words)| (name.to_owned(), words)));
    let mut set = |name: &str, text: String| variables.insert(name.to_owned(), text);
    // A number and a text may look the same, and nobody quotes a part of a record in JSON.
    let can_be_told =
        cell.expected != cell.actual && ![&cell.expected, &cell.actual].iter().any(|value| is_cut_json(value));
    if can_be_told {
        set("expected", cell.expected.clone());
        set("actual", cell.actual.clone());
    }
    // People name one or two columns, and count no others.
    if (1..=MOST_NAMED).contains(&cell.more.len()) {
        let names: Vec<String> = cell.more.iter().map(|column| vocabulary.in_sentence(column)).collect();
        set("more", vocabulary.listed(&names, &vocabulary.list.last));
    }
    if let Some(deviation) = cell.deviation {
        set("deviation", word_for(&vocabulary.deviation, deviation));
        set("correction", word_for(&vocabulary.correction, deviation));
    }
    variables
}

/// Whether a value is shown in part, and is a record or a list in JSON.
fn is_cut_json(value: &str) -> bool {
    value.ends_with('…') && value.trim_start_matches('"').starts_with(['{', '['])
}

fn word_for(words: &DeviationWords, deviation: Deviation) -> String {
    match deviation {
        Deviation::TooHigh => words.too_high.clone(),
        Deviation::TooLow => words.too_low.clone(),
    }
}

fn key_text(key: &[(String, String)], vocabulary: &Vocabulary, brief: bool) -> String {
    let words = &vocabulary.key;
    if key.len() > 1 && key.iter().all(|(_, value)| vocabulary.is_subtotal(value)) {
        return words.grand_total.clone();
    }
    let (days, others): (Vec<_>, Vec<_>) = key.iter().cloned().partition(|(_, value)| is_day(value));
    if let [(_, day)] = days.as_slice()
        && !others.is_empty()
    {
        return filled(&words.day, &[("key", &key_text(&others, vocabulary, brief)), ("day", day)]);
    }
    let is_long = key.len() > MOST_LABELS && key.iter().all(|(_, value)| value.chars().any(char::is_alphabetic));
    if is_long || brief && key.iter().all(|(_, value)| names_a_row(value) && !is_day(value)) {
        return key.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(&words.values);
    }
    let part = |(name, value): &(String, String)| {
        // A value may be the name of a column, as that of an indicator: it is said in words.
        match vocabulary.known_column(value).filter(|_| is_column_name(value)) {
            Some(words_of_column) => filled(&words.column, &[("name", name), ("value", words_of_column)]),
            None => filled(&words.part, &[("name", name), ("value", value)]),
        }
    };
    key.iter().map(part).collect::<Vec<_>>().join(&words.separator)
}

/// Whether a value is written as the names of columns are, as `order_cnt`.
fn is_column_name(value: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|sign| sign.is_ascii_lowercase());
    value.contains('_') && value.split('_').all(is_part)
}

/// Whether a value is a day, written as 2024-03-15.
pub(super) fn is_day(value: &str) -> bool {
    value.len() == "2024-03-15".len() && value.contains('-') && calendar::date(value).is_some()
}

/// Whether a value is a day, or a time of a day.
pub(super) fn starts_with_day(value: &str) -> bool {
    value.split_whitespace().next().is_some_and(is_day)
}

/// Whether a value can stand for a row without the name of its column: a number of some length or a code, but no words.
fn names_a_row(value: &str) -> bool {
    let signs = value.chars().filter(|sign| sign.is_alphanumeric()).count();
    let is_code = value.chars().any(|sign| sign.is_numeric()) && !value.contains(['"', ' ']);
    let has_letters = value.chars().any(char::is_alphabetic);
    is_code && signs >= if has_letters { LEAST_SIGNS } else { LEAST_DIGITS }
}
