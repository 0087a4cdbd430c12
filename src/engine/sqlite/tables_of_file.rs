//! Reads the tables of a SQLite file with their rows, so that another engine can query them.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::file::value;
use super::load::quoted;
use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::types::Type;
use crate::engine::table::{Database, Row, TableRows, Value};

/// Reads every table of a file.
///
/// SQLite stores any value in any column. A column gets its declared type if all its values have that type, and
/// otherwise a wider one: DOUBLE for whole numbers if that fits, else text.
///
/// # Errors
///
/// If the file cannot be opened or is not a database; the error has SQLite's message.
pub fn tables_of_file(file: &Path) -> Result<(Schema, Database), String> {
    read(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn read(file: &Path) -> rusqlite::Result<(Schema, Database)> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let listed =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    let names: Vec<String> = connection.prepare(listed)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let (mut schema, mut database) = (Schema::default(), Database::default());
    for name in names {
        let declared: Vec<(String, String)> = connection
            .prepare("SELECT lower(name), upper(type) FROM pragma_table_info(?1) ORDER BY cid")?
            .query_map([&name], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let mut rows = rows(&connection, &name, declared.len())?;
        let column = |(at, (name, written)): (usize, (String, String))| {
            let data_type = fitted(declared_type(&written), rows.iter_mut().map(|row| &mut row[at]));
            TableColumn { name, data_type, nullable: true, partition: false, comment: String::new(), own_value: false }
        };
        let columns = declared.into_iter().enumerate().map(column).collect();
        let name = name.to_lowercase();
        schema.tables_mut().push(TableDefinition { name: name.clone(), columns, comment: String::new() });
        database.tables.push(TableRows { table: name, rows });
    }
    Ok((schema, database))
}

fn rows(connection: &Connection, table: &str, columns: usize) -> rusqlite::Result<Vec<Row>> {
    let query = format!("SELECT * FROM {}", quoted(table));
    let mut statement = connection.prepare(&query)?;
    let mut cursor = statement.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = cursor.next()? {
        rows.push((0..columns).map(|place| Ok(value(row.get_ref(place)?))).collect::<rusqlite::Result<Row>>()?);
    }
    Ok(rows)
}

/// Returns the type for a declaration such as `VARCHAR(20)`, by the words that SQLite itself looks for. Dates and
/// timestamps, for which SQLite has no types, are recognised by name.
fn declared_type(written: &str) -> Type {
    let has = |words: &[&str]| words.iter().any(|word| written.contains(word));
    match () {
        () if has(&["TIMESTAMP", "DATETIME"]) => Type::Timestamp,
        () if has(&["DATE"]) => Type::Date,
        () if has(&["BOOL"]) => Type::Boolean,
        () if has(&["INT", "SERIAL"]) => Type::BigInt,
        () if has(&["REAL", "FLOA", "DOUB", "NUM", "DEC"]) => Type::Double,
        () => Type::String,
    }
}

/// Returns the type that all values of a column can have: the declared one, a wider one for numbers, or text. The
/// values of a column that becomes text are converted to text.
fn fitted<'a>(declared: Type, values: impl Iterator<Item = &'a mut Value>) -> Type {
    let values: Vec<&mut Value> = values.collect();
    let all = |data_type: &Type| values.iter().all(|value| fits(value, data_type));
    let wider = if declared == Type::BigInt { Type::Double } else { Type::String };
    if let Some(found) = [declared, wider].into_iter().find(|data_type| *data_type != Type::String && all(data_type)) {
        return found;
    }
    for value in values {
        if value.as_number().is_some() {
            *value = Value::Text(value.plain_text().into_owned());
        }
    }
    Type::String
}

fn fits(value: &Value, data_type: &Type) -> bool {
    let digits =
        |text: &str, places: &[usize]| places.iter().all(|at| text.as_bytes().get(*at).is_some_and(u8::is_ascii_digit));
    match (value, data_type) {
        (Value::Null, _) | (Value::Integer(_), Type::BigInt) => true,
        (Value::Integer(_) | Value::Real(_), Type::Double) => true,
        (Value::Integer(flag), Type::Boolean) => matches!(flag, 0 | 1),
        (Value::Text(day), Type::Date) => day.len() == 10 && digits(day, &[0, 1, 2, 3, 5, 6, 8, 9]),
        (Value::Text(time), Type::Timestamp) => time.len() >= 10 && digits(time, &[0, 1, 2, 3, 5, 6, 8, 9]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_its_tables_with_types_that_their_values_have() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("d.sqlite");
        let connection = Connection::open(&file).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE Shop (ID INTEGER PRIMARY KEY, price NUMERIC(8,2), \"open\" BOOLEAN, since DATE, seen DATETIME,
                     name VARCHAR(9), mixed INT, half INT, hollow INT);
                 INSERT INTO Shop VALUES (1, 2.5, 1, '2024-01-31', '2024-01-31 10:00:00', 'a', 7, 1.5, NULL),
                     (2, 3, 0, NULL, '2024-02-01', 'b', 'seven', 2, NULL);
                 CREATE VIEW v AS SELECT * FROM Shop;",
            )
            .unwrap();
        let (schema, database) = tables_of_file(&file).unwrap();
        let [shop] = &schema.tables[..] else { panic!("{schema:?}") };
        let types: Vec<(&str, String)> =
            shop.columns.iter().map(|column| (&*column.name, column.data_type.to_string())).collect();
        let wanted = [
            ("id", "BIGINT"),
            ("price", "DOUBLE"),
            ("open", "BOOLEAN"),
            ("since", "DATE"),
            ("seen", "TIMESTAMP"),
            ("name", "STRING"),
            ("mixed", "STRING"),
            ("half", "DOUBLE"),
            ("hollow", "BIGINT"),
        ];
        assert_eq!(types, wanted.map(|(name, data_type)| (name, data_type.to_owned())));
        assert_eq!(database.tables[0].table, "shop");
        let mixed: Vec<&Value> = database.tables[0].rows.iter().map(|row| &row[6]).collect();
        assert_eq!(mixed, [&Value::Text("7".to_owned()), &Value::Text("seven".to_owned())]);
    }

    #[test]
    fn what_is_no_database_is_told_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("d.sqlite");
        assert!(tables_of_file(&file).unwrap_err().contains("d.sqlite: "));
        std::fs::write(&file, "these are no pages of a database at all, but long enough".repeat(40)).unwrap();
        assert!(tables_of_file(&file).unwrap_err().contains("not a database"));
    }
}
