//! Reports clauses that Spark's parser refuses once it has read the whole statement.

use super::rule_finding::RuleFinding;
use super::syntax_error::near;
use crate::code::literal::text_value;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(script: &Script, node: NodeId) -> Option<RuleFinding> {
    if let Some(found) = super::pipes::written(script, node) {
        return Some(found);
    }
    match script.tree().kind(node) {
        Kind::Query => two_orders(script, node),
        Kind::Windows => repeated_window(script, node),
        Kind::FrameBound => unfixed_bound(script, node),
        Kind::Pattern { .. } => escape(script, node),
        Kind::Call { .. } => words_between(script, node),
        _ => None,
    }
}

/// A query is sorted as a whole or in parts, not both.
fn two_orders(script: &Script, query: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let clause = |wanted: Kind| tree.child(query, |kind| kind == wanted);
    let (order, cluster) = (clause(Kind::OrderBy), clause(Kind::ClusterBy));
    let parts = [clause(Kind::SortBy), clause(Kind::DistributeBy)].into_iter().flatten().next();
    let first = match (order, cluster, parts) {
        (Some(order), Some(_), _) | (Some(order), _, Some(_)) => order,
        (None, Some(cluster), Some(_)) => cluster,
        _ => return None,
    };
    let words = "The feature is not supported: Combination of ORDER BY/SORT BY/DISTRIBUTE BY/CLUSTER BY.";
    let class = "UNSUPPORTED_FEATURE.COMBINATION_QUERY_RESULT_CLAUSES";
    Some(RuleFinding::new(class, "0A000", tree.span(first), words))
}

fn repeated_window(script: &Script, windows: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let names: Vec<&str> =
        tree.children(windows).iter().map(|window| script.slice(tree.children(*window)[0])).collect();
    let at = (1..names.len()).find(|at| names[..*at].contains(&names[*at]))?;
    let words = format!("Invalid SQL syntax: The definition of window `{}` is repetitive.", names[at]);
    let class = "INVALID_SQL_SYNTAX.REPETITIVE_WINDOW_DEFINITION";
    Some(RuleFinding::new(class, "42000", tree.span(windows), words))
}

/// The distance of a bound must not read a column.
fn unfixed_bound(script: &Script, bound: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let distance = *tree.children(bound).first()?;
    let varies = tree.descendants(distance).any(|node| tree.kind(node) == Kind::Column);
    let words = "Invalid SQL syntax: Frame bound value must be a literal.";
    let class = "INVALID_SQL_SYNTAX.INVALID_WINDOW_FRAME_BOUND";
    varies.then(|| RuleFinding::new(class, "42000", tree.span(bound), words))
}

/// FROM may stand between the arguments of a few functions only, and BOTH only before it.
fn words_between(script: &Script, call: NodeId) -> Option<RuleFinding> {
    const WITH_FROM: [&str; 5] = ["extract", "overlay", "substr", "substring", "trim"];
    let [_, first, rest @ ..] = script.tree().children(call) else { return None };
    let before = |node: NodeId| script.token_range(node).start() - 1;
    let is = |at: usize, word: &str| script.token_text(at).eq_ignore_ascii_case(word);
    let from = rest.iter().map(|argument| before(*argument)).find(|at| is(*at, "FROM"));
    let sided = ["BOTH", "LEADING", "TRAILING"].iter().any(|word| is(before(*first), word));
    let name = script.function_name(call);
    match from {
        Some(at) if !WITH_FROM.contains(&name.as_str()) => Some(near(script, at)),
        None if sided && name == "trim" => Some(near(script, before(*first) + 1)),
        None if name == "overlay" && rest.iter().any(|argument| is(before(*argument), "PLACING")) => {
            Some(near(script, *script.token_range(call).end()))
        }
        _ => None,
    }
}

/// `LIKE … ESCAPE` takes one character.
fn escape(script: &Script, pattern: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let escape = *tree.children(pattern).get(2)?;
    let text = script.slice(escape);
    if tree.kind(escape) != Kind::Text && !text.contains('$') {
        return Some(near(script, *script.token_range(escape).start()));
    }
    let single = tree.kind(escape) == Kind::Text && text_value(text).chars().count() == 1;
    let words = format!("Found an invalid escape string: {text}. The escape string must contain only one character.");
    (!single && !text.contains('$')).then(|| RuleFinding::new("INVALID_ESC", "42604", tree.span(escape), words))
}
