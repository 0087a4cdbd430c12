//! CREATE TABLE and CREATE VIEW.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    match context.kind(context.statement) {
        Kind::CreateTable => table(context).into_iter().collect(),
        Kind::CreateView => repeated_output(context).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn table(context: &RuleContext<'_>) -> Option<RuleFinding> {
    let definitions = context.nodes_where(|kind| kind == Kind::ColumnDefinition);
    let from_query = context.tree().child(context.statement, |kind| kind == Kind::Query).is_some();
    if from_query && context.tree().child(context.statement, |kind| kind == Kind::ColumnDefinition).is_some() {
        let words = "Operation not allowed: Schema may not be specified in a Create Table As Select (CTAS) statement.";
        return Some(RuleFinding::new("_LEGACY_ERROR_TEMP_0035", "", context.span(context.statement), words));
    }
    let mut seen = Vec::new();
    for definition in definitions {
        let children = context.tree().children(definition);
        let name = context.script.name(children[0]);
        if seen.contains(&name) {
            return Some(duplicate(context, definition, &name));
        }
        seen.push(name);
    }
    repeated_output(context)
}

fn duplicate(context: &RuleContext<'_>, node: NodeId, name: &str) -> RuleFinding {
    let words = format!("The column `{name}` already exists. Choose another name or rename the existing column.");
    RuleFinding::new("COLUMN_ALREADY_EXISTS", "42711", context.span(node), words)
}

/// Returns the finding that two outputs of the statement's query have one name: no table or view can, unless it names its
/// columns itself.
fn repeated_output(context: &RuleContext<'_>) -> Option<RuleFinding> {
    let query = context.tree().child(context.statement, |kind| kind == Kind::Query)?;
    if context.tree().child(context.statement, |kind| kind == Kind::ColumnList).is_some() {
        return None;
    }
    let outputs = context.scopes.outputs(query);
    let twice = outputs.iter().enumerate().find(|(at, column)| outputs[..*at].iter().any(|c| c.name == column.name))?;
    Some(duplicate(context, context.statement, &twice.1.name))
}
