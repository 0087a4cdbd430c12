//! What the user wants: the business rule that the reference implements, in words without SQL.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::complaint::Intent;
use super::words::{business_words, table_words};
use crate::code::scope::{RelationSource, Scopes, Target};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
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

/// Business words for the column and the relation that the fault is about: what stands at its place, else what the edit
/// brought in, else what the condition or call around it is about.
fn slots(subject: &Subject<'_>, mutant: &Mutant) -> BTreeMap<String, String> {
    let mut slots = Slots { subject, found: BTreeMap::new() };
    let tree = subject.bound.tree();
    let bound = Reach::new(&subject.bound, &subject.scopes);
    let nodes: Vec<NodeId> = mutant.nodes().into_iter().filter(|node| node.index() < tree.len()).collect();
    for node in nodes.iter().flat_map(|node| tree.descendants(*node)) {
        slots.take(&bound, node);
    }
    slots.take_edited(mutant);
    for around in nodes.iter().flat_map(|node| around(&subject.bound, *node)) {
        for node in tree.descendants(around) {
            slots.take(&bound, node);
        }
    }
    slots.found
}

/// The conditions and calls that a node stands in, innermost first.
fn around(script: &Script, node: NodeId) -> Vec<NodeId> {
    let tree = script.tree();
    let ends = |kind| matches!(kind, Kind::Select { .. } | Kind::Query | Kind::And | Kind::Or | Kind::SelectItem);
    tree.ancestors(node).take_while(|ancestor| !ends(tree.kind(*ancestor))).collect()
}

/// Words found so far.
struct Slots<'a> {
    subject: &'a Subject<'a>,
    found: BTreeMap<String, String>,
}

impl Slots<'_> {
    /// Takes the words of a column, unless others were found before.
    fn take(&mut self, reach: &Reach<'_>, node: NodeId) {
        let schema = &self.subject.seed.schema;
        if reach.script.tree().kind(node) == Kind::Column
            && let Some(port) = reach.trace(node).first()
            && let Some(table) = schema.table(&reach.readings[port.place.reading].table)
            && let Some(column) = table.columns.get(port.place.column)
        {
            self.set("column", business_words(schema, &table.name, &column.name));
            self.set("relation", table_words(schema, &table.name));
        }
        if let Some(binding) = reach.scopes.binding(node)
            && let Target::Column(relation, _) = &binding.target
            && let RelationSource::Table(name) = &reach.scopes.relation(*relation).source
        {
            self.set("relation", table_words(schema, name));
        }
    }

    /// Takes the words of columns that stand in the changed text.
    fn take_edited(&mut self, mutant: &Mutant) {
        let original = self.subject.seed.script.text();
        let Ok(text) = mutant.text(original) else { return };
        let changed = mutant.changed(original);
        let script = Script::new(text);
        let scopes = Scopes::resolve(&script, &self.subject.seed.schema);
        let reach = Reach::new(&script, &scopes);
        let tree = script.tree();
        let touched = |node: &NodeId| tree.span(*node).start < changed.end && changed.start < tree.span(*node).end;
        for node in tree.ids().filter(|node| tree.kind(*node) == Kind::Column && touched(node)) {
            self.take(&reach, node);
        }
    }

    fn set(&mut self, slot: &str, words: String) {
        self.found.entry(slot.to_owned()).or_insert(words);
    }
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
