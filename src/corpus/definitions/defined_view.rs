//! `CREATE VIEW … AS SELECT …` among the definitions: a table with the columns of its query.

use super::defined_tables::{Definitions, full_name, last_two};
use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::scope::{OutputColumn, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Definitions {
    /// Adds the view that a text defines, as a table whose rows are made up; `database` is the one that is used. A view is passed
    /// over if the types of its columns hang on tables that are not defined before it.
    pub(super) fn add_view(&mut self, statement: &str, database: &str) {
        let creates = statement.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("CREATE"));
        if !creates {
            return;
        }
        let used = if database.is_empty() { String::new() } else { format!("USE {database};\n") };
        let script = Script::new(format!("{used}{statement}"));
        let tree = script.tree();
        let Some(view) = script.statements().iter().copied().find(|node| tree.kind(*node) == Kind::CreateView) else {
            return;
        };
        let schema = self.schema_for(&script);
        let scopes = Scopes::resolve(&script, &schema);
        let Some(columns) = columns(&script, &scopes, view) else { return };
        let Some(name) = tree.child(view, |kind| kind == Kind::Table).map(|table| script.path_name(table)) else {
            return;
        };
        let name = full_name(name, database);
        self.views.insert(last_two(&name));
        self.add_table(TableDefinition { name, columns, comment: String::new() });
    }

    /// Returns a note for each table of a schema that is a view.
    pub(in super::super) fn notes_on_views(&self, schema: &Schema) -> Vec<String> {
        let views = schema.tables.iter().filter(|table| self.views.contains(&table.name));
        let note = |view: &TableDefinition| {
            format!("{} is a view: it gets rows of its own, whatever the tables of its query hold", view.name)
        };
        views.map(note).collect()
    }
}

/// The columns of a view, named by its list of columns if it has one; `None` if the type of one is not known.
fn columns(script: &Script, scopes: &Scopes, view: NodeId) -> Option<Vec<TableColumn>> {
    let tree = script.tree();
    let query = tree.child(view, |kind| kind == Kind::Query)?;
    let named: Option<Vec<String>> = tree
        .child(view, |kind| kind == Kind::ColumnList)
        .map(|list| tree.children(list).iter().map(|name| script.name(*name)).collect());
    let outputs = scopes.outputs(query);
    let is_known = !outputs.is_empty()
        && outputs.iter().all(|output| !matches!(output.data_type, Type::Unknown | Type::Null))
        && named.as_ref().is_none_or(|named| named.len() == outputs.len());
    let column = |(at, output): (usize, &OutputColumn)| TableColumn {
        name: named.as_ref().map_or_else(|| output.name.clone(), |named| named[at].clone()),
        data_type: output.data_type.clone(),
        nullable: output.nullable,
        partition: false,
        comment: String::new(),
        own_value: false,
    };
    is_known.then(|| outputs.iter().enumerate().map(column).collect())
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
        let over = format!("{view} CREATE VIEW w AS SELECT s FROM v;");
        assert_eq!(shown(&over, "SELECT s FROM db.w"), "CREATE TABLE db.w ( s BIGINT ); ");
        assert_eq!(shown("CREATE VIEW v AS SELECT k FROM nowhere;", "SELECT k FROM v"), "");
        let own = "USE db; CREATE VIEW v AS SELECT k FROM t; SELECT k FROM v";
        assert_eq!(shown(&view, own), "CREATE TABLE db.t ( k STRING, v INT ); ", "the script makes it");
    }
}
