//! Tables that INSERT writes and nothing defines: their columns are those written to them.

use std::collections::BTreeSet;

use super::blocks::{Blocks, full_name};
use super::misspelt::is_near;
use super::open_column::{OpenColumn, with_columns};
use crate::code::schema::{Schema, TableDefinition};
use crate::code::scope::{ColumnTarget, OutputColumn, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};

/// A table that INSERTs fill and nothing defines.
struct UndefinedTarget {
    name: String,
    /// Its INSERTs of which it is known which columns they give.
    told: Vec<NodeId>,
    /// Those with a `*` of their own that hides it.
    open: Vec<NodeId>,
}

/// Returns the tables among `unknown` that INSERTs fill.
fn targets(blocks: Blocks<'_>, unknown: &[NodeId]) -> Vec<UndefinedTarget> {
    let names: BTreeSet<String> = unknown.iter().map(|table| full_name(blocks.script, *table)).collect();
    let stars = blocks.open_stars();
    let open: Vec<NodeId> = stars.iter().filter_map(|star| blocks.insert_of(star.node)).collect();
    let tree = blocks.tree();
    let mut found: Vec<UndefinedTarget> = Vec::new();
    for insert in tree.ids().filter(|node| inserts(tree.kind(*node))) {
        let Some(table) = tree.child(insert, |kind| kind == Kind::Table) else { continue };
        let name = full_name(blocks.script, table);
        if !names.contains(&name) {
            continue;
        }
        let at = found.iter().position(|target| target.name == name).unwrap_or_else(|| {
            found.push(UndefinedTarget { name, told: Vec::new(), open: Vec::new() });
            found.len() - 1
        });
        let list = if open.contains(&insert) { &mut found[at].open } else { &mut found[at].told };
        list.push(insert);
    }
    found
}

/// Adds the columns of the tables among `unknown` that are written before they are read.
pub(super) fn add_written(blocks: Blocks<'_>, unknown: &[NodeId], found: &mut Vec<OpenColumn>) {
    add_targets(blocks, targets(blocks, unknown), found);
}

fn add_targets(blocks: Blocks<'_>, targets: Vec<UndefinedTarget>, found: &mut Vec<OpenColumn>) {
    for target in targets {
        let is_its = |column: &&OpenColumn| column.table == target.name;
        let read: Vec<&str> = found.iter().filter(is_its).map(|column| column.column.as_str()).collect();
        let mut columns = written(blocks, &target, &read);
        // What is read of the table as well is named in another order than it is written in.
        let is_written = |known: &OpenColumn| columns.iter().any(|column| column.column == known.column);
        found.retain(|known| known.table != target.name || !is_written(known));
        found.append(&mut columns);
    }
}

/// Returns the tables among `unknown` whose columns an INSERT names, without a `*` whose own columns are unknown.
pub(super) fn tables_filled_by_inserts(blocks: Blocks<'_>, unknown: &[NodeId]) -> Vec<TableDefinition> {
    let mut targets = targets(blocks, unknown);
    targets.retain(|target| !target.told.is_empty());
    let mut found = Vec::new();
    add_targets(blocks, targets, &mut found);
    with_columns(Schema::default(), &found).tables.to_vec()
}

/// Whether a table is one that an INSERT fills.
pub(super) fn is_filled(blocks: Blocks<'_>, table: NodeId) -> bool {
    !targets(blocks, &[table]).is_empty()
}

/// Whether a statement, or an INSERT of one, fills a table from a query.
pub(super) fn inserts(kind: Kind) -> bool {
    matches!(kind, Kind::Insert { .. } | Kind::InsertBranch { .. })
}

