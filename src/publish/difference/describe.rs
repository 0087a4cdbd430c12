//! Turns paired rows into the facts that stand out.

use super::compared_results::ComparedResults;
use super::facts::{ExampleRow, Facts, Symptom};
use super::pairing::{RowPairing, pair};
use super::variables::is_day;
use crate::engine::table::ResultTable;
use crate::publish::vocabulary::Vocabulary;

/// Returns the facts of two results whose rows differ, once for each example row, the most telling first.
pub(super) fn rows(reference: &ResultTable, issue: &ResultTable, vocabulary: &Vocabulary) -> Vec<Facts> {
    let view = paired(reference, issue, vocabulary);
    let symptom = view.symptom();
    if !view.has_same_width() {
        return vec![Facts { symptom, ..blank(&view) }];
    }
    // Where not all rows were paired, a number would be untrue.
    let counted = |rows: usize| if view.pairing.is_counted { rows } else { 0 };
    let facts = Facts {
        symptom,
        missing: counted(view.pairing.missing.len()),
        extra: counted(view.pairing.extra.len()),
        duplicated: counted(view.pairing.duplicated.len()),
        changed: counted(view.pairing.changed.len()),
        total: view.total(),
        kind: view.kind(symptom),
        besides: view.besides(symptom),
        ..blank(&view)
    };
    let mut examples = view.examples(symptom);
    // A code that looks like a day would be taken for one, so other rows are better examples.
    examples.sort_by_key(|example| example.key.iter().any(|(_, value)| is_day(value)));
    if examples.is_empty() {
        return vec![facts];
    }
    examples.into_iter().map(|example| Facts { example: Some(example), ..facts.clone() }).collect()
}

/// Returns what kind of wrong stands out in two results whose rows differ.
pub(super) fn symptom(reference: &ResultTable, issue: &ResultTable, vocabulary: &Vocabulary) -> Symptom {
    paired(reference, issue, vocabulary).symptom()
}

/// Pairs the rows of two results, unless they have another number of columns.
fn paired<'a>(reference: &'a ResultTable, issue: &'a ResultTable, vocabulary: &'a Vocabulary) -> ComparedResults<'a> {
    let view = ComparedResults { reference, issue, vocabulary, pairing: RowPairing::default() };
    match view.has_same_width() {
        true => ComparedResults { pairing: pair(reference, issue, vocabulary.grain(&reference.target)), ..view },
        false => view,
    }
}

/// Returns the facts of two results that hold the same rows in another order; `row` is the first in another place.
pub(super) fn order(reference: &ResultTable, issue: &ResultTable, row: usize, vocabulary: &Vocabulary) -> Facts {
    let view = paired(reference, issue, vocabulary);
    let example = ExampleRow {
        key: view.whole_key(&reference.rows[row]),
        cell: None,
        times: 1,
        expected_times: 1,
        position: row + 1,
        instead: view.whole_key(&issue.rows[row]),
    };
    let is_distinct = example.key != example.instead;
    Facts { symptom: Symptom::WrongOrder, example: is_distinct.then_some(example), ..blank(&view) }
}

fn blank(view: &ComparedResults) -> Facts {
    Facts {
        table: view.vocabulary.filled_table(&view.reference.target),
        title: view.vocabulary.title(&view.reference.target).cloned(),
        others: Vec::new(),
        others_symptom: None,
        symptom: Symptom::WrongValue,
        expected_rows: view.reference.rows.len(),
        actual_rows: view.issue.rows.len(),
        missing: 0,
        extra: 0,
        duplicated: 0,
        changed: 0,
        kind: None,
        besides: None,
        example: None,
        total: None,
    }
}
