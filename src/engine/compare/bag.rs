//! Matches the rows of two tables.

use super::difference::{EXAMPLE_ROWS, RowDifference};
use super::key::{CellKey, ColumnRule, Groups, RowHash, number};
use crate::engine::table::{ResultTable, Row, Value};

/// The rows of two tables that have no partner in the other table.
#[derive(Default)]
pub(super) struct Matching {
    /// Row numbers, ascending.
    only_left: Vec<u32>,
    only_right: Vec<u32>,
    /// The first position at which the tables have different rows, for ordered tables whose rows all have partners.
    pub first_out_of_place: Option<usize>,
}

impl Matching {
    /// Matches the rows of two tables with the same number of columns: first exactly, then the rest within tolerance.
    pub fn of(left: &ResultTable, right: &ResultTable) -> Matching {
        let exact = RowKeys { columns: ColumnRule::of_tables(left, right), groups: Vec::new() };
        if exact.first_out_of_place(left, right).is_none() {
            return Matching::default();
        }
        let all = |table: &ResultTable| (0..table.rows.len() as u32).collect::<Vec<u32>>();
        let matching = exact.matching((left, &all(left)), (right, &all(right)));
        let matching = match exact.within_tolerance((left, &matching.only_left), (right, &matching.only_right)) {
            Some(tolerant) => tolerant.matching((left, &matching.only_left), (right, &matching.only_right)),
            None => matching,
        };
        let ordered = left.ordered || right.ordered;
        if !ordered || !matching.is_perfect() {
            return matching;
        }
        let tolerant = exact.within_tolerance((left, &all(left)), (right, &all(right))).unwrap_or(exact);
        // The order of the left table, the reference, decides; the other's does if the reference has none.
        let sorted_by = if left.ordered { &left.sorted_by } else { &right.sorted_by };
        let counts = |column| sorted_by.is_empty() || sorted_by.contains(&column);
        Matching { first_out_of_place: tolerant.first_differing(left, right, counts), ..matching }
    }

    pub fn is_perfect(&self) -> bool {
        self.only_left.is_empty() && self.only_right.is_empty()
    }

    pub fn difference(&self, reference: &ResultTable, other: &ResultTable) -> RowDifference {
        let examples = |rows: &[u32], table: &ResultTable| -> Vec<Row> {
            rows.iter().take(EXAMPLE_ROWS).map(|row| table.rows[*row as usize].clone()).collect()
        };
        RowDifference {
            reference_rows: reference.rows.len(),
            other_rows: other.rows.len(),
            only_in_reference_count: self.only_left.len(),
            only_in_other_count: self.only_right.len(),
            only_in_reference: examples(&self.only_left, reference),
            only_in_other: examples(&self.only_right, other),
        }
    }
}

/// Some rows of a table, by number.
type RowNumbers<'a> = (&'a ResultTable, &'a [u32]);

fn rows<'a>(part: RowNumbers<'a>) -> impl Iterator<Item = &'a Row> {
    part.1.iter().map(move |row| &part.0.rows[*row as usize])
}

/// The hash and the number of a row.
type HashedRow = ([u64; 2], u32);

/// Returns a hash of a bag that does not depend on the order of rows. Bags with the same number of rows and the same
/// 128 bits are taken to be equal, so that equal results need no sorting.
fn sum(rows: &[HashedRow]) -> [u64; 2] {
    rows.iter().fold([0; 2], |sum, (hash, _)| [sum[0].wrapping_add(hash[0]), sum[1].wrapping_add(hash[1])])
}

/// How rows become keys: a rule for each column, and groups where tolerance applies.
struct RowKeys {
    columns: Vec<ColumnRule>,
    /// Empty, or one entry per column.
    groups: Vec<Option<Groups>>,
}

impl RowKeys {
    fn key<'a>(&self, column: usize, value: &'a Value) -> CellKey<'a> {
        match (self.groups.get(column).and_then(Option::as_ref), number(value)) {
            (Some(groups), Some(number)) => groups.key(number),
            _ => self.columns[column].key(value),
        }
    }

    fn first_out_of_place(&self, left: &ResultTable, right: &ResultTable) -> Option<usize> {
        self.first_differing(left, right, |_| true)
    }

    /// Returns the position of the first row that differs from that of the other table in the columns that count.
    fn first_differing(
        &self,
        left: &ResultTable,
        right: &ResultTable,
        counts: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let differs = |(left, right): (&Row, &Row)| {
            let mut cells = left.iter().zip(right).enumerate().filter(|(column, _)| counts(*column));
            cells.any(|(column, (left, right))| self.key(column, left) != self.key(column, right))
        };
        let common = left.rows.len().min(right.rows.len());
        let longer = left.rows.len() != right.rows.len();
        left.rows.iter().zip(&right.rows).position(differs).or(longer.then_some(common))
    }

    /// Returns row numbers with the hashes of their rows. Rows with the same 128 bits are taken to be equal.
    fn hashed(&self, part: RowNumbers<'_>) -> Vec<HashedRow> {
        rows(part).map(|row| self.hash(row)).zip(part.1.iter().copied()).collect()
    }

    fn hash(&self, row: &Row) -> [u64; 2] {
        let mut hash = RowHash::default();
        if self.groups.is_empty() {
            self.columns.iter().zip(row).for_each(|(column, value)| hash.add(&column.key(value)));
        } else {
            row.iter().enumerate().for_each(|(column, value)| hash.add(&self.key(column, value)));
        }
        hash.finish()
    }

    fn matching(&self, left: RowNumbers<'_>, right: RowNumbers<'_>) -> Matching {
        let (mut left, mut right) = (self.hashed(left), self.hashed(right));
        if left.len() == right.len() && sum(&left) == sum(&right) {
            return Matching::default();
        }
        left.sort_unstable();
        right.sort_unstable();
        let mut matching = Matching::default();
        let (mut at_left, mut at_right) = (0, 0);
        while at_left < left.len() || at_right < right.len() {
            let (next_left, next_right) = (left.get(at_left), right.get(at_right));
            match (next_left, next_right) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    at_left += 1;
                    at_right += 1;
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    matching.only_left.push(a.1);
                    at_left += 1;
                }
                (_, Some(b)) => {
                    matching.only_right.push(b.1);
                    at_right += 1;
                }
                _ => break,
            }
        }
        matching.only_left.sort_unstable();
        matching.only_right.sort_unstable();
        matching
    }

    /// Returns keys with groups for the columns that have a fraction in one of these rows; `None` if no column has one.
    fn within_tolerance(&self, left: RowNumbers<'_>, right: RowNumbers<'_>) -> Option<RowKeys> {
        let both = || rows(left).chain(rows(right));
        let fraction = |row: &Row, column: usize| matches!(row[column], Value::Real(number) if number.fract() != 0.0);
        let groups: Vec<Option<Groups>> = (0..self.columns.len())
            .map(|column| {
                let applies = self.columns[column] == ColumnRule::Plain && both().any(|row| fraction(row, column));
                applies.then(|| Groups::of(both().filter_map(|row| number(&row[column])).collect()))
            })
            .collect();
        groups.iter().any(Option::is_some).then(|| RowKeys { columns: self.columns.clone(), groups })
    }
}
