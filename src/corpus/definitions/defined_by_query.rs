//! `CREATE VIEW … AS SELECT …` and `CREATE TABLE … AS SELECT …` among the definitions: tables with the columns of their
//! queries.

use super::defined_tables::{Definitions, full_name, last_two};
use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::scope::{OutputColumn, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Definitions {
    /// Adds the view or table that a text makes of a query, as a table whose rows are made up; `database` is the one that is
    /// used. It waits while the types of its columns hang on tables that are not defined yet.
    pub(super) fn add_defined_by_query(&mut self, statement: &str, database: &str) {
        let creates = statement.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("CREATE"));
        if creates && self.is_waiting(statement, database) {
            self.waiting.push((statement.to_owned(), database.to_owned()));
        }
    }

    /// Adds those that waited for tables which are defined now.
    pub(super) fn add_waiting(&mut self) {
        loop {
            let waiting = std::mem::take(&mut self.waiting);
            let before = waiting.len();
            for (statement, database) in waiting {
                self.add_defined_by_query(&statement, &database);
            }
            if self.waiting.len() == before && !self.add_named() {
                return;
            }
        }
    }

    /// Adds those that wait whose columns have names at least: the script that reads them tells their types. Returns false if
    /// there is none.
    fn add_named(&mut self) -> bool {
        let waiting = std::mem::take(&mut self.waiting);
        let before = waiting.len();
        for (statement, database) in waiting {
            if !self.adds_named(&statement, &database) {
                self.waiting.push((statement, database));
            }
        }
        self.waiting.len() < before
    }

    /// Adds what a statement makes of a query that names its columns; whether it does.
    fn adds_named(&mut self, statement: &str, database: &str) -> bool {
        let script = Script::new(in_database(statement, database));
        let has_wildcard = script.tree().ids().any(|node| script.tree().kind(node) == Kind::Wildcard);
        let Some(made) = made_by_query(&script).filter(|_| !has_wildcard) else { return false };
        let scopes = Scopes::resolve(&script, &self.schema_for(&script));
        let Some(mut columns) = output_columns(&script, &scopes, made.node) else { return false };
        let name = last_two(&full_name(made.name, database));
        for column in columns.iter_mut().filter(|column| !is_told(&column.data_type)) {
            column.data_type = Type::String;
            self.untyped.push((name.clone(), column.name.clone()));
        }
        self.add_made_by_query(name, columns);
        true
    }

    /// Adds what a statement makes of a query, if it does so; whether that has to wait.
    fn is_waiting(&mut self, statement: &str, database: &str) -> bool {
        let script = Script::new(in_database(statement, database));
        let Some(made) = made_by_query(&script) else { return false };
        let scopes = Scopes::resolve(&script, &self.schema_for(&script));
        let columns = output_columns(&script, &scopes, made.node);
        let are_told = |columns: &Vec<TableColumn>| columns.iter().all(|column| is_told(&column.data_type));
        let Some(columns) = columns.filter(are_told).filter(|_| scopes.problems().is_empty()) else {
            return true;
        };
        self.add_made_by_query(last_two(&full_name(made.name, database)), columns);
        false
    }

    fn add_made_by_query(&mut self, name: String, columns: Vec<TableColumn>) {
        if self.tables.iter().all(|known| known.name != name) {
            self.add_table(TableDefinition { name: name.clone(), columns, comment: String::new() });
            self.by_query.insert(name);
        }
    }

    /// Returns a note for each table of a schema that is defined by a query.
    pub(in super::super) fn notes_on_queries(&self, schema: &Schema) -> Vec<String> {
        let views = schema.tables.iter().filter(|table| self.by_query.contains(&table.name));
        let note = |view: &TableDefinition| {
            format!("{} is made by a query: it gets rows of its own, whatever the tables of that query hold", view.name)
        };
        views.map(note).collect()
    }
}

/// A view or table that a statement makes of a query.
struct MadeByQuery {
    node: NodeId,
    name: String,
}

fn made_by_query(script: &Script) -> Option<MadeByQuery> {
    let tree = script.tree();
    let makes = |node: &NodeId| matches!(tree.kind(*node), Kind::CreateView | Kind::CreateTable);
    let node = script.statements().iter().copied().find(makes).filter(|_| script.is_valid())?;
    tree.child(node, |kind| kind == Kind::Query)?;
    let name = tree.child(node, |kind| kind == Kind::Table).map(|table| script.path_name(table))?;
    Some(MadeByQuery { node, name })
}

