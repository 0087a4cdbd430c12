//! Two results side by side, row against row, so that the eye finds what differs.

use std::collections::HashMap;

use serde::Serialize;

use crate::engine::table::{Row, Value};
use crate::publish::record::ResultRecord;

/// A row of either side, or one of each that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The reference's row.
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
    pub rows: Vec<Pair>,
    /// Rows of the reference.
    pub reference_rows: usize,
    /// Rows of the issue SQL.
    pub issue_rows: usize,
    /// Rows that differ and are not shown.
    pub hidden: usize,
}

/// How many rows of each kind, differing and equal, are shown.
const SHOWN: usize = 60;

/// Pairs the tables of two results by name and place.
pub fn pair(reference: &[ResultRecord], issue: &[ResultRecord]) -> Vec<TablePair> {
    let partner = |index: usize| {
        let target = &reference[index].target;
        let nth = reference[..index].iter().filter(|table| table.target == *target).count();
        issue.iter().filter(|table| table.target == *target).nth(nth)
    };
    (0..reference.len()).map(|index| tables(&reference[index], partner(index))).collect()
}

fn tables(reference: &ResultRecord, issue: Option<&ResultRecord>) -> TablePair {
    let nothing = Vec::new();
    let issue_rows = issue.map_or(&nothing, |table| &table.rows);
    let (same, only_reference, only_issue) = split(&reference.rows, issue_rows);
    let differing = only_reference.len().max(only_issue.len());
    let first = |rows: Vec<_>| rows.into_iter().take(SHOWN).collect();
    let mut rows = closest(first(only_reference), first(only_issue));
    let both = |row: &Row| Pair { reference: Some(row.clone()), issue: Some(row.clone()), changed: Vec::new() };
    rows.extend(same.into_iter().take(SHOWN).map(both));
    TablePair {
        target: reference.target.clone(),
        columns: reference.columns.clone(),
        rows,
        reference_rows: reference.rows.len(),
        issue_rows: issue_rows.len(),
        hidden: differing.saturating_sub(SHOWN),
    }
}

/// Rows of both sides, of the reference only, of the issue only; as bags.
fn split<'a>(reference: &'a [Row], issue: &'a [Row]) -> (Vec<&'a Row>, Vec<&'a Row>, Vec<&'a Row>) {
    // Rows have no hash of their own because of fractions; their JSON has.
    let key = |row: &Row| serde_json::to_string(row).unwrap_or_default();
    let mut left: HashMap<String, usize> = HashMap::new();
    for row in issue {
        *left.entry(key(row)).or_default() += 1;
    }
    let mut shared: HashMap<String, usize> = HashMap::new();
    let mut take = |row: &&Row| {
        let key = key(row);
        let found = left.get_mut(&key).filter(|count| **count > 0);
        found.map(|count| *count -= 1).is_some_and(|()| {
            *shared.entry(key).or_default() += 1;
            true
        })
    };
    let (same, only_reference) = reference.iter().partition(&mut take);
    let mut only_issue = Vec::new();
    for row in issue {
        match shared.get_mut(&key(row)).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => only_issue.push(row),
        }
    }
    (same, only_reference, only_issue)
}

/// Puts each row of the reference beside the row of the issue that shares most cells with it, if it shares any
/// (or has only one).
fn closest(reference: Vec<&Row>, mut issue: Vec<&Row>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for row in reference {
        let alike = |other: &&Row| row.iter().zip(other.iter()).filter(|(a, b)| a == b && **a != Value::Null).count();
        let best = (0..issue.len()).max_by_key(|index| (alike(&issue[*index]), std::cmp::Reverse(*index)));
        let partner = best.filter(|index| row.len() == 1 || alike(&issue[*index]) > 0).map(|index| issue.remove(index));
        let changed = partner.map_or_else(Vec::new, |other| changes(row, other));
        pairs.push(Pair { reference: Some(row.clone()), issue: partner.cloned(), changed });
    }
    pairs.extend(issue.into_iter().map(|row| Pair { reference: None, issue: Some(row.clone()), changed: Vec::new() }));
    pairs
}

fn changes(reference: &Row, issue: &Row) -> Vec<usize> {
    let longest = reference.len().max(issue.len());
    (0..longest).filter(|index| reference.get(*index) != issue.get(*index)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(rows: &[&[i64]]) -> ResultRecord {
        let rows = rows.iter().map(|row| row.iter().map(|number| Value::Integer(*number)).collect()).collect();
        ResultRecord { target: "t".to_owned(), columns: vec!["a".to_owned(), "b".to_owned()], rows }
    }

    #[test]
    fn rows_that_differ_come_first_beside_their_nearest_relatives() {
        let reference = record(&[&[1, 1], &[2, 5], &[3, 3], &[3, 3]]);
        let issue = record(&[&[9, 9], &[3, 3], &[2, 6], &[1, 1]]);
        let tables = pair(&[reference], &[issue]);
        let rows = &tables[0].rows;
        assert_eq!(rows.len(), 5);
        assert_eq!((rows[0].changed.as_slice(), rows[0].issue.is_some()), ([1].as_slice(), true));
        assert_eq!((&rows[1].issue, &rows[2].reference), (&None, &None));
        assert!(rows[3..].iter().all(|pair| pair.reference == pair.issue));
    }

    #[test]
    fn a_table_that_the_issue_does_not_write_stands_alone() {
        let tables = pair(&[record(&[&[1, 1]])], &[]);
        assert_eq!((tables[0].issue_rows, tables[0].rows[0].issue.is_none()), (0, true));
    }
}
