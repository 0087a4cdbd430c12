//! The base columns at which a surviving mutant is shot.

use super::data::aim::{SHOTS, Shot, Target};
use super::data::constraint::Port;
use super::data::reach::Reach;
use super::subject::Subject;
use super::trial::Suspect;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// One change to try, in the order of what is likely to show the fault.
pub type Aim = (Target, Shot);

/// At most so many columns are shot at with everything.
const NEAR: usize = 12;
/// At most so many further columns of the block are shot at with what shows most.
const FAR: usize = 12;
/// What is tried on the columns that merely stand in the same block.
const FAR_SHOTS: [Shot; 5] = [Shot::SomeNull, Shot::Duplicate, Shot::DuplicateButThis, Shot::Tie, Shot::Rotate];

/// What to try: the columns that the edit brought in and those that the fault is about, then the rest of the block.
pub fn aims(subject: &Subject<'_>, suspect: &Suspect<'_>) -> Vec<Aim> {
    let mut near = Vec::new();
    edited(subject, suspect, &mut near);
    about(subject, suspect.about, &mut near);
    near.truncate(NEAR);
    let mut far = Vec::new();
    block(subject, suspect.about, &mut far);
    far.retain(|target| !near.contains(target));
    far.truncate(FAR);
    let mut aims: Vec<Aim> = Vec::new();
    for (targets, shots) in [(&near, &SHOTS[..]), (&far, &FAR_SHOTS[..])] {
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
    let scopes = Scopes::resolve(&script, &subject.seed.schema);
    let reach = Reach::new(&script, &scopes);
    let tree = script.tree();
    let touched = tree.ids().filter(|node| {
        tree.kind(*node) == Kind::Column && {
            let span = tree.span(*node);
            span.start < suspect.changed.end && suspect.changed.start < span.end
        }
    });
    for port in touched.flat_map(|node| reach.trace(node)) {
        add(subject, &reach, &port, targets);
    }
}

/// The columns at and below the nodes that the fault is about.
fn about(subject: &Subject<'_>, nodes: &[NodeId], targets: &mut Vec<Target>) {
    let reach = Reach::new(&subject.bound, &subject.scopes);
    let tree = subject.bound.tree();
    for port in nodes.iter().flat_map(|node| tree.descendants(*node)).flat_map(|node| reach.trace(node)) {
        add(subject, &reach, &port, targets);
    }
}

/// The columns of the SELECT block around the first node.
fn block(subject: &Subject<'_>, nodes: &[NodeId], targets: &mut Vec<Target>) {
    let tree = subject.bound.tree();
    let is_block = |kind| matches!(kind, Kind::Select { .. } | Kind::SetOperation { .. } | Kind::MultiInsert);
    let blocks = nodes.first().and_then(|node| tree.enclosing(*node, is_block));
    about(subject, blocks.as_slice(), targets);
}

fn add(subject: &Subject<'_>, reach: &Reach<'_>, port: &Port, targets: &mut Vec<Target>) {
    let Some(table) = subject.seed.schema.table(&reach.readings[port.place.reading].table) else { return };
    let Some(column) = table.columns.get(port.place.column) else { return };
    let target = Target { table: table.name.clone(), column: column.name.clone() };
    if !targets.contains(&target) {
        targets.push(target);
    }
}
