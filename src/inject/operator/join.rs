//! Operators about joins and where their conditions stand.

use crate::code::edit::Edit;
use crate::code::scope::RelationId;
use crate::code::span::Span;
use crate::code::tree::{JoinKind, Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::layout::{and_separator, clause_break};
use crate::inject::names::{columns_in, join_key, reference};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node, replace_tokens};
use crate::inject::script_context::ScriptContext;

use super::named_function::NamedFunction;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] = &[
    NamedFunction { name: "on_filter_to_where", propose: on_filter_to_where },
    NamedFunction { name: "where_filter_to_on", propose: where_filter_to_on },
    NamedFunction { name: "where_before_join", propose: where_before_join },
    NamedFunction { name: "drop_join_key_part", propose: drop_join_key_part },
    NamedFunction { name: "left_join_made_inner", propose: left_join_made_inner },
    NamedFunction { name: "full_join_made_inner", propose: full_join_made_inner },
];

/// A left join becomes an inner join.
fn left_join_made_inner(context: &ScriptContext<'_>, out: &mut Proposals) {
    outer_join_made_inner(context, NodeName::LeftJoin, out);
}

/// A full join becomes an inner join.
fn full_join_made_inner(context: &ScriptContext<'_>, out: &mut Proposals) {
    outer_join_made_inner(context, NodeName::FullJoin, out);
}

/// Spells the inner join as the script mostly does: a single `JOIN` among `INNER JOIN`s would show where the fault is.
fn outer_join_made_inner(context: &ScriptContext<'_>, outer: NodeName, out: &mut Proposals) {
    let spelled_out = |join: &&NodeId| context.own_tokens(**join).iter().any(|word| context.token_is(*word, "INNER"));
    let inner = context.named(NodeName::InnerJoin);
    let says_inner = 2 * inner.iter().filter(spelled_out).count() > inner.len();
    for join in context.named(outer).iter().copied() {
        let words: Vec<usize> = context.own_tokens(join);
        let is_kind = |word: &&usize| ["LEFT", "FULL", "OUTER"].iter().any(|kind| context.token_is(**word, kind));
        let kind: Vec<usize> = words.iter().take_while(is_kind).copied().collect();
        let (Some(first), Some(last)) = (kind.first(), kind.last()) else { continue };
        let edit = if says_inner {
            replace_tokens(context, *first, *last, &context.keyword(join, "INNER"))
        } else {
            removal(context.text(), context.token_span(*first).cover(context.token_span(*last)))
        };
        out.push(context.text(), join, vec![edit]);
    }
}

/// A filter on the optional side of a left join moves from ON to WHERE, which then drops the rows without a partner.
///
/// If the filter ends the FROM clause, it is enough to exchange keywords; otherwise the text moves.
fn on_filter_to_where(context: &ScriptContext<'_>, out: &mut Proposals) {
    for join in context.named(NodeName::LeftJoin).iter().copied() {
        let Some(on) = context.tree().child(join, |kind| kind == Kind::On) else { continue };
        let conditions = context.tree().conjuncts(on);
        let Some(optional) = relation_of_join(context, join) else { continue };
        let Some(block) = context.block_of(join).filter(|_| conditions.len() > 1) else { continue };
        for condition in conditions.iter().copied().filter(|c| is_filter_on(context, *c, optional)) {
            let last = conditions.last() == Some(&condition);
            if !(last && turn_into_where(context, block, condition, out)) {
                move_to_where(context, block, condition, out);
            }
        }
    }
}

/// The relation that a join adds.
fn relation_of_join(context: &ScriptContext<'_>, join: NodeId) -> Option<RelationId> {
    context.relation_at(*context.tree().children(join).first()?)
}

/// Whether a condition reads columns of `relation` only and does not test them with IS NULL.
fn is_filter_on(context: &ScriptContext<'_>, condition: NodeId, relation: RelationId) -> bool {
    let columns = columns_in(context, condition);
    let belongs = |column: &NodeId| reference(context, *column).is_some_and(|found| found.id == relation);
    !columns.is_empty()
        && columns.iter().all(belongs)
        && !context.tree().descendants(condition).any(|id| context.tree().kind(id) == Kind::IsNull { negated: false })
}

/// `AND` before the last condition of FROM becomes `WHERE`, and a `WHERE` behind it becomes `AND`. Returns whether that
/// was possible.
fn turn_into_where(context: &ScriptContext<'_>, block: NodeId, condition: NodeId, out: &mut Proposals) -> bool {
    let (first, last) = context.ends(condition);
    if is_piped(context, block) {
        return false;
    }
    let next = context.script.token_text(last + 1);
    let behind = context.tree().child(block, |kind| kind == Kind::Where);
    let from = context.tree().child(block, |kind| kind == Kind::From);
    let line = from.map_or_else(String::new, |from| clause_break(context.text(), context.tree().span(from).start));
    let mut edits = vec![replace_keyword(context, first - 1, &context.keyword(block, "WHERE"), &line)];
    match behind {
        Some(clause) if next.eq_ignore_ascii_case("WHERE") => {
            if context.tree().kind(context.tree().children(clause)[0]) == Kind::Or {
                return false;
            }
            edits.push(further_condition(context, last + 1, clause));
        }
        Some(_) => return false,
        None if follows_from(next) => {}
        None => return false,
    }
    out.push_whole(context.text(), condition, edits);
    true
}

