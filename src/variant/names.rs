//! The names that a script and its schema define, with what each stands for; names that the language has are not among
//! them.

use std::collections::BTreeMap;

use super::rename::field_names;
use super::vocabulary::NameRole;
use crate::code::schema::{Schema, read_type};
use crate::code::scope::Scopes;
use crate::code::script::{Script, unquoted};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// Defined names, lower case; of several roles the first counts.
pub(super) type Names = BTreeMap<String, NameRole>;

/// Adds the names of the tables of a schema.
pub(super) fn of_schema(schema: &Schema, names: &mut Names) {
    for table in schema.tables.iter() {
        of_path(&table.name.split('.').map(str::to_owned).collect::<Vec<_>>(), names);
        for column in &table.columns {
            add(names, column.name.clone(), NameRole::of_column(&column.name, &column.data_type));
            of_type(&column.data_type, names);
        }
    }
}

fn of_type(data_type: &Type, names: &mut Names) {
    match data_type {
        Type::Array(element) => of_type(element, names),
        Type::Map(key, value) => [key, value].into_iter().for_each(|part| of_type(part, names)),
        Type::Struct(fields) => {
            for (name, field) in fields {
                add(names, name.to_lowercase(), NameRole::of_column(name, field));
                of_type(field, names);
            }
        }
        _ => {}
    }
}

fn of_path(parts: &[String], names: &mut Names) {
    let Some((table, databases)) = parts.split_last() else { return };
    databases.iter().for_each(|database| add(names, database.clone(), NameRole::Database));
    add(names, table.clone(), NameRole::Table);
}

fn add(names: &mut Names, name: String, role: NameRole) {
    names.entry(name).or_insert(role);
}

/// Adds the names that a script defines.
pub(super) fn of_script(script: &Script, scopes: &Scopes, names: &mut Names) {
    let tree = script.tree();
    let mut later = Vec::new();
    for node in tree.descendants(tree.root()) {
        let identifiers = || tree.children_where(node, |kind| kind == Kind::Identifier);
        let first = || identifiers().next().map(|name| script.name(name));
        match tree.kind(node) {
            Kind::CommonTable => names.extend(first().map(|name| (name, NameRole::CommonTable))),
            Kind::Table => later.push(identifiers().map(|name| script.name(name)).collect::<Vec<_>>()),
            Kind::Alias => of_alias(script, scopes, node, names),
            Kind::LateralView { .. } => first().into_iter().for_each(|name| add(names, name, NameRole::Alias)),
            Kind::Lambda | Kind::NamedWindow => {
                identifiers().for_each(|name| add(names, script.name(name), NameRole::Alias))
            }
            Kind::ColumnDefinition => of_definition(script, node, names),
            Kind::ColumnList | Kind::PartitionItem | Kind::Using => identifiers().for_each(|name| {
                add(names, script.name(name), NameRole::of_column(&script.name(name), &Type::Unknown))
            }),
            _ => {}
        }
    }
    for name in field_names(script) {
        let role = NameRole::of_column(&name, &Type::Unknown);
        add(names, name, role);
    }
    later.iter().for_each(|path| of_path(path, names));
}

fn of_alias(script: &Script, scopes: &Scopes, alias: NodeId, names: &mut Names) {
    let tree = script.tree();
    let Some((name, parent)) = tree.children(alias).first().zip(tree.parent(alias)) else { return };
    let name = unquoted(script.slice(*name)).to_lowercase();
    let role = match tree.kind(parent) {
        Kind::SelectItem | Kind::Call { .. } => {
            let value = tree.children(parent).iter().take_while(|child| **child != alias).last();
            NameRole::of_column(&name, value.map_or(&Type::Unknown, |value| scopes.type_of(*value)))
        }
        _ if name.len() > 4 => NameRole::CommonTable,
        _ => NameRole::Alias,
    };
    add(names, name, role);
}

fn of_definition(script: &Script, definition: NodeId, names: &mut Names) {
    let tree = script.tree();
    let [name, data_type, ..] = tree.children(definition) else { return };
    let (name, data_type) = (script.name(*name), read_type(script.slice(*data_type)).unwrap_or_default());
    of_type(&data_type, names);
    let role = NameRole::of_column(&name, &data_type);
    add(names, name, role);
}
