//! Tables that a script makes only where they are missing: they may be there, with rows, when it starts.

use std::collections::BTreeMap;

use crate::code::schema::{Schema, TableDefinition, used_database};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// Returns the definitions of tables that a script makes with IF NOT EXISTS and reads or changes before it has filled them:
/// if they were empty, what reads them would give nothing.
pub(super) fn own_tables(script: &Script) -> Vec<TableDefinition> {
    let tree = script.tree();
    let mut database = String::new();
    // Tables that are made and neither filled nor read so far.
    let mut made: BTreeMap<String, TableDefinition> = BTreeMap::new();
    let mut dropped: Vec<String> = Vec::new();
    let mut standing = Vec::new();
    for statement in tree.children(tree.root()).iter().copied() {
        match tree.kind(statement) {
            Kind::Command => database = used_database(script.slice(statement)).unwrap_or(database),
            Kind::Opaque => dropped.extend(dropped_table(script, statement)),
            Kind::CreateTable if script.says_if_not_exists(statement) => {
                let defined = definition(script, statement, &database).filter(|(name, _)| !dropped.contains(name));
                made.extend(defined);
            }
            _ => {
                let named = |node: &NodeId| tree.kind(*node) == Kind::Table && !is_filled(script, *node);
                let read = tree.descendants(statement).filter(named).map(|table| script.path_name(table));
                standing.extend(read.filter_map(|name| made.remove(&name)));
                let filled = tree.descendants(statement).filter(|node| is_filled(script, *node));
                filled.for_each(|table| _ = made.remove(&script.path_name(table)));
            }
        }
    }
    standing
}

/// The table that a `CREATE TABLE` defines by columns, under the name that it has there.
fn definition(script: &Script, statement: NodeId, database: &str) -> Option<(String, TableDefinition)> {
    let table = script.tree().child(statement, |kind| kind == Kind::Table)?;
    let used = if database.is_empty() { String::new() } else { format!("USE {database};\n") };
    let schema = Schema::read(&format!("{used}{}", script.slice(statement))).ok()?;
    Some((script.path_name(table), schema.tables.first()?.clone()))
}

/// Whether a table is the target of an INSERT.
fn is_filled(script: &Script, table: NodeId) -> bool {
    let tree = script.tree();
    let fills =
        |parent| matches!(tree.kind(parent), Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::CreateTable);
    tree.kind(table) == Kind::Table && tree.parent(table).is_some_and(fills)
}

/// The table of `DROP TABLE [IF EXISTS] name`.
fn dropped_table(script: &Script, statement: NodeId) -> Option<String> {
    let words: Vec<&str> = script.slice(statement).split(|c: char| c.is_whitespace() || c == ';').collect();
    let is = |word: &&str, wanted: &str| word.eq_ignore_ascii_case(wanted);
    let named = words.iter().filter(|word| !word.is_empty() && !is(word, "IF") && !is(word, "EXISTS"));
    match named.take(3).collect::<Vec<_>>()[..] {
        [drop, table, name] if is(drop, "DROP") && is(table, "TABLE") => Some(name.replace('`', "").to_lowercase()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_are_read_before_they_are_filled_hold_rows() {
        const MADE: &str = "CREATE TABLE IF NOT EXISTS db.t (a INT, b STRING);";
        for (sql, expected) in [
            (format!("{MADE} SELECT a FROM db.t"), vec!["db.t"]),
            (format!("{MADE} MERGE INTO db.t USING s ON t.a = s.a WHEN MATCHED THEN DELETE"), vec!["db.t"]),
            ("USE db; CREATE TABLE IF NOT EXISTS t (a INT); SELECT a FROM t".to_owned(), vec!["db.t"]),
            (format!("{MADE} INSERT INTO db.t SELECT 1, 'x'; SELECT a FROM db.t"), vec![]),
            (format!("{MADE} INSERT OVERWRITE TABLE db.t SELECT a, b FROM db.t"), vec!["db.t"]),
            (format!("DROP TABLE IF EXISTS db.t; {MADE} SELECT a FROM db.t"), vec![]),
            ("CREATE TABLE db.t (a INT); SELECT a FROM db.t".to_owned(), vec![]),
            (format!("{MADE} SELECT 1"), vec![]),
        ] {
            let tables = own_tables(&Script::new(&*sql));
            assert_eq!(tables.iter().map(|table| &*table.name).collect::<Vec<_>>(), expected, "{sql}");
        }
    }
}
