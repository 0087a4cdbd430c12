//! Lists of columns: `information_schema.columns` as CSV, and dbt's `manifest.json` and `catalog.json`.

use serde_json::Value as Json;

use super::defined_tables::Definitions;
use super::foreign_type::mapped;
use crate::code::schema::{TableColumn, TableDefinition};
use crate::code::types::Type;

/// One column of a list.
struct ListedColumn {
    table: String,
    column: String,
    data_type: String,
    nullable: bool,
    comment: String,
    /// Orders the columns of a table.
    position: usize,
}

/// Reads `information_schema.columns` as CSV with a header; commas, semicolons or tabulators separate its fields.
///
/// # Errors
///
/// If the header lacks a column that is needed, or a row is no CSV.
pub(super) fn add_csv(definitions: &mut Definitions, text: &str) -> Result<(), String> {
    let head = text.lines().next().unwrap_or_default();
    let separator = [b',', b';', b'\t'].into_iter().max_by_key(|mark| head.bytes().filter(|byte| byte == mark).count());
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).delimiter(separator.unwrap_or(b',')).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let place = |name: &str| header.iter().position(|field| field.trim().eq_ignore_ascii_case(name));
    let needed = |name: &str| {
        place(name).ok_or_else(|| format!("the header has no {name}; expected are table_name, column_name, data_type"))
    };
    let (table, column, data_type) = (needed("table_name")?, needed("column_name")?, needed("data_type")?);
    let schema = place("table_schema");
    let (nullable, comment, position) = (place("is_nullable"), place("comment"), place("ordinal_position"));
    let (precision, scale) = (place("numeric_precision"), place("numeric_scale"));
    let mut listed = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let field = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or("").trim().to_owned();
        let database = field(schema).to_lowercase();
        let name = field(Some(table)).to_lowercase();
        listed.push(ListedColumn {
            table: if database.is_empty() { name } else { format!("{database}.{name}") },
            column: field(Some(column)).to_lowercase(),
            data_type: with_digits(field(Some(data_type)), &field(precision), &field(scale)),
            nullable: !field(nullable).eq_ignore_ascii_case("NO"),
            comment: field(comment),
            position: field(position).parse().unwrap_or(row),
        });
    }
    add_listed(definitions, listed);
    Ok(())
}

/// A type with the digits that other columns of the list tell of it, if it has none and is exact.
fn with_digits(data_type: String, precision: &str, scale: &str) -> String {
    let is_exact = ["NUMBER", "NUMERIC", "DECIMAL"].iter().any(|exact| data_type.eq_ignore_ascii_case(exact));
    if is_exact && !precision.is_empty() {
        format!("{data_type}({precision},{})", scale.parse().unwrap_or(0))
    } else {
        data_type
    }
}

/// Reads dbt's `manifest.json` or `catalog.json`.
///
/// # Errors
///
/// If the text is no JSON, or has neither `nodes` nor `sources`.
pub(super) fn add_dbt(definitions: &mut Definitions, text: &str) -> Result<(), String> {
    let document: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let groups: Vec<_> = ["sources", "nodes"].into_iter().filter_map(|group| document[group].as_object()).collect();
    // The catalogue of a project of which nothing is built has empty groups.
    if groups.is_empty() {
        return Err(
            "neither `nodes` nor `sources` are in it; expected is dbt's manifest.json or catalog.json".to_owned()
        );
    }
    let nodes = groups.iter().flat_map(|group| group.values());
    let mut listed = Vec::new();
    for node in nodes {
        let Some(columns) = node["columns"].as_object() else { continue };
        let said = |key: &str| node["metadata"][key].as_str().or_else(|| node[key].as_str()).map(str::to_lowercase);
        let name = said("identifier").or_else(|| said("alias")).or_else(|| said("name")).unwrap_or_default();
        let table = said("schema").map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
        for (position, (key, column)) in columns.iter().enumerate() {
            let text = |key: &str| column[key].as_str().unwrap_or("").to_owned();
            listed.push(ListedColumn {
                table: table.clone(),
                column: column["name"].as_str().unwrap_or(key).to_lowercase(),
                data_type: column["type"].as_str().or_else(|| column["data_type"].as_str()).unwrap_or("").to_owned(),
                nullable: true,
                comment: if text("comment").is_empty() { text("description") } else { text("comment") },
                position: column["index"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(position),
            });
        }
    }
    add_listed(definitions, listed);
    Ok(())
}

fn add_listed(definitions: &mut Definitions, mut listed: Vec<ListedColumn>) {
    listed.sort_by(|left, right| (&left.table, left.position).cmp(&(&right.table, right.position)));
    for columns in listed.chunk_by(|left, right| left.table == right.table) {
        let table = &columns[0].table;
        let mut defined: Vec<TableColumn> = Vec::new();
        for ListedColumn { column, data_type, nullable, comment, .. } in columns {
            let known = mapped(data_type);
            match &known {
                None if data_type.is_empty() => definitions.untyped.push((table.clone(), column.clone())),
                None => definitions
                    .note(format!("{table}.{column}: the type {data_type:?} is not known; it is read as STRING")),
                Some(mapped) => definitions.note_loss(table, column, data_type, mapped.loss),
            }
            if column.is_empty() || defined.iter().any(|earlier| earlier.name == *column) {
                continue;
            }
            defined.push(TableColumn {
                name: column.clone(),
                data_type: known.map_or(Type::String, |mapped| mapped.data_type),
                nullable: *nullable,
                partition: false,
                comment: comment.clone(),
                own_value: false,
            });
        }
        if !defined.is_empty() {
            definitions.add_table(TableDefinition { name: table.clone(), columns: defined, comment: String::new() });
        }
    }
}
