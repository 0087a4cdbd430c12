//! Joins that lose or multiply rows.

use super::finding::LintFinding;
use super::places::nodes;
use crate::code::edit::Edit;
use crate::code::scope::{ColumnTarget, RelationId};
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::repair::assignment::AnalysedText;

/// A condition in WHERE on the optional side of a left join throws away the rows that the join keeps.
pub fn optional_side_filtered(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let mut found = Vec::new();
    for clause in nodes(reading, |kind| kind == Kind::Where) {
        for condition in tree.conjuncts(clause).iter().copied() {
            let Some(relation) = only_relation(reading, condition).filter(|_| rejects_null(reading, condition)) else {
                continue;
            };
            let join = tree.parent(reading.scopes.relation(relation).node);
            let left = Kind::Join { kind: JoinKind::Left, natural: false };
            let Some(on) =
                join.filter(|join| tree.kind(*join) == left).and_then(|join| tree.child(join, |kind| kind == Kind::On))
            else {
                continue;
            };
            if let Some(edits) = moved(reading, clause, condition, on) {
                found.push(LintFinding { rule: "optional side filtered in WHERE", doubt: 0.2, edits });
            }
        }
    }
    found
}

/// The one relation whose columns a condition uses; `None` if it uses those of several or of none.
fn only_relation(reading: &AnalysedText, condition: NodeId) -> Option<RelationId> {
    let tree = reading.script.tree();
    reading.scopes.only_relation(tree.descendants(condition).filter(|id| tree.kind(*id) == Kind::Column))
}

/// Whether a condition is never true on a row of NULLs, as far as its form tells.
fn rejects_null(reading: &AnalysedText, condition: NodeId) -> bool {
    let tree = reading.script.tree();
    let tolerant = |kind: Kind| {
        matches!(kind, Kind::IsNull { .. } | Kind::Or | Kind::Case { .. } | Kind::Exists)
            || kind == Kind::Binary(BinaryOperator::NullSafeEqual)
    };
    let lenient = |id: NodeId| {
        matches!(tree.kind(id), Kind::Call { .. })
            && matches!(reading.script.canonical_function_name(id).as_str(), "coalesce" | "if" | "isnull")
    };
    !tree.descendants(condition).any(|id| tolerant(tree.kind(id)) || lenient(id))
}

/// Edits that take a condition out of WHERE and put it at the end of ON.
fn moved(reading: &AnalysedText, clause: NodeId, condition: NodeId, on: NodeId) -> Option<Vec<Edit>> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let all = tree.conjuncts(clause);
    let at = all.iter().position(|other| *other == condition)?;
    let (on_end, span) = (tree.span(on).end, tree.span(condition));
    let keyword = script.token_text(*script.token_range(clause).start());
    let and = if keyword.bytes().any(|byte| byte.is_ascii_lowercase()) { "and" } else { "AND" };
    let first = *script.token_range(clause).start();
    if all.len() == 1 && first > 0 && script.tokens()[first - 1].span().end == on_end {
        return Some(vec![Edit::replacement(script.tokens()[first].span(), and)]);
    }
    let gone = match (at, all.len()) {
        (_, 1) => tree.span(clause),
        (0, _) => Span::new(span.start, tree.span(all[1]).start),
        _ => Span::new(tree.span(all[at - 1]).end, span.end),
    };
    let mut edits = vec![Edit::insertion(on_end, format!(" {and} {}", span.of(script.text()))), Edit::deletion(gone)];
    if at == 0 && all.len() > 1 && first > 0 && script.tokens()[first - 1].span().end == on_end {
        // WHERE follows the ON it came from: the condition stays, and WHERE goes behind it.
        let next = tree.span(all[1]).start;
        edits = vec![
            Edit::replacement(script.tokens()[first].span(), and),
            Edit::replacement(Span::new(span.end, next), format!("\n{keyword} ")),
        ];
    }
    Some(edits)
}

