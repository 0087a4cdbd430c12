//! Columns with a value of their own, which INSERT may leave out.

use super::definitions::created_table;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::scope::{ColumnTarget, RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::tree::{Kind, NodeId};

/// A column of a defined table that has a value of its own, which every INSERT leaves to it and nothing reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnreadColumn {
    /// The full name of the table.
    pub table: String,
    pub column: String,
}

/// Returns the place of the first INSERT that leaves out a column with a DEFAULT or a generated one, and what is said of it:
/// the engine would put NULL there.
pub(super) fn left_out(script: &Script, schema: &Schema) -> Option<(LineColumn, String)> {
    let (list, column) = columns_left_out(script, schema).into_iter().next()?;
    let message = format!(
        "INSERT leaves out `{column}`, which has a value of its own; give its value, or, where it is generated and never \
         read, take it out of the definition of its table"
    );
    Some((script.place(script.tree().span(list).start), message))
}

/// Returns the columns with values of their own that INSERTs leave out and that no statement gives or reads, in an order of
/// their own: without them in the definition of the table everything else stays as it is.
pub(super) fn unread_columns(script: &Script, schema: &Schema) -> Vec<UnreadColumn> {
    let mut found: Vec<UnreadColumn> = Vec::new();
    for (list, column) in columns_left_out(script, schema) {
        let table = target(script, list).and_then(|table| schema.table(&script.path_name(table)));
        let Some(table) = table.filter(|table| is_defined_alone(script, table)) else { continue };
        let unread = UnreadColumn { table: table.name.clone(), column };
        if !found.contains(&unread) {
            found.push(unread);
        }
    }
    if !found.is_empty() {
        let scopes = Scopes::resolve(script, schema);
        found.retain(|column| !is_used(script, &scopes, schema, column));
    }
    found
}

/// Returns the list of each INSERT with a column that it leaves out and that has a value of its own.
fn columns_left_out(script: &Script, schema: &Schema) -> Vec<(NodeId, String)> {
    let tree = script.tree();
    let lists = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::ColumnList);
    let missing = |list: NodeId| {
        let given: Vec<String> = tree.children(list).iter().map(|name| script.name(*name)).collect();
        let own = target(script, list).map(|table| with_own_value(script, schema, table)).unwrap_or_default();
        own.into_iter().filter(move |name| !given.contains(name)).map(move |name| (list, name))
    };
    lists.flat_map(missing).collect()
}

/// Whether no statement makes a table that definitions have.
fn is_defined_alone(script: &Script, table: &TableDefinition) -> bool {
    let makes = |statement: &NodeId| created_table(script, *statement).is_some_and(|made| table.name == made);
    !script.statements().iter().any(makes)
}

/// Whether a script gives or reads a column, by its name, by `*` or by a row without names.
fn is_used(script: &Script, scopes: &Scopes, schema: &Schema, unread: &UnreadColumn) -> bool {
    let tree = script.tree();
    let is_its = |table: NodeId| schema.table(&script.path_name(table)).is_some_and(|known| known.name == unread.table);
    let is_of = |id: RelationId| match &scopes.relation(id).source {
        RelationSource::Table(name) | RelationSource::Written(name) => *name == unread.table,
        _ => false,
    };
    tree.ids().any(|node| match tree.kind(node) {
        Kind::Column if script.last_name(node) == unread.column => {
            // What has no meaning yet may be a column that is set.
            scopes.binding(node).is_none_or(|binding| match &binding.target {
                ColumnTarget::Column(id, _) => is_of(*id),
                _ => false,
            })
        }
        Kind::ColumnList => {
            let names = tree.children(node).iter().map(|name| script.name(*name));
            target(script, node).is_some_and(is_its) && names.into_iter().any(|name| name == unread.column)
        }
        Kind::Wildcard | Kind::Select { .. } => {
            takes_all(script, node).is_some_and(|block| scopes.relations_of(block).iter().any(|id| is_of(*id)))
        }
        Kind::Insert { .. } | Kind::InsertBranch { .. } => {
            let table = tree.child(node, |kind| kind == Kind::Table);
            tree.child(node, |kind| kind == Kind::ColumnList).is_none() && table.is_some_and(is_its)
        }
        _ => false,
    })
}

/// Returns the block all of whose columns a node takes: that of a `*`, or one without a list of its own; `None` for others.
fn takes_all(script: &Script, node: NodeId) -> Option<NodeId> {
    let tree = script.tree();
    let lists = |kind| matches!(kind, Kind::Projection | Kind::Aggregate);
    match tree.kind(node) {
        Kind::Wildcard => tree.enclosing(node, |kind| matches!(kind, Kind::Select { .. })),
        _ => tree.child(node, lists).is_none().then_some(node),
    }
}

