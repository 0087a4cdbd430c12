//! Whether the rows of a query are distinct on every database.

use super::layout::squeezed;
use super::view::ScriptView;
use crate::code::scope::ColumnTarget;
use crate::code::tree::{Kind, NodeId, SetOperator};

/// How deep set operations are followed.
const MAX_DEPTH: usize = 64;

/// Whether no two rows of a query are the same: it has DISTINCT, its groups are told apart by keys that it gives, or it
/// unites such queries that a literal tells apart.
pub fn gives_distinct_rows(view: &ScriptView<'_>, query: NodeId) -> bool {
    let mut arms = Vec::new();
    if !collect_arms(view, query, MAX_DEPTH, &mut arms) {
        return false;
    }
    let tells_apart = |one: NodeId, other: NodeId| {
        let positions = 0..view.scopes.outputs(one).len();
        positions.into_iter().any(|at| {
            let pair = literal(view, one, at).zip(literal(view, other, at));
            pair.is_some_and(|(one, other)| one != other) && has_common_type(view, query, &arms, at)
        })
    };
    let pairs = arms.iter().enumerate().flat_map(|(at, one)| arms[at + 1..].iter().map(move |other| (*one, *other)));
    arms.iter().all(|arm| is_distinct_block(view, query, *arm))
        && pairs.into_iter().all(|(one, other)| tells_apart(one, other))
}

/// Collects the SELECT blocks that UNION ALL puts together below a node; returns whether there is nothing else.
fn collect_arms(view: &ScriptView<'_>, node: NodeId, depth: usize, arms: &mut Vec<NodeId>) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let tree = view.script.tree();
    let mut below = |nodes: &[NodeId]| nodes.iter().all(|node| collect_arms(view, *node, depth, arms));
    match tree.kind(node) {
        Kind::Select { .. } => {
            arms.push(node);
            true
        }
        Kind::SetOperation { operator: SetOperator::Union, .. } => below(tree.children(node)),
        Kind::Parenthesized => below(tree.children(node)),
        _ => false,
    }
}

fn is_distinct_block(view: &ScriptView<'_>, query: NodeId, block: NodeId) -> bool {
    let tree = view.script.tree();
    if tree.kind(block) == (Kind::Select { distinct: true }) {
        let positions = 0..view.scopes.outputs(block).len();
        return positions.into_iter().all(|at| has_common_type(view, query, &[block], at));
    }
    let Some(group) = tree.child(block, |kind| kind == Kind::GroupBy) else { return false };
    let generates = || {
        tree.child(block, |kind| kind == Kind::Projection).is_none_or(|projection| {
            let calls = tree.descendants(projection).filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
            calls.into_iter().any(|call| view.script.is_generator(call))
        })
    };
    let is_given =
        |key: &NodeId| output_of_key(view, block, *key).is_some_and(|at| has_common_type(view, query, &[block], at));
    tree.children(group).iter().all(is_given) && !generates()
}

/// Returns the output of a block that gives one of its group keys.
fn output_of_key(view: &ScriptView<'_>, block: NodeId, key: NodeId) -> Option<usize> {
    let tree = view.script.tree();
    let outputs = view.scopes.outputs(block);
    let target = view.scopes.binding(key).map(|binding| &binding.target);
    if let Some(ColumnTarget::Alias(item)) = target {
        let value = tree.children(*item).first();
        return outputs.iter().position(|output| output.expression.as_ref() == value);
    }
    match tree.kind(key) {
        Kind::Grouping { .. } => None,
        Kind::Column => {
            let column = view.column_of(key)?;
            outputs.iter().position(|output| {
                let computed = || output.expression.and_then(|value| view.column_of(value));
                output.passes_on == Some(column) || computed() == Some(column)
            })
        }
        _ => {
            let text = squeezed(view.script.slice(key));
            let is_key = |value: NodeId| squeezed(view.script.slice(value)) == text;
            outputs.iter().position(|output| output.expression.is_some_and(is_key))
        }
    }
}

/// Returns the literal that a block gives at a position.
fn literal<'a>(view: &ScriptView<'a>, block: NodeId, position: usize) -> Option<&'a str> {
    let value = view.scopes.outputs(block).get(position)?.expression?;
    (view.script.tree().kind(value) == Kind::Text).then(|| view.script.slice(value))
}

/// Whether some blocks give the type of the whole query at a position: a conversion could make different values equal.
fn has_common_type(view: &ScriptView<'_>, query: NodeId, blocks: &[NodeId], position: usize) -> bool {
    let type_of = |node: NodeId| view.scopes.outputs(node).get(position).map(|output| &output.data_type);
    let whole = type_of(query);
    whole.is_some() && blocks.iter().all(|block| type_of(*block) == whole)
}

#[cfg(test)]
mod tests {
    use crate::prove::equivalence::tests::proved;

    #[test]
    fn union_is_union_all_where_no_row_can_repeat() {
        let arm = |tag: &str| format!("SELECT k, {tag} AS tag, COUNT(*) AS n FROM a GROUP BY k");
        let distinct = "SELECT DISTINCT k, 'c' AS tag, 1 AS n FROM b";
        for (one, other, holds) in [
            (arm("'a'"), arm("'b'"), true),
            (arm("'a'"), arm("'a'"), false),
            (arm("'a'"), arm("v"), false),
            (arm("'a'"), "SELECT k, 'b' AS tag, n FROM a".to_owned(), false),
            (arm("'a'"), "SELECT v, 'b' AS tag, COUNT(*) AS n FROM a GROUP BY k, v".to_owned(), false),
            (arm("'a'"), "SELECT k, 'b' AS tag, COUNT(*) AS n FROM a GROUP BY k WITH ROLLUP".to_owned(), false),
            (arm("'a'"), format!("{} UNION ALL {}", arm("'b'"), arm("'c'")), true),
            (arm("'a'"), format!("{} UNION ALL {}", arm("'b'"), arm("'b'")), true),
            (distinct.to_owned(), "SELECT DISTINCT k, 'd' AS tag, 1 AS n FROM b".to_owned(), true),
            (distinct.to_owned(), "SELECT DISTINCT k, 'd' AS tag, 1.5 AS n FROM b".to_owned(), false),
            (
                "SELECT UPPER(k) AS u, 'a' FROM a GROUP BY UPPER(k)".to_owned(),
                "SELECT k, 'b' FROM a GROUP BY k".to_owned(),
                true,
            ),
            (
                "SELECT UPPER(k) AS u, 'a' FROM a GROUP BY u".to_owned(),
                "SELECT k, 'b' FROM a GROUP BY k".to_owned(),
                true,
            ),
        ] {
            let script = |word: &str| format!("SELECT COUNT(*) FROM ({one} {word} {other}) t");
            let found = proved(&script("UNION ALL"), &script("UNION"));
            assert_eq!(found.is_some(), holds, "{one} | {other}: {found:?}");
        }
    }
}
