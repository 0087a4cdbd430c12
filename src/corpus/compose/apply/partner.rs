//! What a pattern takes beside the columns of its relation: another table, or a ratio of the domain.

use super::slots::{FilledSlots, fits};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{DomainColumn, Ratio, Table, TableKind, Use};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::pattern::{Other, Pattern};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Name and words of a ratio; empty for a pattern that is about none.
#[derive(Default)]
pub(super) struct RatioWords {
    pub name: String,
    pub words: String,
}

/// Draws a ratio of the domain whose two sums the relation has: columns for `top` and `bottom`, and its words.
pub(super) fn ratio<'a, 'c>(
    builder: &PlanBuilder<'_>,
    columns: &'c [RelationColumn],
    used: &[String],
    draw: Draw,
) -> Option<(FilledSlots<'a, 'c>, RatioWords)> {
    let find = |path: &str| {
        columns.iter().find(|column| {
            let count = path.strip_suffix(".count").is_some_and(|table| column.meaning.origin == format!("{table}.*"));
            column.meaning.sum && (column.meaning.origin == path || count)
        })
    };
    let known = |(name, ratio): (&str, &Ratio)| {
        let (top, bottom) = (find(&ratio.top)?, find(&ratio.bottom)?);
        let free = !used.contains(&top.name) || !used.contains(&bottom.name);
        let words = RatioWords { name: name.to_owned(), words: ratio.words.clone() };
        free.then(|| (vec![("top", top), ("bottom", bottom)], words))
    };
    let mut found: Vec<_> = builder.domain.ratios.iter().filter_map(known).collect();
    let place = draw.below(found.len());
    (place < found.len()).then(|| found.swap_remove(place))
}

/// Another table that a pattern joins.
pub(super) struct Partner {
    /// Its neutral name.
    pub table: String,
    /// Pairs of columns that must be equal: one of the relation, one of the table.
    pub matches: Vec<(String, String)>,
    /// Slots and the columns of the table in them.
    pub slots: Vec<(String, String)>,
}

/// Draws a table that fits and that the pattern has not used for the relation.
pub(super) fn partner(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    other: &Other,
    pattern: &Pattern,
    draw: Draw,
) -> Option<Partner> {
    let used = builder.used(pattern, relation);
    let tables = builder.domain.tables.iter().filter(|(name, table)| {
        table.kind == other.kind
            && (!other.acts || table.entity.as_deref().is_some_and(|entity| builder.acts(entity)))
            && relation.table.strip_suffix("_report").unwrap_or(&relation.table) != *name
            && !used.contains(&(*name).to_owned())
            && (table.kind != TableKind::Exclusion || builder.may_exclude(name, relation))
    });
    let mut found: Vec<Partner> = Vec::new();
    // Of rows that are all in the table none is without a partner there.
    let asks_without = pattern.decisions.has("without");
    let is_idle = |matches: &[(String, String)]| {
        let is_matched = |name: &str| relation.column(name).is_some_and(|column| column.meaning.is_matched);
        asks_without && matches.iter().any(|(here, _)| is_matched(here))
    };
    for (name, table) in tables {
        if let Some(matches) = matching(relation, table, other).filter(|matches| !is_idle(matches))
            && let Some(slots) = other_slots(name, table, other, draw.at(name))
        {
            found.push(Partner { table: name.to_owned(), matches, slots });
        }
    }
    let place = draw.below(found.len());
    (place < found.len()).then(|| found.swap_remove(place))
}

/// Returns pairs of columns by which a table is joined to the relation; `None` if they do not fit.
fn matching(relation: &OpenRelation, table: &Table, other: &Other) -> Option<Vec<(String, String)>> {
    if let Some(wanted) = &other.r#use {
        return rate_matching(relation, table, wanted);
    }
    if let Some(plans) = &table.plans
        && !relation.columns.iter().any(|column| column.meaning.sum && column.meaning.origin == *plans)
    {
        return None;
    }
    if table.kind == TableKind::Link {
        return link_matching(relation, table);
    }
    let entity = table.entity.clone().or_else(|| {
        let first = table.columns.iter().find(|(_, column)| column.entity.is_some());
        first.and_then(|(_, column)| column.entity.clone())
    })?;
    let here = relation.columns.iter().find(|column| {
        let listed = table.lists.contains(&column.meaning.origin);
        column.meaning.entity.as_ref() == Some(&entity) || listed
    })?;
    let there = table.columns.iter().find(|(_, column)| column.entity.as_ref() == Some(&entity))?;
    Some(vec![(here.name.clone(), there.0.to_owned())])
}

/// Returns the pairs for a link, one for each of its entities: whether only one of them stands in a link says nothing.
fn link_matching(relation: &OpenRelation, table: &Table) -> Option<Vec<(String, String)>> {
    let references = table.columns.iter().filter(|(_, column)| column.entity.is_some());
    let pair = |(name, column): (&str, &DomainColumn)| {
        let here = relation.columns.iter().find(|here| here.meaning.entity == column.entity)?;
        Some((here.name.clone(), name.to_owned()))
    };
    references.map(pair).collect()
}

fn rate_matching(relation: &OpenRelation, table: &Table, wanted: &str) -> Option<Vec<(String, String)>> {
    match table.r#use.as_ref()? {
        Use::Exchange { .. } => (wanted == "exchange").then(Vec::new),
        Use::Share { of, r#match, .. } if wanted == "share" => matched(relation, of, r#match.iter()),
        Use::Price { of, r#match, .. } if wanted == "price" => matched(relation, of, r#match.iter()),
        _ => None,
    }
}

fn matched<'a>(
    relation: &OpenRelation,
    of: &str,
    pairs: impl Iterator<Item = (&'a str, &'a String)>,
) -> Option<Vec<(String, String)>> {
    relation.columns.iter().find(|column| column.meaning.origin == of)?;
    let table = of.split('.').next()?;
    let pair = |(there, here): (&str, &String)| {
        let origin = format!("{table}.{here}");
        let column = relation.columns.iter().find(|column| column.meaning.origin == origin)?;
        Some((column.name.clone(), there.to_owned()))
    };
    pairs.map(pair).collect()
}

fn other_slots(name: &str, table: &Table, other: &Other, draw: Draw) -> Option<Vec<(String, String)>> {
    let mut filled: Vec<(String, String)> = Vec::new();
    for (slot_name, slot) in other.slots.iter() {
        let candidates: Vec<&str> = table
            .columns
            .iter()
            .filter(|(column_name, column)| {
                fits(slot, &ColumnMeaning::of(name, column_name, column))
                    && (slot.role == [crate::corpus::compose::domain::Role::Month]
                        || !table.key.iter().any(|key| key == column_name))
                    && !filled.iter().any(|(_, used)| used == column_name)
            })
            .map(|(column_name, _)| column_name)
            .collect();
        filled.push((slot_name.to_owned(), (*draw.at(slot_name).pick(&candidates)?).to_owned()));
    }
    Some(filled)
}
