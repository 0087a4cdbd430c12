use super::*;
use crate::fault::{Taxonomy, Track};

#[test]
fn every_rule_belongs_to_a_semantic_fault_and_uses_known_slots() {
    let taxonomy = Taxonomy::embedded().unwrap();
    for (key, rules) in RULES.iter() {
        let id = key.split('/').next().unwrap();
        assert!(taxonomy.fault(id).is_some_and(|fault| fault.track == Track::Semantic), "{key}");
        assert!(!rules.is_empty(), "{key} has no wording");
        for rule in rules.iter() {
            assert!(needs(rule).iter().all(|slot| SLOTS.contains(slot)), "{rule}");
            assert!(!rule.ends_with('.') && !rule.contains('`'), "{rule}");
        }
    }
}

#[test]
fn every_semantic_fault_has_a_rule_of_its_own() {
    let taxonomy = Taxonomy::embedded().unwrap();
    let semantic = taxonomy.by_id().filter(|(_, fault)| fault.track == Track::Semantic);
    let without: Vec<&str> = semantic
        .filter(|(_, fault)| fault.wish.is_empty())
        .map(|(_, fault)| fault.id.as_str())
        .filter(|id| !RULES.keys().any(|key| key.split('/').next() == Some(id)))
        .collect();
    assert!(without.is_empty(), "no rule for {without:?}");
}

#[test]
fn a_wording_is_filled_or_not_used() {
    let known = BTreeMap::from([("column".to_owned(), "amount".to_owned())]);
    assert_eq!(rendered("take {{ column }} once", &known).as_deref(), Some("take amount once"));
    assert_eq!(rendered("take {{ column }}, not {{ other }}", &known), None);
    assert!(says_twice("the amount amount counts") && !says_twice("the amount counts"));
}
