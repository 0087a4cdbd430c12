//! Invariants of every mutant that the taxonomy plants in the references.

use std::collections::{BTreeMap, HashSet};

use sqlfault::code::edit::Edits;
use sqlfault::code::token::{Token, tokenize};
use sqlfault::corpus::{Reference, embedded};
use sqlfault::engine::ContextRef;
use sqlfault::engine::embedded::rejection;
use sqlfault::engine::policy::Policies;
use sqlfault::fault::{Fault, Taxonomy, Track};
use sqlfault::inject::{Mutant, ScriptContext, propose};
use sqlfault::prove::admission::{admit, parts};

/// Calls `look` with every fault's mutants of every reference.
fn for_each_fault(mut look: impl FnMut(&Reference, &Fault, &[Mutant])) {
    let taxonomy = Taxonomy::embedded().unwrap();
    for reference in embedded().into_iter().map(Result::unwrap) {
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let key = reference.key();
        for fault in taxonomy.faults() {
            let Some(operator) = fault.operator() else { continue };
            let proposals = propose(&context, operator);
            let mutants: Vec<Mutant> =
                proposals.iter().map(|proposal| Mutant::new(&reference.id, &key, &fault.id, proposal)).collect();
            look(&reference, fault, &mutants);
        }
    }
}

/// Fails with the first lines of what was found, by fault.
fn assert_none(found: &BTreeMap<String, Vec<String>>) {
    let lines: Vec<String> =
        found.iter().map(|(fault, list)| format!("{fault} ({}): {}", list.len(), list[0])).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn no_edit_holds_a_token_at_its_ends_that_stays_as_it_is() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for_each_fault(|reference, fault, mutants| {
        for edit in mutants.iter().flat_map(|mutant| mutant.edits.as_slice()) {
            let old = edit.span().of(reference.script.text());
            let pieces = |text: &str| -> Vec<String> {
                tokenize(text).into_iter().map(|token| token.span().of(text).to_owned()).collect()
            };
            let (before, after) = (pieces(old), pieces(&edit.text));
            // An edit inside a literal has halves of tokens at its ends.
            let cuts = |token: &Token| token.span().start < edit.start && edit.start < token.span().end;
            let halves = reference.script.tokens().iter().any(cuts) || old.matches(['\'', '"', '`']).count() % 2 == 1;
            let stays = before.first() == after.first() || before.last() == after.last();
            let stays = !before.is_empty() && !halves && stays;
            if stays {
                found.entry(fault.id.clone()).or_default().push(format!("{old:?} -> {:?}", edit.text));
            }
        }
    });
    assert_none(&found);
}

#[test]
fn no_part_of_a_mutants_edits_plants_its_fault() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut several = 0;
    for_each_fault(|reference, fault, mutants| {
        let text = reference.script.text();
        let policies = Policies::default();
        let context = ContextRef { schema: &reference.schema, parameters: &reference.parameters, policies: &policies };
        let planted: HashSet<Edits> = mutants.iter().map(|mutant| mutant.edits.without_blanks(text)).collect();
        for mutant in mutants {
            let edits = mutant.edits.without_blanks(text);
            several += usize::from(edits.as_slice().len() > 1);
            for part in parts(&edits) {
                let is_mutant = planted.contains(&part);
                let does_alone = !mutant.indivisible && {
                    let alone = rejection(&part.apply(text).unwrap(), context);
                    match fault.track {
                        Track::Semantic => alone.is_none(),
                        Track::Syntax => {
                            let whole = rejection(&mutant.text(text).unwrap(), context);
                            alone.is_some_and(|alone| whole.is_some_and(|whole| whole.class == alone.class))
                        }
                    }
                };
                if is_mutant || does_alone {
                    found.entry(fault.id.clone()).or_default().push(format!("{:?} of {:?}", part, mutant.edits));
                }
            }
        }
    });
    assert!(several > 500, "{several}");
    assert_none(&found);
}

#[test]
fn nothing_outside_the_edits_moves() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut seen = 0;
    for_each_fault(|reference, fault, mutants| {
        let original = reference.script.text();
        for mutant in mutants {
            seen += 1;
            let text = mutant.text(original).unwrap();
            let mut shift = 0isize;
            let mut at = 0;
            for edit in mutant.edits.as_slice() {
                let kept = &original[at..edit.start];
                let start = at.saturating_add_signed(shift);
                assert_eq!(text.get(start..start + kept.len()), Some(kept), "{} {}", reference.id, fault.id);
                at = edit.end;
                shift += edit.text.len() as isize - (edit.end - edit.start) as isize;
            }
            assert_eq!(
                text.get(at.saturating_add_signed(shift)..),
                Some(&original[at..]),
                "{} {}",
                reference.id,
                fault.id
            );
        }
        // Reading a whole script again costs milliseconds: one mutant of each fault and script is enough.
        for mutant in mutants.iter().step_by(mutants.len().max(1)) {
            if let Err(refusal) = admit(&reference.script, mutant) {
                found.entry(fault.id.clone()).or_default().push(format!("{refusal}: {:?}", mutant.edits));
            }
        }
    });
    assert!(seen > 5_000, "{seen}");
    assert_none(&found);
}
