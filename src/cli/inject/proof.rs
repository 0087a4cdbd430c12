//! The proof of a semantic mutant, for people.

use crate::code::schema::Schema;
use crate::engine::compare::{Comparison, DifferenceKind, compare};
use crate::engine::table::{Database, Row, Value};
use crate::pipeline::insert_statements;
use crate::prove::trial::WitnessResults;

/// Returns the witness as INSERT statements, and the rows that only one of the scripts gives on it.
pub(super) fn proof(schema: &Schema, witness: &Database, results: &WitnessResults) -> String {
    let mut text = format!("On these rows the two differ:\n\n{}\n", insert_statements(schema, witness));
    let Comparison::Different(difference) = compare(&results.reference, &results.issue) else { return text };
    if !difference.target.is_empty() {
        text.push_str(&format!("in {}:\n", difference.target));
    }
    let DifferenceKind::Rows(rows) = &difference.kind else { return text };
    for (script, rows) in [("script.sql", &rows.only_in_reference), ("issue.sql", &rows.only_in_other)] {
        text.push_str(&format!("only {script} gives:{}\n", listed(rows)));
    }
    text
}

fn listed(rows: &[Row]) -> String {
    if rows.is_empty() {
        return " nothing".to_owned();
    }
    rows.iter().map(|row| format!("\n  {}", row.iter().map(cell).collect::<Vec<_>>().join(" | "))).collect()
}

fn cell(value: &Value) -> String {
    if *value == Value::Null { "NULL".to_owned() } else { value.plain_text().into_owned() }
}
