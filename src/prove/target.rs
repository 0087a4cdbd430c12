//! The base columns at which a surviving mutant is shot.

use std::collections::BTreeSet;

use super::data::aim::{SHOTS, Shot, Target};
use super::data::constraint::Place;
use super::data::reach::Reach;
use super::data::sources::sources;
use super::data::volley::Magazine;
use super::subject::Subject;
use super::trial::Suspect;
use crate::code::scope::Scopes;
use crate::code::script::{Script, unquoted};
use crate::code::tree::{Kind, NodeId};

/// One change to try, in the order of what is likely to show the fault.
pub type Aim = (Target, Shot);

/// At most so many columns are shot at with everything.
const NEAR: usize = 12;
/// At most so many further columns of the block are shot at with what shows most.
const FAR: usize = 12;
/// What is tried on the columns that merely stand in the same block.
const FAR_SHOTS: [Shot; 5] = [Shot::SomeNull, Shot::Duplicate, Shot::DuplicateButThis, Shot::Tie, Shot::Rotate];

/// The columns worth changing for a mutant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    /// Those that the edit brought in and those that the fault is about.
    pub near: Vec<Target>,
    /// The rest of the block.
    pub far: Vec<Target>,
    /// Texts of the block, wildcards of patterns taken off: values near them are easily treated wrong.
    pub texts: Vec<String>,
    /// Numbers of the block.
    pub numbers: Vec<f64>,
    /// How many rows the queries around let through.
    pub limits: Vec<usize>,
    /// Columns that together are the keys of a group or a window, for each GROUP BY and PARTITION BY of the script.
    pub groups: Vec<Vec<Target>>,
    /// Lengths that the block asks of texts.
    pub lengths: Vec<(Target, usize)>,
}

impl Targets {
    /// What volleys are drawn from; `key` keeps those for two purposes apart.
    pub fn magazine<'a>(&'a self, key: &'a str) -> Magazine<'a> {
        let Targets { near, far, texts, numbers, limits, groups, lengths } = self;
        Magazine { near, far, texts, numbers, limits, groups, lengths, key }
    }
}

/// Where to aim.
pub fn targets(subject: &Subject<'_>, suspect: &Suspect<'_>) -> Targets {
    let mut near = Vec::new();
    edited(subject, suspect, &mut near);
    about(subject, suspect.about, &mut near);
    if near.is_empty() {
        // A literal or a type reads no column: what stands around it does.
        let wider = suspect.about.first().and_then(|node| reading(subject, *node));
        about(subject, wider.as_slice(), &mut near);
    }
    near.truncate(NEAR);
    let mut far = Vec::new();
    let block = block(subject, suspect.about);
    about(subject, block.as_slice(), &mut far);
    far.retain(|target| !near.contains(target));
    far.truncate(FAR);
    let texts = texts(subject, block.as_slice());
    let numbers = numbers(subject, block.as_slice());
    let limits = limits(subject, suspect.about);
    let lengths = lengths(subject, block.as_slice());
    Targets { near, far, texts, numbers, limits, groups: groups(subject), lengths }
}

