//! The words by which a rule tells apart the places of its fault: the word that is replaced, and what stands around it.

use crate::code::script::{Script, unquoted};
use crate::code::tree::{Kind, NodeId};
use crate::inject::Mutant;
use crate::prove::Subject;

/// Words for a sort key behind others: it decides only between rows that these leave level.
const LATER_KEY: &str = "later key";
/// Words for a place in a script that gives subtotals elsewhere.
const AMONG_SUBTOTALS: &str = "among subtotals";
/// Functions that leave an amount what it is, besides COALESCE.
const KEEPING_AMOUNT: [&str; 8] = ["abs", "bround", "ceil", "ceiling", "floor", "format_number", "if", "round"];

/// Returns the keys under which `rule_by_word` may have wordings for the place of a mutant, the most exact ones first:
///
/// - `among subtotals` for a GROUP BY in a script that gives subtotals elsewhere;
/// - `later key` for a sort key behind others;
/// - `WORD in FUNCTION` for what a call of this function stands around;
/// - `WORD of empty text` for what is about an empty text;
/// - `WORD in calculation` for a call whose value is not the output as it is, only what this is worked out from;
/// - `WORD of calculation` for a call of something worked out;
/// - `WORD`, the first word of the text that the first edit replaces, in lower case.
pub(super) fn place_words(subject: &Subject<'_>, mutant: &Mutant) -> Vec<String> {
    let script = &subject.bound;
    let word = replaced_word(subject, mutant);
    let mut words = Vec::new();
    let site = subject.bound_nodes(mutant.nodes()).first().copied();
    if site.is_some_and(|site| script.tree().kind(site) == Kind::GroupBy) && gives_subtotals(script) {
        words.push(AMONG_SUBTOTALS.to_owned());
    }
    if site.is_some_and(|site| is_later_key(script, site)) {
        words.push(LATER_KEY.to_owned());
    }
    if let Some(call) = site.and_then(|site| call_at(script, site)) {
        let is_own_name = script.function_name(call) == word;
        let around = if is_own_name { call_around(script, call) } else { Some(call) };
        words.extend(around.map(|around| format!("{word} in {}", script.function_name(around))));
        if removed(subject, mutant).iter().any(|node| is_empty_text(script, *node)) {
            words.push(format!("{word} of empty text"));
        }
        if is_in_calculation(script, call) {
            words.push(format!("{word} in calculation"));
        }
        if calculates(script, call) {
            words.push(format!("{word} of calculation"));
        }
    }
    words.push(word);
    words
}

/// Returns the text that the first edit replaces.
pub(super) fn replaced<'a>(subject: &'a Subject<'_>, mutant: &Mutant) -> &'a str {
    mutant.edits.as_slice().first().map_or("", |edit| edit.span().of(subject.reference.script.text()))
}

/// Returns the outermost nodes that lie within the replaced text, as nodes of the bound script.
pub(super) fn removed(subject: &Subject<'_>, mutant: &Mutant) -> Vec<NodeId> {
    let tree = subject.reference.script.tree();
    let within = |node: NodeId| {
        let span = tree.span(node);
        mutant.edits.as_slice().iter().any(|edit| edit.start <= span.start && span.end <= edit.end)
    };
    let outermost = |node: &NodeId| within(*node) && !tree.parent(*node).is_some_and(within);
    subject.bound_nodes(tree.ids().filter(outermost))
}

/// Returns the first word of the text that the first edit replaces, in lower case.
fn replaced_word(subject: &Subject<'_>, mutant: &Mutant) -> String {
    let text = replaced(subject, mutant).trim_start();
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>().to_lowercase()
}

/// Whether a script has ROLLUP, CUBE or GROUPING SETS anywhere.
fn gives_subtotals(script: &Script) -> bool {
    script.tree().ids().any(|node| matches!(script.tree().kind(node), Kind::Grouping { .. }))
}

/// Whether a node stands in a sort key that is not the first one.
fn is_later_key(script: &Script, node: NodeId) -> bool {
    let tree = script.tree();
    let around = std::iter::once(node).chain(tree.ancestors(node)).take_while(|above| tree.kind(*above) != Kind::Query);
    let is_item = |node: &NodeId| matches!(tree.kind(*node), Kind::SortItem { .. });
    let item = around.into_iter().find(is_item);
    let first = |item: NodeId| tree.children(tree.parent(item)?).iter().copied().find(is_item);
    item.is_some_and(|item| first(item) != Some(item))
}

/// Returns a node itself if it is a call, else the call around it.
fn call_at(script: &Script, node: NodeId) -> Option<NodeId> {
    match script.tree().kind(node) {
        Kind::Call { .. } => Some(node),
        _ => call_around(script, node),
    }
}

/// Returns the call that takes a node as its argument, as it is or cast.
fn call_around(script: &Script, node: NodeId) -> Option<NodeId> {
    let tree = script.tree();
    let passes = |kind| matches!(kind, Kind::Paren | Kind::Cast | Kind::FunctionName);
    let around = tree.ancestors(node).find(|above| !passes(tree.kind(*above)))?;
    matches!(tree.kind(around), Kind::Call { .. }).then_some(around)
}

fn is_empty_text(script: &Script, node: NodeId) -> bool {
    script.tree().kind(node) == Kind::Text && unquoted(script.slice(node)).trim().is_empty()
}

/// Whether the value of a call is not that of a column of SELECT, apart from rounding, a default and the choice of a
/// CASE.
fn is_in_calculation(script: &Script, call: NodeId) -> bool {
    let tree = script.tree();
    let mut below = call;
    for above in tree.ancestors(call) {
        let keeps = match tree.kind(above) {
            Kind::SelectItem => return false,
            Kind::Paren | Kind::Cast | Kind::Else | Kind::Case { operand: false } => true,
            Kind::When => tree.children(above).last() == Some(&below),
            Kind::Call { .. } => {
                script.is_coalesce(above) || KEEPING_AMOUNT.contains(&script.function_name(above).as_str())
            }
            _ => false,
        };
        if !keeps {
            return true;
        }
        below = above;
    }
    true
}

/// Whether the arguments of a call are worked out by plus, minus and the like.
fn calculates(script: &Script, call: NodeId) -> bool {
    let tree = script.tree();
    let within = script.arguments(call).into_iter().flat_map(|argument| tree.descendants(argument));
    within.into_iter().any(|node| match tree.kind(node) {
        Kind::Binary(operator) => !operator.is_comparison(),
        Kind::Unary => true,
        _ => false,
    })
}
