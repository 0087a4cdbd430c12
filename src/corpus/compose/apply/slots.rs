//! Which columns may fill the slots of a pattern.

use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::pattern::Slot;
use crate::corpus::compose::piece::column_name;
use crate::corpus::compose::relation::{ColumnMeaning, RelationColumn};

/// Whether a column may fill a slot; none may fill a slot that names neither roles nor figures.
pub(super) fn fits(slot: &Slot, meaning: &ColumnMeaning) -> bool {
    if meaning.grouped {
        return false;
    }
    let is_open = slot.role.is_empty() && slot.figure.is_empty();
    let has_role = slot.role.is_empty() || (slot.role.contains(&meaning.role) && meaning.figure.is_none());
    let is_figure = slot.figure.is_empty()
        || meaning.figure.is_some_and(|unit| slot.figure.contains(&unit)) && meaning.is_foreign() == slot.foreign;
    !is_open
        && has_role
        && is_figure
        && slot.missing.is_none_or(|missing| missing == meaning.missing)
        && slot.ends.is_none_or(|ends| ends == meaning.ends)
        && (!slot.values || meaning.values.len() >= 2)
        && (!slot.fields || !meaning.fields.is_empty())
        && (!slot.bands || meaning.bands.is_some())
        && slot.kind.as_ref().is_none_or(|kind| meaning.kind.starts_with(kind.as_str()))
        && (!slot.stored || !meaning.origin.is_empty())
        && (!slot.sum || meaning.sum)
}

/// What slots are filled from.
pub(super) struct SlotColumns<'a, 'c> {
    /// Columns of the relation.
    pub columns: &'c [RelationColumn],
    /// Names of those that the pattern has already taken; they are left out.
    pub used: &'a [String],
    /// Names of those that make a row unique.
    pub grain: &'a [String],
    /// The entity that a row of the report is about.
    pub subject: &'a str,
    /// Whether a column of this origin is in the focus of the script, and so preferred.
    pub is_focus: &'a dyn Fn(&str) -> bool,
    /// Whether an entity does one thing after another.
    pub acts: &'a dyn Fn(&str) -> bool,
}

/// The slot by which rows are compared with earlier and later ones.
const WHO: &str = "who";

/// Returns the candidates for a slot: for [`WHO`] only those that refer to the subject of the report, if any does.
fn of_subject_first<'c>(
    name: &str,
    slot: &Slot,
    candidates: Vec<&'c RelationColumn>,
    subject: &str,
) -> Vec<&'c RelationColumn> {
    let is_subject = |column: &&RelationColumn| column.meaning.entity.as_deref() == Some(subject);
    if name == WHO && !slot.repeated && candidates.iter().any(is_subject) {
        candidates.into_iter().filter(is_subject).collect()
    } else {
        candidates
    }
}

/// Slots and the columns in them.
pub(super) type FilledSlots<'a, 'c> = Vec<(&'a str, &'c RelationColumn)>;

/// Draws columns for all slots, most often new ones or those in focus; `None` if a slot has no candidate.
pub(super) fn fill<'a, 'c>(
    slots: impl Iterator<Item = (&'a str, &'a Slot)>,
    rows: &SlotColumns<'_, 'c>,
    draw: Draw,
) -> Option<FilledSlots<'a, 'c>> {
    let mut filled: Vec<(&str, &RelationColumn)> = Vec::new();
    for (name, slot) in slots {
        let free = |column: &&RelationColumn| {
            !rows.used.contains(&column.name) && !filled.iter().any(|(_, other)| other.name == column.name)
        };
        let beside = slot.beside.as_ref().and_then(|other| filled.iter().find(|(name, _)| name == other));
        let candidates: Vec<&RelationColumn> = rows
            .columns
            .iter()
            .filter(|column| fits(slot, &column.meaning))
            .filter(free)
            .filter(|column| !slot.repeated || rows.grain != std::slice::from_ref(&column.name))
            .filter(|column| !slot.acts || column.meaning.entity.as_deref().is_some_and(rows.acts))
            .filter(|column| !slot.plain || column_name(&column.text).is_some())
            .filter(|column| beside.is_none_or(|(_, other)| other.meaning.made_for == column.meaning.made_for))
            .collect();
        let candidates = of_subject_first(name, slot, candidates, rows.subject);
        let fresh: Vec<&RelationColumn> = candidates.iter().filter(|column| column.meaning.fresh).copied().collect();
        let focus: Vec<&RelationColumn> =
            candidates.iter().filter(|column| (rows.is_focus)(&column.meaning.origin)).copied().collect();
        let taken = if !fresh.is_empty() && draw.at("fresh").chance(0.8) {
            &fresh
        } else if !focus.is_empty() && draw.at("focus").at(name).chance(0.8) {
            &focus
        } else {
            &candidates
        };
        filled.push((name, draw.at(name).pick(taken)?));
    }
    Some(filled)
}
