//! Which columns the tables without definition have: each name of the script is given to the table it must belong to.

use super::blocks::{Blocks, full_name};
use super::fields::FieldUse;
use super::misspelt::{is_misspelt, without_misspelt};
use super::open_column::OpenColumn;
use super::refusal::{InferenceRefusal, InferenceRefusalKind};
use super::search::{Search, UnsureName};
use super::stars::TakenColumns;
use super::targets;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::scope::{ProblemKind, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// What `script` uses and `schema` does not define.
#[derive(Debug, Default)]
pub(super) struct MissingColumns {
    /// The columns, in the order of their first use.
    pub columns: Vec<OpenColumn>,
    /// The fields of such columns that it reads.
    pub fields: Vec<FieldUse>,
    /// The tables of which a `*` takes the columns that the script names.
    pub starred: Vec<String>,
    /// The tables of which the script names no column; each has one of its own.
    pub nameless: Vec<String>,
    /// Whether a table that INSERTs fill has no column yet, because they fill it from others of these tables.
    pub leaves_some: bool,
}

/// Returns the columns that `script` uses and `schema` does not define.
///
/// # Errors
///
/// If it cannot be told which columns a table has.
pub(super) fn missing(script: &Script, scopes: &Scopes, schema: &Schema) -> Result<MissingColumns, InferenceRefusal> {
    let blocks = Blocks { script, scopes };
    let unknown = unknown_tables(blocks);
    if unknown.iter().any(|table| is_common_table(script, *table)) {
        return Ok(MissingColumns::default());
    }
    let with_targets = with_tables(schema, targets::tables_filled_by_inserts(blocks, &unknown));
    let mut search = Search::new(blocks, with_targets);
    if !unknown.is_empty() {
        search.refuse_unnamed()?;
        search.add_named_columns()?;
        search.add_excepted_columns();
        search.add_columns_of_using();
        search.decide_unsure_names()?;
        search.add_columns_of_copied();
        search.unite_set_operations();
        search.add_starred_columns()?;
        targets::add_written(blocks, &unknown, &mut search.found);
        search.add_column_to_nameless(&unknown, schema);
    }
    let found = without_misspelt(search.found, schema);
    let nameless = unknown.iter().find(|table| {
        let name = full_name(script, **table);
        !found.iter().any(|column| column.table == name) && !is_misspelt(&name, schema)
    });
    let leaves_some = nameless.is_some_and(|table| !found.is_empty() && targets::is_filled(blocks, *table));
    match nameless {
        Some(table) if !leaves_some => {
            Err(InferenceRefusal::at(script, *table, InferenceRefusalKind::Nameless(script.path_name(*table))))
        }
        _ => Ok(MissingColumns {
            columns: found,
            fields: search.fields,
            starred: search.starred,
            nameless: search.nameless,
            leaves_some,
        }),
    }
}

fn with_tables(schema: &Schema, tables: Vec<TableDefinition>) -> Schema {
    let mut all = schema.clone();
    all.tables_mut().extend(tables);
    all
}

/// Returns the `Table` nodes that nothing defines.
fn unknown_tables(blocks: Blocks<'_>) -> Vec<NodeId> {
    let problems = blocks.scopes.problems().iter();
    let unknown = problems.filter(|problem| matches!(problem.kind, ProblemKind::UnknownTable { .. }));
    unknown.map(|problem| problem.node).filter(|node| blocks.tree().kind(*node) == Kind::Table).collect()
}

/// Whether a name is that of a CTE which cannot be read there, as before its definition: such a script is wrong.
fn is_common_table(script: &Script, table: NodeId) -> bool {
    let (tree, name) = (script.tree(), script.path_name(table));
    let mut common = tree.ids().filter(|node| tree.kind(*node) == Kind::CommonTable);
    common.any(|node| tree.children(node).first().is_some_and(|first| script.name(*first) == name))
}

impl Search<'_> {
    fn refuse_unnamed(&self) -> Result<(), InferenceRefusal> {
        self.blocks.unnamed().map_or(Ok(()), |(node, kind)| Err(self.refuse(node, kind)))
    }

    /// Adds the columns that a `*` takes of a table: where an INSERT puts them into a defined table, that table's columns in
    /// their order, else those that the script names.
    fn add_starred_columns(&mut self) -> Result<(), InferenceRefusal> {
        let mut stars = self.blocks.open_stars();
        // Another query of the same set operation says more than what is made of all of them.
        stars.sort_by_key(|star| !self.blocks.in_set_operation(star.node));
        let mut in_order: Vec<String> = Vec::new();
        for star in stars {
            let origins = self.blocks.origins(star.relation).into_iter();
            let tables: Vec<String> = origins.map(|table| full_name(self.blocks.script, table)).collect();
            if !tables.is_empty() && tables.iter().all(|table| in_order.contains(table)) {
                continue;
            }
            let refused = self.refuse(star.node, InferenceRefusalKind::Star(self.blocks.named(star.relation)));
            match self.blocks.taken_columns(star, &self.with_targets) {
                TakenColumns::OfTarget(columns) => {
                    in_order.extend(columns.first().map(|column| column.table.clone()));
                    self.put_in_order(columns).ok_or(refused)?;
                }
                TakenColumns::Unknown => return Err(refused),
                TakenColumns::Named => {
                    let is_named = |table: &String| self.found.iter().any(|column| column.table == *table);
                    if tables.iter().all(is_named) {
                        self.starred.extend(tables);
                    } else if self.found.is_empty() || tables.iter().any(is_named) {
                        // What is read of one of them does not tell what the others have.
                        return Err(refused);
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives tables of which one set operation takes all columns the same columns, in the same order.
    fn unite_set_operations(&mut self) {
        for tables in self.blocks.united_tables() {
            let names: Vec<String> = tables.iter().map(|table| full_name(self.blocks.script, *table)).collect();
            let mut columns: Vec<String> = Vec::new();
            for known in self.found.iter().filter(|known| names.contains(&known.table)) {
                if !columns.contains(&known.column) {
                    columns.push(known.column.clone());
                }
            }
            self.found.retain(|known| !names.contains(&known.table));
            for name in names {
                columns.iter().for_each(|column| self.add(name.clone(), column));
            }
        }
    }

    /// Gives a column to each table that has none, nothing fills, and the script reads beside others of which it names some.
    fn add_column_to_nameless(&mut self, unknown: &[NodeId], schema: &Schema) {
        if self.found.is_empty() {
            return;
        }
        for table in unknown {
            let name = full_name(self.blocks.script, *table);
            let has_columns = self.found.iter().any(|column| column.table == name);
            if !has_columns && !targets::is_filled(self.blocks, *table) && !is_misspelt(&name, schema) {
                self.add(name.clone(), "id");
                self.nameless.push(name);
            }
        }
    }

    /// Gives a table that is copied whole the columns of the rows which an INSERT adds to the copy, in their order.
    fn add_columns_of_copied(&mut self) {
        let tree = self.blocks.tree();
        for insert in tree.ids().filter(|node| targets::inserts(tree.kind(*node))) {
            if let Some(columns) = self.blocks.columns_of_copied(insert) {
                self.put_in_order(columns);
            }
        }
    }

    /// Replaces the columns of a table by these, which have an order; `None` if the script names another column of it.
    fn put_in_order(&mut self, columns: Vec<OpenColumn>) -> Option<()> {
        let table = &columns.first()?.table;
        let named = self.found.iter().filter(|known| known.table == *table);
        let is_there = |known: &OpenColumn| columns.iter().any(|column| column.column == known.column);
        if !named.clone().all(is_there) {
            return None;
        }
        self.found.retain(|known| known.table != *table);
        self.found.extend(columns);
        Some(())
    }

    /// Decides to which table each name belongs that several tables can have.
    ///
    /// A table that has the name elsewhere is the one that is meant. Otherwise the table that a condition of ON joins gets
    /// the name, or else the first one, unless the name would be ambiguous elsewhere then: the script means the same
    /// whichever table has it.
    fn decide_unsure_names(&mut self) -> Result<(), InferenceRefusal> {
        let mut unsure = std::mem::take(&mut self.unsure);
        unsure.sort_by_key(|name| !name.is_joined);
        for UnsureName { node, column, tables, .. } in &unsure {
            if tables.iter().any(|table| self.has(table, column)) {
                continue;
            }
            let beside = unsure.iter().filter(|other| other.column == *column);
            let known: Vec<&String> =
                beside.flat_map(|other| &other.tables).filter(|table| self.has(table, column)).collect();
            let is_alone = |table: &&String| {
                let with = unsure.iter().filter(|other| other.column == *column && other.tables.contains(table));
                !with.flat_map(|other| &other.tables).any(|other| known.contains(&other))
            };
            // What an INSERT fills has the columns that the INSERT says.
            let is_filled_without = |table: &&String| {
                let filled = self.with_targets.tables.iter().find(|filled| filled.name == **table);
                filled.is_some_and(|filled| filled.position(column).is_none())
            };
            let mut usable = tables.iter().filter(is_alone);
            let first = usable.clone().find(|table| !is_filled_without(table));
            let Some(chosen) = first.or_else(|| usable.next()) else {
                let (column, tables) = (column.clone(), tables.clone());
                return Err(self.refuse(*node, InferenceRefusalKind::Ambiguous { column, tables }));
            };
            self.found.push(OpenColumn {
                table: chosen.clone(),
                column: column.clone(),
                partition: false,
                others: tables.iter().filter(|table| *table != chosen).cloned().collect(),
            });
        }
        Ok(())
    }
}