/// The columns that the INSERTs into a table name: those of their lists or else of their queries, then those of their
/// partitions. An output without a name has that of the column that it is made of, or of the only one that is `read` of
/// the table, or the name that another INSERT gives to its place.
fn written(blocks: Blocks<'_>, target: &UndefinedTarget, read: &[&str]) -> Vec<OpenColumn> {
    let UndefinedTarget { name: table, told, open } = target;
    let inserts = if told.is_empty() { open } else { told };
    // A name that is written counts before one that is made of parts.
    let sources = [NameSource::Written, NameSource::Parts]
        .into_iter()
        .flat_map(|source| inserts.iter().map(move |insert| (source, *insert)));
    let mut names: Vec<Option<String>> = Vec::new();
    for (source, insert) in sources {
        let of_insert = filled_names(blocks, insert, source, read);
        if names.len() == of_insert.len() {
            names = names.into_iter().zip(of_insert).map(|(one, other)| one.or(other)).collect();
        } else if source == NameSource::Written {
            let new: Vec<_> = of_insert.into_iter().filter(|name| !names.contains(name)).collect();
            names.extend(new);
        }
    }
    let partitions: Vec<String> =
        inserts.iter().flat_map(|insert| blocks.script.partition_items(*insert)).map(|(name, _)| name).collect();
    let read: Vec<&str> = read.iter().copied().filter(|name| !partitions.iter().any(|own| own == name)).collect();
    rename(blocks, table, &mut names, &read);
    let mut columns: Vec<OpenColumn> = Vec::new();
    for (at, name) in names.into_iter().enumerate() {
        let name = name.unwrap_or_else(|| format!("column_{}", at + 1));
        let is_taken = columns.iter().any(|known| known.column == name);
        let name = if is_taken { format!("{name}_{}", columns.len() + 1) } else { name };
        columns.push(OpenColumn::of(table, name));
    }
    for name in partitions {
        columns.retain(|column| column.column != name);
        columns.push(OpenColumn { partition: true, ..OpenColumn::of(table, name) });
    }
    columns
}

/// Gives the columns of a table the names by which it is read: an INSERT fills by position, whatever its outputs are called.
/// A name that none of them has goes to one that is not read and has it in part, or has no name, or is any other.
fn rename(blocks: Blocks<'_>, table: &str, names: &mut [Option<String>], read: &[&str]) {
    let is_known = |name: &str, names: &[Option<String>]| names.iter().flatten().any(|known| known == name);
    for at in 1..names.len() {
        // A second column of a name has another.
        if names[at].as_ref().is_some_and(|name| is_known(name, &names[..at])) {
            names[at] = None;
        }
    }
    if read.iter().all(|name| is_known(name, names)) {
        return;
    }
    let outputs_read = blocks.outputs_read(table);
    for name in read {
        if is_known(name, names) || names.iter().flatten().any(|known| is_near(known, name)) {
            continue;
        }
        let is_free = |known: &Option<String>| match known {
            Some(known) => !read.contains(&known.as_str()) && !outputs_read.contains(known.as_str()),
            None => true,
        };
        let in_part = |known: &Option<String>| {
            let parts = |known: &String| name.contains(known.as_str()) || known.contains(*name);
            known.as_ref().is_some_and(parts)
        };
        let free: Vec<usize> = (0..names.len()).filter(|at| is_free(&names[*at])).collect();
        let alike = free.iter().find(|at| in_part(&names[**at]));
        let nameless = || free.iter().find(|at| names[**at].is_none());
        if let Some(at) = alike.or_else(nameless).or_else(|| free.first()) {
            names[*at] = Some((*name).to_owned());
        }
    }
}

impl<'a> Blocks<'a> {
    /// The columns of a table that the script fills which it reads by the names of the outputs.
    fn outputs_read(self, table: &str) -> BTreeSet<&'a str> {
        let is_its =
            |id: RelationId| matches!(&self.scopes.relation(id).source, RelationSource::Written(name) if name == table);
        let tree = self.tree();
        let columns = tree.ids().filter(|node| tree.kind(*node) == Kind::Column);
        let output = |node: NodeId| match &self.scopes.binding(node)?.target {
            ColumnTarget::Column(id, at) if is_its(*id) => Some(self.scopes.relation(*id).columns[*at].name.as_str()),
            _ => None,
        };
        columns.filter_map(output).collect()
    }
}

