//! The search for the tables that names belong to: a name that only one table can have is given to it, others are put off.

use super::blocks::{Blocks, full_name};
use super::fields::FieldUse;
use super::open_column::OpenColumn;
use super::refusal::{InferenceRefusal, InferenceRefusalKind};
use crate::code::schema::Schema;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

/// The search for the tables of names.
pub(super) struct Search<'a> {
    pub blocks: Blocks<'a>,
    /// The schema with the tables that the script fills and nothing defines.
    pub with_targets: Schema,
    pub found: Vec<OpenColumn>,
    /// Names that several tables can have, with these tables.
    pub unsure: Vec<UnsureName>,
    /// Fields of columns of tables without definition.
    pub fields: Vec<FieldUse>,
    /// The tables of which a `*` takes the columns that the script names.
    pub starred: Vec<String>,
    /// The tables of which the script names no column.
    pub nameless: Vec<String>,
}

/// A name that several tables can have.
pub(super) struct UnsureName {
    pub node: NodeId,
    pub column: String,
    /// These tables, the likeliest first.
    pub tables: Vec<String>,
    /// Whether the first of these is the one that a condition on the name joins.
    pub is_joined: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(blocks: Blocks<'a>, with_targets: Schema) -> Search<'a> {
        Search {
            blocks,
            with_targets,
            found: Vec::new(),
            unsure: Vec::new(),
            fields: Vec::new(),
            starred: Vec::new(),
            nameless: Vec::new(),
        }
    }

    pub(super) fn refuse(&self, node: NodeId, kind: InferenceRefusalKind) -> InferenceRefusal {
        InferenceRefusal::at(self.blocks.script, node, kind)
    }

    pub(super) fn add(&mut self, table: String, column: &str) {
        if !self.has(&table, column) {
            self.found.push(OpenColumn::of(table, column));
        }
    }

    pub(super) fn has(&self, table: &str, column: &str) -> bool {
        self.found.iter().any(|known| known.table == table && known.column == column)
    }

    /// Assigns a name to the only table that can have it; with several such tables it is put off.
    pub(super) fn assign_name(&mut self, node: NodeId, name: &str, tables: Vec<NodeId>) {
        let mut names: Vec<String> = Vec::new();
        for table in tables {
            let name = full_name(self.blocks.script, table);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match names.len() {
            0 => {}
            1 => self.add(names.remove(0), name),
            _ => {
                // Of `a.*, x` the second is no column of `a`, or a table made of them would have it twice.
                let starred = self.tables_of_stars_beside(node);
                names.sort_by_key(|table| starred.contains(table));
                let joined = self.joined_table(node);
                let place = joined.and_then(|joined| names.iter().position(|table| *table == joined));
                names.swap(0, place.unwrap_or(0));
                let column = name.to_owned();
                self.unsure.push(UnsureName { node, column, tables: names, is_joined: place.is_some() });
            }
        }
    }

    /// Assigns a name as [`Search::assign_name`] does, and notes the path of fields that is read of it.
    pub(super) fn assign_name_with_fields(&mut self, node: NodeId, name: &str, path: &[String], tables: Vec<NodeId>) {
        if !path.is_empty() {
            self.fields.push(self.blocks.field_use(&tables, name, path, node));
        }
        self.assign_name(node, name, tables);
    }

    /// Returns the tables of which a `*` takes all columns in the SELECT list of which a name is an item.
    fn tables_of_stars_beside(&self, column: NodeId) -> Vec<String> {
        let tree = self.blocks.tree();
        let list = tree.parent(column).and_then(|item| tree.parent(item));
        let Some(list) = list.filter(|list| tree.kind(*list) == Kind::Projection) else { return Vec::new() };
        let Some(select) = tree.parent(list) else { return Vec::new() };
        let starred = tree.children_where(list, |kind| kind == Kind::Wildcard);
        let relations = starred.flat_map(|star| self.blocks.starred(select, star));
        let tables = relations.flat_map(|id| self.blocks.origins(id));
        tables.map(|table| full_name(self.blocks.script, table)).collect()
    }

    /// Returns the joined table whose ON equates something with this name, as `t` in `JOIN t ON order_id = name`.
    fn joined_table(&self, column: NodeId) -> Option<String> {
        let tree = self.blocks.tree();
        let equality = tree.parent(column).filter(|it| tree.kind(*it) == Kind::Binary(BinaryOperator::Equal))?;
        let on = tree.ancestors(equality).find(|it| tree.kind(*it) == Kind::On)?;
        let joined = tree.children(tree.parent(on)?).first().copied()?;
        let [left, right] = *tree.children(equality) else { return None };
        // `t.id = name` compares a column of the joined table with one of another.
        let alias = tree.child(joined, |kind| kind == Kind::Alias).and_then(|alias| tree.children(alias).first());
        let name = alias.map_or_else(|| self.blocks.script.last_name(joined), |name| self.blocks.script.name(*name));
        let path = self.blocks.script.path_name(left);
        let is_its = tree.kind(left) == Kind::Column && path.split('.').rev().nth(1) == Some(name.as_str());
        let joins = right == column && tree.kind(joined) == Kind::Table && !is_its;
        joins.then(|| full_name(self.blocks.script, joined))
    }
}
