//! Checks recursive CTEs: a UNION ALL of a side that does not read the CTE and a side that does.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::scope::{RecursiveUnion, Relation};
use crate::code::tree::{JoinKind, Kind, NodeId, SetOperator};
use crate::code::types::Type;
use crate::code::widest;

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context
        .nodes_where(|kind| kind == Kind::CommonTable)
        .filter_map(|table| check_recursive_table(context, table))
        .collect()
}

fn check_recursive_table(context: &RuleContext<'_>, table: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let own = |relation: &&Relation| relation.recursion(tree) == Some(table);
    let reads: Vec<&Relation> = context.scopes.relations().map(|(_, relation)| relation).filter(own).collect();
    let first = reads.first()?;
    let Some((union, all)) = union(context, table, &reads) else {
        let words = "Invalid recursive definition found. Recursive queries must contain an UNION or an UNION ALL \
                     statement with 2 children. The first child needs to be the anchor term without any recursive \
                     references. Any top level inner CTE must not contain self references.";
        return Some(RuleFinding::new("INVALID_RECURSIVE_CTE", "42836", context.span(first.node), words));
    };
    if !all {
        let words = "The UNION operator is not yet supported within recursive common table expressions (WITH clauses \
                     that refer to themselves, directly or indirectly). Please use UNION ALL instead.";
        let with = tree.parent(table).unwrap_or(table);
        return Some(RuleFinding::new("UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE", "42836", context.span(with), words));
    }
    if let Some(misplaced) = reads.iter().find(|relation| is_misplaced(context, relation.node, union)) {
        let words = "Invalid recursive reference found inside WITH RECURSIVE clause. Recursive references cannot be used \
                     on the right side of left outer/semi/anti joins, on the left side of right outer joins, in full \
                     outer joins, in aggregates, window functions or sorts";
        let span = context.span(misplaced.node);
        return Some(RuleFinding::new("INVALID_RECURSIVE_REFERENCE.PLACE", "42836", span, words));
    }
    types(context, union)
}

/// Returns the UNION of a recursive CTE, and whether it keeps repeated rows; `None` if only something else than its
/// second side could hold the references.
fn union(context: &RuleContext<'_>, table: NodeId, reads: &[&Relation]) -> Option<(RecursiveUnion, bool)> {
    let tree = context.tree();
    let union = RecursiveUnion::of(tree, table)?;
    let Kind::SetOperation { operator: SetOperator::Union, all } = context.kind(union.operation) else { return None };
    let alone = tree
        .children(union.query)
        .iter()
        .all(|part| matches!(context.kind(*part), Kind::With | Kind::SetOperation { .. }));
    let second = context.span(union.second);
    (alone && reads.iter().all(|relation| second.contains(context.span(relation.node)))).then_some((union, all))
}

/// Whether a reference stands where rows of the level before are not all there is to know.
fn is_misplaced(context: &RuleContext<'_>, reference: NodeId, union: RecursiveUnion) -> bool {
    let tree = context.tree();
    let around = tree.ancestors(reference).take_while(|above| *above != union.operation);
    let mut below = reference;
    around.into_iter().any(|above| {
        let inside = std::mem::replace(&mut below, above);
        match context.kind(above) {
            Kind::Join { kind, .. } => {
                matches!(kind, JoinKind::Left | JoinKind::LeftSemi | JoinKind::LeftAnti | JoinKind::Full)
            }
            Kind::Relation => {
                let from = tree.position(inside) + 1;
                let keeps_right = |kind| matches!(kind, Kind::Join { kind: JoinKind::Right | JoinKind::Full, .. });
                tree.children(above)[from..].iter().any(|join| keeps_right(context.kind(*join)))
            }
            Kind::Select { .. } => has_aggregates(context, above),
            _ => false,
        }
    })
}

/// Whether a block groups its rows or looks at several of them at once.
fn has_aggregates(context: &RuleContext<'_>, select: NodeId) -> bool {
    let tree = context.tree();
    let mut own = tree
        .descendants(select)
        .filter(|node| tree.enclosing(*node, |kind| matches!(kind, Kind::Select { .. })) == Some(select));
    own.any(|node| match context.kind(node) {
        Kind::GroupBy | Kind::Over => true,
        Kind::Call { .. } => context.script.is_aggregate(node),
        _ => false,
    })
}

