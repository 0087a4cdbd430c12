//! Which columns may fill the slots of a pattern.

use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::pattern::Slot;
use crate::corpus::compose::piece::column_name;
use crate::corpus::compose::relation::{ColumnMeaning, RelationColumn};

/// Whether a column may fill a slot.
pub(super) fn fits(slot: &Slot, meaning: &ColumnMeaning) -> bool {
    if meaning.grouped {
        return false;
    }
    let role = slot.role.is_empty() || (slot.role.contains(&meaning.role) && meaning.figure.is_none());
    let figure = slot.figure.is_empty()
        || meaning.figure.is_some_and(|unit| slot.figure.contains(&unit)) && meaning.is_foreign() == slot.foreign;
    let any = !slot.role.is_empty() || !slot.figure.is_empty();
    any && role
        && figure
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

/// Returns the candidates for a slot: for `who`, by which rows are compared with earlier and later ones, only those
/// that refer to the subject of the report, if any does.
fn own<'c>(name: &str, slot: &Slot, near: Vec<&'c RelationColumn>, subject: &str) -> Vec<&'c RelationColumn> {
    let mine = |column: &&RelationColumn| column.meaning.entity.as_deref() == Some(subject);
    if name == "who" && !slot.repeated && near.iter().any(mine) {
        near.into_iter().filter(mine).collect()
    } else {
        near
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
        let candidates: Vec<&RelationColumn> =
            rows.columns.iter().filter(|column| fits(slot, &column.meaning)).filter(free).collect();
        let near: Vec<&RelationColumn> = candidates
            .into_iter()
            .filter(|column| !slot.repeated || rows.grain != std::slice::from_ref(&column.name))
            .filter(|column| !slot.acts || column.meaning.entity.as_deref().is_some_and(rows.acts))
            .filter(|column| !slot.plain || column_name(&column.text).is_some())
            .filter(|column| {
                let other = slot.beside.as_ref().and_then(|other| filled.iter().find(|(name, _)| name == other));
                other.is_none_or(|(_, other)| other.meaning.branch == column.meaning.branch)
            })
            .collect();
        let near = own(name, slot, near, rows.subject);
        let fresh: Vec<&RelationColumn> = near.iter().filter(|column| column.meaning.fresh).copied().collect();
        let focus: Vec<&RelationColumn> =
            near.iter().filter(|column| (rows.is_focus)(&column.meaning.origin)).copied().collect();
        let taken = if !fresh.is_empty() && draw.at("fresh").chance(0.8) {
            &fresh
        } else if !focus.is_empty() && draw.at("focus").at(name).chance(0.8) {
            &focus
        } else {
            &near
        };
        filled.push((name, draw.at(name).pick(taken)?));
    }
    Some(filled)
}
