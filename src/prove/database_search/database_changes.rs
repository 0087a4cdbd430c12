//! Changes to the rows of a database, each about one column of a table.

use super::time_moves::{FORMS, TimeMove, moved, rewritten};
use crate::code::schema::{Schema, TableDefinition};
use crate::code::types::Type;
use crate::engine::table::{Database, Row, TableRows, Value};

/// Rows that are changed or copied alone: the first ones stand for the others.
const CHANGED_ALONE: usize = 4;
/// Rows of which copies are made.
const COPIED: usize = 2;
/// How many copies of a row are made at once.
const COPIES: [usize; 4] = [1, 2, 6, 29];
/// A table with more rows gets no further ones.
const MOST_ROWS: usize = 400;
/// By how much all times of a column are moved at once.
const MOVES: [TimeMove; 6] = [
    TimeMove::Days(1),
    TimeMove::Months(1),
    TimeMove::Seconds(3_600),
    TimeMove::Days(7),
    TimeMove::Months(12),
    TimeMove::Seconds(300),
];
/// How far the times of copies lie apart.
const BETWEEN_COPIES: [TimeMove; 4] =
    [TimeMove::Days(1), TimeMove::Seconds(300), TimeMove::Months(1), TimeMove::Seconds(5_400)];

/// A column of a table of the schema.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChangedColumn {
    /// The full name of its table.
    pub table: String,
    /// Its position in the table.
    pub position: usize,
    /// Its type.
    pub data_type: Type,
}

/// A change to the rows of a table in one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SearchChange {
    /// All times are moved.
    MoveAll(TimeMove, i32),
    /// All times of all columns are written in a form.
    RewriteTimes(&'static str),
    /// All rows get a value.
    SetAll(Value),
    /// One row gets a value.
    Set { row: usize, value: Value },
    /// Copies of a row are added.
    Copy { row: usize, copies: usize, differ: CopyDifference },
    /// Copies of all rows with the key of a row are added, in all tables, each copy of them with another key.
    CopyKey { row: usize, copies: usize },
}

/// What copies of a row have in a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CopyDifference {
    /// The same value.
    Nothing,
    /// A later time each, or an earlier one.
    Time(TimeMove, i32),
    /// Another key, or another number, each.
    Key,
}

impl SearchChange {
    /// Returns the changes of a column that are tried; `values` are worth setting.
    pub fn each(rows: &[Row], column: usize, values: &[Value]) -> Vec<SearchChange> {
        let is_time = |step| rows.first().is_some_and(|row| moved(&row[column], step, 1).is_some());
        let moves = MOVES.into_iter().filter(|step| is_time(*step));
        let mut changes: Vec<SearchChange> =
            moves.flat_map(|step| [1, -1].map(|count| SearchChange::MoveAll(step, count))).collect();
        let is_text = rows.first().is_some_and(|row| matches!(row[column], Value::Text(_)));
        changes.extend(FORMS.into_iter().filter(|_| is_text).map(SearchChange::RewriteTimes));
        changes.extend(values.iter().cloned().map(SearchChange::SetAll));
        for copies in COPIES {
            for row in 0..rows.len().min(COPIED) {
                let times = BETWEEN_COPIES.into_iter().filter(|step| is_time(*step));
                let times = times.flat_map(|step| [1, -1].map(|count| CopyDifference::Time(step, count)));
                let all = times.chain([CopyDifference::Key, CopyDifference::Nothing]);
                changes.extend(all.map(|differ| SearchChange::Copy { row, copies, differ }));
                changes.push(SearchChange::CopyKey { row, copies });
            }
        }
        let alone = (0..rows.len().min(CHANGED_ALONE)).filter(|_| rows.len() > 1);
        changes.extend(
            alone.flat_map(|row| values.iter().map(move |value| SearchChange::Set { row, value: value.clone() })),
        );
        changes
    }

    /// Returns the change that goes on in the same direction, with more copies than before.
    pub fn again(&self) -> SearchChange {
        match self.clone() {
            SearchChange::Copy { row, copies, differ } => SearchChange::Copy { row, copies: copies * 2, differ },
            SearchChange::CopyKey { row, copies } => SearchChange::CopyKey { row, copies: copies * 2 },
            other => other,
        }
    }