/// Returns the replacement of a keyword by another. Where it starts its line, the new one stands in a line as `line` begins
/// it, if it begins one: another clause has another indentation.
fn replace_keyword(context: &ScriptContext<'_>, at: usize, keyword: &str, line: &str) -> Edit {
    let gap = context.script.gap_after(at - 1);
    let blanks = gap.of(context.text());
    let indentation = line.strip_prefix('\n').filter(|_| blanks.trim().is_empty());
    if let Some((indentation, end_of_line)) = indentation.zip(blanks.rfind('\n')) {
        let place = Span::new(gap.start + end_of_line + 1, context.token_span(at).end);
        return Edit::replacement(place, format!("{indentation}{keyword}"));
    }
    replace_tokens(context, at, at, keyword)
}

/// Returns the replacement of the keyword before a condition by `AND`, laid out as before the other conditions of a clause.
fn further_condition(context: &ScriptContext<'_>, at: usize, clause: NodeId) -> Edit {
    let and = and_separator(context, context.tree().conjuncts(clause));
    let blanks = &and[..and.len() - and.trim_start().len()];
    replace_keyword(context, at, &context.keyword(clause, "AND"), blanks)
}

/// Whether a word can follow a WHERE clause: the block ends there or goes on with a later clause.
fn follows_from(word: &str) -> bool {
    ["GROUP", "HAVING", "ORDER", "UNION", "LIMIT", "", ")", ";"].iter().any(|next| word.eq_ignore_ascii_case(next))
}

fn move_to_where(context: &ScriptContext<'_>, block: NodeId, condition: NodeId, out: &mut Proposals) {
    let Some(mut edits) = remove_node(context, condition) else { return };
    let Some(edit) = added_to_where(context, block, context.script.slice(condition)) else { return };
    edits.push(edit);
    out.push_whole(context.text(), condition, edits);
}

/// Returns the insertion of a condition at the end of the block's WHERE, or with a new WHERE if there is none; `None`
/// if the condition of WHERE is an OR, beside which AND would bind more tightly.
pub(super) fn added_to_where(context: &ScriptContext<'_>, block: NodeId, condition: &str) -> Option<Edit> {
    let tree = context.tree();
    if let Some(clause) = tree.child(block, |kind| kind == Kind::Where) {
        let whole = tree.children(clause)[0];
        let and = and_separator(context, tree.conjuncts(clause));
        return (tree.kind(whole) != Kind::Or)
            .then(|| Edit::insertion(tree.span(whole).end, format!("{and}{condition}")));
    }
    let from = tree.children_where(block, |kind| matches!(kind, Kind::From | Kind::LateralView { .. })).last()?;
    let keyword = context.keyword(block, "WHERE");
    let line = clause_break(context.text(), tree.span(from).start);
    let step = if is_piped(context, block) { "|> " } else { "" };
    Some(Edit::insertion(tree.span(from).end, format!("{line}{step}{keyword} {condition}")))
}

/// Whether a WHERE of the block is a step of a pipe of its own.
fn is_piped(context: &ScriptContext<'_>, block: NodeId) -> bool {
    let tree = context.tree();
    let from = tree.child(block, |kind| kind == Kind::From);
    let behind = from.map(|from| context.ends(from).1 + 1);
    tree.child(block, |kind| kind == Kind::Projection).is_none() || behind.is_some_and(|at| context.token_is(at, "|>"))
}

/// `WHERE` behind a left join that ends FROM becomes `AND`, so that the filter no longer removes rows.
fn where_filter_to_on(context: &ScriptContext<'_>, out: &mut Proposals) {
    for clause in context.named(NodeName::Where).iter().copied() {
        let (first, _) = context.ends(clause);
        let Some(join) = join_before(context, clause) else { continue };
        let outer = matches!(context.tree().kind(join), Kind::Join { kind: JoinKind::Left, .. });
        let whole = |id: &NodeId| context.tree().kind(context.tree().children(*id)[0]) != Kind::Or;
        let on = context.tree().child(join, |kind| kind == Kind::On).filter(whole);
        if let Some(on) = on.filter(|_| outer && whole(&clause)) {
            out.push(context.text(), clause, vec![further_condition(context, first, on)]);
        }
    }
}

/// The join that ends directly before a WHERE.
fn join_before(context: &ScriptContext<'_>, clause: NodeId) -> Option<NodeId> {
    let block = context.block_of(clause)?;
    let from = context.tree().child(block, |kind| kind == Kind::From)?;
    let relation = *context.tree().children(from).last()?;
    let join = *context.tree().children(relation).last()?;
    let adjacent = context.ends(join).1 + 1 == context.ends(clause).0;
    (adjacent && matches!(context.tree().kind(join), Kind::Join { .. })).then_some(join)
}

/// WHERE moves in front of the last join.
fn where_before_join(context: &ScriptContext<'_>, out: &mut Proposals) {
    for clause in context.named(NodeName::Where).iter().copied() {
        let Some(join) = join_before(context, clause) else { continue };
        let start = context.tree().span(join).start;
        let line = clause_break(context.text(), start);
        let moved = Edit::insertion(start, format!("{}{line}", context.script.slice(clause)));
        let edits = vec![moved, removal(context.text(), context.tree().span(clause))];
        out.push_whole(context.text(), clause, edits);
    }
}

/// One of several equalities `a.x = b.y` of a join condition is removed.
fn drop_join_key_part(context: &ScriptContext<'_>, out: &mut Proposals) {
    for on in context.named(NodeName::On).iter().copied() {
        let conditions = context.tree().conjuncts(on);
        let keys: Vec<NodeId> = conditions.iter().copied().filter(|c| join_key(context, *c).is_some()).collect();
        if keys.len() < 2 {
            continue;
        }
        for key in keys {
            if let Some(edits) = remove_node(context, key) {
                out.push(context.text(), key, edits);
            }
        }
    }
}