/// The table that an INSERT, or the INSERT of a MERGE, fills in the columns of a list.
fn target(script: &Script, list: NodeId) -> Option<NodeId> {
    let tree = script.tree();
    let parent = tree.parent(list)?;
    let statement = match tree.kind(parent) {
        Kind::Insert { .. } | Kind::InsertBranch { .. } => parent,
        Kind::MergeClause { .. } => tree.parent(parent)?,
        _ => return None,
    };
    tree.child(statement, |kind| kind == Kind::Table)
}

/// The columns with a value of their own: of the table that the script makes, or else of that of the schema.
fn with_own_value(script: &Script, schema: &Schema, table: NodeId) -> Vec<String> {
    let (tree, name) = (script.tree(), script.path_name(table));
    let makes = |statement: &&NodeId| created_table(script, **statement).is_some_and(|made| made == name);
    match script.statements().iter().find(makes) {
        Some(statement) => {
            let defined = tree.children_where(*statement, |kind| kind == Kind::ColumnDefinition);
            let own = defined.filter(|definition| script.has_own_value(*definition));
            own.filter_map(|definition| tree.children(definition).first()).map(|name| script.name(*name)).collect()
        }
        None => {
            let columns = schema.table(&name).map_or(&[][..], |table| &table.columns);
            columns.iter().filter(|column| column.own_value).map(|column| column.name.clone()).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINED: &str = "CREATE TABLE t (a INT, b INT DEFAULT 5, c INT DEFAULT NULL)";
    const MADE: &str = "CREATE TABLE m (a INT, b INT GENERATED ALWAYS AS (a + 1), i BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 1));";

    fn read(sql: &str) -> Script {
        let script = Script::new(sql);
        assert!(script.errors().is_empty(), "{sql}: {:?}", script.errors());
        script
    }

    #[test]
    fn inserts_that_leave_out_a_column_with_a_value_of_its_own_are_found() {
        let schema = Schema::read(DEFINED).unwrap();
        for (sql, expected) in [
            ("INSERT INTO t (a) SELECT 1".to_owned(), Some("b")),
            ("INSERT INTO t (a, b) SELECT 1, 2".to_owned(), None),
            ("INSERT INTO t SELECT 1, 2, 3".to_owned(), None),
            ("MERGE INTO t USING s ON t.a = s.a WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)".to_owned(), Some("b")),
            (format!("{MADE} INSERT INTO m (a, b) SELECT 1, 2"), Some("i")),
            (format!("{MADE} INSERT INTO m (a, b, i) SELECT 1, 2, 3"), None),
        ] {
            let said = left_out(&read(&sql), &schema).map(|(_, message)| message);
            assert_eq!(said.as_deref().and_then(|said| said.split('`').nth(1)), expected, "{sql}");
        }
    }

    #[test]
    fn columns_that_nothing_gives_or_reads_are_found() {
        let ddl = "CREATE TABLE d.t (id BIGINT GENERATED ALWAYS AS IDENTITY, a INT); CREATE TABLE s (id INT, a INT)";
        let schema = Schema::read(ddl).unwrap();
        const MERGE: &str = "MERGE INTO d.t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET a = s.id WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)";
        for (sql, is_unread) in [
            ("INSERT INTO d.t (a) SELECT id FROM s".to_owned(), true),
            (MERGE.to_owned(), true),
            (format!("{MERGE}; SELECT * FROM s JOIN (SELECT a FROM d.t) u ON u.a = s.a"), true),
            (format!("{MERGE}; SELECT count(*), max(a) FROM d.t"), true),
            (format!("{MERGE}; SELECT * FROM d.t"), false),
            (format!("{MERGE}; SELECT s.a FROM s JOIN d.t ON t.id = s.id"), false),
            (format!("{MERGE}; UPDATE d.t SET id = 3 WHERE a = 2"), false),
            ("INSERT INTO d.t (a) SELECT 1; INSERT INTO d.t SELECT 1, 2".to_owned(), false),
            ("INSERT INTO d.t (a) SELECT 1; INSERT INTO d.t (id, a) SELECT 1, 2".to_owned(), false),
            (format!("{MADE} INSERT INTO m (a, b) SELECT 1, 2"), false),
        ] {
            assert_eq!(!unread_columns(&read(&sql), &schema).is_empty(), is_unread, "{sql}");
        }
    }
}
