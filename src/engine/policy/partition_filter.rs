//! `partition-filter`: every read of a partitioned table has a condition on one of its partition columns.

use std::collections::HashSet;

use super::condition::Conditions;
use super::context::PolicyContext;
use super::finding::{PolicyFinding, hive_place};
use crate::code::scope::{Relation, RelationId, RelationSource};

/// Finds the first partitioned table that is read without a filter on its partition.
pub(super) fn check(context: &PolicyContext<'_>) -> Option<PolicyFinding> {
    let filtered: HashSet<RelationId> = Conditions::of(context).filtered();
    let open = context.scopes.relations().filter(|(id, relation)| is_partitioned(relation) && !filtered.contains(id));
    let (_, first) = open.min_by_key(|(_, relation)| context.span(relation.node).start)?;
    let RelationSource::Table(table) = first.source.clone() else { return None };
    let alias = first.name.clone();
    Some(PolicyFinding::new(context.span(first.node), move |place| {
        format!(
            "FAILED: SemanticException [Error 10056]: Line {} reading a partitioned table without a filter on its \
             partitions is switched off on this cluster (hive.strict.checks.no.partition.filter). No partition predicate \
             for Alias \"{alias}\" Table \"{table}\"",
            hive_place(place)
        )
    }))
}

fn is_partitioned(relation: &Relation) -> bool {
    matches!(relation.source, RelationSource::Table(_)) && relation.columns.iter().any(|column| column.partition)
}
