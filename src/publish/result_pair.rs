//! Two results side by side, row against row, so that the eye finds what differs.

use serde::Serialize;

use crate::code::types::Type;
use crate::engine::table::{ResultColumn, ResultTable, Row};
use crate::publish::difference::differing_columns;
use crate::publish::difference::pairing::{self, RowPairing};
use crate::publish::grain::Grain;
use crate::publish::record::ResultRecord;

/// A row of either side, or one of each that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowPair {
    pub reference: Option<Row>,
    /// The issue SQL's row.
    pub issue: Option<Row>,
    /// Positions of the cells that differ.
    pub changed: Vec<usize>,
}

/// One table of both results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TablePair {
    /// The written table, or empty for a plain query.
    pub target: String,
    /// Column names of the reference.
    pub columns: Vec<String>,
    /// Rows that differ first, then those that both sides have.
    pub rows: Vec<RowPair>,
    pub reference_rows: usize,
    /// Rows of the issue SQL.
    pub issue_rows: usize,
    /// How many rows that differ are not shown.
    pub hidden: usize,
}

/// Pairs each table of the reference with that of the issue SQL by name and place; tables of the issue SQL alone are
/// left out. At most `shown` rows of each kind, differing and equal, are kept.
pub fn pair(reference: &[ResultRecord], issue: &[ResultRecord], shown: usize) -> Vec<TablePair> {
    let partner = |index: usize| {
        let target = &reference[index].target;
        let nth = reference[..index].iter().filter(|table| table.target == *target).count();
        issue.iter().filter(|table| table.target == *target).nth(nth)
    };
    (0..reference.len()).map(|index| tables(&reference[index], partner(index), shown)).collect()
}

fn tables(reference: &ResultRecord, issue: Option<&ResultRecord>, shown: usize) -> TablePair {
    let expected = table(reference);
    let actual = issue.map_or_else(|| ResultTable { rows: Vec::new(), ..expected.clone() }, table);
    let pairing = if expected.columns.len() == actual.columns.len() {
        pairing::pair(&expected, &actual, Grain::default())
    } else {
        let all = |table: &ResultTable| (0..table.rows.len()).collect();
        RowPairing { missing: all(&expected), extra: all(&actual), ..RowPairing::default() }
    };
    let changed = pairing.changed.iter().map(|(row, partner)| {
        let (reference, issue) = (expected.rows[*row].clone(), actual.rows[*partner].clone());
        let changed = differing_columns(&reference, &issue, &expected.columns);
        RowPair { reference: Some(reference), issue: Some(issue), changed }
    });
    let missing = pairing.missing.iter().map(|row| alone(Some(&expected.rows[*row]), None));
    let surplus = pairing.extra.iter().chain(&pairing.duplicated);
    let extra = surplus.map(|row| alone(None, Some(&actual.rows[*row])));
    let mut rows: Vec<RowPair> = changed.chain(missing).chain(extra).collect();
    let hidden = rows.len().saturating_sub(shown);
    rows.truncate(shown);
    let differs = |row: usize| pairing.missing.contains(&row) || pairing.changed.iter().any(|pair| pair.0 == row);
    let same = (0..expected.rows.len()).filter(|row| !differs(*row)).map(|row| &expected.rows[row]);
    rows.extend(same.take(shown).map(|row| alone(Some(row), Some(row))));
    TablePair {
        target: reference.target.clone(),
        columns: reference.columns.clone(),
        rows,
        reference_rows: expected.rows.len(),
        issue_rows: actual.rows.len(),
        hidden,
    }
}

/// A record as a table whose types are not known.
fn table(record: &ResultRecord) -> ResultTable {
    let column = |name: &String| ResultColumn::new(name, Type::Unknown);
    let columns = record.columns.iter().map(column).collect();
    ResultTable::unordered(record.target.clone(), columns, record.rows.clone())
}

fn alone(reference: Option<&Row>, issue: Option<&Row>) -> RowPair {
    RowPair { reference: reference.cloned(), issue: issue.cloned(), changed: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::Value;

    fn record(rows: &[&[i64]]) -> ResultRecord {
        let rows = rows.iter().map(|row| row.iter().map(|number| Value::Integer(*number)).collect()).collect();
        ResultRecord { target: "t".to_owned(), columns: vec!["a".to_owned(), "b".to_owned()], rows }
    }

    #[test]
    fn rows_that_differ_come_first_beside_their_nearest_relatives() {
        let reference = record(&[&[1, 1], &[2, 5], &[3, 3], &[3, 3]]);
        let issue = record(&[&[9, 9], &[3, 3], &[2, 6], &[1, 1]]);
        let tables = pair(&[reference], &[issue], 60);
        let rows = &tables[0].rows;
        assert_eq!(rows.len(), 5);
        assert_eq!((rows[0].changed.as_slice(), rows[0].issue.is_some()), ([1].as_slice(), true));
        assert_eq!((&rows[1].issue, &rows[2].reference), (&None, &None));
        assert!(rows[3..].iter().all(|pair| pair.reference == pair.issue));
    }

    #[test]
    fn a_table_that_the_issue_does_not_write_stands_alone() {
        let tables = pair(&[record(&[&[1, 1]])], &[], 60);
        assert_eq!((tables[0].issue_rows, tables[0].rows[0].issue.is_none()), (0, true));
    }
}
