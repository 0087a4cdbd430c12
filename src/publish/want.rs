//! What the user wants: the business rule that the reference implements, in words without SQL.

use std::collections::BTreeMap;

use super::complaint::Intent;
use super::words::{business_words, table_words};
use crate::code::scope::{RelationSource, Target};
use crate::code::tree::Kind;
use crate::fault::{Fault, Symptom};
use crate::inject::Mutant;
use crate::prove::Subject;
use crate::prove::data::reach::Reach;

/// The rule for a mutant: the fault's own words where there are some, else words for its first symptom.
pub fn intent(subject: &Subject<'_>, fault: &Fault, mutant: &Mutant) -> Intent {
    let slots = slots(subject, mutant);
    let has = |name: &str| slots.contains_key(name);
    let template = RULES
        .iter()
        .find(|(id, needs, _)| *id == fault.id && needs.iter().all(|need| has(need)))
        .map(|(_, _, template)| *template)
        .unwrap_or_else(|| by_symptom(fault, has("column"), has("relation")));
    Intent { template: template.to_owned(), slots }
}

/// Rules of single faults: id, the slots they need, the words.
const RULES: &[(&str, &[&str], &str)] = &[
    ("left-join-made-inner", &["relation"], "entries without any {{ relation }} must still be listed"),
    (
        "count-star-made-count-column",
        &["column"],
        "every record counts, also those where {{ column }} is not filled in",
    ),
    ("union-all-made-union", &[], "two entries that happen to look alike are still two entries and both count"),
    ("union-made-union-all", &[], "an entry that comes from both sources counts once"),
    ("row-number-made-rank", &[], "exactly one entry per group is kept, also when two are level"),
    (
        "concat-separator-semicolon",
        &[],
        "the downstream loader splits the list at commas, so it must be separated by commas",
    ),
    ("is-null-made-equals-null", &["column"], "entries where {{ column }} is not filled in are part of the rule"),
    ("on-filter-moved-to-where", &["relation"], "entries without a matching {{ relation }} must stay in the list"),
    ("extra-group-key", &[], "there must be one line per key as agreed, not several"),
    ("coalesce-dropped-in-average", &["column"], "where {{ column }} is not filled in it counts as zero"),
];

fn by_symptom(fault: &Fault, column: bool, relation: bool) -> &'static str {
    match (fault.complaint.first(), column, relation) {
        (Some(Symptom::MissingRows | Symptom::EmptyResult), _, true) => {
            "nothing may drop out because of how it is matched with {{ relation }}"
        }
        (Some(Symptom::MissingRows | Symptom::EmptyResult), true, _) => {
            "the rule about {{ column }} must not lose entries that belong in the report"
        }
        (Some(Symptom::ExtraRows), true, _) => {
            "only entries that meet the agreed rule about {{ column }} belong in the report"
        }
        (Some(Symptom::Duplicates), _, true) => "the match with {{ relation }} must not multiply entries",
        (Some(Symptom::Nulls), true, _) => "where {{ column }} is not filled in, the agreed default applies",
        (Some(Symptom::WrongFormat), _, _) => "the list must come in the format that the downstream loader expects",
        (Some(Symptom::Subtotals), _, _) => "only the agreed levels of totals belong in the report",
        (Some(Symptom::WrongPeriod), true, _) => "only the agreed period counts, judged by {{ column }}",
        (Some(Symptom::WrongPick), true, _) => "the entry that is kept must be the right one by {{ column }}",
        (Some(Symptom::MixedUp), _, _) => "each figure belongs under its own heading",
        (_, true, _) => "the figure must follow the agreed definition of {{ column }}",
        (_, _, true) => "the figures must take {{ relation }} into account as agreed",
        _ => "the figures must follow the definition agreed for this report",
    }
}

/// Business words for the column and the relation that the fault is about.
fn slots(subject: &Subject<'_>, mutant: &Mutant) -> BTreeMap<String, String> {
    let mut slots = BTreeMap::new();
    let reach = Reach::new(&subject.bound, &subject.scopes);
    let tree = subject.bound.tree();
    let schema = &subject.seed.schema;
    let nodes = mutant.nodes().into_iter().filter(|node| node.index() < tree.len());
    for node in nodes.flat_map(|node| tree.descendants(node)) {
        if tree.kind(node) == Kind::Column
            && let Some((place, _)) = reach.trace(node)
            && let Some(table) = schema.table(&reach.readings[place.reading].table)
            && let Some(column) = table.columns.get(place.column)
        {
            slots.entry("column".to_owned()).or_insert_with(|| business_words(schema, &table.name, &column.name));
            slots.entry("relation".to_owned()).or_insert_with(|| table_words(schema, &table.name));
        }
        if let Some(binding) = subject.scopes.binding(node)
            && let Target::Column(relation, _) = &binding.target
            && let RelationSource::Table(name) = &subject.scopes.relation(*relation).source
        {
            slots.entry("relation".to_owned()).or_insert_with(|| table_words(schema, name));
        }
    }
    slots
}
