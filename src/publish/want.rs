//! What the user wants: the business rule that the reference implements, in words without SQL.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::complaint::Intent;
use super::words::{business_words, table_words};
use crate::code::scope::{RelationSource, Target};
use crate::code::tree::Kind;
use crate::fault::{Clause, Fault, Symptom};
use crate::inject::Mutant;
use crate::prove::Subject;
use crate::prove::data::reach::Reach;

/// The rule for a mutant: the fault's own words where there are some, else words for its first symptom.
pub fn intent(subject: &Subject<'_>, fault: &Fault, mutant: &Mutant) -> Intent {
    let slots = slots(subject, mutant);
    let rule = RULES.get(&fault.id).map(String::as_str).filter(|template| is_filled(template, &slots));
    let relation = slots.contains_key("relation") && matches!(fault.clause, Clause::Join | Clause::On | Clause::From);
    let template = rule.unwrap_or_else(|| by_symptom(fault, slots.contains_key("column"), relation));
    Intent { template: template.to_owned(), slots }
}

/// Rules of single faults, by id.
static RULES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    // The file is part of the binary and a test reads it: it cannot fail at a user's.
    serde_saphyr::from_str(include_str!("../../templates/complaint/rules.yaml")).unwrap_or_default()
});

/// Whether every slot that a rule names is known.
fn is_filled(template: &str, slots: &BTreeMap<String, String>) -> bool {
    ["column", "relation"]
        .iter()
        .all(|slot| !template.contains(&format!("{{{{ {slot} }}}}")) || slots.contains_key(*slot))
}

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
            && let Some(port) = reach.trace(node).first()
            && let Some(table) = schema.table(&reach.readings[port.place.reading].table)
            && let Some(column) = table.columns.get(port.place.column)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::{Taxonomy, Track};

    #[test]
    fn every_rule_belongs_to_a_semantic_fault() {
        let taxonomy = Taxonomy::embedded().unwrap();
        assert!(RULES.len() > 60, "{} rules are read", RULES.len());
        for id in RULES.keys() {
            let fault = taxonomy.fault(id);
            assert!(fault.is_some_and(|fault| fault.track == Track::Semantic), "{id}");
        }
    }
}
