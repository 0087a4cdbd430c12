//! Checks the steps of pipes: where aggregates may and must stand, and which columns a step may name.

use super::aggregates::{canonical, own_aggregates};
use super::known_call::{is_window_call, window_only};
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.find(|node, findings| match context.kind(node) {
        Kind::Extend => findings.extend(star(context, node).or_else(|| aggregate(context, node, "EXTEND"))),
        Kind::SetColumns => findings.extend(aggregate(context, node, "SET")),
        Kind::DropColumns => findings.extend(dropped_twice(context, node)),
        Kind::Aggregate => {
            findings.extend(star(context, node).or_else(|| no_aggregate(context, node)));
            findings.extend(position(context, node));
        }
        _ => {}
    })
}

/// EXTEND and AGGREGATE take no `*`.
fn star(context: &RuleContext<'_>, list: NodeId) -> Option<RuleFinding> {
    let star = context.tree().child(list, |kind| kind == Kind::Wildcard)?;
    let words = "Invalid usage of '*' in expression.";
    Some(RuleFinding::new("INVALID_USAGE_OF_STAR_OR_REGEX", "42000", context.span(star), words))
}

/// Only AGGREGATE and SELECT take aggregates.
fn aggregate(context: &RuleContext<'_>, list: NodeId, step: &str) -> Option<RuleFinding> {
    let lone = |call: &NodeId| {
        matches!(context.kind(*call), Kind::Call { .. })
            && window_only(&context.script.function_name(*call))
            && !is_window_call(context, *call)
    };
    let first = own_aggregates(context, list).first().copied();
    let call = first.or_else(|| context.tree().descendants(list).find(lone))?;
    let words = format!(
        "Non-grouping expression {} is provided as an argument to the |> {step} pipe operator but contains an aggregate \
         function; please update it to remove the aggregate function and then retry the query.",
        context.quoted(call)
    );
    Some(RuleFinding::new("PIPE_OPERATOR_CONTAINS_AGGREGATE_FUNCTION", "0A000", context.span(call), words))
}

/// Every item of AGGREGATE holds an aggregate.
fn no_aggregate(context: &RuleContext<'_>, list: NodeId) -> Option<RuleFinding> {
    let mut items = context.tree().children(list).iter();
    let item = *items.find(|item| own_aggregates(context, **item).is_empty())?;
    let value = *context.tree().children(item).first()?;
    let words = format!(
        "Non-grouping expression {} is provided as an argument to the |> AGGREGATE pipe operator but does not contain any \
         aggregate function; please update it to include an aggregate function and then retry the query.",
        context.quoted(value)
    );
    let class = "PIPE_OPERATOR_AGGREGATE_EXPRESSION_CONTAINS_NO_AGGREGATE_FUNCTION";
    Some(RuleFinding::new(class, "0A000", context.span(value), words))
}

/// Reports a number among the keys that counts further than the columns that the step reads.
fn position(context: &RuleContext<'_>, list: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let select = tree.parent(list)?;
    let keys = tree.children(tree.child(select, |kind| kind == Kind::GroupBy)?);
    let relations = context.scopes.relations_of(select).iter().map(|id| context.scopes.relation(*id));
    let width: usize = relations.map(|relation| relation.columns.len()).sum();
    let number = |key: &NodeId| context.script.slice(*key).parse::<usize>().ok();
    let mut numbers = keys.iter().filter(|key| context.kind(**key) == Kind::Number);
    let bad = *numbers.find(|key| number(key).is_some_and(|number| number == 0 || number > width))?;
    let words =
        format!("GROUP BY position {} is not in select list (valid range is [1, {width}]).", context.script.slice(bad));
    Some(RuleFinding::new("GROUP_BY_POS_OUT_OF_RANGE", "42805", context.span(bad), words))
}

fn dropped_twice(context: &RuleContext<'_>, list: NodeId) -> Option<RuleFinding> {
    let columns = context.tree().children(list);
    let names: Vec<String> = columns.iter().map(|column| canonical(context, *column)).collect();
    let twice = (1..names.len()).find(|at| names[..*at].contains(&names[*at]))?;
    let words = format!("Columns in an EXCEPT list must be distinct and non-overlapping, but got {}.", names[twice]);
    Some(RuleFinding::new("EXCEPT_OVERLAPPING_COLUMNS", "42702", context.span(columns[twice]), words))
}

