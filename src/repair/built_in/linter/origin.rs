//! Columns from another relation than those around them.

use super::finding::LintFinding;
use super::places::nodes;
use crate::code::edit::Edit;
use crate::code::scope::{ColumnTarget, RelationId};
use crate::code::tree::{Kind, NodeId};
use crate::repair::assignment::AnalysedText;

/// A column that is selected from one relation, alone between columns of another one that has a column of its name, is
/// questionable.
pub fn column_of_other_relation(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let mut found = Vec::new();
    for list in nodes(reading, |kind| kind == Kind::Projection) {
        let values = tree.children(list).iter().filter_map(|item| tree.children(*item).first().copied());
        let columns: Vec<(NodeId, RelationId)> =
            values.filter_map(|value| Some((value, relation_of(reading, value)?))).collect();
        let is_alone = |one: RelationId| columns.iter().filter(|(_, relation)| *relation == one).count() == 1;
        for neighbours in columns.windows(3) {
            let [(_, before), (column, relation), (_, behind)] = neighbours else { continue };
            if before == behind && before != relation && is_alone(*relation) {
                found.extend(moved_to(reading, *column, *before));
            }
        }
    }
    found
}

/// The relation of a column that is written with its name.
fn relation_of(reading: &AnalysedText, value: NodeId) -> Option<RelationId> {
    let binding = reading.scopes.binding(value)?;
    match binding.target {
        ColumnTarget::Column(relation, _) if binding.path_length == 2 => Some(relation),
        _ => None,
    }
}

/// Returns the finding that a column should come from another relation; `None` if that has none of its name.
fn moved_to(reading: &AnalysedText, column: NodeId, other: RelationId) -> Option<LintFinding> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let other = reading.scopes.relation(other);
    let name = script.last_name(column);
    other.columns.iter().find(|one| one.name == name)?;
    let qualifier = *tree.children(column).first()?;
    let edits = vec![Edit::replacement(tree.span(qualifier), &other.name)];
    Some(LintFinding { rule: "column of another relation", doubt: 0.3, edits })
}
