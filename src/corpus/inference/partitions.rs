//! Partition columns that definitions give as plain ones: lists of columns and many exports do not tell them apart.

use super::blocks::{Blocks, full_name};
use super::targets::inserts;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::tree::Kind;

/// Makes those columns partition columns that an INSERT names in PARTITION, in its order, where the table is defined with
/// them and without partitions. Returns them with their tables.
pub(super) fn made_partitions(blocks: Blocks<'_>, schema: &mut Schema) -> Vec<(String, Vec<String>)> {
    let tree = blocks.tree();
    let mut made: Vec<(String, Vec<String>)> = Vec::new();
    for insert in tree.ids().filter(|node| inserts(tree.kind(*node))) {
        let Some(table) = tree.child(insert, |kind| kind == Kind::Table) else { continue };
        let names: Vec<String> = blocks.script.partition_items(insert).into_iter().map(|(name, _)| name).collect();
        let name = full_name(blocks.script, table);
        if schema.table(&name).is_some_and(|table| has_plain(table, &names)) {
            if let Some(table) = schema.tables_mut().iter_mut().find(|table| table.name == name) {
                make_partitions(table, &names);
            }
            made.push((name, names));
        }
    }
    made
}

/// Whether a table has no partitions, but all these columns and others.
fn has_plain(table: &TableDefinition, names: &[String]) -> bool {
    let is_unpartitioned = !table.columns.iter().any(|column| column.partition);
    let all_known = !names.is_empty() && names.iter().all(|name| table.position(name).is_some());
    is_unpartitioned && all_known && names.len() < table.columns.len()
}

fn make_partitions(table: &mut TableDefinition, names: &[String]) {
    let place = |name: &String| names.iter().position(|known| known == name);
    for column in &mut table.columns {
        column.partition = place(&column.name).is_some();
    }
    // `None` is less than every place, and columns of the same place keep their order.
    table.columns.sort_by_key(|column| place(&column.name));
}
