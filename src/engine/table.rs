//! Databases and result tables, which are the same for every engine.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

pub use super::row::Row;
pub use super::value::Value;
use crate::code::schema::Schema;
use crate::code::types::Type;

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
    /// One entry per table.
    pub tables: Vec<TableRows>,
}

impl Database {
    /// Number of rows in all tables.
    pub fn row_count(&self) -> usize {
        self.tables.iter().map(|table| table.rows.len()).sum()
    }

    /// Whether every value is one that its column can hold, as no engine keeps a text in a column of numbers.
    pub(crate) fn fits(&self, schema: &Schema) -> bool {
        self.tables.iter().all(|table| {
            schema.table(&table.table).is_none_or(|definition| {
                let fits = |row: &Row| {
                    row.iter().zip(&definition.columns).all(|(value, column)| value.fits(&column.data_type))
                };
                table.rows.iter().all(fits)
            })
        })
    }

    /// Returns the database with the rows of each table reversed.
    #[must_use]
    pub fn reversed(&self) -> Database {
        let mut turned = self.clone();
        for table in &mut turned.tables {
            table.rows.reverse();
        }
        turned
    }

    /// Returns the same rows in other orders: first reversed, then sorted by all columns from the last one on, and so in falling order, then
    /// shuffled in ever new but reproducible ways.
    ///
    /// A result may depend on an order that the script does not fix, and a single other order may give the same result
    /// by chance. Of rows that tie in what a script sorts by, and differ in one column, each of the two sorted orders puts
    /// another first.
    pub fn orders(&self) -> impl Iterator<Item = Database> + '_ {
        let sorted = |falling: bool| {
            let mut other = self.clone();
            for table in &mut other.tables {
                table.rows.sort_by(by_values);
                if falling {
                    table.rows.reverse();
                }
            }
            other
        };
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
        std::iter::once_with(|| self.reversed()).chain([false, true].into_iter().map(sorted)).chain((1..).map(shuffled))
    }
}

/// Compares two rows value by value from the last one on. The first value is a key, most often, in whose order the rows
/// stand already.
fn by_values(one: &Row, other: &Row) -> Ordering {
    let mut pairs = one.iter().rev().zip(other.iter().rev()).map(|(one, other)| one.order(other));
    pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Scrambles a number (the finaliser of SplitMix64).
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
    /// What it holds that `collect_list`, `collect_set` or `string_agg` leave unordered, if anything.
    pub unordered: Option<UnorderedValues>,
}

impl ResultColumn {
    /// A column whose values have an order of their own.
    pub fn new(name: impl Into<String>, data_type: Type) -> ResultColumn {
        ResultColumn { name: name.into(), data_type, unordered: None }
    }
}

/// Values whose elements stand in no order of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnorderedValues {
    /// Arrays.
    Arrays,
    /// Texts of elements, joined by this separator.
    Texts(String),
}

impl UnorderedValues {
    /// Returns a value with its elements sorted by their text; any other value than an array unchanged, where arrays are
    /// meant.
    pub fn sorted<'a>(&self, value: &'a str) -> Cow<'a, str> {
        let (mut elements, separator): (Vec<String>, &str) = match self {
            UnorderedValues::Texts(separator) => (value.split(&**separator).map(str::to_owned).collect(), separator),
            UnorderedValues::Arrays => match serde_json::from_str(value) {
                Ok(serde_json::Value::Array(elements)) => (elements.iter().map(ToString::to_string).collect(), ","),
                _ => return Cow::Borrowed(value),
            },
        };
        elements.sort_unstable();
        let joined = elements.join(separator);
        Cow::Owned(if *self == UnorderedValues::Arrays { format!("[{joined}]") } else { joined })
    }
}

impl ResultColumn {
    /// Marks a column as unordered that takes the values of an unordered one.
    pub fn take_order_of(&mut self, source: &ResultColumn) {
        if self.unordered.is_none() {
            self.unordered.clone_from(&source.unordered);
        }
    }
}

/// What the name of a result begins with that INSERT writes to a path.
pub(crate) const DIRECTORY: &str = "directory ";

/// The rows that a statement returned or that a written table holds afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// The written table's full name, or empty for the result of a final query.
    pub target: String,
    /// Its columns.
    pub columns: Vec<ResultColumn>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// Whether the script fixes the order of the rows by an outermost ORDER BY.
    pub ordered: bool,
    /// The columns, from 0, by which an ordered result is sorted: rows that are equal in them may stand in any order.
    /// Empty if a sort key is no column of the result; then every row has one place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sorted_by: Vec<usize>,
}

impl ResultTable {
    /// A table whose rows may stand in any order.
    pub fn unordered(target: String, columns: Vec<ResultColumn>, rows: Vec<Row>) -> ResultTable {
        ResultTable { target, columns, rows, ordered: false, sorted_by: Vec::new() }
    }
}

/// The result of a script: the final content of each written table, and the rows of each plain query.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ScriptResult {
    /// The tables in order of first write.
    pub tables: Vec<ResultTable>,
}

impl ScriptResult {
    /// Turns numbers that JSON cannot represent (infinities) into text, so that writing and reading gives the same
    /// result.
    #[must_use]
    pub fn writable(mut self) -> ScriptResult {
        for value in self.tables.iter_mut().flat_map(|table| &mut table.rows).flat_map(|row| row.iter_mut()) {
            if let Value::Real(number) = value
                && !number.is_finite()
            {
                *value = Value::Text(number.to_string());
            }
        }
        self
    }

    /// Returns the result with only those of its tables that count.
    #[must_use]
    pub fn only(mut self, counts: impl Fn(&ResultTable) -> bool) -> ScriptResult {
        self.tables.retain(counts);
        self
    }

    /// Returns the result with only those tables ordered that are ordered in `reference`, because an answer may fix an
    /// order that the reference leaves open.
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
        let rows: Vec<Row> = (0..9).map(|number| Row::from([Value::Integer(number * 5 % 9)])).collect();
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