    /// Returns the database after the change of a column; `None` if it changes nothing, or a table would have too many rows.
    pub fn apply(&self, database: &Database, column: &ChangedColumn, schema: &Schema) -> Option<Database> {
        if let SearchChange::CopyKey { row, copies } = self {
            return with_copies_of_key(database, column, *row, *copies, schema);
        }
        let at = database.tables.iter().position(|table| table.table == column.table)?;
        let rows = &database.tables[at].rows;
        let changed = self.changed(rows, column, schema.table(&column.table)?).filter(|changed| changed != rows)?;
        let mut other = database.clone();
        other.tables[at].rows = changed;
        Some(other)
    }

    /// Returns the rows of the column's table after the change.
    fn changed(&self, rows: &[Row], column: &ChangedColumn, table: &TableDefinition) -> Option<Vec<Row>> {
        let at = column.position;
        let mut changed = rows.to_vec();
        match self {
            SearchChange::MoveAll(step, count) => {
                for row in &mut changed {
                    if let Some(later) = moved(&row[at], *step, *count) {
                        row.set(at, later);
                    }
                }
            }
            SearchChange::RewriteTimes(form) => {
                rewritten(&rows.first()?[at], form)?;
                let texts = table.columns.iter().enumerate().filter(|(_, column)| column.data_type == Type::String);
                for (position, _) in texts {
                    for row in &mut changed {
                        if let Some(other) = rewritten(&row[position], form) {
                            row.set(position, other);
                        }
                    }
                }
            }
            SearchChange::SetAll(value) => changed.iter_mut().for_each(|row| row.set(at, value.clone())),
            SearchChange::Set { row, value } => changed.get_mut(*row)?.set(at, value.clone()),
            SearchChange::Copy { row, copies, differ } => {
                let original = rows.get(*row).filter(|_| rows.len() + copies <= MOST_ROWS)?;
                for number in 1..=*copies {
                    let mut copy = original.clone();
                    copy.set(at, differ.value(&original[at], number, &column.data_type)?);
                    changed.push(copy);
                }
            }
            SearchChange::CopyKey { .. } => return None,
        }
        Some(changed)
    }
}

/// Returns a database with copies of all rows that hold the key of a row, each copy with another key; a number is a key in
/// columns of one name only.
fn with_copies_of_key(
    database: &Database,
    column: &ChangedColumn,
    row: usize,
    copies: usize,
    schema: &Schema,
) -> Option<Database> {
    let rows = &database.tables.iter().find(|table| table.table == column.table)?.rows;
    let key = rows.get(row)?[column.position].clone();
    let name = &schema.table(&column.table)?.columns[column.position].name;
    let holds_key = |table: &TableRows| -> Vec<usize> {
        let columns = schema.table(&table.table).map_or(&[][..], |definition| &definition.columns);
        let alike = columns.iter().enumerate().filter(|(_, other)| {
            other.data_type == column.data_type && (matches!(key, Value::Text(_)) || other.name == *name)
        });
        alike.map(|(at, _)| at).collect()
    };
    let mut other = database.clone();
    for table in &mut other.tables {
        let columns = holds_key(table);
        let holds = |row: &&Row| columns.iter().any(|at| row[*at] == key);
        let originals: Vec<Row> = table.rows.iter().filter(holds).cloned().collect();
        if table.rows.len() + originals.len() * copies > MOST_ROWS {
            return None;
        }
        for number in 1..=copies {
            let other_key = CopyDifference::Key.value(&key, number, &column.data_type)?;
            for original in &originals {
                let mut copy = original.clone();
                for at in columns.iter().filter(|at| original[**at] == key) {
                    copy.set(*at, other_key.clone());
                }
                table.rows.push(copy);
            }
        }
    }
    Some(other)
}

impl CopyDifference {
    /// Returns the value of a copy of this number.
    fn value(&self, original: &Value, number: usize, data_type: &Type) -> Option<Value> {
        match self {
            CopyDifference::Nothing => Some(original.clone()),
            CopyDifference::Time(step, count) => moved(original, *step, count * i32::try_from(number).ok()?),
            CopyDifference::Key => match original {
                Value::Integer(first) if *data_type != Type::Boolean => Some(Value::Integer(first + number as i64)),
                Value::Text(text) if *data_type == Type::String => Some(Value::Text(format!("{text}_{number}"))),
                _ => None,
            },
        }
    }
}
