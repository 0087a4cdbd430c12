//! Fixed changes to one column of a database: NULLs, ties, boundaries, duplicates, missing rows.

use crate::code::schema::Schema;
use crate::code::types::Type;
use crate::engine::table::{Database, Value};
use crate::prove::data::calendar;
use crate::prove::data::scalar::{neighbour, plain};

/// A column of a table of the schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BaseColumn {
    /// Full lower-case table name.
    pub table: String,
    /// Column name.
    pub column: String,
}

/// A change to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnChange {
    /// Every second value becomes NULL.
    SomeNull,
    /// All values become NULL.
    AllNull,
    /// All values become the first one's, so that orderings tie and keys multiply.
    Tie,
    /// Every second value moves one step up.
    StepUp,
    /// Every second value moves one step down.
    StepDown,
    /// Every row appears twice.
    Duplicate,
    /// Every row appears twice, the copy with another value in this column.
    DuplicateButThis,
    /// Every second row is removed.
    Orphan,
    /// Every second text takes a form that compares or casts differently: a leading zero, the other letter case.
    OtherForm,
    /// Every second number becomes negative, every second text empty.
    Degenerate,
    /// Values move on by one row, so that the columns of a row no longer belong together.
    Rotate,
    /// Every second value moves far: a date by a month, a number by a thousand.
    FarAway,
}

impl ColumnChange {
    /// Whether it changes whole rows, so that the column does not matter.
    pub fn is_of_rows(self) -> bool {
        matches!(self, ColumnChange::Duplicate | ColumnChange::Orphan)
    }
}

/// All changes, the mildest first.
pub const COLUMN_CHANGES: [ColumnChange; 12] = [
    ColumnChange::SomeNull,
    ColumnChange::Tie,
    ColumnChange::StepUp,
    ColumnChange::StepDown,
    ColumnChange::Duplicate,
    ColumnChange::DuplicateButThis,
    ColumnChange::Orphan,
    ColumnChange::Rotate,
    ColumnChange::OtherForm,
    ColumnChange::FarAway,
    ColumnChange::Degenerate,
    ColumnChange::AllNull,
];

/// Returns `database` after `change` to the column `target`, or `None` if nothing would change.
pub fn apply(schema: &Schema, database: &Database, target: &BaseColumn, change: ColumnChange) -> Option<Database> {
    let definition = schema.table(&target.table)?;
    let column = definition.position(&target.column)?;
    let mut changed = database.clone();
    let table = changed.tables.iter_mut().find(|table| table.table == definition.name)?;
    let data_type = &definition.columns[column].data_type;
    let first = table.rows.first().map(|row| row[column].clone())?;
    let values: Vec<Value> = table.rows.iter().map(|row| row[column].clone()).collect();
    match change {
        ColumnChange::Duplicate => table.rows = table.rows.iter().flat_map(|row| [row.clone(), row.clone()]).collect(),
        ColumnChange::DuplicateButThis => {
            let copies = table.rows.iter().flat_map(|row| {
                let mut copy = row.clone();
                copy[column] = neighbour(&row[column], 1).unwrap_or(Value::Null);
                [row.clone(), copy]
            });
            table.rows = copies.collect();
        }
        ColumnChange::Orphan => {
            let kept = table.rows.iter().enumerate().filter(|(index, _)| index % 2 == 0).map(|(_, row)| row.clone());
            table.rows = kept.collect();
        }
        _ => {
            for (index, row) in table.rows.iter_mut().enumerate() {
                row.set(column, replaced(change, index, &values, &first, data_type));
            }
        }
    }
    (changed != *database).then_some(changed)
}

fn replaced(change: ColumnChange, index: usize, values: &[Value], first: &Value, data_type: &Type) -> Value {
    let old = &values[index];
    let second = index % 2 == 1;
    let moved = |value: Option<Value>| value.unwrap_or_else(|| old.clone());
    match change {
        ColumnChange::AllNull => Value::Null,
        ColumnChange::SomeNull if second => Value::Null,
        ColumnChange::Tie => first.clone(),
        ColumnChange::StepUp if second => moved(neighbour(old, 1)),
        ColumnChange::StepDown if second => moved(neighbour(old, -1)),
        ColumnChange::Rotate => values[(index + 1) % values.len()].clone(),
        ColumnChange::OtherForm if second => other_form(old, data_type),
        ColumnChange::Degenerate if second => degenerate(old, data_type),
        ColumnChange::FarAway if second => match old {
            Value::Text(text) => moved(calendar::shift_in_place(text, 31).map(Value::Text)),
            other => moved(neighbour(other, 1000)),
        },
        _ => old.clone(),
    }
}

fn other_form(old: &Value, data_type: &Type) -> Value {
    let Value::Text(text) = old else { return old.clone() };
    if data_type.is_temporal() || data_type.is_nested() {
        return old.clone();
    }
    if text.parse::<f64>().is_ok() {
        return Value::Text(format!("0{text}"));
    }
    let upper = text.to_uppercase();
    Value::Text(if upper == *text { text.to_lowercase() } else { upper })
}

fn degenerate(old: &Value, data_type: &Type) -> Value {
    match old {
        Value::Integer(number) => Value::Integer(-number),
        Value::Real(number) => Value::Real(-number),
        Value::Text(_) if *data_type == Type::String => Value::Text(String::new()),
        Value::Text(_) if matches!(data_type, Type::Array(_)) => Value::Text("[]".to_owned()),
        other => Value::Text(plain(other)),
    }
}
