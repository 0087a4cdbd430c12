//! Finds every name and literal of a script, with what its place says of it, and replaces it by edits.

use super::literal::{Replace, ScriptPart, TextUse, is_neutral, placeholder, replaced};
use crate::code::edit::{Edit, EditError, Edits};
use crate::code::functions::{Argument, FunctionKind, Nulls, Returns};
use crate::code::schema::read_type;
use crate::code::script::{Script, unquoted};
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId, PatternOperator};

/// Numbers by which units are converted; in arithmetic they stay.
const UNITS: [&str; 14] =
    ["2", "7", "10", "12", "24", "30", "60", "100", "360", "365", "1000", "1440", "3600", "86400"];

/// Returns the edits that replace the parts of a script.
///
/// # Errors
///
/// If two replace the same bytes, which would be a bug.
pub(super) fn renamed(script: &Script, replace: &mut Replace<'_>) -> Result<Edits, EditError> {
    let mut edits = Vec::new();
    for (place, leaf) in leaves(script).into_iter().enumerate() {
        let token = script.tokens()[place];
        let old = script.token_text(place);
        let new = match token.kind {
            TokenKind::Word | TokenKind::QuotedName => word(script, place, leaf, replace),
            TokenKind::Placeholder => placeholder(old, replace),
            TokenKind::Command => command(old, replace),
            TokenKind::Text => text(script, old, leaf, replace),
            TokenKind::Number => number(script, old, leaf, replace),
            _ => continue,
        };
        if new != old {
            edits.push(Edit::replacement(token.span(), new));
        }
    }
    Edits::new(edits)
}

/// For each significant token the node without children that it belongs to; keywords and signs have none.
pub(super) fn leaves(script: &Script) -> Vec<Option<NodeId>> {
    let tree = script.tree();
    let mut leaves = vec![None; script.tokens().len()];
    for node in tree.descendants(tree.root()).filter(|node| tree.children(*node).is_empty()) {
        if !matches!(tree.kind(node), Kind::Script | Kind::Projection | Kind::WindowSpec | Kind::FrameBound) {
            script.token_range(node).for_each(|token| leaves[token] = Some(node));
        }
    }
    leaves
}

fn word(script: &Script, place: usize, leaf: Option<NodeId>, replace: &mut Replace<'_>) -> String {
    let old = script.token_text(place);
    let is_name = match leaf.map(|leaf| script.tree().kind(leaf)) {
        Some(Kind::Identifier) => true,
        Some(Kind::Opaque) => is_part_of_path(script, place),
        Some(Kind::TypeName) => script.token_text(place + 1) == ":",
        _ => false,
    };
    if is_name { name(old, replace) } else { old.to_owned() }
}

/// Whether a word of a statement that is kept as text is a name: it follows TABLE, VIEW or EXISTS, or a dot is beside it.
fn is_part_of_path(script: &Script, place: usize) -> bool {
    let before = place.checked_sub(1).map_or("", |before| script.token_text(before)).to_uppercase();
    let follows = ["TABLE", "VIEW", "EXISTS", "."].contains(&before.as_str());
    (follows || script.token_text(place + 1) == ".") && !script.token_text(place).eq_ignore_ascii_case("IF")
}

fn name(old: &str, replace: &mut Replace<'_>) -> String {
    let inner = unquoted(old);
    let quote = &old[..(old.len() - inner.len()) / 2];
    replace(ScriptPart::Name(inner)).map_or_else(|| old.to_owned(), |new| format!("{quote}{new}{quote}"))
}

/// `USE name`; other commands are not in a variant.
fn command(old: &str, replace: &mut Replace<'_>) -> String {
    let (head, tail) = old.split_at(old.rfind(char::is_whitespace).map_or(0, |at| at + 1));
    format!("{head}{}", name(tail, replace))
}

fn text(script: &Script, old: &str, leaf: Option<NodeId>, replace: &mut Replace<'_>) -> String {
    let is_alias = leaf.is_some_and(|leaf| script.tree().kind(leaf) == Kind::Identifier);
    if is_alias || old.len() < 2 {
        return name(old, replace);
    }
    let read_as = leaf.map_or(TextUse::Plain, |leaf| text_use(script, leaf));
    let (quote, inner) = (&old[..1], &old[1..old.len() - 1]);
    format!("{quote}{}{quote}", replaced(inner, read_as, replace))
}

