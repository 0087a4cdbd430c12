//! Where to change data for a mutant that the baseline does not kill.

use std::collections::BTreeSet;

use crate::code::scope::ResolvedScript;
use crate::code::script::unquoted;
use crate::code::tree::{Kind, NodeId};
use crate::prove::data::base_columns::base_columns;
use crate::prove::data::constraint::ScanColumn;
use crate::prove::data::lineage::Lineage;
use crate::prove::data_mutation::cells::MutationInput;
use crate::prove::data_mutation::column_change::{BaseColumn, COLUMN_CHANGES, ColumnChange};
use crate::prove::subject::Subject;
use crate::prove::verdict::Candidate;

/// A change to try at a column.
pub type ColumnMutation = (BaseColumn, ColumnChange);

/// Maximum number of columns that get every change.
const MOST_NEAR: usize = 12;
/// Maximum number of further columns of the block, which get only the changes that show most.
const MOST_FAR: usize = 12;
/// The changes for columns that merely stand in the same block.
const FAR_CHANGES: [ColumnChange; 5] = [
    ColumnChange::SomeNull,
    ColumnChange::Duplicate,
    ColumnChange::DuplicateButThis,
    ColumnChange::Tie,
    ColumnChange::Rotate,
];

/// The columns worth changing for a mutant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnHints {
    /// Columns that the edit added, and columns that the fault is about.
    pub near: Vec<BaseColumn>,
    /// The other columns of the block.
    pub far: Vec<BaseColumn>,
    /// Texts of the block, without the wildcards of patterns: values near them are easily handled wrong.
    pub texts: Vec<String>,
    /// Numbers of the block.
    pub numbers: Vec<f64>,
    /// The LIMITs of the queries around the fault.
    pub limits: Vec<usize>,
    /// Columns that together are the keys of a group or a window, for each GROUP BY and PARTITION BY of the script.
    pub groups: Vec<Vec<BaseColumn>>,
    /// Lengths that the block asks of texts, by column.
    pub lengths: Vec<(BaseColumn, usize)>,
}

impl ColumnHints {
    /// Returns the input for random changes; `key` keeps the random numbers of two purposes apart.
    pub fn input<'a>(&'a self, key: &'a str) -> MutationInput<'a> {
        let ColumnHints { near, far, texts, numbers, limits, groups, lengths } = self;
        MutationInput { near, far, texts, numbers, limits, groups, lengths, key }
    }
}

/// Collects the hints for a candidate.
pub fn hints(subject: &Subject<'_>, candidate: &Candidate<'_>) -> ColumnHints {
    let mut near = Vec::new();
    add_changed_columns(subject, candidate, &mut near);
    add_columns_at(subject, candidate.about, &mut near);
    if near.is_empty() {
        // A literal or a type reads no column, but an expression around it does.
        let wider = candidate.about.first().and_then(|node| smallest_reader(subject, *node));
        add_columns_at(subject, wider.as_slice(), &mut near);
    }
    near.truncate(MOST_NEAR);
    let mut far = Vec::new();
    let block = block(subject, candidate.about);
    add_columns_at(subject, block.as_slice(), &mut far);
    far.retain(|target| !near.contains(target));
    far.truncate(MOST_FAR);
    let texts = texts(subject, block.as_slice());
    let numbers = numbers(subject, block.as_slice());
    let limits = limits(subject, candidate.about);
    let lengths = lengths(subject, block.as_slice());
    ColumnHints { near, far, texts, numbers, limits, groups: groups(subject), lengths }
}

/// Returns hints for changes anywhere in a script: all columns that it reads, and its literals.
pub fn script_hints(subject: &Subject<'_>) -> ColumnHints {
    let tree = subject.bound.tree();
    let root = [tree.root()];
    let mut near = Vec::new();
    add_columns_at(subject, &root, &mut near);
    let queries: Vec<NodeId> = tree.ids().filter(|node| tree.kind(*node) == Kind::Limit).collect();
    ColumnHints {
        near,
        far: Vec::new(),
        texts: texts(subject, &root),
        numbers: numbers(subject, &root),
        limits: limits(subject, &queries),
        groups: groups(subject),
        lengths: lengths(subject, &root),
    }
}

