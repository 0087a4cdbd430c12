//! Composed scripts: the same for the same seed, accepted by the engine, and each decision has another legal form.
#![expect(clippy::print_stdout, reason = "the shares are the report of these tests")]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use sqlfault::Script;
use sqlfault::code::edit::{Edit, Edits};
use sqlfault::code::scope::Scopes;
use sqlfault::corpus::compose::{Composed, Composer, ComposerOptions};
use sqlfault::corpus::dictionary::ColumnValues;
use sqlfault::engine::table::Value;
use sqlfault::prove::sample::{SampleSource, SampledMutant};
use sqlfault::prove::trial::{Candidate, try_semantic};
use sqlfault::prove::{Subject, Verdict};
use sqlfault::{Taxonomy, plant, sites};

static COMPOSER: LazyLock<Composer> = LazyLock::new(|| Composer::embedded().expect("models, patterns and styles read"));

fn composed(seed: u64, number: u64) -> Composed {
    let composed = COMPOSER.compose(seed, number, &ComposerOptions::default());
    composed.unwrap_or_else(|error| panic!("{seed} {number}: {error}"))
}

#[test]
fn a_script_depends_on_seed_and_number_alone() {
    for number in [0, 5, 11] {
        let (one, other) = (composed(3, number), composed(3, number));
        assert_eq!(one.reference.script.text(), other.reference.script.text());
        assert_eq!(one.reference.schema_text, other.reference.schema_text);
        assert_eq!(one.decisions, other.decisions);
        assert_ne!(one.reference.script.text(), composed(4, number).reference.script.text());
    }
}

#[test]
fn every_script_resolves_and_every_decision_turns_into_another_script_that_resolves() {
    let mut forms: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for number in 0..60 {
        let composed = composed(21, number);
        let reference = &composed.reference;
        let text = reference.script.text();
        let problems = |script: &Script| Scopes::resolve(script, &reference.schema).problems().to_vec();
        assert!(problems(&reference.script).is_empty(), "{}: {:?}\n{text}", reference.id, problems(&reference.script));
        assert!(composed.decisions.len() >= 3, "{} has {} decisions", reference.id, composed.decisions.len());
        for decision in &composed.decisions {
            let kind = decision.kind.split('.').next().unwrap_or_default().to_owned();
            forms.entry(kind).or_default()[decision.form] += 1;
            assert_ne!(decision.sentence, decision.other_sentence, "{}", decision.kind);
            assert!(decision.ranges.iter().all(|range| range.end <= text.len()), "{}", decision.kind);
            let edits = decision.turned.iter().map(|(span, text)| Edit::replacement(*span, text.clone()));
            let edits = Edits::new(edits.collect()).expect("the edits do not overlap");
            let turned = Script::new(edits.apply(text).expect("the edits fit"));
            let message = format!("{} {}: {:?}", reference.id, decision.kind, decision.turned);
            assert!(turned.is_valid() && problems(&turned).is_empty(), "{message}\n{}", turned.text());
        }
    }
    for (kind, [one, other]) in &forms {
        println!("{kind}: {one} / {other}");
        let all = one + other;
        assert!(all < 60 || (*one.min(other)) * 10 >= all * 3, "{kind} is one-sided: {one} / {other}");
    }
}

#[test]
fn most_scripts_pass_their_baseline_which_reaches_their_blocks_and_branches() {
    const SCRIPTS: u64 = 24;
    let (mut passed, mut blocks, mut unreached, mut branches, mut untaken) = (0, 0, 0, 0, 0);
    for number in 0..SCRIPTS {
        let composed = composed(5, number);
        match Subject::new(&composed.reference) {
            Ok(subject) => {
                let coverage = subject.coverage();
                passed += 1;
                blocks += coverage.blocks;
                unreached += coverage.unreached.len();
                branches += coverage.branches;
                untaken += coverage.untaken.len();
                coverage
                    .untaken
                    .iter()
                    .for_each(|branch| println!("{}: {}", composed.reference.id, told(&composed, branch)));
            }
            Err(refusal) => println!("{}: {refusal}", composed.reference.id),
        }
    }
    println!(
        "{passed} of {SCRIPTS} pass; blocks {unreached} of {blocks} not reached; branches {untaken} of {branches} not taken"
    );
    assert!(passed * 10 >= SCRIPTS * 8, "{passed} of {SCRIPTS} pass");
    assert!(unreached * 50 <= blocks && untaken * 100 <= branches * 7, "{unreached}/{blocks} {untaken}/{branches}");
}

