//! Checks `grouping` and `grouping_id`, which tell the rows of ROLLUP, CUBE and GROUPING SETS apart.

use super::aggregates::canonical;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::scope::ColumnTarget;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let calls = context.nodes_where(|kind| matches!(kind, Kind::Call { .. }));
    calls.filter_map(|call| check_grouping_call(context, call)).collect()
}

fn check_grouping_call(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let function = context.script.function(call)?.name;
    if !matches!(function, "grouping" | "grouping_id") {
        return None;
    }
    let tree = context.tree();
    let inside_where =
        tree.enclosing(call, |kind| matches!(kind, Kind::Where | Kind::Query)).map(|node| context.kind(node));
    let select = block(context, call)?;
    let group_by = tree.child(select, |kind| kind == Kind::GroupBy);
    let subtotals =
        group_by.filter(|clause| tree.child(*clause, |kind| matches!(kind, Kind::Grouping { .. })).is_some());
    let Some(clause) = subtotals.filter(|_| inside_where != Some(Kind::Where)) else {
        let words = "grouping()/grouping_id() can only be used with GroupingSets/Cube/Rollup.";
        return Some(RuleFinding::new("UNSUPPORTED_GROUPING_EXPRESSION", "42K0E", context.span(call), words));
    };
    let keys = keys(context, clause)?;
    let arguments: Vec<String> = context.script.arguments(call).iter().map(|one| canonical(context, *one)).collect();
    let (fits, class) = match function {
        "grouping" => (arguments.iter().all(|argument| keys.contains(argument)), "GROUPING_COLUMN_MISMATCH"),
        _ => (arguments.is_empty() || arguments == keys, "GROUPING_ID_COLUMN_MISMATCH"),
    };
    (!fits).then(|| {
        let words = format!("Column of \"{}\" can't be found in the grouping columns.", context.quoted(call));
        RuleFinding::new(class, "42803", context.span(call), words)
    })
}

/// Returns the SELECT whose groups a call is about: the one around it, or that of the query which it sorts.
fn block(context: &RuleContext<'_>, call: NodeId) -> Option<NodeId> {
    let tree = context.tree();
    let around = tree.enclosing(call, |kind| matches!(kind, Kind::Select { .. } | Kind::Query))?;
    match context.kind(around) {
        Kind::Query => tree.child(around, |kind| matches!(kind, Kind::Select { .. })),
        _ => Some(around),
    }
}

/// Returns the keys in their order, each once; `None` if one is given by its position or an alias.
fn keys(context: &RuleContext<'_>, clause: NodeId) -> Option<Vec<String>> {
    let mut keys = Vec::new();
    let mut pending: Vec<NodeId> = context.tree().children(clause).iter().rev().copied().collect();
    while let Some(node) = pending.pop() {
        match context.kind(node) {
            Kind::Grouping { .. } | Kind::Tuple | Kind::Paren => {
                pending.extend(context.tree().children(node).iter().rev());
            }
            Kind::Number => return None,
            _ => {
                let target = context.scopes.binding(node).map(|binding| &binding.target);
                if matches!(target, Some(ColumnTarget::Alias(_))) {
                    return None;
                }
                let key = canonical(context, node);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
    }
    Some(keys)
}
