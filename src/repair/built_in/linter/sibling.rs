//! A block that lacks what other blocks of the script have.

use super::finding::LintFinding;
use super::places::nodes;
use crate::code::edit::Edit;
use crate::code::scope::{ColumnPosition, ColumnTarget, RelationSource};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::repair::assignment::AnalysedText;

/// A table is read over all its partitions, in a script that elsewhere compares partition columns with one value.
pub fn partition_filter_missing(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let filtered: Vec<ColumnPosition> = nodes(reading, |kind| kind == Kind::Column)
        .into_iter()
        .filter(|column| tree.enclosing(*column, |kind| matches!(kind, Kind::Where | Kind::On)).is_some())
        .filter_map(|column| match reading.scopes.binding(column)?.target {
            ColumnTarget::Column(relation, position) => Some((relation, position)),
            _ => None,
        })
        .collect();
    let Some(usual) = usual_filter(reading) else { return Vec::new() };
    let mut found = Vec::new();
    for (id, relation) in reading.scopes.relations() {
        let RelationSource::Table(_) = relation.source else { continue };
        let partition = relation.columns.iter().position(|column| column.partition);
        let Some(partition) = partition.filter(|at| !filtered.contains(&(id, *at))) else { continue };
        let name = &relation.columns[partition].name;
        let alone = reading.scopes.relations_of(relation.block).len() == 1;
        let column = if alone { name.clone() } else { format!("{}.{name}", relation.name) };
        if let Some(edit) = filter_edit(reading, relation.node, relation.block, &format!("{column} = {usual}")) {
            found.push(LintFinding { rule: "partition not filtered", doubt: 0.15, edits: vec![edit] });
        }
    }
    found
}

/// The value, as written, with which the script's conditions compare partition columns most often; `None` if none occurs
/// twice.
fn usual_filter(reading: &AnalysedText) -> Option<String> {
    let (script, tree) = (&reading.script, reading.script.tree());
    let mut counts: Vec<(String, usize)> = Vec::new();
    for clause in nodes(reading, |kind| matches!(kind, Kind::Where | Kind::On)) {
        for condition in tree.conjuncts(clause).iter().copied() {
            let [left, right] = tree.children(condition) else { continue };
            let equal = tree.kind(condition) == Kind::Binary(BinaryOperator::Equal);
            if !equal || tree.kind(*right) == Kind::Column || !is_partition(reading, *left) {
                continue;
            }
            let value = script.slice(*right).to_owned();
            match counts.iter_mut().find(|(other, _)| *other == value) {
                Some((_, count)) => *count += 1,
                None => counts.push((value, 1)),
            }
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= 2).max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

fn is_partition(reading: &AnalysedText, column: NodeId) -> bool {
    match reading.scopes.binding(column).map(|binding| &binding.target) {
        Some(ColumnTarget::Column(relation, position)) => {
            reading.scopes.relation(*relation).columns[*position].partition
        }
        _ => false,
    }
}

/// Puts a condition into the ON of the relation's join, or else into the block's WHERE.
fn filter_edit(reading: &AnalysedText, relation: NodeId, block: NodeId, condition: &str) -> Option<Edit> {
    let tree = reading.script.tree();
    let join = tree.parent(relation).filter(|parent| matches!(tree.kind(*parent), Kind::Join { .. }));
    let on = join.and_then(|join| tree.child(join, |kind| kind == Kind::On));
    if let Some(clause) = on.or_else(|| tree.child(block, |kind| kind == Kind::Where)) {
        return Some(Edit::insertion(tree.span(clause).end, format!(" AND {condition}")));
    }
    let from = tree.child(block, |kind| kind == Kind::From)?;
    let views = tree.children_where(block, |kind| matches!(kind, Kind::LateralView { .. }));
    let end = views.map(|view| tree.span(view).end).max().unwrap_or(tree.span(from).end);
    Some(Edit::insertion(end, format!(" WHERE {condition}")))
}
