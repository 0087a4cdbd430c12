//! Which SELECT blocks of a script find rows on a database, and which of its branches are taken.
//!
//! A block that reads no row proves nothing about a fault inside it, so coverage is measured by running each query of
//! the script on its own, under the WITH items it can see and after the statements before it.

mod branches;

use serde::{Deserialize, Serialize};

pub use branches::{Branch, Way, branches};

use super::subject::Subject;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::ResolvedScript;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::engine::sqlite::{Limits, LoadedDatabase, Sqlite, Translation};

/// How much of a script its databases lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Queries that can be run on their own.
    pub blocks: usize,
    /// Those that give rows on some database.
    pub reached: usize,
    /// Lines, from 1, where the others begin.
    pub unreached: Vec<usize>,
    /// Branches of CASE and IF, sides of UNION, partners and orphans of outer joins.
    pub branches: usize,
    /// Those that some row of some database takes.
    pub taken: usize,
    /// The others, as line and kind: `40 WHEN 2`.
    pub untaken: Vec<String>,
    /// Branches that no query of their own can ask for: those of window functions, and in conditions.
    pub unmeasured: usize,
}

/// Runs every block of a script on all its databases.
pub fn measure(subject: &Subject<'_>) -> Coverage {
    let blocks = blocks(&subject.bound, &subject.reference.schema);
    let databases: Vec<&LoadedDatabase> = subject.baseline.iter().map(|baseline| &baseline.loaded).collect();
    let reaches = |block: &&Block| databases.iter().any(|database| block.rows(database).is_some_and(|rows| rows > 0));
    let reached = blocks.iter().filter(reaches).count();
    let line = |block: &Block| subject.bound.place(subject.bound.tree().span(block.node).start).line;
    let unreached = blocks.iter().filter(|block| !reaches(block)).map(line).collect();
    let ways = branches(&subject.bound, &subject.scopes, &subject.reference.schema);
    let (measured, unmeasured): (Vec<&Branch>, Vec<&Branch>) = ways.iter().partition(|way| way.probe.is_some());
    let is_taken = |way: &&&Branch| databases.iter().any(|database| way.is_taken(database));
    let untaken: Vec<String> =
        measured.iter().filter(|way| !is_taken(way)).map(|way| format!("{} {}", way.line, way.way)).collect();
    Coverage {
        blocks: blocks.len(),
        reached,
        unreached,
        branches: measured.len(),
        taken: measured.len() - untaken.len(),
        untaken,
        unmeasured: unmeasured.len(),
    }
}

/// One query of a script, ready to be run on its own.
#[derive(Debug)]
pub struct Block {
    /// The query's node in the script.
    pub node: NodeId,
    probe: Translation,
}

/// The queries of a script that can be run on their own: correlated ones cannot, and are left out.
///
/// `bound` has its placeholders bound.
pub fn blocks(bound: &Script, schema: &Schema) -> Vec<Block> {
    let tree = bound.tree();
    let queries = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::Query);
    queries.filter_map(|node| Some(Block { node, probe: probe(bound, schema, node)? })).collect()
}

impl Block {
    /// The number of rows that the block gives on a database; none when it fails there.
    pub fn rows(&self, database: &LoadedDatabase) -> Option<usize> {
        rows_of(&self.probe, database)
    }
}

/// The number of rows that a query gives on a database; none when it fails there.
fn rows_of(probe: &Translation, database: &LoadedDatabase) -> Option<usize> {
    let result = database.run(probe, &Limits::default()).ok()?;
    result.tables.iter().find(|table| table.target.is_empty()).map(|table| table.rows.len())
}

fn probe(bound: &Script, schema: &Schema, query: NodeId) -> Option<Translation> {
    translated(probe_text(bound, query, &format!("SELECT * FROM ({}\n) block", bound.slice(query))), schema)
}

/// A script that runs `text` where `node` stands: after the statements before it, under the WITH items that it can see.
fn probe_text(bound: &Script, node: NodeId, text: &str) -> String {
    format!("{}\n{} {text}", statements_before(bound, node), visible_tables(bound, node))
}

fn translated(text: String, schema: &Schema) -> Option<Translation> {
    let ResolvedScript { script, scopes } = ResolvedScript::new(text, schema);
    Sqlite::translate(&script, &scopes, schema, &Parameters::default()).ok()
}

/// The text of the statements whose tables a query may read.
fn statements_before(bound: &Script, query: NodeId) -> &str {
    let tree = bound.tree();
    let root = tree.root();
    let statement = tree.ancestors(query).find(|node| tree.parent(*node) == Some(root));
    let start = statement.map_or(0, |statement| tree.span(statement).start);
    if tree.children(root).first().copied() == statement { "" } else { &bound.text()[..start] }
}

/// The text of the WITH items that a query can see; empty when there are none.
fn visible_tables(bound: &Script, query: NodeId) -> String {
    let tree = bound.tree();
    let owns = tree.child(query, |kind| kind == Kind::With).is_some();
    let with = tree.ancestors(query).find_map(|ancestor| tree.child(ancestor, |kind| kind == Kind::With));
    let inside = tree.ancestors(query).find(|ancestor| tree.kind(*ancestor) == Kind::CommonTable);
    match (with, inside) {
        (Some(with), None) if !owns => bound.slice(with).to_owned(),
        (Some(with), Some(table)) => up_to(bound, with, table),
        _ => String::new(),
    }
}

/// A WITH clause up to, without, one of its tables.
fn up_to(bound: &Script, with: NodeId, table: NodeId) -> String {
    let tree = bound.tree();
    let span = Span::new(tree.span(with).start, tree.span(table).start);
    let head = Script::new(span.of(bound.text()).trim_end().to_owned());
    match head.tokens() {
        [] | [_] => String::new(),
        [.., comma] if head.tokens().len() > 1 && &head.text()[comma.span().start..comma.span().end] == "," => {
            head.text()[..comma.span().start].to_owned()
        }
        _ => String::new(),
    }
}
