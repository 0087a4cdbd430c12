//! Rewrites that keep the meaning of a script; each changes all places of one kind.

use sqlfault::code::edit::{Edit, Edits};
use sqlfault::code::script::Script;
use sqlfault::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};

/// Returns the text that replaces a node; `None` if the rewrite does not apply to it.
type Rewrite = fn(&Script, NodeId) -> Option<String>;

const REWRITES: [(&str, Rewrite); 10] = [
    ("COALESCE as CASE", coalesce_as_case),
    ("COALESCE as IF", coalesce_as_if),
    ("CASE with its negation first", case_negated),
    ("comparisons negated", negated_comparison),
    ("IN as OR", in_as_or),
    ("BETWEEN as two comparisons", between_bounds),
    ("COUNT(*) as a sum of ones", count_as_sum),
    ("joined tables as sub-queries", table_as_query),
    ("conditions twice", condition_twice),
    ("MAX of a guarded value", max_guarded),
];

/// Returns the script after every rewrite that changes something, with the kind of the rewrite.
pub fn all(script: &Script) -> Vec<(&'static str, String)> {
    let rewritten = REWRITES.iter().filter_map(|(kind, rewrite)| Some((*kind, replaced(script, *rewrite)?)));
    rewritten.filter(|(_, text)| Script::new(text.as_str()).is_valid()).collect()
}

/// The script with the outermost nodes that `rewrite` takes replaced; `None` if there is no such node.
fn replaced(script: &Script, rewrite: Rewrite) -> Option<String> {
    let tree = script.tree();
    let (mut edits, mut left) = (Vec::new(), vec![tree.root()]);
    while let Some(node) = left.pop() {
        match rewrite(script, node) {
            Some(text) => edits.push(Edit::replacement(tree.span(node), text)),
            None => left.extend(tree.children(node)),
        }
    }
    edits.sort_by_key(|edit| edit.start);
    let edits = Edits::new(edits).ok().filter(|edits| !edits.as_slice().is_empty())?;
    edits.apply(script.text()).ok()
}

/// The arguments of a call of this name that has nothing else.
fn arguments<'a>(script: &'a Script, node: NodeId, name: &str) -> Option<Vec<&'a str>> {
    let tree = script.tree();
    let is_plain =
        tree.kind(node) == (Kind::Call { distinct: false }) && script.function_name(node).eq_ignore_ascii_case(name);
    let (_, arguments) = tree.children(node).split_first().filter(|_| is_plain)?;
    let extra = |kind| matches!(kind, Kind::Over | Kind::Filter | Kind::WithinGroup);
    let has_extra = arguments.iter().any(|argument| extra(tree.kind(*argument)));
    (!has_extra).then(|| arguments.iter().map(|argument| script.slice(*argument)).collect())
}

fn coalesce_as_case(script: &Script, node: NodeId) -> Option<String> {
    let [one, other] = arguments(script, node, "coalesce")?[..] else { return None };
    Some(format!("CASE WHEN {one} IS NOT NULL THEN {one} ELSE {other} END"))
}

fn coalesce_as_if(script: &Script, node: NodeId) -> Option<String> {
    let [one, other] = arguments(script, node, "coalesce")?[..] else { return None };
    Some(format!("IF({one} IS NULL, {other}, {one})"))
}

fn case_negated(script: &Script, node: NodeId) -> Option<String> {
    let tree = script.tree();
    let [when, other] = tree.children(node)[..] else { return None };
    let is_branch =
        matches!(tree.kind(node), Kind::Case { .. }) && tree.kind(when) == Kind::When && tree.kind(other) == Kind::Else;
    let [condition, value] = tree.children(when)[..] else { return None };
    let [other] = tree.children(other)[..] else { return None };
    let [condition, value, other] = [condition, value, other].map(|node| script.slice(node));
    is_branch.then(|| format!("CASE WHEN COALESCE({condition}, FALSE) = FALSE THEN {other} ELSE {value} END"))
}

fn negated_comparison(script: &Script, node: NodeId) -> Option<String> {
    let opposite = match script.tree().kind(node) {
        Kind::Binary(BinaryOperator::Less) => ">=",
        Kind::Binary(BinaryOperator::LessOrEqual) => ">",
        Kind::Binary(BinaryOperator::Greater) => "<=",
        Kind::Binary(BinaryOperator::GreaterOrEqual) => "<",
        Kind::Binary(BinaryOperator::NotEqual) => "=",
        _ => return None,
    };
    let [left, right] = script.tree().children(node)[..] else { return None };
    Some(format!("(NOT ({} {opposite} {}))", script.slice(left), script.slice(right)))
}

fn in_as_or(script: &Script, node: NodeId) -> Option<String> {
    let tree = script.tree();
    let Kind::InList { negated: false } = tree.kind(node) else { return None };
    let (value, items) = tree.children(node).split_first()?;
    let value = script.slice(*value);
    let equal: Vec<String> = items.iter().map(|item| format!("{value} = {}", script.slice(*item))).collect();
    Some(format!("({})", equal.join(" OR ")))
}

fn between_bounds(script: &Script, node: NodeId) -> Option<String> {
    let Kind::Between { negated: false } = script.tree().kind(node) else { return None };
    let [value, low, high] = script.tree().children(node)[..] else { return None };
    let [value, low, high] = [value, low, high].map(|node| script.slice(node));
    Some(format!("({low} <= {value} AND {value} <= {high})"))
}

fn count_as_sum(script: &Script, node: NodeId) -> Option<String> {
    let tree = script.tree();
    let is_grouped = tree
        .enclosing(node, |kind| matches!(kind, Kind::Select { .. }))
        .is_some_and(|select| tree.child(select, |kind| kind == Kind::GroupBy).is_some());
    let arguments = arguments(script, node, "count").filter(|_| is_grouped)?;
    (arguments == ["*"]).then(|| "SUM(1)".to_owned())
}

fn table_as_query(script: &Script, node: NodeId) -> Option<String> {
    let tree = script.tree();
    let Kind::Join { kind: JoinKind::Left | JoinKind::Inner, .. } =
        tree.parent(node).map(|parent| tree.kind(parent))?
    else {
        return None;
    };
    let alias = tree.child(node, |kind| kind == Kind::Alias).filter(|_| tree.kind(node) == Kind::Table)?;
    let name = &script.text()[tree.span(node).start..tree.span(alias).start];
    Some(format!("(SELECT * FROM {}) {}", name.trim_end(), script.slice(alias)))
}

fn condition_twice(script: &Script, node: NodeId) -> Option<String> {
    let tree = script.tree();
    let [condition] = tree.children(node)[..] else { return None };
    let condition = script.slice(condition);
    (tree.kind(node) == Kind::Where).then(|| format!("WHERE ({condition}) AND NOT (NOT ({condition}))"))
}

fn max_guarded(script: &Script, node: NodeId) -> Option<String> {
    let [value] = arguments(script, node, "max")?[..] else { return None };
    Some(format!("MAX(IF({value} IS NULL, NULL, {value}))"))
}
