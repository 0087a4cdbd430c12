//! Places whose condition and column are not told, since what they say would not be the rule.

use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

/// Whether a node asks, by IS NULL or IS NOT NULL, about a column of the optional side of an outer join.
pub(super) fn asks_for_a_match(script: &Script, scopes: &Scopes, node: NodeId) -> bool {
    let tree = script.tree();
    let is_optional =
        |column: &NodeId| scopes.relation_of_column(*column).is_some_and(|relation| scopes.relation(relation).optional);
    let asks = |node: NodeId| matches!(tree.kind(node), Kind::IsNull { .. });
    let query = |node: NodeId| tree.enclosing(node, |kind| kind == Kind::Query);
    let around = query(node);
    let mut own = tree.descendants(node).filter(|inner| query(*inner) == around);
    own.any(|node| asks(node) && tree.children(node).first().is_some_and(is_optional))
}

/// Whether a condition of WHERE compares columns of two relations, as those of a join without ON do.
pub(super) fn pairs_rows(script: &Script, scopes: &Scopes, node: NodeId) -> bool {
    let tree = script.tree();
    let is_equality = tree.kind(node) == Kind::Binary(BinaryOperator::Equal);
    let relations: Vec<_> = tree.children(node).iter().map(|side| scopes.relation_of_column(*side)).collect();
    let is_filter = !tree.ancestors(node).any(|around| tree.kind(around) == Kind::On);
    is_equality && is_filter && matches!(relations[..], [Some(one), Some(other)] if one != other)
}

/// Whether a condition is one of several that make up an alternative.
pub(super) fn is_part_of_alternative(script: &Script, condition: NodeId) -> bool {
    let tree = script.tree();
    let is_logic = |node: &NodeId| matches!(tree.kind(*node), Kind::And | Kind::Or | Kind::Paren);
    let kinds: Vec<Kind> = tree.ancestors(condition).take_while(is_logic).map(|node| tree.kind(node)).collect();
    kinds.iter().skip_while(|kind| **kind != Kind::And).any(|kind| *kind == Kind::Or)
}