/// Where the name of a column that an INSERT fills comes from.
#[derive(Clone, Copy, PartialEq)]
enum NameSource {
    /// From the list of columns, an alias or a column that is selected as it is.
    Written,
    /// From the column that an output without a name is made of.
    Parts,
}

/// The names of the columns that an INSERT fills, but those of its partitions; `None` for an output without any.
fn filled_names(blocks: Blocks<'_>, insert: NodeId, source: NameSource, read: &[&str]) -> Vec<Option<String>> {
    let (script, tree) = (blocks.script, blocks.tree());
    let items = blocks.script.partition_items(insert);
    let is_partition = |name: &str| items.iter().any(|item| item.0 == name);
    if let Some(list) = tree.child(insert, |kind| kind == Kind::ColumnList) {
        let names = tree.children(list).iter().map(|name| script.name(*name));
        return names.filter(|name| !is_partition(name)).map(Some).collect();
    }
    let query = tree.child(insert, |kind| kind == Kind::Query);
    let outputs = query.map(|query| blocks.scopes.outputs(query)).unwrap_or_default();
    // Dynamic partition columns take the last outputs, whatever these are called.
    let dynamic = items.iter().filter(|item| item.1).count();
    let plain = outputs.len().saturating_sub(dynamic);
    let name = |output: &OutputColumn| {
        let name = match source {
            NameSource::Written => is_column_name(&output.name).then(|| output.name.clone()),
            NameSource::Parts => output.expression.and_then(|expression| name_of_parts(blocks, expression, read)),
        };
        name.filter(|name| !is_partition(name))
    };
    outputs[..plain].iter().map(name).collect()
}

/// Whether the name of an output is one that a column has, and not the text of an expression, as that of a constant.
pub(super) fn is_column_name(name: &str) -> bool {
    let is_constant = ["null", "true", "false"].iter().any(|word| name.eq_ignore_ascii_case(word));
    let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_word && !is_constant && name.starts_with(|c: char| !c.is_ascii_digit())
}

/// The name that all columns in an expression have, or else the only one of them that is `read` of the table.
fn name_of_parts(blocks: Blocks<'_>, expression: NodeId, read: &[&str]) -> Option<String> {
    let tree = blocks.tree();
    let columns = tree.descendants(expression).filter(|node| tree.kind(*node) == Kind::Column);
    let names: BTreeSet<String> = columns.map(|column| blocks.script.last_name(column)).collect();
    let known: Vec<&String> = names.iter().filter(|name| read.contains(&name.as_str())).collect();
    match (names.len(), known.as_slice()) {
        (1, _) => names.first().cloned(),
        (_, [only]) => Some((*only).clone()),
        _ => None,
    }
}

/// Returns the columns of a defined table that the query of an INSERT fills, in the order of the query's outputs; `None` if
/// the table is not defined.
pub(super) fn filled_columns(blocks: Blocks<'_>, insert: NodeId, schema: &Schema) -> Option<Vec<String>> {
    let tree = blocks.tree();
    let target = tree.child(insert, |kind| kind == Kind::Table)?;
    let table = schema.table(&full_name(blocks.script, target))?;
    if let Some(list) = tree.child(insert, |kind| kind == Kind::ColumnList) {
        return Some(tree.children(list).iter().map(|name| blocks.script.name(*name)).collect());
    }
    let items = blocks.script.partition_items(insert);
    let is_fixed = |name: &str| items.iter().any(|(item, dynamic)| item == name && !dynamic);
    let filled = table.columns.iter().filter(|column| !is_fixed(&column.name));
    Some(filled.map(|column| column.name.clone()).collect())
}
