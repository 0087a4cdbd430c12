//! Tables that INSERT writes and nothing defines: their columns are those written to them.

use super::blocks::{Blocks, full_name};
use super::open_column::OpenColumn;
use crate::code::tree::{Kind, NodeId};

/// Adds the columns of the tables among `unknown` that are written before they are read.
pub(super) fn add_written(blocks: Blocks<'_>, unknown: &[NodeId], found: &mut Vec<OpenColumn>) {
    for table in unknown {
        let Some(insert) = blocks.tree().parent(*table).filter(|parent| inserts(blocks.tree().kind(*parent))) else {
            continue;
        };
        let name = full_name(blocks.script, *table);
        let mut columns = written(blocks, insert, &name);
        columns.retain(|column| !found.iter().any(|known| known.table == name && known.column == column.column));
        found.extend(columns);
    }
}

fn inserts(kind: Kind) -> bool {
    matches!(kind, Kind::Insert { .. } | Kind::InsertBranch { .. })
}

/// The columns that an INSERT names: those of its list or else of its query, then those of its partitions.
fn written(blocks: Blocks<'_>, insert: NodeId, table: &str) -> Vec<OpenColumn> {
    let (script, tree) = (blocks.script, blocks.tree());
    let column =
        |column: String, partition| OpenColumn { table: table.to_owned(), column, partition, others: Vec::new() };
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
            let name = |(at, name): (usize, &str)| {
                let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
                if is_word && !is_partition(name) { name.to_owned() } else { format!("column_{}", at + 1) }
            };
            outputs[..plain].iter().map(|output| output.name.as_str()).enumerate().map(name).collect()
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

/// The partition columns of an INSERT, and whether each takes its value from the query.
pub(super) fn partition_items(blocks: Blocks<'_>, insert: NodeId) -> Vec<(String, bool)> {
    let tree = blocks.tree();
    let Some(spec) = tree.child(insert, |kind| kind == Kind::PartitionSpec) else { return Vec::new() };
    let items = tree.children(spec).iter().map(|item| tree.children(*item));
    items.filter(|parts| !parts.is_empty()).map(|parts| (blocks.script.name(parts[0]), parts.len() == 1)).collect()
}
