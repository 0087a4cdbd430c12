//! `type-safety`: a partition column of text is compared with text, not with numbers.

use super::context::PolicyContext;
use super::finding::{PolicyFinding, hive_place};
use crate::code::tree::{Kind, NodeId, Tree};
use crate::code::types::Type;

/// Finds the first comparison of a text partition column with a number.
pub(super) fn check(context: &PolicyContext<'_>) -> Option<PolicyFinding> {
    let tree = context.tree();
    let comparisons = tree.ids().filter(|node| is_comparison(tree.kind(*node)));
    let found = comparisons.filter_map(|node| unsafe_sides(context, node));
    let (column, number) = found.min_by_key(|(column, _)| context.span(*column).start)?;
    let (name, value) = (context.script.line(column), context.script.line(number));
    Some(PolicyFinding::new(context.span(number), move |place| {
        format!(
            "FAILED: SemanticException Line {} Wrong arguments '{value}': the partition column '{name}' is STRING and the \
             value is a number; comparisons of unlike types are switched off on this cluster \
             (hive.strict.checks.type.safety)",
            hive_place(place)
        )
    }))
}

fn is_comparison(kind: Kind) -> bool {
    match kind {
        Kind::Binary(operator) => operator.is_comparison(),
        Kind::InList { .. } | Kind::Between { .. } => true,
        _ => false,
    }
}

/// Returns the column and the number if a comparison has a text partition column on one side and a number on the other.
fn unsafe_sides(context: &PolicyContext<'_>, comparison: NodeId) -> Option<(NodeId, NodeId)> {
    let (first, others) = context.tree().children(comparison).split_first()?;
    let pairs = others.iter().flat_map(|other| [(*first, *other), (*other, *first)]);
    pairs
        .map(|(one, other)| (bare(context.tree(), one), bare(context.tree(), other)))
        .find(|(column, value)| is_text_partition(context, *column) && is_number(context, *value))
}

/// Returns the node inside any brackets.
fn bare(tree: &Tree, mut node: NodeId) -> NodeId {
    while tree.kind(node) == Kind::Paren {
        let Some(inner) = tree.children(node).first() else { break };
        node = *inner;
    }
    node
}

fn is_text_partition(context: &PolicyContext<'_>, node: NodeId) -> bool {
    context.partition_column(node).is_some_and(|(_, column)| column.data_type == Type::String)
}

fn is_number(context: &PolicyContext<'_>, node: NodeId) -> bool {
    match context.tree().kind(node) {
        Kind::Number => true,
        Kind::Placeholder => {
            let value = context.parameters.bind(context.script.slice(node));
            value.is_ok_and(|value| reads_as_number(&value))
        }
        _ => context.scopes.type_of(node).is_numeric(),
    }
}

/// Whether the value of an unquoted placeholder reads as a number. A bare date counts, because it is a subtraction.
fn reads_as_number(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | ' '))
}
