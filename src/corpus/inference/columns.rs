//! Which columns the tables without definition have: each name of the script is given to the table it must belong to.

use super::blocks::{Blocks, full_name};
use super::fields::{FieldUse, MOST_FIELDS};
use super::misspelt::{is_misspelt, without_misspelt};
use super::open_column::OpenColumn;
use super::refusal::{InferenceRefusal, InferenceRefusalKind};
use super::stars::TakenColumns;
use super::targets;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::scope::{ColumnTarget, ProblemKind, RelationId, Scopes, names_no_column};
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

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
    let (found, unsure, fields, starred, nameless) = Default::default();
    let mut search = Search { blocks, with_targets, found, unsure, fields, starred, nameless };
    if !unknown.is_empty() {
        search.refuse_unnamed()?;
        search.columns()?;
        search.excepted();
        search.shared_names()?;
        search.unsure()?;
        search.united();
        search.starred()?;
        targets::add_written(blocks, &unknown, &mut search.found);
        search.nameless(&unknown, schema);
    }
    let found = without_misspelt(search.found, schema);
    let nameless = unknown.iter().find(|table| {
        let name = full_name(script, **table);
        !found.iter().any(|column| column.table == name) && !is_misspelt(&name, schema)
    });
    let leaves_some = nameless.is_some_and(|table| !found.is_empty() && targets::is_filled(blocks, *table));
    match nameless {
        Some(table) if !leaves_some => {
            Err(refusal(script, *table, InferenceRefusalKind::Nameless(script.path_name(*table))))
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

fn refusal(script: &Script, node: NodeId, kind: InferenceRefusalKind) -> InferenceRefusal {
    InferenceRefusal { place: script.place(script.tree().span(node).start), kind }
}

/// The search for the tables of names.
struct Search<'a> {
    blocks: Blocks<'a>,
    /// The schema with the tables that the script fills and nothing defines.
    with_targets: Schema,
    found: Vec<OpenColumn>,
    /// Names that several tables can have, with these tables.
    unsure: Vec<UnsureName>,
    /// Fields of columns of tables without definition.
    fields: Vec<FieldUse>,
    /// The tables of which a `*` takes the columns that the script names.
    starred: Vec<String>,
    /// The tables of which the script names no column.
    nameless: Vec<String>,
}

/// A name that several tables can have.
struct UnsureName {
    node: NodeId,
    column: String,
    /// These tables, the likeliest first.
    tables: Vec<String>,
    /// Whether the first of these is the one that a condition on the name joins.
    is_joined: bool,
}

impl Search<'_> {
    fn refuse(&self, node: NodeId, kind: InferenceRefusalKind) -> InferenceRefusal {
        refusal(self.blocks.script, node, kind)
    }

    fn refuse_unnamed(&self) -> Result<(), InferenceRefusal> {
        self.blocks.unnamed().map_or(Ok(()), |(node, kind)| Err(self.refuse(node, kind)))
    }

    fn add(&mut self, table: String, column: &str) {
        let same = |known: &OpenColumn| known.table == table && known.column == column;
        if !self.found.iter().any(same) {
            self.found.push(OpenColumn::of(table, column));
        }
    }

    fn has(&self, table: &str, column: &str) -> bool {
        self.found.iter().any(|known| known.table == table && known.column == column)
    }

    /// Gives a name to the only table that can have it, or puts it off.
    fn give(&mut self, node: NodeId, name: &str, tables: Vec<NodeId>) {
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

    fn columns(&mut self) -> Result<(), InferenceRefusal> {
        let tree = self.blocks.tree();
        let mut columns: Vec<NodeId> = tree.ids().filter(|node| tree.kind(*node) == Kind::Column).collect();
        columns.sort_by_key(|column| tree.span(*column).start);
        for column in columns {
            let path: Vec<String> = self.blocks.script.path_name(column).split('.').map(str::to_owned).collect();
            match path.as_slice() {
                [name] => self.plain(column, name),
                [qualifier, name, fields @ ..] => self.qualified(column, (qualifier, name), fields)?,
                [] => {}
            }
        }
        Ok(())
    }

    /// A name without qualifier belongs to the innermost block with a relation that may have it.
    fn plain(&mut self, column: NodeId, name: &str) {
        if names_no_column(self.blocks.script, column) {
            return;
        }
        let scopes = self.blocks.scopes;
        let binding = scopes.binding(column);
        for block in self.blocks.around(column) {
            match binding.map(|binding| &binding.target) {
                Some(ColumnTarget::Column(id, _)) if scopes.relation(*id).block != block => {}
                Some(_) => return,
                None => {}
            }
            let visible = self.blocks.visible(block, column);
            let open: Vec<RelationId> = visible.into_iter().filter(|id| scopes.relation(*id).open).collect();
            let tables: Vec<NodeId> = open.iter().flat_map(|id| self.blocks.origins(*id)).collect();
            match open.as_slice() {
                _ if !tables.is_empty() => return self.give(column, name, tables),
                [only] => self.blocks.filled_table(*only).into_iter().for_each(|table| self.add(table, name)),
                _ => {}
            }
        }
    }

    fn qualified(
        &mut self,
        column: NodeId,
        (qualifier, name): (&str, &str),
        fields: &[String],
    ) -> Result<(), InferenceRefusal> {
        let scopes = self.blocks.scopes;
        if scopes.binding(column).is_some() {
            return Ok(());
        }
        let mut may_be_field = false;
        for block in self.blocks.around(column) {
            let visible = self.blocks.visible(block, column);
            may_be_field |= visible.iter().any(|id| scopes.relation(*id).open);
            for id in visible {
                let relation = scopes.relation(id);
                let named = relation.name == qualifier;
                // `database.table.column`.
                let by_database = !fields.is_empty() && relation.name == name && !named;
                if !named && !by_database {
                    continue;
                }
                if !relation.open {
                    return Ok(());
                }
                let (wanted, path) = if named { (name, fields) } else { (fields[0].as_str(), &fields[1..]) };
                if let Some(table) = self.blocks.filled_table(id) {
                    self.add(table, wanted);
                    return Ok(());
                }
                if path.len() > MOST_FIELDS {
                    return Err(self.refuse(column, InferenceRefusalKind::Field(format!("{qualifier}.{name}"))));
                }
                self.give_with_fields(column, wanted, path, self.blocks.origins(id));
                return Ok(());
            }
        }
        match self.blocks.tables_with_fields(column, qualifier).filter(|_| fields.len() < MOST_FIELDS) {
            Some(tables) => {
                let path: Vec<String> = std::iter::once(name.to_owned()).chain(fields.to_vec()).collect();
                self.give_with_fields(column, qualifier, &path, tables);
                Ok(())
            }
            None if may_be_field => Err(self.refuse(column, InferenceRefusalKind::Field(qualifier.to_owned()))),
            None => Ok(()),
        }
    }

    /// Gives a name, of which a path of fields is read if there is one, to the only table that can have it, or puts it off.
    fn give_with_fields(&mut self, node: NodeId, name: &str, path: &[String], tables: Vec<NodeId>) {
        if !path.is_empty() {
            self.fields.push(self.blocks.field_use(&tables, name, path, node));
        }
        self.give(node, name, tables);
    }

    /// The names that a `*` leaves out by EXCEPT are columns of the relations that it is over.
    fn excepted(&mut self) {
        let (tree, scopes) = (self.blocks.tree(), self.blocks.scopes);
        for star in tree.ids().filter(|node| tree.kind(*node) == Kind::Wildcard) {
            let list = tree.child(star, |kind| kind == Kind::ColumnList);
            let Some((list, select)) = list.zip(self.blocks.select_of(star)) else { continue };
            let relations = self.blocks.starred(select, star);
            for identifier in tree.children(list).iter().copied() {
                let name = self.blocks.script.name(identifier);
                let has = |id: &RelationId| scopes.relation(*id).columns.iter().any(|column| column.name == name);
                if !relations.iter().any(has) {
                    self.give(identifier, &name, relations.iter().flat_map(|id| self.blocks.origins(*id)).collect());
                }
            }
        }
    }

    /// What a `*` takes of a table: the columns of the defined table that an INSERT puts them into, in their order, or
    /// else those that the script names.
    fn starred(&mut self) -> Result<(), InferenceRefusal> {
        for star in self.blocks.open_stars() {
            let refused = self.refuse(star.node, InferenceRefusalKind::Star(self.blocks.named(star.relation)));
            match self.blocks.taken(star, &self.with_targets) {
                TakenColumns::OfTarget(columns) => self.put_in_order(columns).ok_or(refused)?,
                TakenColumns::Unknown => return Err(refused),
                TakenColumns::Named => {
                    let origins = self.blocks.origins(star.relation).into_iter();
                    let tables: Vec<String> = origins.map(|table| full_name(self.blocks.script, table)).collect();
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

    /// Tables of which a set operation takes all columns have the same ones, in the same order.
    fn united(&mut self) {
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
    fn nameless(&mut self, unknown: &[NodeId], schema: &Schema) {
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

    /// The names of USING belong to both sides.
    fn shared_names(&mut self) -> Result<(), InferenceRefusal> {
        let tree = self.blocks.tree();
        for using in tree.ids().filter(|node| tree.kind(*node) == Kind::Using) {
            let Some(join) = tree.parent(using) else { continue };
            let Some(block) = self.blocks.around(using).first().copied() else { continue };
            let relations = self.blocks.scopes.relations_of(block);
            let right = tree.span(join);
            let (rights, lefts): (Vec<_>, Vec<_>) = relations
                .iter()
                .copied()
                .partition(|id| right.contains(tree.span(self.blocks.scopes.relation(*id).node)));
            let lefts: Vec<_> = lefts
                .into_iter()
                .filter(|id| tree.span(self.blocks.scopes.relation(*id).node).start < right.start)
                .collect();
            for identifier in tree.children(using).to_vec() {
                let name = self.blocks.script.name(identifier);
                for side in [&rights, &lefts] {
                    let scopes = self.blocks.scopes;
                    let has = |id: &&_| scopes.relation(**id).columns.iter().any(|column| column.name == name);
                    if side.iter().find(has).is_none() {
                        let tables = side.iter().flat_map(|id| self.blocks.origins(*id)).collect();
                        self.give(identifier, &name, tables);
                    }
                }
            }
        }
        Ok(())
    }

    /// Names that several tables can have: one that has it elsewhere is the one meant. Of others the table that a
    /// condition of ON joins, or else the first one, gets the name, unless that would leave it open elsewhere: the
    /// script means the same whichever table has it.
    fn unsure(&mut self) -> Result<(), InferenceRefusal> {
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

    /// The tables all of whose columns the list gives in which a name is an item.
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

    /// The table whose ON equates something with this name, as in `JOIN t ON order_id = name`.
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
