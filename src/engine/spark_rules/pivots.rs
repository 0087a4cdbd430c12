//! Checks PIVOT and UNPIVOT: aggregates, constant values, and values that can stand in one column.

use super::aggregates::own_aggregates;
use super::common_types::combine_without_text;
use super::constants::reads_column;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.find(|node, findings| match context.kind(node) {
        Kind::PivotAggregate => findings.extend(bare_column(context, node)),
        Kind::PivotFor => findings.extend(values(context, node)),
        Kind::Unpivot { .. } => findings.extend(incompatible(context, node)),
        _ => {}
    })
}

/// An aggregate of PIVOT reads columns inside aggregates only.
fn bare_column(context: &RuleContext<'_>, aggregate: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let value = *tree.children(aggregate).first()?;
    let aggregates = own_aggregates(context, value);
    let inside = |node: NodeId| {
        let around = std::iter::once(node).chain(tree.ancestors(node));
        around.take_while(|above| *above != aggregate).any(|above| aggregates.contains(&above))
    };
    let columns = tree.descendants(value).filter(|node| context.kind(*node) == Kind::Column);
    let bare = aggregates.is_empty() || columns.into_iter().any(|column| !inside(column));
    let words = format!(
        "Aggregate expression required for pivot, but '{}' did not appear in any aggregate function.",
        context.quoted(value)
    );
    bare.then(|| RuleFinding::new("_LEGACY_ERROR_TEMP_1006", "", context.span(value), words))
}

fn values(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let columns = tree.children_where(clause, |kind| kind == Kind::Column).count();
    let mut values = tree.children_where(clause, |kind| kind == Kind::PivotValue);
    values.find_map(|value| {
        let value = *tree.children(value).first()?;
        if reads_column(context, value) {
            let words = format!("Literal expressions required for pivot values, found \"{}\".", context.quoted(value));
            return Some(RuleFinding::new("NON_LITERAL_PIVOT_VALUES", "42K08", context.span(value), words));
        }
        let parts = if context.kind(value) == Kind::Tuple { tree.children(value).len() } else { 1 };
        let words =
            || format!("Invalid pivot value '{}': its type does not match the pivot columns.", context.quoted(value));
        let class = "PIVOT_VALUE_DATA_TYPE_MISMATCH";
        (parts != columns).then(|| RuleFinding::new(class, "42K09", context.span(value), words()))
    })
}

/// The columns of UNPIVOT that become one column have a common type.
fn incompatible(context: &RuleContext<'_>, node: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let items: Vec<NodeId> = tree.children_where(node, |kind| kind == Kind::UnpivotItem).collect();
    let first = *items.first()?;
    let columns = |item: NodeId| tree.children_where(item, |kind| kind == Kind::Column);
    let clash = items.iter().flat_map(|item| columns(*item).zip(columns(first))).find(|(column, first)| {
        !combine_without_text([context.scopes.type_of(*column), context.scopes.type_of(*first)].into_iter())
    });
    let words = "Unpivot value columns must share a least common type, some types do not.";
    clash.map(|(column, _)| RuleFinding::new("UNPIVOT_VALUE_DATA_TYPE_MISMATCH", "42K09", context.span(column), words))
}
