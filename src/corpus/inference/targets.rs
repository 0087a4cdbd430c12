//! Tables that INSERT writes and nothing defines: their columns are those written to them.

use std::collections::BTreeSet;

use super::blocks::{Blocks, full_name};
use super::open_column::OpenColumn;
use crate::code::schema::Schema;
use crate::code::scope::OutputColumn;
use crate::code::tree::{Kind, NodeId};

/// Adds the columns of the tables among `unknown` that are written before they are read.
pub(super) fn add_written(blocks: Blocks<'_>, unknown: &[NodeId], found: &mut Vec<OpenColumn>) {
    for table in unknown {
        let Some(insert) = blocks.tree().parent(*table).filter(|parent| inserts(blocks.tree().kind(*parent))) else {
            continue;
        };
        let name = full_name(blocks.script, *table);
        let read: Vec<&str> =
            found.iter().filter(|column| column.table == name).map(|column| column.column.as_str()).collect();
        let mut columns = written(blocks, insert, &name, &read);
        // What is read of the table as well is named in another order than it is written in.
        let is_written = |known: &OpenColumn| columns.iter().any(|column| column.column == known.column);
        found.retain(|known| known.table != name || !is_written(known));
        found.append(&mut columns);
    }
}

/// Whether a statement, or a branch of one, fills a table from a query.
pub(super) fn inserts(kind: Kind) -> bool {
    matches!(kind, Kind::Insert { .. } | Kind::InsertBranch { .. })
}

/// The columns that an INSERT names: those of its list or else of its query, then those of its partitions. An output
/// without a name has that of the column that it is made of, or of the only one that is `read` of the table.
fn written(blocks: Blocks<'_>, insert: NodeId, table: &str, read: &[&str]) -> Vec<OpenColumn> {
    let (script, tree) = (blocks.script, blocks.tree());
    let column = |column: String, partition| OpenColumn { partition, ..OpenColumn::of(table, column) };
    let items = partition_items(blocks, insert);
    let is_partition = |name: &str| items.iter().any(|item| item.0 == name);
    let list = tree.child(insert, |kind| kind == Kind::ColumnList);
    let names: Vec<String> = match list {
        Some(list) => tree.children(list).iter().map(|name| script.name(*name)).collect(),
        None => {
            let query = tree.child(insert, |kind| kind == Kind::Query);
            let outputs = query.map(|query| blocks.scopes.outputs(query)).unwrap_or_default();
            // Dynamic partition columns take the last outputs, whatever these are called.
            let dynamic = items.iter().filter(|item| item.1).count();
            let plain = outputs.len().saturating_sub(dynamic);
            let name = |(at, output): (usize, &OutputColumn)| {
                let is_word = !output.name.is_empty() && output.name.chars().all(|c| c.is_alphanumeric() || c == '_');
                let own = is_word.then(|| output.name.clone());
                let of_parts = || name_of_parts(blocks, output.expression?, read);
                let name = own.or_else(of_parts).filter(|name| !is_partition(name));
                name.unwrap_or_else(|| format!("column_{}", at + 1))
            };
            outputs[..plain].iter().enumerate().map(name).collect()
        }
    };
    let mut columns: Vec<OpenColumn> = Vec::new();
    for name in names.into_iter().filter(|name| !is_partition(name)) {
        let is_taken = columns.iter().any(|known| known.column == name);
        let name = if is_taken { format!("{name}_{}", columns.len() + 1) } else { name };
        columns.push(column(name, false));
    }
    columns.extend(items.into_iter().map(|(name, _)| column(name, true)));
    columns
}

/// The name that all columns in an expression have, or else the only one of them that is `read` of the table.
fn name_of_parts(blocks: Blocks<'_>, expression: NodeId, read: &[&str]) -> Option<String> {
    let tree = blocks.tree();
    let columns = tree.descendants(expression).filter(|node| tree.kind(*node) == Kind::Column);
    let names: BTreeSet<String> = columns.map(|column| blocks.script.last_name(column)).collect();
    let known: Vec<&String> = names.iter().filter(|name| read.contains(&name.as_str())).collect();
    match (names.len(), known.as_slice()) {
        (1, _) => names.first().cloned(),
        (_, [only]) => Some((*only).clone()),
        _ => None,
    }
}

/// Returns the columns of a defined table that the query of an INSERT fills, in the order of the query's outputs; `None` if
/// the table is not defined.
pub(super) fn filled_columns(blocks: Blocks<'_>, insert: NodeId, schema: &Schema) -> Option<Vec<String>> {
    let tree = blocks.tree();
    let target = tree.child(insert, |kind| kind == Kind::Table)?;
    let table = schema.table(&full_name(blocks.script, target))?;
    if let Some(list) = tree.child(insert, |kind| kind == Kind::ColumnList) {
        return Some(tree.children(list).iter().map(|name| blocks.script.name(*name)).collect());
    }
    let items = partition_items(blocks, insert);
    let is_fixed = |name: &str| items.iter().any(|(item, dynamic)| item == name && !dynamic);
    let filled = table.columns.iter().filter(|column| !is_fixed(&column.name));
    Some(filled.map(|column| column.name.clone()).collect())
}

/// The partition columns of an INSERT, and whether each takes its value from the query.
pub(super) fn partition_items(blocks: Blocks<'_>, insert: NodeId) -> Vec<(String, bool)> {
    let tree = blocks.tree();
    let Some(spec) = tree.child(insert, |kind| kind == Kind::PartitionSpec) else { return Vec::new() };
    let items = tree.children(spec).iter().map(|item| tree.children(*item));
    items.filter(|parts| !parts.is_empty()).map(|parts| (blocks.script.name(parts[0]), parts.len() == 1)).collect()
}
