//! Converts a schema and a fake database into the form that the Spark process loads.

use serde_json::{Value as Json, json};

use crate::code::schema::{Schema, TableDefinition};
use crate::code::types::Type;
use crate::engine::table::{Database, Row, Value};

/// Returns every table with its columns, and with its rows as text.
pub fn tables(schema: &Schema, database: &Database) -> Json {
    let table = |definition: &TableDefinition| {
        let columns: Vec<Json> = definition
            .columns
            .iter()
            .map(|column| json!([column.name, declared(&column.data_type), column.partition]))
            .collect();
        let entry = database.tables.iter().find(|entry| entry.table == definition.name);
        let rows: Vec<Json> =
            entry.map_or(&[][..], |entry| &entry.rows).iter().map(|row| cells(definition, row)).collect();
        json!({ "name": definition.name, "columns": columns, "rows": rows })
    };
    schema.tables.iter().map(table).collect()
}

/// Returns a type as Spark's definitions write it; STRING for an unknown type.
fn declared(data_type: &Type) -> String {
    match data_type {
        Type::Unknown | Type::Null | Type::Interval(_) => "STRING".to_owned(),
        known => known.to_string(),
    }
}

fn cells(definition: &TableDefinition, row: &Row) -> Json {
    let cell = |(value, data_type): (&Value, &Type)| match (value, data_type) {
        (Value::Null, _) => Json::Null,
        (Value::Integer(flag), Type::Boolean) => Json::from(if *flag == 0 { "false" } else { "true" }),
        (Value::Integer(number), _) => Json::from(number.to_string()),
        (Value::Real(number), _) => Json::from(number.to_string()),
        (Value::Text(text), _) => Json::from(text.as_str()),
    };
    row.iter().zip(definition.columns.iter().map(|column| &column.data_type)).map(cell).collect()
}
