//! Checks lists of names: as many as there are columns.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.find(|node, findings| match context.kind(node) {
        Kind::Table | Kind::Derived | Kind::NestedRelation => findings.extend(relation(context, node)),
        Kind::CommonTable => findings.extend(common_table(context, node)),
        Kind::SelectItem => findings.extend(item(context, node)),
        _ => {}
    })
}

/// Returns how many names a node gives to columns; `None` if it gives none.
pub(super) fn listed(context: &RuleContext<'_>, node: NodeId) -> Option<usize> {
    let list = context.tree().child(node, |kind| kind == Kind::ColumnList)?;
    Some(context.tree().children(list).len())
}

/// `FROM t AS x (a, b)`.
fn relation(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let alias = context.tree().child(node, |kind| kind == Kind::Alias)?;
    let given = listed(context, alias)?;
    let relation = context.scopes.relations().map(|(_, relation)| relation).find(|relation| relation.node == node)?;
    (!relation.open && relation.columns.len() != given).then(|| differ(context, node, given, relation.columns.len()))
}

/// `WITH x (a, b) AS (…)`.
fn common_table(context: &RuleContext<'_>, table: NodeId) -> Option<RuleFinding> {
    let given = listed(context, table)?;
    let query = context.tree().child(table, |kind| kind == Kind::Query)?;
    let columns = context.scopes.outputs(query).len();
    (columns > 0 && columns != given).then(|| differ(context, table, given, columns))
}

fn differ(context: &RuleContext<'_>, node: NodeId, given: usize, columns: usize) -> RuleFinding {
    let words = format!(
        "The number of columns or variables assigned or aliased: {given} does not match the number of source expressions: \
         {columns}."
    );
    RuleFinding::new("ASSIGNMENT_ARITY_MISMATCH", "42802", context.span(node), words)
}

/// `SELECT x AS (a, b)`, which only a generator can fill.
fn item(context: &RuleContext<'_>, item: NodeId) -> Option<RuleFinding> {
    listed(context, item)?;
    let value = *context.tree().children(item).first()?;
    let generates = matches!(context.kind(value), Kind::Call { .. })
        && context.script.function(value).is_none_or(|_| context.script.is_generator(value));
    (!generates).then(|| {
        let words = format!("Multi part aliasing is not supported with \"{}\".", context.quoted(value));
        RuleFinding::new("MULTI_ALIAS_WITHOUT_GENERATOR", "42K0E", context.span(item), words)
    })
}
