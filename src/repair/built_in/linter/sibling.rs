//! What lacks what others of its kind have: a block among those of the script, a column among those of its block.

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

/// A figure of a block: an aggregate, perhaps with a default.
#[derive(Clone, Copy)]
struct BlockFigure {
    aggregate: NodeId,
    /// The call that puts a default in; `None` if there is none.
    default: Option<NodeId>,
}

/// All figures of one kind in a block have a default but one.
pub fn default_missing(reading: &AnalysedText) -> Vec<LintFinding> {
    let tree = reading.script.tree();
    let mut found = Vec::new();
    for projection in nodes(reading, |kind| kind == Kind::Projection) {
        let items = tree.children(projection).iter().filter_map(|item| tree.children(*item).first());
        let figures: Vec<BlockFigure> = items.filter_map(|value| figure(reading, *value)).collect();
        for bare in figures.iter().filter(|figure| figure.default.is_none()) {
            let alike: Vec<&BlockFigure> = figures.iter().filter(|other| are_alike(reading, bare, other)).collect();
            let defaults: Vec<(NodeId, NodeId)> =
                alike.iter().filter_map(|other| Some((other.default?, other.aggregate))).collect();
            if let [(default, aggregate), _, ..] = defaults[..]
                && alike.len() == defaults.len() + 1
            {
                let [default, around, bare] = [default, aggregate, bare.aggregate].map(|node| tree.span(node));
                let text = reading.script.text();
                let edits = vec![
                    Edit::insertion(bare.start, &text[default.start..around.start]),
                    Edit::insertion(bare.end, &text[around.end..default.end]),
                ];
                found.push(LintFinding { rule: "default missing", doubt: 0.12, edits });
            }
        }
    }
    found
}

fn figure(reading: &AnalysedText, value: NodeId) -> Option<BlockFigure> {
    let (script, tree) = (&reading.script, reading.script.tree());
    if script.aggregates_rows(value) {
        return Some(BlockFigure { aggregate: value, default: None });
    }
    match script.arguments(value)[..] {
        [aggregate, other] if script.is_coalesce(value) && script.aggregates_rows(aggregate) => {
            matches!(tree.kind(other), Kind::Number | Kind::Text)
                .then_some(BlockFigure { aggregate, default: Some(value) })
        }
        _ => None,
    }
}

/// Whether two figures are made by the same function of the same kind of argument.
fn are_alike(reading: &AnalysedText, one: &BlockFigure, other: &BlockFigure) -> bool {
    let script = &reading.script;
    let made = |figure: &BlockFigure| {
        let argument = script.arguments(figure.aggregate).first().map(|argument| script.tree().kind(*argument));
        (script.canonical_function_name(figure.aggregate), argument)
    };
    made(one) == made(other)
}
