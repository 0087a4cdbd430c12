//! The types of columns that no definition tells: the surest uses decide first, and what they decide is evidence for
//! the columns that are compared with these.

use super::blocks::{Blocks, MOST_LEVELS};
use super::evidence::{LEVELS, Trust, TypeEvidence};
use super::fields::{FieldUse, structure};
use super::inner_types::{InnerUse, with_inner_types};
use super::open_column::OpenColumn;
use super::uses;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::types::Type;

/// Returns `schema` with a type for each of the `open` columns, a structure where `fields` of it are read; text where no use
/// tells any other.
pub(super) fn with_inferred_types(
    script: &Script,
    mut schema: Schema,
    open: &[OpenColumn],
    fields: &[FieldUse],
) -> Schema {
    for column in open {
        set(&mut schema, column, Type::Unknown);
    }
    if !fields.is_empty() {
        let scopes = Scopes::resolve(script, &schema);
        let blocks = Blocks { script, scopes: &scopes };
        for column in open {
            let is_its = |field: &&FieldUse| field.column == column.column && field.tables.contains(&column.table);
            let own: Vec<&FieldUse> = fields.iter().filter(is_its).collect();
            if !own.is_empty() {
                set(&mut schema, column, structure(&own, &|node| blocks.evidence_at(node)));
            }
        }
    }
    decide_all(script, &mut schema, open);
    // What is made of others, as an array of them, waits until these are decided.
    for column in without_uses_of_unknown(script, &schema, open) {
        set(&mut schema, column, Type::String);
    }
    decide_all(script, &mut schema, open);
    for column in open {
        if *of(&schema, column) == Type::Unknown {
            set(&mut schema, column, Type::String);
        }
    }
    with_types_inside(script, schema, open)
}

fn decide_all(script: &Script, schema: &mut Schema, open: &[OpenColumn]) {
    while let Some(decided) = next(script, schema, open) {
        for (column, data_type) in decided {
            set(schema, column, data_type);
        }
    }
}

/// The undecided columns of which no use says that they are made of an undecided one.
fn without_uses_of_unknown<'a>(script: &Script, schema: &Schema, open: &'a [OpenColumn]) -> Vec<&'a OpenColumn> {
    let scopes = Scopes::resolve(script, schema);
    let evidence = uses::type_evidence(Blocks { script, scopes: &scopes }, schema);
    let is_made = |column: &OpenColumn| {
        let mut said = evidence.iter().filter(|(about, _)| *about == column.key()).map(|(_, said)| said);
        said.any(|said| matches!(said, TypeEvidence::Same(data_type) if data_type.has_unknown()))
    };
    open.iter().filter(|column| *of(schema, column) == Type::Unknown && !is_made(column)).collect()
}

/// Returns `schema` with the types of values inside the `open` columns. What one use tells may open the next: the values of a
/// map of maps are known to be maps before theirs are read.
fn with_types_inside(script: &Script, mut schema: Schema, open: &[OpenColumn]) -> Schema {
    for _ in 0..MOST_LEVELS {
        let scopes = Scopes::resolve(script, &schema);
        let uses = Blocks { script, scopes: &scopes }.inner_uses();
        let mut changed = Vec::new();
        for column in open {
            let own: Vec<&InnerUse> =
                uses.iter().filter(|used| used.column == column.column && used.table == column.table).collect();
            let known = of(&schema, column);
            let told = with_inner_types(known, &own);
            if told != *known {
                changed.push((column, told));
            }
        }
        if changed.is_empty() {
            break;
        }
        for (column, data_type) in changed {
            set(&mut schema, column, data_type);
        }
    }
    schema
}

/// The columns that the surest uses to decide any can decide; `None` if no use can.
fn next<'a>(script: &Script, schema: &Schema, open: &'a [OpenColumn]) -> Option<Vec<(&'a OpenColumn, Type)>> {
    let undecided: Vec<&OpenColumn> = open.iter().filter(|column| *of(schema, column) == Type::Unknown).collect();
    if undecided.is_empty() {
        return None;
    }
    let scopes = Scopes::resolve(script, schema);
    let evidence = uses::type_evidence(Blocks { script, scopes: &scopes }, schema);
    let decided = |trust: &Trust| {
        let decide = |column: &&'a OpenColumn| {
            let said: Vec<&TypeEvidence> =
                evidence.iter().filter(|(about, _)| *about == column.key()).map(|(_, said)| said).collect();
            Some((*column, trust.decide(&said).filter(|data_type| !data_type.has_unknown())?))
        };
        let decided: Vec<(&OpenColumn, Type)> = undecided.iter().filter_map(decide).collect();
        (!decided.is_empty()).then_some(decided)
    };
    LEVELS.iter().find_map(decided)
}

impl OpenColumn {
    fn key(&self) -> (&str, &str) {
        (&self.table, &self.column)
    }
}

fn of<'a>(schema: &'a Schema, open: &OpenColumn) -> &'a Type {
    let table = schema.tables.iter().find(|table| table.name == open.table);
    let column = table.and_then(|table| table.columns.iter().find(|column| column.name == open.column));
    column.map_or(&Type::String, |column| &column.data_type)
}

fn set(schema: &mut Schema, open: &OpenColumn, data_type: Type) {
    let table = schema.tables_mut().iter_mut().find(|table| table.name == open.table);
    let column = table.and_then(|table| table.columns.iter_mut().find(|column| column.name == open.column));
    if let Some(column) = column {
        column.data_type = data_type;
    }
}