/// The columns that nodes of the bound reference are computed from.
pub fn columns(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<Target> {
    let mut found = Vec::new();
    about(subject, nodes, &mut found);
    found.truncate(2 * FAR);
    found
}

/// Every shot at these columns, in the order in which they are tried.
pub fn aims(targets: &Targets) -> Vec<Aim> {
    let mut aims: Vec<Aim> = Vec::new();
    for (targets, shots) in [(&targets.near, &SHOTS[..]), (&targets.far, &FAR_SHOTS[..])] {
        for shot in shots {
            for target in targets {
                let seen = |(other, shot): &Aim| shot.is_of_rows() && other.table == target.table;
                if !aims.iter().any(|aim| aim.1 == *shot && seen(aim)) {
                    aims.push((target.clone(), *shot));
                }
            }
        }
    }
    aims
}

/// The columns that stand in the changed text.
fn edited(subject: &Subject<'_>, suspect: &Suspect<'_>, targets: &mut Vec<Target>) {
    let script = Script::new(suspect.text);
    let scopes = Scopes::resolve(&script, &subject.reference.schema);
    let reach = Reach::new(&script, &scopes);
    let tree = script.tree();
    let touched = tree.ids().filter(|node| {
        tree.kind(*node) == Kind::Column && {
            let span = tree.span(*node);
            span.start < suspect.changed.end && suspect.changed.start < span.end
        }
    });
    for place in touched.flat_map(|node| sources(&reach, node)) {
        add(subject, &reach, place, targets);
    }
}

/// The columns at and below the nodes that the fault is about.
fn about(subject: &Subject<'_>, nodes: &[NodeId], targets: &mut Vec<Target>) {
    let reach = Reach::new(&subject.bound, &subject.scopes);
    let tree = subject.bound.tree();
    let traced = nodes.iter().flat_map(|node| tree.descendants(*node)).flat_map(|node| reach.trace(node));
    for port in traced {
        add(subject, &reach, port.place, targets);
    }
    for place in nodes.iter().flat_map(|node| sources(&reach, *node)) {
        add(subject, &reach, place, targets);
    }
}

/// The smallest expression around a node that reads a column.
fn reading(subject: &Subject<'_>, node: NodeId) -> Option<NodeId> {
    let tree = subject.bound.tree();
    let expressions = tree.ancestors(node).take_while(|above| !matches!(tree.kind(*above), Kind::Select { .. }));
    let reads = |above: &NodeId| tree.descendants(*above).any(|node| tree.kind(node) == Kind::Column);
    expressions.into_iter().find(reads)
}

/// The numbers of the LIMITs around a node.
fn limits(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<usize> {
    let tree = subject.bound.tree();
    let around = nodes.iter().flat_map(|node| tree.ancestors(*node)).filter(|above| tree.kind(*above) == Kind::Query);
    let limits = around.filter_map(|query| tree.child(query, |kind| kind == Kind::Limit));
    limits.filter_map(|limit| subject.bound.slice(*tree.children(limit).first()?).trim().parse().ok()).collect()
}

/// The base columns of the keys of each GROUP BY and PARTITION BY.
fn groups(subject: &Subject<'_>) -> Vec<Vec<Target>> {
    let reach = Reach::new(&subject.bound, &subject.scopes);
    let tree = subject.bound.tree();
    let mut groups: Vec<Vec<Target>> = Vec::new();
    for keys in tree.ids().filter(|node| matches!(tree.kind(*node), Kind::GroupBy | Kind::PartitionBy)) {
        let mut found = Vec::new();
        let columns = tree.descendants(keys).filter(|node| tree.kind(*node) == Kind::Column);
        for port in columns.flat_map(|column| reach.trace(column)) {
            add(subject, &reach, port.place, &mut found);
        }
        if !found.is_empty() && !groups.contains(&found) {
            groups.push(found);
        }
    }
    groups
}

/// The texts whose length is compared with a number below some nodes.
fn lengths(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<(Target, usize)> {
    let (script, tree) = (&subject.bound, subject.bound.tree());
    let compared = nodes.iter().flat_map(|node| tree.descendants(*node)).filter_map(|node| {
        let [left, right] = tree.children(node)[..] else { return None };
        let measures = matches!(tree.kind(left), Kind::Call { .. })
            && matches!(&*script.function_name(left), "length" | "char_length");
        let length = script.slice(right).parse::<usize>().ok().filter(|length| measures && (1..=64).contains(length));
        length.map(|length| (left, length))
    });
    let pairs = compared.flat_map(|(call, length)| {
        columns(subject, &[call]).into_iter().map(move |target| (target, length)).collect::<Vec<_>>()
    });
    pairs.collect()
}

/// The SELECT block around the first node.
fn block(subject: &Subject<'_>, nodes: &[NodeId]) -> Option<NodeId> {
    let tree = subject.bound.tree();
    let is_block = |kind| matches!(kind, Kind::Select { .. } | Kind::SetOperation { .. } | Kind::MultiInsert);
    nodes.first().and_then(|node| tree.enclosing(*node, is_block))
}

/// The text literals below some nodes.
fn texts(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<String> {
    let tree = subject.bound.tree();
    let literals = nodes.iter().flat_map(|node| tree.descendants(*node)).filter(|node| tree.kind(*node) == Kind::Text);
    let bare = literals.map(|node| unquoted(subject.bound.slice(node)).replace(['%', '\\'], ""));
    let words: BTreeSet<String> = bare.filter(|text| !text.trim().is_empty()).collect();
    words.into_iter().collect()
}

/// The numbers below some nodes.
fn numbers(subject: &Subject<'_>, nodes: &[NodeId]) -> Vec<f64> {
    let tree = subject.bound.tree();
    let literals =
        nodes.iter().flat_map(|node| tree.descendants(*node)).filter(|node| tree.kind(*node) == Kind::Number);
    let mut numbers: Vec<f64> = literals.filter_map(|node| subject.bound.slice(node).parse().ok()).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

fn add(subject: &Subject<'_>, reach: &Reach<'_>, place: Place, targets: &mut Vec<Target>) {
    let Some(table) = subject.reference.schema.table(&reach.readings[place.reading].table) else { return };
    let Some(column) = table.columns.get(place.column) else { return };
    let target = Target { table: table.name.clone(), column: column.name.clone() };
    if !targets.contains(&target) {
        targets.push(target);
    }
}
