//! Tables and columns that no definition tells, inferred from the script's own uses of them.
//!
//! First every name is given to the table that it must belong to ([`columns`]), then each such column gets the type that
//! its uses want ([`types`]). A `*` over a table that nothing defines gives the columns that the script names, which is
//! said; if it names none, the script is refused.

mod blocks;
mod evidence;
mod open_column;
mod refusal;
mod misspelt;
mod targets;
mod partitions;
mod stars;
mod lacking;
mod fields;
mod search;
mod named_columns;
mod columns;
mod durations;
mod base_columns;
mod insert_uses;
mod uses;
mod inner_types;
mod types;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use refusal::{InferenceRefusal, InferenceRefusalKind};

use super::definitions::{Definitions, own_tables};
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use blocks::Blocks;
use columns::MissingColumns;
use lacking::lacking;
use open_column::{OpenColumn, with_columns};
use partitions::made_partitions;

/// What was inferred of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InferredTable {
    /// Its full name.
    pub table: String,
    /// Whether other columns of it are defined.
    pub defined: bool,
    /// Whether a `*` takes its columns: those that the script names are all that it gives.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub starred: bool,
    /// Whether the script names no column of it, so that it has one of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nameless: bool,
    /// Columns that are its partitions, as INSERT says and no definition does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<String>,
    /// Columns of its definition that are left out: they get values of their own, which the script neither gives nor reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The inferred columns with their types, in the order in which the script names them, and the tables that may have
    /// one instead: which one has it changes no meaning.
    pub columns: Vec<String>,
}

impl InferredTable {
    /// A defined table of which a column is left out.
    pub(super) fn without(table: String, column: String) -> InferredTable {
        InferredTable { defined: true, left_out: vec![column], ..InferredTable::of(&table) }
    }

    /// A table of which nothing is known but its name.
    fn of(name: &str) -> InferredTable {
        InferredTable {
            table: name.to_owned(),
            defined: false,
            starred: false,
            nameless: false,
            partitions: Vec::new(),
            left_out: Vec::new(),
            columns: Vec::new(),
        }
    }
}

impl fmt::Display for InferredTable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.left_out.is_empty() {
            return write!(
                out,
                "{}: {} is taken out of its definition, as it gets values of its own, which the script neither gives nor \
                 reads",
                self.table,
                self.left_out.join(", ")
            );
        }
        if !self.partitions.is_empty() {
            write!(out, "{}: taken as partitioned by {}, as INSERT says", self.table, self.partitions.join(", "))?;
            if self.columns.is_empty() {
                return Ok(());
            }
            write!(out, "; ")?;
        }
        if self.nameless {
            let columns = self.columns.join(", ");
            return write!(
                out,
                "{}: no definition found, and the script names no column of it; it is taken to have {columns} alone, so \
                 define the table with --schema if it has others",
                self.table
            );
        }
        let missing = if self.defined { "no definition of these columns found" } else { "no definition found" };
        write!(out, "{}: {missing}; inferred {} from their use", self.table, self.columns.join(", "))?;
        if self.starred {
            write!(out, "; `*` gives these columns alone, so define the table with --schema if it has more")?;
        }
        Ok(())
    }
}

/// A schema with what was inferred for it.
#[derive(Debug)]
pub(super) struct InferredSchema {
    pub schema: Schema,
    pub tables: Vec<InferredTable>,
}

/// What is known of the tables of a schema beside their columns and types.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownParts {
    /// Columns that are defined without a type: table and name.
    pub untyped: Vec<(String, String)>,
    /// Tables that the script itself defines: they have no other columns.
    pub whole: Vec<String>,
}

impl KnownParts {
    /// Returns what is known of the tables of a schema that comes from definitions, for a script without placeholders.
    pub fn of(definitions: &Definitions, schema: &Schema, script: &Script) -> KnownParts {
        let whole = own_tables(script).into_iter().map(|table| table.definition.name).collect();
        KnownParts { untyped: definitions.untyped(schema), whole }
    }
}

/// Adds the tables and columns that `script` uses and `schema` does not define; placeholders must be bound. The uses of a
/// column without a type tell it as well.
///
/// # Errors
///
/// If it cannot be told which columns a table has.
pub(super) fn with_inferred(
    script: &Script,
    mut schema: Schema,
    known: &KnownParts,
) -> Result<InferredSchema, InferenceRefusal> {
    if !script.is_valid() {
        return Ok(InferredSchema { schema, tables: Vec::new() });
    }
    let mut scopes = Scopes::resolve(script, &schema);
    let partitions = made_partitions(Blocks { script, scopes: &scopes }, &mut schema);
    if !partitions.is_empty() {
        scopes = Scopes::resolve(script, &schema);
    }
    let mut open = lacking(Blocks { script, scopes: &scopes }, &schema);
    open.retain(|column| !known.whole.contains(&column.table));
    if !open.is_empty() {
        schema = with_columns(schema, &open);
        scopes = Scopes::resolve(script, &schema);
    }
    let defined: Vec<String> = schema.tables.iter().map(|table| table.name.clone()).collect();
    let (mut fields, mut starred, mut nameless) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let mut missing: MissingColumns = columns::missing(script, &scopes, &schema)?;
        missing.columns.retain(|column| !known.whole.contains(&column.table) || !column.others.is_empty());
        let tables = schema.tables.len();
        schema = with_columns(schema, &missing.columns);
        open.append(&mut missing.columns);
        fields.append(&mut missing.fields);
        starred.append(&mut missing.starred);
        nameless.append(&mut missing.nameless);
        // Without a new table there is nothing to fill those that are left from.
        if !missing.leaves_some || schema.tables.len() == tables {
            break;
        }
        scopes = Scopes::resolve(script, &schema);
    }
    let is_there = |(table, column): &&(String, String)| {
        schema.tables.iter().any(|known| known.name == *table && known.position(column).is_some())
    };
    open.extend(known.untyped.iter().filter(is_there).map(|(table, column)| OpenColumn::of(table, column)));
    if open.is_empty() && partitions.is_empty() {
        return Ok(InferredSchema { schema, tables: Vec::new() });
    }
    let schema = types::with_inferred_types(script, schema, &open, &fields);
    let mut tables = summary(&schema, &open, &defined);
    for (table, columns) in partitions {
        inferred_table(&mut tables, &table, true).partitions = columns;
    }
    for table in &mut tables {
        table.starred = starred.contains(&table.table);
        table.nameless = nameless.contains(&table.table);
    }
    Ok(InferredSchema { tables, schema })
}

fn summary(schema: &Schema, open: &[OpenColumn], defined: &[String]) -> Vec<InferredTable> {
    let mut tables: Vec<InferredTable> = Vec::new();
    for OpenColumn { table, column, others, .. } in open {
        let found = schema.tables.iter().find(|known| known.name == *table);
        let Some(found) = found.and_then(|known| known.columns.iter().find(|known| known.name == *column)) else {
            continue;
        };
        let or = if others.is_empty() { String::new() } else { format!(" (or of {})", others.join(" or ")) };
        let written = format!("{column} {}{or}", found.data_type);
        inferred_table(&mut tables, table, defined.contains(table)).columns.push(written);
    }
    tables
}

/// Returns the entry of a table, a new one if there is none.
fn inferred_table<'a>(tables: &'a mut Vec<InferredTable>, name: &str, defined: bool) -> &'a mut InferredTable {
    let at = tables.iter().position(|known| known.table == name).unwrap_or_else(|| {
        tables.push(InferredTable { defined, ..InferredTable::of(name) });
        tables.len() - 1
    });
    &mut tables[at]
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod test_stars;
