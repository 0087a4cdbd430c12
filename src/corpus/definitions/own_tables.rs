//! Tables that a script makes and that hold rows before it starts: those that it makes only where they are missing, and
//! those over files.

use std::collections::BTreeMap;

use crate::code::TableAction;
use crate::code::schema::{Schema, TableDefinition, used_database};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// A table that a script makes and that holds rows before it starts.
pub(in super::super) struct StandingTable {
    /// Its name as the statement writes it.
    pub written: String,
    /// Its definition, under its full name.
    pub definition: TableDefinition,
}

/// Returns the tables that a script makes with IF NOT EXISTS or over files, and reads or changes before it has filled
/// them: if they were empty, what reads them would give nothing.
pub(in super::super) fn own_tables(script: &Script) -> Vec<StandingTable> {
    let tree = script.tree();
    let loaded: Vec<String> = script.statements().iter().filter_map(|it| loaded_table(script, *it)).collect();
    let mut database = String::new();
    // Tables that are made and neither filled nor read so far.
    let mut made: BTreeMap<String, TableDefinition> = BTreeMap::new();
    let mut dropped: Vec<String> = Vec::new();
    let mut standing = Vec::new();
    for statement in tree.children(tree.root()).iter().copied() {
        match tree.kind(statement) {
            Kind::Command => database = used_database(script.slice(statement)).unwrap_or(database),
            Kind::Opaque => dropped.extend(dropped_table(script, statement)),
            Kind::CreateTable => {
                let holds_rows = |name: &String| {
                    let stays = script.says_if_not_exists(statement) && !dropped.contains(name);
                    stays || has_rows_elsewhere(script, statement) || loaded.contains(name)
                };
                made.extend(definition(script, statement, &database).filter(|(name, _)| holds_rows(name)));
                // What CREATE TABLE … AS SELECT reads is read as well.
                if tree.child(statement, |kind| kind == Kind::Query).is_none() {
                    continue;
                }
            }
            _ => {}
        }
        let named = |node: &NodeId| tree.kind(*node) == Kind::Table && !is_filled(script, *node);
        let read = tree.descendants(statement).filter(named).map(|table| script.path_name(table));
        standing.extend(read.filter_map(|written| {
            let definition = made.remove(&written)?;
            Some(StandingTable { written, definition })
        }));
        let filled = tree.descendants(statement).filter(|node| is_filled(script, *node));
        filled.for_each(|table| _ = made.remove(&script.path_name(table)));
    }
    standing
}

/// The table that a `CREATE TABLE` defines by columns, under the name that it has there.
fn definition(script: &Script, statement: NodeId, database: &str) -> Option<(String, TableDefinition)> {
    let table = created_table(script, statement)?;
    let used = if database.is_empty() { String::new() } else { format!("USE {database};\n") };
    let schema = Schema::read(&format!("{used}{}", script.slice(statement))).ok()?;
    Some((table, schema.tables.first()?.clone()))
}

/// The table of a CREATE TABLE.
pub(in super::super) fn created_table(script: &Script, statement: NodeId) -> Option<String> {
    let tree = script.tree();
    let table = tree.child(statement, |kind| kind == Kind::Table)?;
    (tree.kind(statement) == Kind::CreateTable).then(|| script.path_name(table))
}

/// Whether a CREATE TABLE says where the rows of the table are: in which files, or in which other store.
pub(in super::super) fn has_rows_elsewhere(script: &Script, create: NodeId) -> bool {
    let is = |at: usize, word: &str| script.token_text(at).eq_ignore_ascii_case(word);
    let range = script.token_range(create);
    let is_stored_by = |at: usize| is(at, "STORED") && at < *range.end() && is(at + 1, "BY");
    range.clone().any(|at| is(at, "LOCATION") || is_stored_by(at))
        && script.tree().child(create, |kind| kind == Kind::Query).is_none()
}

/// The table of `LOAD DATA … INTO TABLE name`, or of `ALTER TABLE name ADD PARTITION … LOCATION`.
pub(in super::super) fn loaded_table(script: &Script, statement: NodeId) -> Option<String> {
    table_of(script, statement, &[TableAction::Load, TableAction::AddFiles])
}

/// The table of `DROP TABLE [IF EXISTS] name`.
pub(in super::super) fn dropped_table(script: &Script, statement: NodeId) -> Option<String> {
    table_of(script, statement, &[TableAction::Drop])
}

fn table_of(script: &Script, statement: NodeId, actions: &[TableAction]) -> Option<String> {
    let found = script.table_statement(statement).filter(|found| actions.contains(&found.action) && !found.of_view)?;
    Some(found.table())
}

/// Whether a table is the target of an INSERT.
pub(in super::super) fn is_filled(script: &Script, table: NodeId) -> bool {
    let tree = script.tree();
    let fills =
        |parent| matches!(tree.kind(parent), Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::CreateTable);
    tree.kind(table) == Kind::Table && tree.parent(table).is_some_and(fills)
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
            ("USE db; CREATE TABLE t (a INT) LOCATION '/t'; CREATE VIEW v AS SELECT a FROM t".to_owned(), vec!["db.t"]),
            ("CREATE TABLE db.t (a INT); SELECT a FROM db.t".to_owned(), vec![]),
            (format!("{MADE} CREATE TABLE u AS SELECT a FROM db.t"), vec!["db.t"]),
            (format!("{MADE} SELECT 1"), vec![]),
            ("DROP TABLE t; CREATE EXTERNAL TABLE t (a INT) LOCATION '/t'; SELECT a FROM t".to_owned(), vec!["t"]),
            (
                "DROP TABLE t; CREATE EXTERNAL TABLE t (a INT) PARTITIONED BY (d STRING); \
                 ALTER TABLE t ADD PARTITION (d = '1') LOCATION '/t/1'; SELECT a FROM t"
                    .to_owned(),
                vec!["t"],
            ),
            ("CREATE TABLE t (a INT) STORED BY 'kafka.Handler'; SELECT a FROM t".to_owned(), vec!["t"]),
            ("CREATE TABLE t (a INT) STORED AS ORC; SELECT a FROM t".to_owned(), vec![]),
            ("CREATE TABLE t (a INT) LOCATION '/t'; INSERT INTO t SELECT 1; SELECT a FROM t".to_owned(), vec![]),
            (
                "CREATE TABLE db.t (a INT); LOAD DATA INPATH '/t' INTO TABLE db.t; SELECT a FROM db.t".to_owned(),
                vec!["db.t"],
            ),
        ] {
            let tables = own_tables(&Script::new(&*sql));
            assert_eq!(tables.iter().map(|table| &*table.definition.name).collect::<Vec<_>>(), expected, "{sql}");
        }
    }
}
