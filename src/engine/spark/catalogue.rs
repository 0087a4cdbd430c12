//! The tables in the catalogue of the user's own Spark: its settings, warehouse and metastore are those of
//! `SPARK_CONF_DIR`. Nothing runs but the listing.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::find::{self, SparkAbsence};
use crate::code::schema::{TableColumn, TableDefinition, read_type};
use crate::engine::python::{ProcessFailure, PythonProcess, PythonProgram};

static PROGRAM: PythonProgram = PythonProgram {
    name: "Spark",
    text: include_str!("catalogue.py"),
    start: Duration::from_secs(180),
    farewell: Duration::from_secs(10),
};

/// How long the listing of one database may take; a metastore with thousands of tables answers in minutes.
const PATIENCE: Duration = Duration::from_secs(600);

/// Why a catalogue tells nothing.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    #[error(transparent)]
    Absent(#[from] SparkAbsence),
    /// Spark does not start or gives no answer.
    #[error(transparent)]
    Process(#[from] ProcessFailure),
    /// Spark refuses to list the database.
    #[error("Spark's catalogue does not list the tables of `{database}`: {reason}; SPARK_CONF_DIR names its settings")]
    Refused {
        database: String,
        /// Spark's message.
        reason: String,
    },
}

/// The tables of a database, and what could not be read of it.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Those whose columns are known.
    pub tables: Vec<TableDefinition>,
    /// What is left out, with the reason.
    pub left_out: Vec<String>,
}

#[derive(Deserialize)]
struct CatalogueTable {
    name: String,
    comment: String,
    columns: Vec<CatalogueColumn>,
}

#[derive(Deserialize)]
struct CatalogueColumn {
    name: String,
    #[serde(rename = "type")]
    data_type: String,
    nullable: bool,
    partition: bool,
    comment: String,
}

/// Starts Spark and lists the tables of a database.
pub fn list(database: &str) -> Result<Listing, CatalogueError> {
    let installation = find::find()?;
    let here = std::env::current_dir().unwrap_or_default();
    let mut process = PythonProcess::start(&PROGRAM, &installation.python, &[&here.to_string_lossy()])?;
    let mut answer = process.ask(json!({ "database": database }), PATIENCE)?;
    if let Some(reason) = answer["message"].as_str() {
        return Err(CatalogueError::Refused { database: database.to_owned(), reason: reason.to_owned() });
    }
    let tables: Vec<CatalogueTable> = decode(answer["tables"].take())?;
    let mut listing = Listing { tables: Vec::new(), left_out: decode(answer["unread"].take())? };
    for table in tables {
        match definition(database, table) {
            Ok(table) => listing.tables.push(table),
            Err(reason) => listing.left_out.push(reason),
        }
    }
    Ok(listing)
}

fn decode<T: serde::de::DeserializeOwned>(answer: Json) -> Result<T, ProcessFailure> {
    serde_json::from_value(answer).map_err(|_| ProcessFailure::Ended(PROGRAM.name))
}

/// The definition of a table; an error in words if a type of it is none of ours.
fn definition(database: &str, table: CatalogueTable) -> Result<TableDefinition, String> {
    let database = database.rsplit('.').next().unwrap_or(database);
    let name = format!("{database}.{}", table.name).to_lowercase();
    let column = |column: CatalogueColumn| {
        let data_type = read_type(&column.data_type)
            .map_err(|_| format!("{name}: the type {} of {} is not known", column.data_type, column.name))?;
        let CatalogueColumn { name, nullable, partition, comment, .. } = column;
        Ok(TableColumn { name: name.to_lowercase(), data_type, nullable, partition, comment, own_value: false })
    };
    let mut columns = table.columns.into_iter().map(column).collect::<Result<Vec<_>, String>>()?;
    columns.sort_by_key(|column| column.partition);
    Ok(TableDefinition { name: name.clone(), columns, comment: table.comment })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(data_type: &str) -> CatalogueTable {
        let column = |name: &str, data_type: &str, partition| CatalogueColumn {
            name: name.to_owned(),
            data_type: data_type.to_owned(),
            nullable: true,
            partition,
            comment: String::new(),
        };
        let columns = vec![column("Dt", "string", true), column("Item", data_type, false)];
        CatalogueTable { name: "Sales".to_owned(), comment: "all of them".to_owned(), columns }
    }

    #[test]
    fn a_listed_table_is_a_definition_with_its_partition_columns_last() {
        let found = definition("spark_catalog.shop", table("struct<a:int,b:array<string>>")).unwrap();
        let columns: Vec<String> =
            found.columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect();
        assert_eq!(
            (found.name.as_str(), columns.join(", ").as_str()),
            ("shop.sales", "item STRUCT<a: INT, b: ARRAY<STRING>>, dt STRING")
        );
        let refusal = definition("shop", table("geography")).unwrap_err();
        assert_eq!(refusal, "shop.sales: the type geography of Item is not known");
    }
}