/// A branch (`40 WHEN 2`) with the text of its line.
fn told(composed: &Composed, branch: &str) -> String {
    let line = branch.split(' ').next().and_then(|line| line.parse::<usize>().ok()).unwrap_or(1);
    let text = composed.reference.script.text().lines().nth(line - 1).unwrap_or_default();
    format!("{branch}: {}", text.trim())
}

#[test]
fn the_dictionary_knows_every_column_that_a_script_may_read() {
    for number in 0..30 {
        let reference = composed(8, number).reference;
        let dictionary = &reference.dictionary;
        assert!(!dictionary.tables.is_empty() && !dictionary.outputs.is_empty(), "{}", reference.id);
        for table in reference.schema.tables.iter().filter(|table| dictionary.tables.contains_key(&table.name)) {
            for column in table.columns.iter().filter(|column| !column.partition) {
                let entry = dictionary.column(&table.name, &column.name);
                assert!(entry.is_some_and(|entry| !entry.words.is_empty()), "{}.{}", table.name, column.name);
            }
        }
    }
}

/// Mutants of composed scripts show on databases that look like those of the business.
#[test]
fn a_killed_mutant_shows_on_a_sample_with_the_values_of_the_business() {
    let taxonomy = Taxonomy::embedded().expect("the taxonomy reads");
    let fault = taxonomy.fault("left-join-made-inner").expect("the fault is in the taxonomy");
    let (mut killed, mut shown, mut small, mut usual, mut texts) = (0, 0, 0, 0, 0);
    for number in 0..24 {
        let reference = composed(5, number).reference;
        let Ok(subject) = Subject::new(&reference) else { continue };
        for site in sites(&reference.script, &reference.schema, fault).iter().take(1) {
            let mutant = plant(&reference.script, fault, site);
            let text = mutant.text(reference.script.text()).expect("the edits fit");
            let changed = mutant.changed(reference.script.text());
            let candidate = Candidate { text: &text, changed, about: &mutant.nodes() };
            let Verdict::Killed { witness, .. } = try_semantic(&subject, &candidate) else { continue };
            killed += 1;
            let mutant = SampledMutant { whole: candidate, parts: Vec::new(), witnesses: vec![&witness], others: &[] };
            let Some(sample) = SampleSource::new(&subject).sample(&mutant) else {
                println!("{}: no sample", reference.id);
                continue;
            };
            shown += 1;
            // Where a mutant shows on nothing larger, the sample is its witness.
            small += usize::from(sample.row_count() < 10);
            assert!(sample.row_count() <= 700, "{}: {} rows", reference.id, sample.row_count());
            assert!(subject.baseline.iter().all(|baseline| baseline.database != sample));
            for table in &sample.tables {
                let definition = reference.schema.table(&table.table).expect("a table of the schema");
                for (at, column) in definition.columns.iter().enumerate() {
                    let entry = reference.dictionary.column(&table.table, &column.name);
                    let Some(ColumnValues::Texts(known)) = entry.map(|entry| &entry.values) else { continue };
                    for value in table.rows.iter().filter_map(|row| row.get(at)) {
                        let Value::Text(value) = value else { continue };
                        texts += 1;
                        usual += usize::from(known.iter().any(|(text, _)| text == value));
                    }
                }
            }
        }
    }
    println!("{shown} of {killed} shown, {small} on the witness; {usual} of {texts} codes are the business's");
    // A task without a sample says so; most have one.
    assert!(killed >= 6 && shown * 5 >= killed * 4, "{shown} of {killed}");
    assert!(small * 10 <= shown, "{small} of {shown}");
    assert!(usual * 10 >= texts * 9, "{usual} of {texts}");
}

#[test]
fn scripts_answer_questions_of_many_kinds_and_carry_decisions_through_several_places() {
    let mut analyses: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut carried, mut steps) = (0, 0);
    for number in 0..80 {
        let composed = composed(33, number);
        composed.analyses.iter().for_each(|name| *analyses.entry(name).or_default() += 1);
        let several = |decision: &&sqlfault::corpus::compose::Decision| decision.ranges.len() > 2;
        carried += usize::from(composed.decisions.iter().any(|decision| several(&decision)));
        let missing = composed.decisions.iter().any(|decision| decision.turned.iter().any(|(_, text)| text.is_empty()));
        steps += usize::from(missing);
    }
    println!(
        "{analyses:?}; {carried} of 80 carry a decision through three places or more; in {steps} a step can be missing"
    );
    assert!(analyses.len() >= 10, "{analyses:?}");
    assert!(carried >= 24 && steps >= 24, "{carried} {steps}");
}
