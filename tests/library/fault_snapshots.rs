//! Every fault planted once in a long reference: what changes, one snapshot file per group of the taxonomy.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sqlfault::corpus::{Reference, embedded};
use sqlfault::fault::Taxonomy;
use sqlfault::inject::{ScriptContext, propose};
use sqlfault::{Mutant, plant};

/// The changed lines around a mutant's edits.
fn changed_lines(reference: &Reference, mutant: &Mutant) -> String {
    let text = mutant.text(reference.script.text()).unwrap();
    let difference = similar::TextDiff::from_lines(reference.script.text(), text.as_str());
    let changes = difference.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal);
    changes.map(|change| format!("{} {}", change.tag(), change.value().trim_end())).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_fault_changes_a_long_script_as_its_snapshot_says() {
    let taxonomy = Taxonomy::embedded().unwrap();
    let mut references: Vec<Reference> = embedded().into_iter().map(Result::unwrap).collect();
    references.sort_by(|a, b| b.script.text().len().cmp(&a.script.text().len()).then(a.id.cmp(&b.id)));
    let mut planted: BTreeMap<&str, String> = BTreeMap::new();
    for reference in &references {
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        for fault in taxonomy.faults() {
            let Some(operator) = fault.written_operator().filter(|_| !planted.contains_key(fault.id.as_str())) else {
                continue;
            };
            if let Some(site) = propose(&context, operator).first() {
                let lines = changed_lines(reference, &plant(&reference.script, fault, site));
                planted.insert(&fault.id, format!("{}\n{lines}", reference.id));
            }
        }
    }
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for fault in taxonomy.faults().iter().filter(|fault| fault.written_operator().is_some()) {
        let shown = planted.get(fault.id.as_str()).map_or("no site in the hand-written references", String::as_str);
        let name = fault.origin.file.trim_end_matches(".yaml").replace('/', "__");
        let _ = writeln!(files.entry(name).or_default(), "## {}\n{shown}\n", fault.id);
    }
    for (name, content) in files {
        insta::assert_snapshot!(name, content);
    }
}