/// What the place of a text says of it.
fn text_use(script: &Script, text: NodeId) -> TextUse {
    let tree = script.tree();
    let Some(parent) = tree.parent(text) else { return TextUse::Plain };
    match tree.kind(parent) {
        Kind::Call { .. } => argument_use(script, parent, text),
        Kind::Interval => TextUse::Format,
        Kind::Pattern { operator: PatternOperator::Regexp, .. } if tree.position(text) > 0 => TextUse::Pattern,
        _ => TextUse::Plain,
    }
}

fn argument_use(script: &Script, call: NodeId, text: NodeId) -> TextUse {
    let position = script.arguments(call).iter().position(|argument| *argument == text).unwrap_or(0);
    let name = script.function_name(call);
    match (name.as_str(), position) {
        _ if script.function(call).is_some_and(|function| function.format == Some(position)) => TextUse::Format,
        ("named_struct", _) if position % 2 == 0 => TextUse::Names,
        ("from_json", 1) => TextUse::Names,
        ("printf" | "format_string", 0) => TextUse::Printf,
        ("get_json_object", 1) | ("split" | "rlike" | "regexp", 1) => TextUse::Pattern,
        (name, 1) if name.starts_with("regexp_") => TextUse::Pattern,
        _ => TextUse::Plain,
    }
}

/// The names of struct fields that texts and types of a script define, in lower case.
pub(super) fn field_names(script: &Script) -> Vec<String> {
    let mut names = Vec::new();
    for (place, leaf) in leaves(script).into_iter().enumerate() {
        let Some(leaf) = leaf else { continue };
        let (old, kind) = (script.token_text(place), script.tree().kind(leaf));
        if kind == Kind::Text && text_use(script, leaf) == TextUse::Names {
            let words = old.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_lowercase);
            let is_type =
                |word: &String| read_type(word).is_ok() || ["array", "map", "struct"].contains(&word.as_str());
            names.extend(words.filter(|word| !word.is_empty() && !is_type(word)));
        } else if kind == Kind::TypeName && script.token_text(place + 1) == ":" {
            names.push(old.to_lowercase());
        } else if kind == Kind::Opaque && is_part_of_path(script, place) {
            names.push(unquoted(old).to_lowercase());
        }
    }
    names
}

fn number(script: &Script, old: &str, leaf: Option<NodeId>, replace: &mut Replace<'_>) -> String {
    let digits = old.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let counts = leaf.is_some_and(|leaf| is_threshold(script, leaf, digits)) && !digits.contains(['e', 'E']);
    if !counts || is_neutral(digits) {
        replace(ScriptPart::Kept(old));
        return old.to_owned();
    }
    replace(ScriptPart::Number(digits)).map_or_else(|| old.to_owned(), |new| format!("{new}{}", &old[digits.len()..]))
}

/// Whether a number is a value of the business: no position, count of rows or days, unit or field of a date.
fn is_threshold(script: &Script, number: NodeId, digits: &str) -> bool {
    let tree = script.tree();
    let wrapped = |node: &NodeId| matches!(tree.kind(*node), Kind::Unary | Kind::Paren);
    let mut inner = number;
    while let Some(outer) = tree.parent(inner).filter(wrapped) {
        inner = outer;
    }
    let Some(parent) = tree.parent(inner) else { return false };
    match tree.kind(parent) {
        Kind::Binary(operator) if operator.is_comparison() => !compares_a_field(script, parent),
        Kind::Between { .. } | Kind::InList { .. } => !compares_a_field(script, parent),
        Kind::Binary(_) => !UNITS.contains(&digits),
        Kind::Call { .. } => is_value_argument(script, parent, inner),
        Kind::GroupBy | Kind::Grouping { .. } | Kind::SortItem { .. } | Kind::Limit | Kind::FrameBound => false,
        Kind::Index | Kind::Interval | Kind::Sample => false,
        _ => true,
    }
}

/// Whether a side of a comparison is a field of a date, such as its hour.
fn compares_a_field(script: &Script, comparison: NodeId) -> bool {
    script.tree().children(comparison).iter().any(|side| {
        script.function(*side).is_some_and(|function| {
            function.returns == Returns::Int
                && function.arguments.contains(&Argument::Temporal)
                && function.nulls == Nulls::AnyOrUnreadable
                && function.maximum == Some(1)
        })
    })
}

fn is_value_argument(script: &Script, call: NodeId, number: NodeId) -> bool {
    let position = script.arguments(call).iter().position(|argument| *argument == number).unwrap_or(0);
    script.function(call).is_some_and(|function| {
        let counts = [Argument::Count, Argument::DayCount, Argument::Int, Argument::Whole];
        let argument = function.argument(position);
        let is_share = function.kind != FunctionKind::Scalar && position > 0;
        !counts.contains(&argument) && !is_share && function.kind != FunctionKind::Generator
    })
}
