//! Checks `VALUES`: rows of one width, columns of one type, nothing that depends on rows or chance.

use super::aliases::listed;
use super::common_types::combine_without_text;
use super::constants::is_constant;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::{Kind, NodeId};

/// Checks what Spark's parser sees: widths, and the types of rows of nothing but literals.
pub(super) fn check_text(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let tables = context.nodes_where(|kind| kind == Kind::Values);
    let found = tables.filter_map(|values| {
        let computed = |row: &NodeId| context.tree().descendants(*row).any(|node| is_computed(context.kind(node)));
        let literal = !rows(context, values).iter().any(computed);
        width(context, values).or_else(|| types(context, values).filter(|_| literal))
    });
    found.map(|found| RuleFinding { in_text: true, ..found }).collect()
}

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let tables = context.nodes_where(|kind| kind == Kind::Values);
    tables.filter_map(|values| unevaluable(context, values).or_else(|| types(context, values))).collect()
}

/// Whether a value is found by more than reading it.
fn is_computed(kind: Kind) -> bool {
    matches!(kind, Kind::Call { .. } | Kind::Column | Kind::Query | Kind::Binary(_) | Kind::Cast | Kind::Case { .. })
}

fn rows(context: &RuleContext<'_>, values: NodeId) -> Vec<NodeId> {
    context.tree().children_where(values, |kind| kind != Kind::Alias).collect()
}

fn cells<'a>(context: &RuleContext<'a>, row: &'a NodeId) -> &'a [NodeId] {
    match context.kind(*row) {
        Kind::Tuple | Kind::Paren => context.tree().children(*row),
        _ => std::slice::from_ref(row),
    }
}

fn width(context: &RuleContext<'_>, values: NodeId) -> Option<RuleFinding> {
    let rows = rows(context, values);
    let widths: Vec<usize> = rows.iter().map(|row| row_width(context, *row)).collect();
    let first = *widths.first()?;
    let own = context.tree().child(values, |kind| kind == Kind::Alias);
    let around = context.tree().parent(values).filter(|parent| context.kind(*parent) == Kind::InlineTable);
    let alias = own.or_else(|| context.tree().child(around?, |kind| kind == Kind::Alias));
    let named = alias.and_then(|alias| listed(context, alias)).unwrap_or(first);
    let bad = widths.iter().find(|width| **width != first).or((named != first).then_some(&named))?;
    let words = format!("Invalid inline table. Inline table expected {first} columns but found {bad} columns.");
    let class = "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH";
    Some(RuleFinding::new(class, "42000", context.span(values), words))
}

/// A row of a single struct is as wide as the struct.
fn row_width(context: &RuleContext<'_>, row: NodeId) -> usize {
    let cells = cells(context, &row);
    match cells {
        [one] if matches!(context.kind(*one), Kind::Call { .. }) && context.script.function_name(*one) == "struct" => {
            context.script.arguments(*one).len()
        }
        _ => cells.len(),
    }
}

fn types(context: &RuleContext<'_>, values: NodeId) -> Option<RuleFinding> {
    let rows = rows(context, values);
    let first = cells(context, rows.first()?);
    let column = (0..first.len()).find(|column| {
        let types =
            rows.iter().filter_map(|row| cells(context, row).get(*column)).map(|cell| context.scopes.type_of(*cell));
        !combine_without_text(types)
    })?;
    let words =
        format!("Invalid inline table. Found incompatible types in the column `col{}` of inline table.", column + 1);
    let class = "INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE";
    Some(RuleFinding::new(class, "42000", context.span(values), words))
}

fn unevaluable(context: &RuleContext<'_>, values: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let query = tree.descendants(values).find(|node| context.kind(*node) == Kind::Query);
    if let Some(query) = query {
        let words = "Scalar subqueries in the VALUES clause are not supported.";
        let class = "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.SCALAR_SUBQUERY_IN_VALUES";
        return Some(RuleFinding::new(class, "0A000", context.span(query), words));
    }
    let rows = rows(context, values);
    let cells = rows.iter().flat_map(|row| cells(context, row));
    let bad = *cells.into_iter().find(|cell| !is_constant(context, **cell))?;
    let words = format!(
        "Invalid inline table. Cannot evaluate the expression \"{}\" in inline table definition.",
        context.quoted(bad)
    );
    let class = "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE";
    Some(RuleFinding::new(class, "42000", context.span(bad), words))
}
