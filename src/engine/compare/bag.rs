//! Which rows of two tables are partners.

use std::cmp::Ordering;

use super::key::{Column, Groups, Key, RowHash, number};
use super::{EXAMPLE_ROWS, RowDifference};
use crate::engine::table::{ResultTable, Row, Value};

/// The rows of two tables that have no partner in the other.
#[derive(Default)]
pub(super) struct Matching {
    /// Row numbers, ascending.
    only_left: Vec<u32>,
    only_right: Vec<u32>,
    /// The first position where the two lists have different rows.
    pub first_out_of_place: Option<usize>,
}

impl Matching {
    /// Matches the rows of two tables with equally many columns: at first exactly, then within tolerance.
    pub fn of(left: &ResultTable, right: &ResultTable) -> Matching {
        let exact = Keys { columns: Column::of_tables(left, right), groups: Vec::new() };
        let first = exact.first_out_of_place(left, right);
        if first.is_none() {
            return Matching::default();
        }
        let matching = exact.matching(left, right);
        let fractional = exact.fractional_columns(left, right);
        if fractional.is_empty() {
            return Matching { first_out_of_place: first, ..matching };
        }
        let tolerant = Keys { groups: exact.groups_of(&fractional, left, right), columns: exact.columns };
        let first = tolerant.first_out_of_place(left, right);
        let matching =
            if first.is_none() || matching.is_perfect() { Matching::default() } else { tolerant.matching(left, right) };
        Matching { first_out_of_place: first, ..matching }
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

/// How rows become keys: a rule for each column, and groups where tolerance applies.
struct Keys {
    columns: Vec<Column>,
    /// Empty, or one entry a column.
    groups: Vec<Option<Groups>>,
}

impl Keys {
    fn key<'a>(&self, column: usize, value: &'a Value) -> Key<'a> {
        match (self.groups.get(column).and_then(Option::as_ref), number(value)) {
            (Some(groups), Some(number)) => groups.key(number),
            _ => self.columns[column].key(value),
        }
    }

    fn compare(&self, left: &Row, right: &Row) -> Ordering {
        let cells = left.iter().zip(right).enumerate();
        let orders = cells.map(|(column, (left, right))| self.key(column, left).cmp(&self.key(column, right)));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn first_out_of_place(&self, left: &ResultTable, right: &ResultTable) -> Option<usize> {
        let differs = |(left, right): (&Row, &Row)| self.compare(left, right).is_ne();
        let common = left.rows.len().min(right.rows.len());
        let longer = left.rows.len() != right.rows.len();
        left.rows.iter().zip(&right.rows).position(differs).or(longer.then_some(common))
    }

    /// Row numbers with their hashes, sorted so that equal rows of two tables meet when merged.
    fn sorted(&self, table: &ResultTable) -> Vec<(u64, u32)> {
        let hash = |row: &Row| {
            let mut hash = RowHash(0x2D35_8DCC_AA6C_78A5);
            row.iter().enumerate().for_each(|(column, value)| hash.add(&self.key(column, value)));
            hash.0
        };
        let mut sorted: Vec<(u64, u32)> =
            table.rows.iter().enumerate().map(|(index, row)| (hash(row), index as u32)).collect();
        sorted.sort_unstable();
        self.order_collisions(table, &mut sorted);
        sorted
    }

    /// Rows of one hash are nearly always equal; where they are not, their cells decide.
    fn order_collisions(&self, table: &ResultTable, sorted: &mut [(u64, u32)]) {
        let row = |entry: &(u64, u32)| &table.rows[entry.1 as usize];
        for run in sorted.chunk_by_mut(|left, right| left.0 == right.0) {
            if run.windows(2).any(|pair| self.compare(row(&pair[0]), row(&pair[1])).is_ne()) {
                run.sort_by(|left, right| self.compare(row(left), row(right)));
            }
        }
    }

    fn matching(&self, left: &ResultTable, right: &ResultTable) -> Matching {
        let (left_rows, right_rows) = (self.sorted(left), self.sorted(right));
        let mut matching = Matching::default();
        let (mut at_left, mut at_right) = (0, 0);
        while at_left < left_rows.len() || at_right < right_rows.len() {
            let order = match (left_rows.get(at_left), right_rows.get(at_right)) {
                (Some(a), Some(b)) => {
                    let cells = || self.compare(&left.rows[a.1 as usize], &right.rows[b.1 as usize]);
                    a.0.cmp(&b.0).then_with(cells)
                }
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            if order.is_lt() {
                matching.only_left.push(left_rows[at_left].1);
            } else if order.is_gt() {
                matching.only_right.push(right_rows[at_right].1);
            }
            at_left += usize::from(order.is_le());
            at_right += usize::from(order.is_ge());
        }
        matching.only_left.sort_unstable();
        matching.only_right.sort_unstable();
        matching
    }

    /// The columns in which some cell of either table is a fraction that tolerance applies to.
    fn fractional_columns(&self, left: &ResultTable, right: &ResultTable) -> Vec<usize> {
        let fraction = |row: &Row, column: usize| matches!(row[column], Value::Real(number) if number.fract() != 0.0);
        let plain = (0..self.columns.len()).filter(|column| self.columns[*column] == Column::Plain);
        plain.filter(|column| left.rows.iter().chain(&right.rows).any(|row| fraction(row, *column))).collect()
    }

    fn groups_of(&self, columns: &[usize], left: &ResultTable, right: &ResultTable) -> Vec<Option<Groups>> {
        let mut groups: Vec<Option<Groups>> = self.columns.iter().map(|_| None).collect();
        for column in columns {
            let numbers = left.rows.iter().chain(&right.rows).filter_map(|row| number(&row[*column]));
            groups[*column] = Some(Groups::of(numbers.collect()));
        }
        groups
    }
}
