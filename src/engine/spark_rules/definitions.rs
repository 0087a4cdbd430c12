//! CREATE TABLE and CREATE VIEW.

use super::{RuleContext, RuleFinding};
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(ground: &RuleContext<'_>) -> Vec<RuleFinding> {
    match ground.kind(ground.statement) {
        Kind::CreateTable => table(ground).into_iter().collect(),
        Kind::CreateView => view(ground).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn table(ground: &RuleContext<'_>) -> Option<RuleFinding> {
    let definitions = ground.nodes_where(|kind| kind == Kind::ColumnDefinition);
    let from_query = ground.tree().child(ground.statement, |kind| kind == Kind::Query).is_some();
    if from_query && ground.tree().child(ground.statement, |kind| kind == Kind::ColumnDefinition).is_some() {
        let words = "Operation not allowed: Schema may not be specified in a Create Table As Select (CTAS) statement.";
        return Some(RuleFinding::new("_LEGACY_ERROR_TEMP_0035", "", ground.span(ground.statement), words));
    }
    let mut seen = Vec::new();
    for definition in definitions {
        let children = ground.tree().children(definition);
        let name = ground.script.name(children[0]);
        if seen.contains(&name) {
            return Some(duplicate(ground, definition, &name));
        }
        seen.push(name);
        if let Some(found) = bad_type(ground, children[1]) {
            return Some(found);
        }
    }
    None
}

fn duplicate(ground: &RuleContext<'_>, node: NodeId, name: &str) -> RuleFinding {
    let words = format!("The column `{name}` already exists. Choose another name or rename the existing column.");
    RuleFinding::new("COLUMN_ALREADY_EXISTS", "42711", ground.span(node), words)
}

/// Types of other databases, and those that need a length.
fn bad_type(ground: &RuleContext<'_>, type_name: NodeId) -> Option<RuleFinding> {
    const KNOWN: [&str; 24] = [
        "boolean",
        "tinyint",
        "byte",
        "smallint",
        "short",
        "int",
        "integer",
        "bigint",
        "long",
        "float",
        "real",
        "double",
        "date",
        "timestamp",
        "timestamp_ntz",
        "timestamp_ltz",
        "string",
        "binary",
        "decimal",
        "dec",
        "numeric",
        "interval",
        "void",
        "variant",
    ];
    let text = ground.script.slice(type_name).to_lowercase();
    let base: &str = text.split(['(', '<', ' ']).next().unwrap_or_default();
    let span = ground.span(type_name);
    if matches!(base, "varchar" | "char" | "character") {
        return (!text.contains('(')).then(|| {
            let words = format!("DataType \"{}\" requires a length parameter.", base.to_uppercase());
            RuleFinding::new("DATATYPE_MISSING_SIZE", "42K01", span, words)
        });
    }
    let known = KNOWN.contains(&base) || matches!(base, "array" | "map" | "struct");
    (!known).then(|| {
        let words = format!("Unsupported data type \"{}\".", ground.script.slice(type_name).to_uppercase());
        RuleFinding::new("UNSUPPORTED_DATATYPE", "0A000", span, words)
    })
}

fn view(ground: &RuleContext<'_>) -> Option<RuleFinding> {
    let mut words = ground.script.token_range(ground.statement).map(|at| ground.script.token_text(at));
    if words
        .by_ref()
        .take_while(|word| !word.eq_ignore_ascii_case("VIEW"))
        .any(|word| word.to_uppercase().starts_with("TEMP"))
    {
        return None;
    }
    let query = ground.tree().child(ground.statement, |kind| kind == Kind::Query)?;
    let outputs = ground.scopes.outputs(query);
    let twice = outputs.iter().enumerate().find(|(at, column)| outputs[..*at].iter().any(|c| c.name == column.name))?;
    Some(duplicate(ground, ground.statement, &twice.1.name))
}