/// A statement behind a USE of its database, if there is one.
fn in_database(statement: &str, database: &str) -> String {
    let used = if database.is_empty() { String::new() } else { format!("USE {database};\n") };
    format!("{used}{statement}")
}

fn is_told(data_type: &Type) -> bool {
    !matches!(data_type, Type::Unknown | Type::Null)
}

/// The columns of a view or table, named by its list of columns if it has one, partition columns last; `None` if there are
/// not as many as in that list.
fn output_columns(script: &Script, scopes: &Scopes, made: NodeId) -> Option<Vec<TableColumn>> {
    let tree = script.tree();
    let query = tree.child(made, |kind| kind == Kind::Query)?;
    let named: Option<Vec<String>> = tree
        .child(made, |kind| kind == Kind::ColumnList)
        .map(|list| tree.children(list).iter().map(|name| script.name(*name)).collect());
    let outputs = scopes.outputs(query);
    if outputs.is_empty() || named.as_ref().is_some_and(|named| named.len() != outputs.len()) {
        return None;
    }
    let partitions = tree.child(made, |kind| kind == Kind::PartitionColumns);
    let partitions: Vec<String> =
        partitions.map(|list| tree.children(list).iter().map(|name| script.name(*name)).collect()).unwrap_or_default();
    let column = |(at, output): (usize, &OutputColumn)| TableColumn {
        name: named.as_ref().map_or_else(|| output.name.clone(), |named| named[at].clone()),
        data_type: output.data_type.clone(),
        nullable: output.nullable,
        partition: partitions.contains(&output.name),
        comment: String::new(),
        own_value: false,
    };
    let mut columns: Vec<TableColumn> = outputs.iter().enumerate().map(column).collect();
    columns.sort_by_key(|column| column.partition);
    Some(columns)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::code::parameters::Parameters;

    #[test]
    fn a_view_is_a_table_with_the_columns_of_its_query() {
        let shown = |ddl: &str, script: &str| {
            let mut definitions = Definitions::default();
            definitions.add(Path::new("all.sql"), ddl, &Parameters::default()).unwrap();
            definitions.schema_for(&Script::new(script)).ddl().replace("\n    ", " ").replace('\n', " ")
        };
        let table = "USE db; CREATE TABLE t (k STRING, v INT);";
        let view = format!("{table} CREATE OR REPLACE VIEW v AS SELECT k, SUM(v) AS s FROM t GROUP BY k;");
        assert_eq!(shown(&view, "SELECT k FROM db.v"), "CREATE TABLE db.v ( k STRING, s BIGINT ); ");
        let named = format!("{table} CREATE VIEW v (a COMMENT 'x', b) AS SELECT k, v FROM t;");
        assert_eq!(shown(&named, "SELECT a FROM db.v"), "CREATE TABLE db.v ( a STRING, b INT ); ");
        let short = format!("{table} CREATE VIEW v (a) AS SELECT k, v FROM t;");
        assert_eq!(shown(&short, "SELECT a FROM db.v"), "", "its list has fewer columns than its query");
        let over = format!("{view} CREATE VIEW w AS SELECT s FROM v;");
        assert_eq!(shown(&over, "SELECT s FROM db.w"), "CREATE TABLE db.w ( s BIGINT ); ");
        let made = "CREATE TABLE m STORED AS ORC AS SELECT v, k FROM t; CREATE TABLE t (k STRING, v INT);";
        assert_eq!(
            shown(made, "SELECT k FROM m"),
            "CREATE TABLE m ( v INT, k STRING ); ",
            "the table is defined later"
        );
        assert_eq!(
            shown(made, "CREATE TABLE IF NOT EXISTS m AS SELECT k FROM x; SELECT k FROM m"),
            "",
            "the script makes it"
        );
        assert_eq!(shown("CREATE VIEW v AS SELECT * FROM nowhere;", "SELECT k FROM v"), "");
        assert_eq!(
            shown("CREATE VIEW v AS SELECT k, count(*) AS n FROM nowhere GROUP BY k;", "SELECT k FROM v"),
            "CREATE TABLE v ( k STRING, n BIGINT NOT NULL ); ",
            "the script tells the type of k"
        );
        let own = "USE db; CREATE VIEW v AS SELECT k FROM t; SELECT k FROM v";
        assert_eq!(shown(&view, own), "CREATE TABLE db.t ( k STRING, v INT ); ", "the script makes it");
    }
}
