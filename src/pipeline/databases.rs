//! Fake databases as files of a run: JSON for programs, plain INSERT statements for people.

use super::error::BuildError;
use crate::code::literal::quoted;
use crate::code::schema::Schema;
use crate::code::types::Type;
use crate::engine::table::{Database, Row, Value};
use crate::prove::Subject;
use crate::publish::format::Files;
use crate::store::pretty;

/// Writes a database of a script under `name`.
pub(super) fn write_database(
    files: &dyn Files,
    subject: &Subject<'_>,
    name: &str,
    database: &Database,
) -> Result<(), BuildError> {
    // The JSON is written last: if it exists, both files do.
    let sql = insert_statements(&subject.reference.schema, database);
    files.file(&format!("databases/{name}.sql"), sql.as_bytes())?;
    Ok(files.file(&format!("databases/{name}.json"), pretty(database).as_bytes())?)
}

/// Returns the rows as INSERT statements that Hive and Spark read.
pub fn insert_statements(schema: &Schema, database: &Database) -> String {
    let mut text = String::new();
    for table in database.tables.iter().filter(|table| !table.rows.is_empty()) {
        let Some(definition) = schema.table(&table.table) else { continue };
        let types: Vec<&Type> = definition.columns.iter().map(|column| &column.data_type).collect();
        let row = |row: &Row| {
            let values: Vec<String> =
                row.iter().zip(&types).map(|(value, data_type)| literal(value, data_type)).collect();
            format!("    SELECT {}", values.join(", "))
        };
        let rows: Vec<String> = table.rows.iter().map(row).collect();
        text.push_str(&format!("INSERT INTO {}\n{};\n", table.table, rows.join("\n    UNION ALL\n")));
    }
    text
}

fn literal(value: &Value, data_type: &Type) -> String {
    match (value, data_type) {
        (Value::Text(text), data_type) if data_type.is_nested() => {
            serde_json::from_str(text).map_or_else(|_| quoted(text), |json| nested(&json, data_type))
        }
        _ => value.literal(data_type),
    }
}

fn nested(json: &serde_json::Value, data_type: &Type) -> String {
    use serde_json::Value as Json;
    match (json, data_type) {
        (Json::Array(items), Type::Array(element)) => {
            format!("ARRAY({})", items.iter().map(|item| nested(item, element)).collect::<Vec<_>>().join(", "))
        }
        (Json::Object(object), Type::Map(_, value)) => {
            let entries = object.iter().map(|(key, item)| format!("{}, {}", quoted(key), nested(item, value)));
            format!("MAP({})", entries.collect::<Vec<_>>().join(", "))
        }
        (Json::Object(object), Type::Struct(fields)) => {
            let field = |(name, data_type): &(String, Type)| {
                format!("{}, {}", quoted(name), nested(object.get(name).unwrap_or(&Json::Null), data_type))
            };
            format!("NAMED_STRUCT({})", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        (Json::String(text), data_type) => literal(&Value::Text(text.clone()), data_type),
        (Json::Null, _) => "NULL".to_owned(),
        (other, _) => other.to_string().to_uppercase(),
    }
}
