//! Another repair of a join that became an outer one: a filter that keeps rows without a key out.
//!
//! Where the tables of a sample hold a partner for every key, a reader who sees that rows are too many cannot tell
//! whether the join or such a filter is missing.

use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::prove::suite::MutantText;

/// Returns an issue with a filter on the key of the LEFT JOIN that stands in its changed bytes; `None` if there is no such
/// join, or its ON equates nothing.
pub(super) fn with_key_filter(issue: &str, changed: Span) -> Option<MutantText> {
    let script = Script::new(issue);
    let tree = script.tree();
    let is_changed = |join: &NodeId| {
        let operand = tree.children(*join).first().map_or(tree.span(*join).end, |operand| tree.span(*operand).start);
        Span::new(tree.span(*join).start, operand).touches(changed)
    };
    let mut joins = tree.ids().filter(|node| matches!(tree.kind(*node), Kind::Join { kind: JoinKind::Left, .. }));
    let join = joins.find(is_changed)?;
    let on = tree.child(join, |kind| kind == Kind::On)?;
    let key = outer_key(&script, join, on)?;
    let select = tree.ancestors(join).find(|node| matches!(tree.kind(*node), Kind::Select { .. }))?;
    let edits = match tree.child(select, |kind| kind == Kind::Where).map(|clause| tree.children(clause)[0]) {
        Some(condition) => {
            let span = tree.span(condition);
            vec![
                Edit::insertion(span.start, format!("{key} IS NOT NULL AND (")),
                Edit::insertion(span.end, ")".to_owned()),
            ]
        }
        None => {
            let from = tree.child(select, |kind| kind == Kind::From)?;
            vec![Edit::insertion(tree.span(from).end, format!(" WHERE {key} IS NOT NULL"))]
        }
    };
    let edits = Edits::new(edits).ok()?;
    let text = edits.apply(issue).ok()?;
    // The join differs from the reference as well.
    let added = edits.inverse(issue).span();
    let first = added.start.min(changed.start);
    Some(MutantText { changed: Span::new(first, added.end.max(changed.end + text.len() - issue.len())), text })
}

/// The side of the first equality of ON that is of the rows before the join, as written.
fn outer_key(script: &Script, join: NodeId, on: NodeId) -> Option<String> {
    let tree = script.tree();
    let operand = tree.children(join).first().copied()?;
    let table = || script.path_name(operand).rsplit('.').next().unwrap_or_default().to_owned();
    let name = script.alias(operand).or_else(|| script.alias(join)).unwrap_or_else(table);
    let equality = tree.conjuncts(on).iter().find(|one| tree.kind(**one) == Kind::Binary(BinaryOperator::Equal))?;
    let is_outer = |side: &&NodeId| {
        let path = script.path_name(**side);
        tree.kind(**side) == Kind::Column && path.contains('.') && path.split('.').next() != Some(&name)
    };
    tree.children(*equality).iter().find(is_outer).map(|side| script.slice(*side).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_on_the_key_of_the_join_stands_in_its_block() {
        for (issue, expected) in [
            (
                "SELECT a.x FROM a LEFT JOIN b ON a.k = b.k",
                Some("SELECT a.x FROM a LEFT JOIN b ON a.k = b.k WHERE a.k IS NOT NULL"),
            ),
            (
                "SELECT t.x FROM a t LEFT JOIN b AS u ON u.k = t.k AND u.d = 1 WHERE t.x > 1 OR t.y = 2",
                Some(
                    "SELECT t.x FROM a t LEFT JOIN b AS u ON u.k = t.k AND u.d = 1 \
                     WHERE t.k IS NOT NULL AND (t.x > 1 OR t.y = 2)",
                ),
            ),
            ("SELECT a.x FROM a LEFT JOIN b ON k > 1", None),
            ("SELECT a.x FROM a INNER JOIN b ON a.k = b.k", None),
        ] {
            let at = issue.find("LEFT").or(issue.find("INNER")).unwrap();
            let filtered = with_key_filter(issue, Span::new(at, at + 4));
            assert_eq!(filtered.as_ref().map(|script| script.text.as_str()), expected, "{issue}");
        }
    }
}
