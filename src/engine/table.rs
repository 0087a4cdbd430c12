//! Values, rows and result tables, the same for every engine.

use serde::{Deserialize, Serialize};

use crate::code::types::Type;

/// A value of a fake database or a result. Dates and timestamps are text, booleans 0 or 1, nested values JSON text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// A whole number or a boolean.
    Integer(i64),
    /// A floating or decimal number.
    Real(f64),
    /// Text, date, timestamp, or JSON of an array, map or struct.
    Text(String),
}

/// One row.
pub type Row = Vec<Value>;

/// The rows of one table of a fake database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableRows {
    /// Full lower-case table name, as in the schema.
    pub table: String,
    /// Rows in the schema's column order.
    pub rows: Vec<Row>,
}

/// A fake database: rows for each table of a schema (tables not named are empty).
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Database {
    /// One entry a table.
    pub tables: Vec<TableRows>,
}

impl Database {
    /// Number of rows in all tables.
    pub fn row_count(&self) -> usize {
        self.tables.iter().map(|table| table.rows.len()).sum()
    }

    /// The same rows, each table's in the opposite order.
    #[must_use]
    pub fn reversed(&self) -> Database {
        let mut turned = self.clone();
        for table in &mut turned.tables {
            table.rows.reverse();
        }
        turned
    }

    /// The same rows, each table's in another order: backwards, then shuffled, each time anew but always alike.
    ///
    /// What a script gives may depend on an order that it does not fix, and one other order may give the same by chance.
    pub fn orders(&self) -> impl Iterator<Item = Database> + '_ {
        let shuffled = |turn: u64| {
            let mut other = self.clone();
            for table in &mut other.tables {
                let mut keyed: Vec<(u64, Row)> =
                    (0..).map(|at| mixed(turn << 32 | at)).zip(table.rows.drain(..)).collect();
                keyed.sort_by_key(|(key, _)| *key);
                table.rows = keyed.into_iter().map(|(_, row)| row).collect();
            }
            other
        };
        std::iter::once_with(|| self.reversed()).chain((1..).map(shuffled))
    }
}

/// A number without pattern for each number (the finisher of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// One column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultColumn {
    /// Lower-case name.
    pub name: String,
    /// Its type.
    pub data_type: Type,
    /// It holds arrays that `collect_list` or `collect_set` leave in no order.
    pub unordered: bool,
}

/// What a statement returned or what a written table holds afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// The written table's full name, or empty for the result of a final query.
    pub target: String,
    /// Its columns.
    pub columns: Vec<ResultColumn>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// The script fixes the order of the rows (an outermost ORDER BY).
    pub ordered: bool,
}

/// Everything a script produced: each written table's final content, and the result of each plain query.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ScriptResult {
    /// In order of first write.
    pub tables: Vec<ResultTable>,
}

impl ScriptResult {
    /// The result with numbers that JSON cannot write (infinities) as text, so that what is read is what was written.
    #[must_use]
    pub fn writable(mut self) -> ScriptResult {
        for value in self.tables.iter_mut().flat_map(|table| &mut table.rows).flatten() {
            if let Value::Real(number) = value
                && !number.is_finite()
            {
                *value = Value::Text(number.to_string());
            }
        }
        self
    }

    /// The same rows, in an order that counts only where it counts in `reference`: an answer may fix an order that the
    /// reference leaves open.
    #[must_use]
    pub fn ordered_as(mut self, reference: &ScriptResult) -> ScriptResult {
        for table in &mut self.tables {
            table.ordered &= reference.tables.iter().any(|wanted| wanted.target == table.target && wanted.ordered);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_hold_the_same_rows_and_differ_from_each_other() {
        let rows: Vec<Row> = (0..9).map(|number| vec![Value::Integer(number)]).collect();
        let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows: rows.clone() }] };
        let mut found: Vec<Vec<Row>> = database.orders().take(5).map(|mut other| other.tables.remove(0).rows).collect();
        assert_eq!(found[0], rows.iter().rev().cloned().collect::<Vec<_>>());
        found.push(rows.clone());
        for (at, order) in found.iter().enumerate() {
            assert!(found[..at].iter().all(|earlier| earlier != order), "{order:?} twice");
            assert!(order.len() == rows.len() && rows.iter().all(|row| order.contains(row)));
        }
    }
}
