//! Runs one query of a script alone: after the statements before it, under the WITH items that it can see.

use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::ResolvedScript;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::engine::sqlite::{Limits, LoadedDatabase, Sqlite, Translation};

/// Returns the text of a script that runs the SQL text `query` where `node` stands.
pub fn text_at(script: &Script, node: NodeId, query: &str) -> String {
    format!("{}\n{} {query}", statements_before(script, node), visible_tables(script, node))
}

/// Returns the text of a script that runs the query at `node`.
pub fn text_of(script: &Script, node: NodeId) -> String {
    text_at(script, node, &format!("SELECT * FROM ({}\n) block", script.slice(node)))
}

/// Translates a script whose placeholders are bound; `None` if it needs what stands around the query, as a correlated
/// one does.
pub fn translated(text: String, schema: &Schema) -> Option<Translation> {
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, schema);
    let whole = script.errors().is_empty() && scopes.problems().is_empty();
    whole.then(|| Sqlite::translate(&script, &scopes, schema, &Parameters::default()).ok()).flatten()
}

/// Translates a script that only tells whether a query gives rows.
pub fn existence_probe(script: &Script, node: NodeId, query: &str, schema: &Schema) -> Option<Translation> {
    translated(text_at(script, node, &format!("SELECT 1 AS found FROM ({query}\nLIMIT 1) probe")), schema)
}

/// Whether a query gives rows on a database; false if it fails.
pub fn gives_rows(probe: &Translation, database: &LoadedDatabase) -> bool {
    let Ok(result) = database.run(probe, &Limits::default()) else { return false };
    // The probe runs last: queries before it give results of their own.
    result.tables.iter().rfind(|table| table.target.is_empty()).is_some_and(|table| !table.rows.is_empty())
}

/// Returns the text of the statements before that of a query, whose tables it may read.
fn statements_before(script: &Script, query: NodeId) -> &str {
    let tree = script.tree();
    let root = tree.root();
    let statement = tree.ancestors(query).find(|node| tree.parent(*node) == Some(root));
    let start = statement.map_or(0, |statement| tree.span(statement).start);
    if tree.children(root).first().copied() == statement { "" } else { &script.text()[..start] }
}

/// Returns the text of the WITH items that a query can see; empty if there are none.
fn visible_tables(script: &Script, query: NodeId) -> String {
    let tree = script.tree();
    let owns = tree.child(query, |kind| kind == Kind::With).is_some();
    let with = tree.ancestors(query).find_map(|ancestor| tree.child(ancestor, |kind| kind == Kind::With));
    let inside = tree.ancestors(query).find(|ancestor| tree.kind(*ancestor) == Kind::CommonTable);
    match (with, inside) {
        (Some(with), None) if !owns => script.slice(with).to_owned(),
        (Some(with), Some(table)) if tree.parent(table) == Some(with) => up_to(script, with, table),
        // The WITH stands inside a table of another one.
        (Some(with), Some(table)) => within(script, &visible_tables(script, table), with),
        _ => String::new(),
    }
}

/// Returns a WITH clause behind the tables of another one, which may be empty.
fn within(script: &Script, outer: &str, with: NodeId) -> String {
    if outer.is_empty() {
        return script.slice(with).to_owned();
    }
    let tables = script.tree().children(with).iter().map(|table| script.slice(*table));
    format!("{outer}, {}", tables.collect::<Vec<_>>().join(", "))
}

/// Returns a WITH clause up to one of its tables, which is left out.
fn up_to(script: &Script, with: NodeId, table: NodeId) -> String {
    let tree = script.tree();
    let span = Span::new(tree.span(with).start, tree.span(table).start);
    let head = Script::new(span.of(script.text()).trim_end().to_owned());
    match head.tokens() {
        [] | [_] => String::new(),
        [.., comma] if &head.text()[comma.span().start..comma.span().end] == "," => {
            head.text()[..comma.span().start].to_owned()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::{Database, Row, TableRows, Value};

    #[test]
    fn a_probe_behind_statements_that_write_tells_whether_there_are_rows() {
        let schema = Schema::read("CREATE TABLE t (a INT); CREATE TABLE o (a INT); CREATE TABLE p (a INT)").unwrap();
        let query = "SELECT a FROM t WHERE a > 1";
        let script = Script::new(format!(
            "INSERT OVERWRITE TABLE o SELECT a FROM t;\nSELECT a FROM o ORDER BY a;\nINSERT OVERWRITE TABLE p {query}"
        ));
        let node = script.tree().ids().find(|node| script.slice(*node) == query).unwrap();
        let probe = existence_probe(&script, node, query, &schema).unwrap();
        for (value, expected) in [(1, false), (2, true)] {
            let rows = vec![Row::from([Value::Integer(value)])];
            let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows }] };
            let loaded = Sqlite::open(&schema, &database).unwrap();
            assert_eq!(gives_rows(&probe, &loaded), expected, "{value}");
        }
    }
}