/// The second side must fit the types of the first.
fn types(context: &RuleContext<'_>, union: RecursiveUnion) -> Option<RuleFinding> {
    let [first, second] = [union.first, union.second].map(|side| context.scopes.outputs(side));
    let clash = first.iter().zip(second).find(|(first, second)| {
        let both = widest([&first.data_type, &second.data_type]);
        both != first.data_type && both != Type::Unknown
    });
    let (first, second) = clash?;
    let words = format!(
        "Failed to merge incompatible data types \"{}\" and \"{}\". Please check the data types of the columns being \
         merged and ensure that they are compatible. If necessary, consider casting the columns to compatible data \
         types before attempting the merge.",
        first.data_type, second.data_type
    );
    let span = context.span(union.operation);
    Some(RuleFinding::new("CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE", "42825", span, words))
}

#[cfg(test)]
mod tests {
    use crate::code::schema::Schema;
    use crate::code::scope::ResolvedScript;
    use crate::engine::spark_rules::judge;

    /// Classes that Spark 4.3 gave for the second part of a CTE whose first part is `first`.
    #[test]
    fn recursive_definitions_are_refused_with_the_classes_of_spark() {
        let schema = Schema::read("CREATE TABLE e (id INT, mgr INT, name STRING);").unwrap();
        let root = "SELECT id, name FROM e WHERE mgr IS NULL";
        let next = "SELECT e.id, e.name FROM e JOIN h ON e.mgr = h.id";
        for (body, class) in [
            (format!("{root} UNION ALL {next}"), None),
            (format!("{root} UNION ALL SELECT e.id, e.name FROM h LEFT JOIN e ON e.mgr = h.id"), None),
            (format!("{root} UNION ALL SELECT e.id, e.id FROM e JOIN h ON e.mgr = h.id"), None),
            (format!("{root} UNION {next}"), Some("UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE")),
            (format!("{root} EXCEPT {next}"), Some("INVALID_RECURSIVE_CTE")),
            (format!("{next} UNION ALL {root}"), Some("INVALID_RECURSIVE_CTE")),
            (format!("{root} UNION ALL {next} UNION ALL {root}"), Some("INVALID_RECURSIVE_CTE")),
            (format!("{root} UNION ALL {next} ORDER BY id LIMIT 2"), Some("INVALID_RECURSIVE_CTE")),
            ("SELECT id FROM h".to_owned(), Some("INVALID_RECURSIVE_CTE")),
            (
                format!("{root} UNION ALL {}", next.replace("JOIN h", "LEFT JOIN h")),
                Some("INVALID_RECURSIVE_REFERENCE.PLACE"),
            ),
            (
                format!("{root} UNION ALL {}", next.replace("e JOIN h", "h RIGHT JOIN e")),
                Some("INVALID_RECURSIVE_REFERENCE.PLACE"),
            ),
            (format!("{root} UNION ALL {next} GROUP BY e.id, e.name"), Some("INVALID_RECURSIVE_REFERENCE.PLACE")),
            (
                format!("{root} UNION ALL {}", next.replace("e.id", "max(e.id) OVER ()")),
                Some("INVALID_RECURSIVE_REFERENCE.PLACE"),
            ),
            (
                format!("{root} UNION ALL {}", next.replace("e.id", "e.id + 1.5")),
                Some("CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE"),
            ),
            (
                format!("{root} UNION ALL {}", next.replace("e.id", "e.name")),
                Some("CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE"),
            ),
        ] {
            let text = format!("WITH RECURSIVE h AS ({body}) SELECT * FROM h");
            let ResolvedScript { script, scopes } = ResolvedScript::new(text, &schema);
            let refused = judge(&script, &scopes, &schema);
            assert_eq!(refused.as_ref().map(|it| it.class.as_str()), class, "{body}: {refused:?}");
        }
    }
}
