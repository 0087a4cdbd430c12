//! Reports spellings that Hive or our grammar accepts and Spark's parser does not.

use super::rule_finding::RuleFinding;
use super::syntax_error::near;
use super::{written_clauses, written_intervals, written_literals, written_types};
use crate::code::TableAction;
use crate::code::script::Script;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

/// Returns the first of them in the order of the text.
pub(super) fn check(script: &Script) -> Option<RuleFinding> {
    let tree = script.tree();
    let found = tree.ids().filter_map(|id| match tree.kind(id) {
        Kind::Interval => interval(script, id).or_else(|| written_intervals::interval(script, id)),
        Kind::Limit => limit(script, id),
        Kind::Opaque => drop(script, id),
        Kind::CreateTable => comment(script, id),
        Kind::Identifier => identifier(script, id),
        Kind::WindowSpec => extended_window(script, id),
        Kind::Quantified { .. } => quantified(script, id),
        Kind::Number => written_literals::number(script, id),
        Kind::TypedText => written_literals::typed(script, id),
        Kind::TypeName => written_types::type_name(script, id),
        Kind::PartitionItem => partition_value(script, id),
        _ => written_clauses::check(script, id),
    });
    found.min_by_key(|finding| finding.span.start)
}

/// Refuses `PARTITION (dt = 2024 - 1)`: a partition is named by a constant.
fn partition_value(script: &Script, item: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let value = *tree.children(item).get(1)?;
    let first = *script.token_range(value).start();
    let is_negative = tree.kind(value) == Kind::Unary && script.token_text(first) == "-";
    let number = if is_negative { *tree.children(value).first()? } else { value };
    let is_constant = match tree.kind(number) {
        Kind::Number => true,
        Kind::Text | Kind::TypedText | Kind::Null | Kind::Boolean(_) | Kind::Interval | Kind::Placeholder => {
            number == value
        }
        _ => false,
    };
    let begins_with_constant = matches!(script.tokens()[first].kind, TokenKind::Number | TokenKind::Text);
    (!is_constant).then(|| near(script, first + usize::from(begins_with_constant)))
}

/// Refuses `INTERVAL 1`, in which the number has no unit of time.
fn interval(script: &Script, interval: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let (value, end) = (*tree.children(interval).last()?, *script.token_range(interval).end());
    if tree.kind(value) == Kind::Column {
        // Spark reads a column called INTERVAL with an alias.
        return Some(near(script, *script.token_range(value).end() + 1));
    }
    let bare = tree.kind(value) == Kind::Number && end == *script.token_range(value).end();
    bare.then(|| near(script, end + 1))
}

/// Refuses `OVER (w ORDER BY a)`: a named window may not be extended.
fn extended_window(script: &Script, specification: NodeId) -> Option<RuleFinding> {
    let [first, next, ..] = *script.tree().children(specification) else { return None };
    let named = script.tree().kind(first) == Kind::Identifier;
    named.then(|| near(script, *script.token_range(next).start()))
}

/// Refuses `= ANY (SELECT a …)`: Spark reads a function of a column called SELECT.
fn quantified(script: &Script, node: NodeId) -> Option<RuleFinding> {
    let query = *script.tree().children(node).first()?;
    let start = *script.token_range(query).start();
    script.token_text(start).eq_ignore_ascii_case("SELECT").then(|| near(script, start + 1))
}

/// Refuses `LIMIT 1, 2`.
fn limit(script: &Script, limit: NodeId) -> Option<RuleFinding> {
    let comma = script.token_range(limit).find(|at| script.token_text(*at) == ",")?;
    let nested = script.token_range(limit).any(|at| script.token_text(at) == "(");
    (!nested).then(|| near(script, comma))
}

/// Refuses `DROP TABLE a.b` with another word behind it, which means that the semicolon is missing.
fn drop(script: &Script, statement: NodeId) -> Option<RuleFinding> {
    let dropped = script.table_statement(statement).filter(|found| found.action == TableAction::Drop)?;
    let purges = usize::from(script.token_text(dropped.next).eq_ignore_ascii_case("PURGE"));
    let next = dropped.next + purges;
    (next <= *script.token_range(statement).end()).then(|| near(script, next))
}

/// Refuses `COMMENT = 'x'`.
fn comment(script: &Script, statement: NodeId) -> Option<RuleFinding> {
    let mut tokens = script.token_range(statement);
    let sign = tokens.find(|at| {
        script.token_text(*at) == "=" && *at > 0 && script.token_text(at - 1).eq_ignore_ascii_case("COMMENT")
    })?;
    Some(near(script, sign))
}

/// Refuses names with letters beyond ASCII that have no back quotes.
fn identifier(script: &Script, name: NodeId) -> Option<RuleFinding> {
    let text = script.slice(name);
    if text.is_ascii() {
        return None;
    }
    script.tokens().get(*script.token_range(name).start()).filter(|token| token.kind == TokenKind::Word)?;
    let words = format!("The unquoted identifier {text} is invalid and must be back quoted as: `{text}`.");
    Some(RuleFinding::new("INVALID_IDENTIFIER", "42602", script.tree().span(name), words))
}