/// `a.k = a.k` compares a column with itself; another relation of the block with that column was meant.
pub fn compared_with_itself(reading: &AnalysedText) -> Vec<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut found = Vec::new();
    for id in nodes(reading, |kind| kind == Kind::Binary(BinaryOperator::Equal)) {
        let [left, right] = tree.children(id) else { continue };
        let (Some(left_binding), Some(right_binding)) = (reading.scopes.binding(*left), reading.scopes.binding(*right))
        else {
            continue;
        };
        let (ColumnTarget::Column(one, column), ColumnTarget::Column(two, other)) =
            (&left_binding.target, &right_binding.target)
        else {
            continue;
        };
        if one != two {
            continue;
        }
        let block = reading.scopes.relation(*one).block;
        for (side, name, extra) in [(*right, other, 0.0), (*left, column, 0.01)] {
            let name = &reading.scopes.relation(*one).columns[*name].name;
            for relation in reading.scopes.relations_of(block).iter().rev().filter(|relation| *relation != one) {
                let relation = reading.scopes.relation(*relation);
                let has = relation.columns.iter().any(|column| column.name == *name);
                if let (true, [qualifier, _]) = (has && !relation.name.is_empty(), tree.children(side)) {
                    let edits = vec![Edit::replacement(tree.span(*qualifier), relation.name.clone())];
                    let same = script.slice(*left) == script.slice(*right);
                    found.push(LintFinding {
                        rule: "compared with itself",
                        doubt: extra + if same { 0.05 } else { 0.5 },
                        edits,
                    });
                }
            }
        }
    }
    found
}

/// A join without a condition multiplies rows; a column that both sides have, such as an id, was meant to be equal.
pub fn condition_missing(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let mut found = Vec::new();
    for (id, relation) in reading.scopes.relations() {
        let Some(join) = tree.parent(relation.node) else { continue };
        let Kind::Join { kind, natural: false } = tree.kind(join) else { continue };
        let bare = tree.child(join, |kind| matches!(kind, Kind::On | Kind::Using)).is_none();
        if kind == JoinKind::Cross || !bare || relation.name.is_empty() {
            continue;
        }
        let before = reading.scopes.relations_of(relation.block).iter().take_while(|other| **other != id);
        for other in before.map(|other| reading.scopes.relation(*other)).filter(|other| !other.name.is_empty()) {
            let mut shared = relation
                .columns
                .iter()
                .filter(|column| !column.partition && other.columns.iter().any(|mine| mine.name == column.name));
            let key = shared.clone().find(|column| column.name.ends_with("_id")).or_else(|| shared.next());
            if let Some(key) = key {
                let words = format!(" ON {}.{key} = {}.{key}", other.name, relation.name, key = key.name);
                let edits = vec![Edit::insertion(tree.span(join).end, words)];
                found.push(LintFinding { rule: "join without a condition", doubt: 0.1, edits });
            }
        }
    }
    found
}

/// A key that is selected or grouped by from the optional side of a left join is NULL for rows without a partner,
/// while the side that keeps all rows has it too.
pub fn preserved_key_from_optional_side(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let mut found = Vec::new();
    for condition in nodes(reading, |kind| kind == Kind::Binary(BinaryOperator::Equal)) {
        let Some(on) = tree.enclosing(condition, |kind| kind == Kind::On) else { continue };
        let Some(join) = tree.parent(on).filter(|join| tree.kind(*join) == LEFT_JOIN) else { continue };
        let [left, right] = tree.children(condition)[..] else { continue };
        let optional = |side: NodeId| {
            let relation = only_relation(reading, side)?;
            Some(tree.parent(reading.scopes.relation(relation).node) == Some(join))
        };
        let (kept, lost) = match (optional(left), optional(right)) {
            (Some(false), Some(true)) => (left, right),
            (Some(true), Some(false)) => (right, left),
            _ => continue,
        };
        found.extend(shown(reading, lost, kept, join));
    }
    found
}

const LEFT_JOIN: Kind = Kind::Join { kind: JoinKind::Left, natural: false };

/// Replaces the optional side's column by the kept side's where the block selects it or groups by it unchanged.
fn shown(reading: &AnalysedText, lost: NodeId, kept: NodeId, join: NodeId) -> Option<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let block = tree.enclosing(join, |kind| matches!(kind, Kind::Select { .. }))?;
    let bound = |node: NodeId| reading.scopes.binding(node).map(|binding| &binding.target);
    let same = |node: &NodeId| tree.kind(*node) == Kind::Column && bound(*node) == bound(lost);
    let is_shown = |node: &NodeId| {
        let parent = tree.parent(*node).map(|parent| tree.kind(parent));
        matches!(parent, Some(Kind::SelectItem | Kind::GroupBy))
    };
    let places = tree.descendants(block).filter(|node| same(node) && is_shown(node));
    let edits: Vec<Edit> = places.map(|node| Edit::replacement(tree.span(node), script.slice(kept))).collect();
    (!edits.is_empty()).then_some(LintFinding { rule: "key from the optional side", doubt: 0.2, edits })
}
