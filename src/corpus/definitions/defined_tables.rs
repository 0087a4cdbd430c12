//! The tables that are defined, and what was assumed when their definitions were read.

use std::collections::HashSet;

use super::own_tables::own_tables;
use crate::code::schema::{MOST_COLUMNS, Schema, TableDefinition, used_database};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::{TableAction, TableStatement};
use crate::engine::spark::catalogue::Listing;

/// Definitions of tables, and what was assumed when they were read.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    pub(super) tables: Vec<TableDefinition>,
    /// The names of tables that are left out. They stand among the tables, without columns, so that no other table of
    /// the same short name is taken for them.
    left_out: HashSet<String>,
    /// The names of views and tables that are made by queries, which stand among the tables as well.
    pub(super) by_query: HashSet<String>,
    /// Statements that make a view or table of tables that are not defined so far, with the databases used.
    pub(super) waiting: Vec<(String, String)>,
    notes: Vec<String>,
    /// Columns that are listed without a type, by table.
    pub(super) untyped: Vec<(String, String)>,
}

impl Definitions {
    /// Whether no table is defined.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Returns the number of tables that are defined.
    pub fn count(&self) -> usize {
        self.tables.len() - self.left_out.len()
    }

    /// Returns what was assumed and what types lost in reading, in the order of reading.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Adds a note unless it is there.
    pub(in super::super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn note_loss(&mut self, table: &str, column: &str, written: &str, loss: Option<&str>) {
        if let Some(loss) = loss {
            self.note(format!("{table}.{column}: of {written} {loss}"));
        }
    }

    /// Adds a table; of two definitions the first counts, but a list of columns counts before a query.
    pub(super) fn add_table(&mut self, mut table: TableDefinition) {
        table.name = last_two(&table.name);
        if table.columns.len() > MOST_COLUMNS {
            return self.leave_out(table.name);
        }
        if self.by_query.remove(&table.name) {
            self.tables.retain(|known| known.name != table.name);
        }
        match self.tables.iter().find(|known| known.name == table.name) {
            Some(known) if known.columns != table.columns => {
                self.note(format!("{} is defined twice, differently; the first definition counts", table.name));
            }
            Some(_) => {}
            None => self.tables.push(table),
        }
    }

    /// Adds what the catalogue of the user's Spark tells.
    pub(in super::super) fn add_listing(&mut self, listing: Listing) {
        listing.left_out.into_iter().for_each(|reason| self.note(format!("left out of Spark's catalogue: {reason}")));
        listing.tables.into_iter().for_each(|table| self.add_table(table));
    }

    pub(super) fn leave_out(&mut self, name: String) {
        self.note(format!("{name} has more than {MOST_COLUMNS} columns and is left out"));
        if self.tables.iter().all(|known| known.name != name) {
            self.left_out.insert(name.clone());
            self.tables.push(TableDefinition { name, columns: Vec::new(), comment: String::new() });
        }
    }

    /// Returns the definitions of the tables that a script names, under the database that it names or that `USE` sets. The
    /// script's own definition counts for a table that it makes only where it is missing, and reads.
    pub fn schema_for(&self, script: &Script) -> Schema {
        let mut tables: Vec<TableDefinition> = Vec::new();
        let mut database = String::new();
        let tree = script.tree();
        let makes = |name: &str| {
            let by_query = |node: &NodeId| {
                let fills = tree.child(*node, |kind| kind == Kind::Query).is_some();
                matches!(tree.kind(*node), Kind::CreateView | Kind::CreateTable) && fills
            };
            let mut made = tree.children(tree.root()).iter().filter(|node| by_query(node));
            let short = |name: &str| name.rsplit('.').next().map(str::to_owned);
            let table = |made: &NodeId| tree.child(*made, |kind| kind == Kind::Table);
            made.any(|made| table(made).is_some_and(|table| short(&script.path_name(table)) == short(name)))
        };
        for node in tree.descendants(tree.root()) {
            let named = match tree.kind(node) {
                Kind::Command => {
                    database = used_database(script.slice(node)).unwrap_or(database);
                    None
                }
                Kind::Table => Some(script.path_name(node)),
                Kind::Opaque => script.table_statement(node).filter(is_altered).map(|altered| altered.table()),
                _ => None,
            };
            let found = named.and_then(|name| self.table(&name, &database));
            let found = found.filter(|table| !self.by_query.contains(&table.name) || !makes(&table.name));
            tables.extend(found.filter(|table| tables.iter().all(|known| known.name != table.name)));
        }
        let own = own_tables(script).into_iter().map(|table| table.definition);
        tables.extend(own.filter(|table| self.table(&table.name, "").is_none()));
        Schema::from(tables)
    }

    /// Returns the columns of `schema` that are listed without a type, with the names that their tables have there.
    pub(in super::super) fn untyped(&self, schema: &Schema) -> Vec<(String, String)> {
        let of = |table: &TableDefinition| {
            let is_of = |listed: &&(String, String)| {
                listed.0 == table.name
                    || listed.0 == table.short_name()
                    || listed.0.ends_with(&format!(".{}", table.name))
            };
            let listed = self.untyped.iter().filter(is_of);
            listed.map(|(_, column)| (table.name.clone(), column.clone())).collect::<Vec<_>>()
        };
        schema.tables.iter().flat_map(of).collect()
    }

    /// Returns the tables that a script names and that are neither CTEs nor created by it.
    pub(in super::super) fn names(script: &Script) -> Vec<String> {
        let tree = script.tree();
        let is = |node: NodeId, wanted: Kind| tree.kind(node) == wanted;
        let tables: Vec<NodeId> = tree.descendants(tree.root()).filter(|node| is(*node, Kind::Table)).collect();
        let makes = |node: &NodeId| {
            let makers = [Kind::CreateTable, Kind::CreateView];
            tree.parent(*node).is_some_and(|parent| makers.contains(&tree.kind(parent)))
        };
        let common = tree.descendants(tree.root()).filter(|node| is(*node, Kind::CommonTable));
        let common = common.filter_map(|table| tree.children(table).first()).map(|name| script.name(*name));
        let made: Vec<String> =
            tables.iter().filter(|node| makes(node)).map(|node| script.path_name(*node)).chain(common).collect();
        let named = tables.into_iter().filter(|node| !makes(node)).map(|node| script.path_name(node));
        named.filter(|name| !made.contains(name)).collect()
    }

    /// Returns the definition of a table that a path names; `database` is the one that is used.
    pub(super) fn table(&self, path: &str, database: &str) -> Option<TableDefinition> {
        let wanted = last_two(path);
        let is_kept = |table: &&TableDefinition| !self.left_out.contains(&table.name);
        let named = |name: &str| self.tables.iter().find(|table| table.name == name);
        if let Some((_, short)) = wanted.split_once('.') {
            // DDL often leaves out the database, which whoever runs it sets.
            let found = named(&wanted).or_else(|| named(short)).filter(is_kept)?;
            return Some(TableDefinition { name: wanted, ..found.clone() });
        }
        let mut short = self.tables.iter().filter(|table| table.short_name() == wanted);
        let only = short.next().filter(|_| short.next().is_none());
        named(&format!("{database}.{wanted}")).or_else(|| named(&wanted)).or(only).filter(is_kept).cloned()
    }
}

/// Whether a statement is an `ALTER TABLE`, which needs the table to exist.
fn is_altered(statement: &TableStatement) -> bool {
    let other = matches!(statement.action, TableAction::Drop | TableAction::Truncate | TableAction::Load);
    !other && !statement.of_view
}

/// Returns a table's name under the database that is used, if it names none itself.
pub(super) fn full_name(name: String, database: &str) -> String {
    if name.contains('.') || database.is_empty() { name } else { format!("{database}.{name}") }
}

/// Returns a table's database and name, without the catalogue before them.
pub(super) fn last_two(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    parts[parts.len().saturating_sub(2)..].join(".")
}
