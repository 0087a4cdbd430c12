//! Columns with a value of their own, which INSERT may leave out.

use super::definitions::created_table;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::tree::{Kind, NodeId};

/// Returns the place of the first INSERT that leaves out a column with a DEFAULT or a generated one, and its name: the
/// engine would put NULL there.
pub(super) fn left_out(script: &Script, schema: &Schema) -> Option<(LineColumn, String)> {
    let tree = script.tree();
    tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::ColumnList).find_map(|list| {
        let table = target(script, list)?;
        let given: Vec<String> = tree.children(list).iter().map(|name| script.name(*name)).collect();
        let missing = with_own_value(script, schema, table).into_iter().find(|name| !given.contains(name))?;
        Some((script.place(tree.span(list).start), missing))
    })
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

    #[test]
    fn inserts_that_leave_out_a_column_with_a_value_of_its_own_are_found() {
        let schema = Schema::read("CREATE TABLE t (a INT, b INT DEFAULT 5, c INT DEFAULT NULL)").unwrap();
        const MADE: &str = "CREATE TABLE m (a INT, b INT GENERATED ALWAYS AS (a + 1), i BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 1));";
        for (sql, expected) in [
            ("INSERT INTO t (a) SELECT 1".to_owned(), Some("b")),
            ("INSERT INTO t (a, b) SELECT 1, 2".to_owned(), None),
            ("INSERT INTO t SELECT 1, 2, 3".to_owned(), None),
            ("MERGE INTO t USING s ON t.a = s.a WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)".to_owned(), Some("b")),
            (format!("{MADE} INSERT INTO m (a, b) SELECT 1, 2"), Some("i")),
            (format!("{MADE} INSERT INTO m (a, b, i) SELECT 1, 2, 3"), None),
        ] {
            let script = Script::new(&*sql);
            assert!(script.errors().is_empty(), "{sql}: {:?}", script.errors());
            assert_eq!(left_out(&script, &schema).map(|(_, name)| name).as_deref(), expected, "{sql}");
        }
    }
}
