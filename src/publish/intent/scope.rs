//! Whether a rule holds for the whole report: who reads it does not see the place that it is about.

use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::inject::Mutant;
use crate::prove::Subject;

/// Whether what the script says at the place of a mutant is said of all rows of the report: not of one of several
/// alternatives, of one case among others, of one side of a set operation, or of what only a part of the report is made
/// from.
pub(super) fn holds_everywhere(subject: &Subject<'_>, mutant: &Mutant) -> bool {
    let script = &subject.bound;
    let Some(site) = subject.bound_nodes(mutant.nodes()).first().copied() else { return true };
    let tree = script.tree();
    let is_of_side = tree.ancestors(site).any(|above| matches!(tree.kind(above), Kind::SetOperation { .. }));
    let is_partial = is_in_filter(tree, site) && is_of_part(script, &subject.scopes, site);
    !is_of_side && !is_partial && !is_one_of_several(script, site)
}

/// Whether a node stands in an alternative of OR, in a condition that NOT turns round, or in one that chooses a value.
/// What is an alternative of a whole condition by itself is enough, whatever the others ask.
fn is_one_of_several(script: &Script, site: NodeId) -> bool {
    let tree = script.tree();
    if script.is_aggregate(site) {
        return false;
    }
    let mut below = site;
    for above in tree.ancestors(site) {
        let decides = match tree.kind(above) {
            Kind::Or => !is_alternative(tree, site, above),
            Kind::Not => true,
            Kind::When => tree.children(above).last() != Some(&below),
            Kind::Case { operand: true } => tree.children(above).first() == Some(&below),
            Kind::Select { .. } | Kind::Query => return false,
            _ => script.choices(above).is_some_and(|values| !values.contains(&below)) && !is_arm(tree, below),
        };
        if decides {
            return true;
        }
        below = above;
    }
    false
}

/// Whether a node is an alternative of an OR that is the whole condition of WHERE, HAVING or ON.
fn is_alternative(tree: &Tree, node: NodeId, or: NodeId) -> bool {
    let around = |node: NodeId| tree.ancestors(node).find(|above| tree.kind(*above) != Kind::Paren);
    let clause = around(or).map(|above| tree.kind(above));
    around(node) == Some(or) && matches!(clause, Some(Kind::Where | Kind::Having | Kind::On))
}

fn is_arm(tree: &Tree, node: NodeId) -> bool {
    matches!(tree.kind(node), Kind::When | Kind::Else)
}

fn is_in_filter(tree: &Tree, site: NodeId) -> bool {
    let clause = |kind| matches!(kind, Kind::Where | Kind::Having | Kind::Select { .. });
    tree.enclosing(site, clause).is_some_and(|clause| !matches!(tree.kind(clause), Kind::Select { .. }))
}

/// Whether the block of a node gives what only a part of the report is made from: a WITH item, one of several relations,
/// a sub-query of a condition or a value, or a table that the script itself reads.
fn is_of_part(script: &Script, scopes: &Scopes, site: NodeId) -> bool {
    let tree = script.tree();
    let is_read = |query: NodeId| {
        scopes.relations().any(|(_, relation)| relation.writers.iter().any(|writer| writer.query == query))
    };
    let mut around = tree.ancestors(site).skip_while(|above| !matches!(tree.kind(*above), Kind::Select { .. }));
    around.any(|above| match tree.kind(above) {
        Kind::CommonTable | Kind::Join { .. } | Kind::Where | Kind::Having | Kind::Projection => true,
        Kind::From | Kind::Relation => tree.children(above).len() > 1,
        _ => is_read(above),
    })
}