/// What Spark's parser refuses of a step that it has read.
pub(super) fn written(script: &Script, node: NodeId) -> Option<RuleFinding> {
    match script.tree().kind(node) {
        Kind::Aggregate => unsupported_aggregation(script, node).or_else(|| empty_aggregation(script, node)),
        Kind::SetColumns => qualified_target(script, node),
        Kind::Query => windows_of_where(script, node).or_else(|| two_clauses(script, node)),
        _ => None,
    }
}

fn unsupported_aggregation(script: &Script, list: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let group_by = tree.parent(list).and_then(|select| tree.child(select, |kind| kind == Kind::GroupBy));
    let all = group_by
        .filter(|group_by| matches!(tree.children(*group_by), [key] if script.slice(*key).eq_ignore_ascii_case("all")));
    let unread = |node: &NodeId| match tree.kind(*node) {
        Kind::Grouping { .. } | Kind::Over => true,
        Kind::Call { .. } => script.tells_subtotals(*node),
        _ => false,
    };
    let below = [Some(list), group_by].into_iter().flatten().flat_map(|part| tree.descendants(part));
    let found = all.or_else(|| below.into_iter().find(unread))?;
    let words = format!(
        "The SQL pipe operator syntax with aggregation (using |> AGGREGATE) does not support {}.",
        script.line(found)
    );
    let class = "UNSUPPORTED_FEATURE.PIPE_OPERATOR_AGGREGATE_UNSUPPORTED_CASE";
    Some(RuleFinding::new(class, "0A000", tree.span(group_by.unwrap_or(list)), words))
}

fn empty_aggregation(script: &Script, list: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let select = tree.parent(list)?;
    let empty = tree.children(list).is_empty() && tree.child(select, |kind| kind == Kind::GroupBy).is_none();
    let words = "Operation not allowed: The AGGREGATE clause requires a list of aggregate expressions or a list of \
                 grouping expressions, or both.";
    empty.then(|| RuleFinding::new("_LEGACY_ERROR_TEMP_0035", "", tree.span(list), words))
}

/// SET names its columns without a qualifier.
fn qualified_target(script: &Script, list: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let target = *tree.children(*tree.children(list).first()?).first()?;
    let words = "Operation not allowed: SQL pipe syntax |> SET operator with multi-part assignment key (only single-part \
                 keys are allowed).";
    let qualified = tree.children(target).len() > 1;
    qualified.then(|| RuleFinding::new("_LEGACY_ERROR_TEMP_0035", "", tree.span(target), words))
}

fn is_step(script: &Script, clause: NodeId) -> bool {
    let first = *script.token_range(clause).start();
    first > 0 && script.token_text(first - 1) == "|>"
}

fn windows_of_where(script: &Script, query: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let windows = tree.child(query, |kind| kind == Kind::Windows)?;
    let select = tree.child(query, |kind| matches!(kind, Kind::Select { .. }))?;
    let filter = tree.children(select).last().filter(|last| tree.kind(**last) == Kind::Where)?;
    let words = "The SQL pipe operator syntax with the WHERE operator does not allow the WINDOW clause.";
    let class = "NOT_ALLOWED_IN_PIPE_OPERATOR_WHERE.WINDOW_CLAUSE";
    is_step(script, *filter).then(|| RuleFinding::new(class, "42601", tree.span(windows), words))
}

/// One step orders or counts, not both.
fn two_clauses(script: &Script, query: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let limit = tree.child(query, |kind| kind == Kind::Limit)?;
    let order = tree.children(query).iter().rev().skip_while(|child| **child != limit).nth(1)?;
    let sorts = matches!(tree.kind(*order), Kind::OrderBy | Kind::SortBy | Kind::ClusterBy | Kind::DistributeBy);
    let words = "ORDER BY and LIMIT cannot coexist in the same SQL pipe operator using '|>'. Please separate the multiple \
                 result clauses into separate pipe operators and then retry the query.";
    let class = "MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS";
    let both = sorts && is_step(script, *order) && !is_step(script, limit);
    both.then(|| RuleFinding::new(class, "42000", tree.span(*order), words))
}
