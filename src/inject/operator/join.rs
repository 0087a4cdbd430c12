//! Operators about joins and where their conditions stand.

use crate::code::edit::Edit;
use crate::code::scope::RelationId;
use crate::code::tree::{JoinKind, Kind, NodeId};
use crate::fault::NodeName;
use crate::inject::ground::Ground;
use crate::inject::layout::{and_separator, new_line_like};
use crate::inject::names::{columns_in, conjuncts, join_key, reference};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, remove_node, replace_tokens};

/// Filters on the optional side of a left join leave ON for WHERE, which then drops the rows without a partner.
///
/// Where the filter ends the FROM clause, exchanging two keywords does it; otherwise the text moves.
pub(super) fn on_filter_to_where(ground: &Ground<'_>, out: &mut Proposals) {
    for join in ground.named(NodeName::LeftJoin).iter().copied() {
        let Some(on) = ground.tree().child(join, |kind| kind == Kind::On) else { continue };
        let conditions = conjuncts(ground, ground.tree().children(on)[0]);
        let Some(optional) = relation_of_join(ground, join) else { continue };
        let Some(block) = ground.block_of(join).filter(|_| conditions.len() > 1) else { continue };
        for condition in conditions.iter().copied().filter(|c| is_filter_on(ground, *c, optional)) {
            let last = conditions.last() == Some(&condition);
            if !(last && turn_into_where(ground, block, condition, out)) {
                move_to_where(ground, block, condition, out);
            }
        }
    }
}

/// The relation that a join adds.
fn relation_of_join(ground: &Ground<'_>, join: NodeId) -> Option<RelationId> {
    ground.relation_at(*ground.tree().children(join).first()?)
}

/// Whether a condition speaks of one relation only and does not ask for NULL there.
fn is_filter_on(ground: &Ground<'_>, condition: NodeId, relation: RelationId) -> bool {
    let columns = columns_in(ground, condition);
    let belongs = |column: &NodeId| reference(ground, *column).is_some_and(|found| found.id == relation);
    !columns.is_empty()
        && columns.iter().all(belongs)
        && !ground.tree().descendants(condition).any(|id| ground.tree().kind(id) == Kind::IsNull { negated: false })
}

/// `AND` before the last condition of FROM becomes `WHERE`, and a `WHERE` behind it becomes `AND`.
fn turn_into_where(ground: &Ground<'_>, block: NodeId, condition: NodeId, out: &mut Proposals) -> bool {
    let (first, last) = ground.ends(condition);
    let next = ground.script.token_text(last + 1);
    let behind = ground.tree().child(block, |kind| kind == Kind::Where);
    let mut edits = vec![replace_tokens(ground, first - 1, first - 1, &ground.keyword(block, "WHERE"))];
    match behind {
        Some(clause) if next.eq_ignore_ascii_case("WHERE") => {
            if ground.tree().kind(ground.tree().children(clause)[0]) == Kind::Or {
                return false;
            }
            edits.push(replace_tokens(ground, last + 1, last + 1, &ground.keyword(block, "AND")));
        }
        Some(_) => return false,
        None if follows_from(next) => {}
        None => return false,
    }
    out.push_whole(ground.text(), condition, edits);
    true
}

/// Whether a word can follow WHERE's place directly: the block ends or goes on behind WHERE.
fn follows_from(word: &str) -> bool {
    ["GROUP", "HAVING", "ORDER", "UNION", "LIMIT", "", ")", ";"].iter().any(|next| word.eq_ignore_ascii_case(next))
}

fn move_to_where(ground: &Ground<'_>, block: NodeId, condition: NodeId, out: &mut Proposals) {
    let Some(mut edits) = remove_node(ground, condition) else { return };
    let Some(edit) = added_to_where(ground, block, ground.script.slice(condition)) else { return };
    edits.push(edit);
    out.push_whole(ground.text(), condition, edits);
}

/// One more condition at the end of the block's WHERE, or a WHERE of its own; none beside an OR.
pub(super) fn added_to_where(ground: &Ground<'_>, block: NodeId, condition: &str) -> Option<Edit> {
    let tree = ground.tree();
    if let Some(clause) = tree.child(block, |kind| kind == Kind::Where) {
        let whole = tree.children(clause)[0];
        let and = and_separator(ground, &conjuncts(ground, whole));
        return (tree.kind(whole) != Kind::Or)
            .then(|| Edit::insertion(tree.span(whole).end, format!("{and}{condition}")));
    }
    let from = tree.children_where(block, |kind| matches!(kind, Kind::From | Kind::LateralView { .. })).last()?;
    let keyword = ground.keyword(block, "WHERE");
    let line = new_line_like(ground.text(), tree.span(from).start);
    Some(Edit::insertion(tree.span(from).end, format!("{line}{keyword} {condition}")))
}

/// `WHERE` behind a left join that ends FROM becomes `AND`: the filter no longer removes rows.
pub(super) fn where_filter_to_on(ground: &Ground<'_>, out: &mut Proposals) {
    for clause in ground.named(NodeName::Where).iter().copied() {
        let (first, _) = ground.ends(clause);
        let Some(join) = join_before(ground, clause) else { continue };
        let outer = matches!(ground.tree().kind(join), Kind::Join { kind: JoinKind::Left, .. });
        let on = ground.tree().child(join, |kind| kind == Kind::On);
        let whole = |id: NodeId| ground.tree().kind(ground.tree().children(id)[0]) != Kind::Or;
        if outer && whole(clause) && on.is_some_and(whole) {
            let edit = replace_tokens(ground, first, first, &ground.keyword(clause, "AND"));
            out.push(ground.text(), clause, vec![edit]);
        }
    }
}

/// The join that ends directly before a WHERE.
fn join_before(ground: &Ground<'_>, clause: NodeId) -> Option<NodeId> {
    let block = ground.block_of(clause)?;
    let from = ground.tree().child(block, |kind| kind == Kind::From)?;
    let relation = *ground.tree().children(from).last()?;
    let join = *ground.tree().children(relation).last()?;
    let adjacent = ground.ends(join).1 + 1 == ground.ends(clause).0;
    (adjacent && matches!(ground.tree().kind(join), Kind::Join { .. })).then_some(join)
}

/// WHERE moves in front of the last join.
pub(super) fn where_before_join(ground: &Ground<'_>, out: &mut Proposals) {
    for clause in ground.named(NodeName::Where).iter().copied() {
        let Some(join) = join_before(ground, clause) else { continue };
        let start = ground.tree().span(join).start;
        let line = new_line_like(ground.text(), start);
        let moved = Edit::insertion(start, format!("{}{line}", ground.script.slice(clause)));
        let edits = vec![moved, removal(ground.text(), ground.tree().span(clause))];
        out.push_whole(ground.text(), clause, edits);
    }
}

/// One of several `a.x = b.y` of a join condition goes.
pub(super) fn drop_join_key_part(ground: &Ground<'_>, out: &mut Proposals) {
    for on in ground.named(NodeName::On).iter().copied() {
        let conditions = conjuncts(ground, ground.tree().children(on)[0]);
        let keys: Vec<NodeId> = conditions.iter().copied().filter(|c| join_key(ground, *c).is_some()).collect();
        if keys.len() < 2 {
            continue;
        }
        for key in keys {
            if let Some(edits) = remove_node(ground, key) {
                out.push(ground.text(), key, edits);
            }
        }
    }
}