/// Returns the columns from which nodes of the bound reference are computed.
pub fn columns(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<BaseColumn> {
    let mut found = Vec::new();
    add_columns_at(subject, nodes, &mut found);
    found.truncate(2 * MOST_FAR);
    found
}

/// Returns every change at these columns, in the order in which they are tried: the likeliest to show the fault first.
pub fn column_mutations(hints: &ColumnHints) -> Vec<ColumnMutation> {
    let mut mutations: Vec<ColumnMutation> = Vec::new();
    for (columns, changes) in [(&hints.near, &COLUMN_CHANGES[..]), (&hints.far, &FAR_CHANGES[..])] {
        for change in changes {
            for column in columns {
                // A change of whole rows is the same at every column of the table.
                let is_repeated = change.is_of_rows()
                    && mutations.iter().any(|(other, known)| known == change && other.table == column.table);
                if !is_repeated {
                    mutations.push((column.clone(), *change));
                }
            }
        }
    }
    mutations
}

/// Adds the columns that the mutant reads in its changed text.
fn add_changed_columns(subject: &Subject<'_>, candidate: &Candidate<'_>, hints: &mut Vec<BaseColumn>) {
    let ResolvedScript { script, scopes } = ResolvedScript::new(candidate.text, &subject.reference.schema);
    let lineage = Lineage::new(&script, &scopes);
    let tree = script.tree();
    let touched = tree.ids().filter(|node| {
        tree.kind(*node) == Kind::Column && {
            let span = tree.span(*node);
            span.start < candidate.changed.end && candidate.changed.start < span.end
        }
    });
    for source in touched.flat_map(|node| base_columns(&lineage, node)) {
        add_column(subject, &lineage, source, hints);
    }
}

/// Adds the columns at and below the nodes that the fault is about.
fn add_columns_at(subject: &Subject<'_>, nodes: &[NodeId], hints: &mut Vec<BaseColumn>) {
    let lineage = Lineage::new(&subject.bound, &subject.scopes);
    let tree = subject.bound.tree();
    let traced = nodes.iter().flat_map(|node| tree.descendants(*node)).flat_map(|node| lineage.trace(node));
    for path in traced {
        add_column(subject, &lineage, path.source, hints);
    }
    for source in nodes.iter().flat_map(|node| base_columns(&lineage, *node)) {
        add_column(subject, &lineage, source, hints);
    }
}

/// Returns the smallest expression around a node that reads a column.
fn smallest_reader(subject: &Subject<'_>, node: NodeId) -> Option<NodeId> {
    let tree = subject.bound.tree();
    let expressions = tree.ancestors(node).take_while(|above| !matches!(tree.kind(*above), Kind::Select { .. }));
    let reads = |above: &NodeId| tree.descendants(*above).any(|node| tree.kind(node) == Kind::Column);
    expressions.into_iter().find(reads)
}

/// Returns the numbers of the LIMITs around some nodes.
fn limits(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<usize> {
    let tree = subject.bound.tree();
    let around = nodes.iter().flat_map(|node| tree.ancestors(*node)).filter(|above| tree.kind(*above) == Kind::Query);
    let limits = around.filter_map(|query| tree.child(query, |kind| kind == Kind::Limit));
    limits.filter_map(|limit| subject.bound.slice(*tree.children(limit).first()?).trim().parse().ok()).collect()
}

/// Returns the columns that a script tests for NULL, or for which it puts another value in the place of NULL.
pub fn null_handled(subject: &Subject<'_>) -> Vec<BaseColumn> {
    let lineage = Lineage::new(&subject.bound, &subject.scopes);
    let tree = subject.bound.tree();
    let handles = |node: &NodeId| match tree.kind(*node) {
        Kind::IsNull { .. } => true,
        Kind::Call { .. } => matches!(&*subject.bound.canonical_function_name(*node), "coalesce" | "nullif"),
        _ => false,
    };
    let operands = tree.ids().filter(handles).flat_map(|node| tree.children(node));
    let mut found = Vec::new();
    for path in operands.filter(|node| tree.kind(**node) == Kind::Column).flat_map(|column| lineage.trace(*column)) {
        add_column(subject, &lineage, path.source, &mut found);
    }
    found
}

/// Returns the base columns of the keys of each GROUP BY and PARTITION BY.
pub fn groups(subject: &Subject<'_>) -> Vec<Vec<BaseColumn>> {
    let lineage = Lineage::new(&subject.bound, &subject.scopes);
    let tree = subject.bound.tree();
    let mut groups: Vec<Vec<BaseColumn>> = Vec::new();
    for keys in tree.ids().filter(|node| matches!(tree.kind(*node), Kind::GroupBy | Kind::PartitionBy)) {
        let mut found = Vec::new();
        let columns = tree.descendants(keys).filter(|node| tree.kind(*node) == Kind::Column);
        for path in columns.flat_map(|column| lineage.trace(column)) {
            add_column(subject, &lineage, path.source, &mut found);
        }
        if !found.is_empty() && !groups.contains(&found) {
            groups.push(found);
        }
    }
    groups
}

/// Returns the columns whose length is compared with a number below some nodes, with that number.
fn lengths(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<(BaseColumn, usize)> {
    let (script, tree) = (&subject.bound, subject.bound.tree());
    let compared = nodes.iter().flat_map(|node| tree.descendants(*node)).filter_map(|node| {
        let [left, right] = tree.children(node)[..] else { return None };
        let measures = matches!(tree.kind(left), Kind::Call { .. }) && script.canonical_function_name(left) == "length";
        let length = script.slice(right).parse::<usize>().ok().filter(|length| measures && (1..=64).contains(length));
        length.map(|length| (left, length))
    });
    let pairs = compared.flat_map(|(call, length)| {
        columns(subject, &[call]).into_iter().map(move |target| (target, length)).collect::<Vec<_>>()
    });
    pairs.collect()
}

/// Returns the SELECT block, set operation or multi-insert around the first node.
fn block(subject: &Subject<'_>, nodes: &[NodeId]) -> Option<NodeId> {
    let tree = subject.bound.tree();
    let is_block = |kind| matches!(kind, Kind::Select { .. } | Kind::SetOperation { .. } | Kind::MultiInsert);
    nodes.first().and_then(|node| tree.enclosing(*node, is_block))
}

/// Returns the text literals of a script with which values may be compared: those that are an item of a SELECT list only
/// label rows.
pub fn compared_texts(subject: &Subject<'_>) -> Vec<String> {
    let tree = subject.bound.tree();
    let is_label = |node: &NodeId| tree.parent(*node).is_some_and(|parent| tree.kind(parent) == Kind::SelectItem);
    texts_of(subject, tree.descendants(tree.root()).filter(|node| !is_label(node)))
}

/// Returns the text literals below some nodes, without wildcards.
fn texts(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<String> {
    texts_of(subject, nodes.iter().flat_map(|node| subject.bound.tree().descendants(*node)))
}

fn texts_of(subject: &Subject<'_>, nodes: impl Iterator<Item = NodeId>) -> Vec<String> {
    let literals = nodes.filter(|node| subject.bound.tree().kind(*node) == Kind::Text);
    let bare = literals.map(|node| unquoted(subject.bound.slice(node)).replace(['%', '\\'], ""));
    let words: BTreeSet<String> = bare.filter(|text| !text.trim().is_empty()).collect();
    words.into_iter().collect()
}

/// Returns the numbers below some nodes.
fn numbers(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<f64> {
    let tree = subject.bound.tree();
    let literals =
        nodes.iter().flat_map(|node| tree.descendants(*node)).filter(|node| tree.kind(*node) == Kind::Number);
    let mut numbers: Vec<f64> = literals.filter_map(|node| subject.bound.slice(node).parse().ok()).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

fn add_column(subject: &Subject<'_>, lineage: &Lineage<'_>, source: ScanColumn, hints: &mut Vec<BaseColumn>) {
    let Some(table) = subject.reference.schema.table(&lineage.scans[source.scan].table) else { return };
    let Some(column) = table.columns.get(source.column) else { return };
    let target = BaseColumn { table: table.name.clone(), column: column.name.clone() };
    if !hints.contains(&target) {
        hints.push(target);
    }
}
