//! The tables of a script: full names with the layers of the house, and DDL.

use super::domain::{Domain, Table, TableKind};
use super::draw::Draw;
use super::names::ScriptNames;
use super::relation::OpenRelation;
use super::writing::{Layers, Style};

/// Returns the full name of a table of the domain.
pub(super) fn table_name(domain: &Domain, names: &ScriptNames<'_>, style: &Style, name: &str, draw: Draw) -> String {
    let short = names.table(name);
    let table = domain.tables.get(name);
    let kind = table.map_or(TableKind::Event, |table| table.kind);
    let layer = layer(kind, style.layers, draw.at(name));
    let period = match kind {
        TableKind::Event => "_di",
        // Suffixes such as `_df`, a daily copy, are for partitioned tables only.
        _ if table.is_none_or(|table| table.partition.is_none()) => "",
        TableKind::Snapshot | TableKind::Dimension => "_df",
        _ if draw.at("period").chance(0.5) => "_df",
        _ => "",
    };
    joined(&domain.prefix, style.layers, layer, &format!("{short}{period}"))
}

fn joined(prefix: &str, layers: Layers, layer: &str, name: &str) -> String {
    match layers {
        Layers::Warehouse => format!("{prefix}_{layer}.{layer}_{name}"),
        Layers::LayerFirst => format!("{layer}_{prefix}.{layer}_{name}"),
        Layers::Staging => format!("{prefix}_{layer}.{layer}_{}", name.trim_end_matches("_di").trim_end_matches("_df")),
        Layers::Plain => format!("{prefix}.{}", name.trim_end_matches("_di").trim_end_matches("_df")),
    }
}

fn layer(kind: TableKind, layers: Layers, draw: Draw) -> &'static str {
    let staging = layers == Layers::Staging;
    match kind {
        TableKind::Event if staging => "stg",
        TableKind::Event | TableKind::Snapshot => {
            if staging {
                "int"
            } else if draw.chance(0.4) {
                "ods"
            } else {
                "dwd"
            }
        }
        _ => "dim",
    }
}

/// Returns the full name of a table that a script fills.
pub(super) fn result_name(domain: &Domain, style: &Style, name: &str, draw: Draw) -> String {
    let layer = if style.layers == Layers::Staging {
        "fct"
    } else if draw.at("result").chance(0.75) {
        "ads"
    } else {
        "dws"
    };
    let period = draw.at("period_of_result").one_of(["_1d", "_di", "_df"]);
    joined(&domain.prefix, style.layers, layer, &format!("{name}{period}"))
}

/// Draws the database of tables that a script makes for itself, with its dot; may be empty.
pub(super) fn scratch(domain: &Domain, style: &Style, draw: Draw) -> String {
    match style.layers {
        Layers::Warehouse | Layers::LayerFirst if draw.at("scratch").chance(0.6) => format!("tmp_{}.", domain.prefix),
        _ => String::new(),
    }
}

/// A table with its name in the script.
pub(super) struct TableText<'a> {
    /// Its full name.
    pub full: String,
    /// Its neutral name.
    pub name: String,
    /// Its model.
    pub table: &'a Table,
}

/// Returns the DDL of the tables that a script reads and of those that it fills with results of these titles.
pub(super) fn ddl<'a>(
    tables: &[TableText<'_>],
    names: &ScriptNames<'_>,
    filled: &[String],
    results: impl Iterator<Item = (&'a OpenRelation, &'a str)>,
) -> String {
    let mut text = String::new();
    for table in tables {
        let columns: Vec<(String, String, String)> = table
            .table
            .columns
            .iter()
            .map(|(name, column)| (names.column(&table.name, name), column.kind.clone(), comment(column)))
            .collect();
        let partition =
            table.table.partition.as_ref().map(|partition| (partition.column.as_str(), partition.means.as_str()));
        let what = if is_reference_data(table.table) { &table.table.many } else { &table.table.row };
        create(&mut text, &table.full, &columns, partition, what);
    }
    for (result, (relation, title)) in filled.iter().zip(results) {
        let columns: Vec<(String, String, String)> = relation
            .columns
            .iter()
            .map(|column| (column.name.clone(), column.meaning.kind.clone(), column.meaning.words.clone()))
            .collect();
        create(&mut text, result, &columns, Some(("dt", "business date")), title);
    }
    text
}

/// Returns what a column means, with its values.
fn comment(column: &super::domain::DomainColumn) -> String {
    let values: Vec<&str> = column.values.names().collect();
    if values.is_empty() { column.words.clone() } else { format!("{}: {}", column.words, values.join(" / ")) }
}

fn create(
    text: &mut String,
    name: &str,
    columns: &[(String, String, String)],
    partition: Option<(&str, &str)>,
    what: &str,
) {
    let quote = |words: &str| words.replace('\'', "’");
    let longest = columns.iter().map(|(name, _, _)| name.len()).max().unwrap_or(0);
    let widest = columns.iter().map(|(_, kind, _)| kind.len()).max().unwrap_or(0);
    text.push_str(&format!("CREATE TABLE IF NOT EXISTS {name} (\n"));
    let lines: Vec<String> = columns
        .iter()
        .map(|(name, kind, words)| format!("    {name:longest$} {kind:widest$} COMMENT '{}'", quote(words)))
        .collect();
    text.push_str(&lines.join(",\n"));
    text.push_str(&format!("\n) COMMENT '{}'\n", quote(what)));
    if let Some((column, means)) = partition {
        text.push_str(&format!("PARTITIONED BY ({column} STRING COMMENT '{}')\n", quote(means)));
    }
    text.push_str("STORED AS ORC;\n\n");
}

/// Whether a table is neither event nor snapshot.
fn is_reference_data(table: &Table) -> bool {
    !matches!(table.kind, TableKind::Event | TableKind::Snapshot)
}
