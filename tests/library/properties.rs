//! Invariants of the program as properties, over the references and over random texts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::generated_sql;
use proptest::prelude::*;
use sqlfault::code::edit::{Edit, Edits};
use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::code::span::Span;
use sqlfault::corpus::{self, Reference};
use sqlfault::engine::compare::{Comparison, DifferenceKind, compare};
use sqlfault::engine::spark_rules::{RejectionStage, judge};
use sqlfault::engine::table::{ResultColumn, ResultTable, Row, ScriptResult, Value};
use sqlfault::fault::{Expectation, Fault, Taxonomy};
use sqlfault::inject::{Proposal, ScriptContext, propose};
use sqlfault::pipeline::{CandidateDraw, Funnel, candidates, is_expected};

static HAND_WRITTEN: LazyLock<Vec<Reference>> = LazyLock::new(|| {
    corpus::embedded()
        .into_iter()
        .map(|reference| reference.unwrap_or_else(|error| panic!("a reference of ours: {error}")))
        .collect()
});
static TAXONOMY: LazyLock<Taxonomy> = LazyLock::new(|| Taxonomy::embedded().expect("the taxonomy of ours"));

fn proposals(reference: &Reference, fault: &Fault) -> Vec<Proposal> {
    let Some(operator) = fault.operator() else { return Vec::new() };
    let scopes = reference.scopes();
    propose(&ScriptContext::new(&reference.script, &scopes, &reference.schema), operator)
}

/// A reference, and one way to plant one fault in it.
#[derive(Clone)]
struct Planted {
    reference: &'static Reference,
    fault: &'static Fault,
    edits: Edits,
}

impl Planted {
    fn text(&self) -> String {
        self.edits.apply(self.reference.script.text()).expect("the edits are of this text")
    }
}

impl std::fmt::Debug for Planted {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} in {}: {:?}", self.fault.id, self.reference.id, self.edits)
    }
}

fn planted() -> impl Strategy<Value = Planted> {
    let any_place = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    any_place.prop_filter_map("the fault has no place in the script", |(reference, fault, site)| {
        let reference = reference.get(&HAND_WRITTEN);
        let fault = fault.get(TAXONOMY.faults());
        let found = proposals(reference, fault);
        (!found.is_empty()).then(|| Planted { reference, fault, edits: site.get(&found).edits.clone() })
    })
}

/// No file of failures: what fails once becomes a test with a name.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Edits of a text that can be applied together.
fn edits_of(text: &str, raw: &[(prop::sample::Index, usize, String)]) -> Edits {
    let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut chosen: Vec<Edit> = Vec::new();
    for (at, length, new) in raw {
        let first = at.index(bounds.len());
        let last = (first + length).min(bounds.len() - 1);
        chosen.push(Edit::replacement(Span::new(bounds[first], bounds[last]), new.as_str()));
        if Edits::new(chosen.clone()).is_err() {
            chosen.pop();
        }
    }
    Edits::new(chosen).expect("each was admitted")
}

/// Whether everything outside the edits is where it was, moved only by what the edits before it added or took.
fn nothing_else_moved(text: &str, edits: &Edits, changed: &str) -> bool {
    let (mut before, mut after) = (0, 0);
    for edit in edits.as_slice() {
        let kept = edit.start - before;
        if changed.as_bytes()[after..after + kept] != text.as_bytes()[before..edit.start] {
            return false;
        }
        before = edit.end;
        after += kept + edit.text.len();
    }
    changed.as_bytes()[after..] == text.as_bytes()[before..]
}

fn joined(text: &str) -> String {
    let script = Script::new(text);
    script.all_tokens().iter().map(|token| token.span().of(text)).collect()
}

#[test]
fn the_tokens_of_every_reference_rejoin_to_the_file() {
    for reference in &*HAND_WRITTEN {
        assert_eq!(joined(reference.script.text()), reference.script.text(), "{}", reference.id);
        assert_eq!(joined(&reference.schema_text), reference.schema_text, "{}", reference.id);
    }
}

#[test]
fn every_fault_with_an_operator_is_met_by_these_laws() {
    let met = TAXONOMY.faults().iter().filter(|fault| fault.operator().is_some()).count();
    assert!(met >= 50, "only {met} faults can be planted");
}

/// One place of every fault in every reference: a fault that breaks the grammar may now and then hit a place where
/// what is left is correct SQL; its trial then says so, but the operators must not waste trials on many of them.
#[test]
fn hardly_a_mutant_that_should_not_parse_parses() {
    let mut planted = 0;
    let mut parsed = Vec::new();
    for reference in &*HAND_WRITTEN {
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        for fault in TAXONOMY.faults().iter().filter(|fault| fault.expect == Expectation::RejectedAtParse) {
            let found = fault.operator().map(|operator| propose(&context, operator)).unwrap_or_default();
            let Some(proposal) = found.get(found.len() / 2) else { continue };
            planted += 1;
            if Script::new(proposal.edits.apply(reference.script.text()).unwrap()).is_valid() {
                parsed.push(format!("{} in {}", fault.id, reference.id));
            }
        }
    }
    assert!(planted > 500, "only {planted} mutants");
    assert!(parsed.len() * 100 <= planted, "{} of {planted} parse: {parsed:#?}", parsed.len());
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn tokens_rejoin_to_the_file(text in prop_oneof![generated_sql::script(), generated_sql::broken()]) {
        prop_assert_eq!(joined(&text), text);
    }

    #[test]
    fn a_generated_script_parses_and_its_nodes_lie_inside_their_parents(text in generated_sql::script()) {
        let script = Script::new(text);
        prop_assert!(script.is_valid(), "{:?} in {}", script.errors(), script.text());
        let tree = script.tree();
        for node in tree.ids() {
            for child in tree.children(node) {
                let (outer, inner) = (tree.span(node), tree.span(*child));
                prop_assert!(outer.start <= inner.start && inner.end <= outer.end);
            }
        }
    }

    #[test]
    fn apply_then_undo_is_the_identity_on_any_text(
        text in prop_oneof![generated_sql::script(), generated_sql::broken()],
        raw in prop::collection::vec((any::<prop::sample::Index>(), 0usize..9, "[a-zé ]{0,5}"), 0..6),
    ) {
        let edits = edits_of(&text, &raw);
        let changed = edits.apply(&text).unwrap();
        prop_assert!(nothing_else_moved(&text, &edits, &changed));
        prop_assert_eq!(edits.inverse(&text).apply(&changed).unwrap(), text);
    }

    #[test]
    fn planting_and_undoing_is_the_identity_and_nothing_outside_an_edit_moves(Planted { reference, edits, .. } in planted()) {
        let text = reference.script.text();
        let changed = edits.apply(text).unwrap();
        prop_assert_ne!(&changed, text);
        prop_assert!(nothing_else_moved(text, &edits, &changed));
        prop_assert_eq!(edits.inverse(text).apply(&changed).unwrap(), text);
    }

    #[test]
    fn a_mutant_parses_again_unless_its_fault_says_that_it_does_not(planted in planted()) {
        let script = Script::new(planted.text());
        prop_assert!(script.is_valid() || planted.fault.expect == Expectation::RejectedAtParse);
    }

    #[test]
    fn a_rejected_mutant_has_a_place_and_the_stage_that_its_fault_says(planted in planted()) {
        let Planted { reference, fault, .. } = &planted;
        let text = planted.text();
        let script = Script::new(text.as_str());
        let rejection = judge(&script, &Scopes::resolve(&script, &reference.schema), &reference.schema);
        if let Some(rejection) = rejection.filter(|rejection| is_expected(fault, rejection)) {
            prop_assert_eq!(rejection.stage == RejectionStage::Parse, !script.is_valid());
            prop_assert!(rejection.span.end <= text.len());
            prop_assert_eq!(rejection.place, script.place(rejection.span.start));
        }
    }

    #[test]
    fn comparison_is_symmetric_and_agrees_with_a_naive_one((left, right) in two_results()) {
        let forth = compare(&left, &right);
        let back = compare(&right, &left);
        prop_assert_eq!(seen(&forth), turned(seen(&back)));
        prop_assert_eq!(seen(&forth), naive(&left.tables[0], &right.tables[0]));
        prop_assert!(compare(&left, &left).is_equal());
    }
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn the_set_of_mutants_does_not_depend_on_the_order_of_faults_or_scripts(
        order in Just((0..file_count()).collect::<Vec<usize>>()).prop_shuffle(),
        first in any::<prop::sample::Index>(),
        second in any::<prop::sample::Index>(),
    ) {
        let references = [first.get(&HAND_WRITTEN), second.get(&HAND_WRITTEN)];
        let shuffled = renamed(&order);
        let wanted = candidates(&CandidateDraw { seed: 7, jobs: 1, taxonomy: &TAXONOMY }, &references, &mut Funnel::default());
        let turned: Vec<&Reference> = references.iter().rev().copied().collect();
        prop_assert_eq!(&candidates(&CandidateDraw { seed: 7, jobs: 3, taxonomy: &shuffled }, &turned, &mut Funnel::default()), &wanted);
        let ids: BTreeSet<&String> = wanted.values().flatten().map(|mutant| &mutant.id).collect();
        prop_assert!(first.get(&HAND_WRITTEN).id == second.get(&HAND_WRITTEN).id || ids.len() == wanted.values().map(Vec::len).sum::<usize>());
    }
}

fn taxonomy_files() -> BTreeMap<String, String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("taxonomy");
    let mut files = BTreeMap::new();
    for folder in std::fs::read_dir(&root).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            let name = file.path().strip_prefix(&root).unwrap().display().to_string();
            files.insert(name, std::fs::read_to_string(file.path()).unwrap());
        }
    }
    files
}

fn file_count() -> usize {
    taxonomy_files().len()
}

/// The same taxonomy with its files in another order.
fn renamed(order: &[usize]) -> Taxonomy {
    let files = taxonomy_files().into_values().zip(order);
    let files = files.map(|(content, place)| (format!("{place:03}/x.yaml"), content)).collect();
    Taxonomy::of_files(&files).unwrap()
}

// ---- a naive comparator, as the oracle -------------------------------------------------------------------------

/// The verdict of a comparison, without its examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Equal,
    OtherOrder(usize),
    Columns(usize, usize),
    Rows { only_left: usize, only_right: usize },
    Other,
}

fn seen(comparison: &Comparison) -> Seen {
    match comparison {
        Comparison::Equal => Seen::Equal,
        Comparison::OrderOnly { first_row, .. } => Seen::OtherOrder(*first_row),
        Comparison::Different(difference) => match &difference.kind {
            DifferenceKind::ColumnCount { reference, other } => Seen::Columns(*reference, *other),
            DifferenceKind::Rows(rows) => {
                Seen::Rows { only_left: rows.only_in_reference_count, only_right: rows.only_in_other_count }
            }
            _ => Seen::Other,
        },
    }
}

fn turned(seen: Seen) -> Seen {
    match seen {
        Seen::Columns(left, right) => Seen::Columns(right, left),
        Seen::Rows { only_left, only_right } => Seen::Rows { only_left: only_right, only_right: only_left },
        same => same,
    }
}

fn same_cell(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Integer(whole), Value::Real(number)) | (Value::Real(number), Value::Integer(whole)) => {
            *whole as f64 == *number
        }
        _ => left == right,
    }
}

fn same_row(left: &Row, right: &Row) -> bool {
    left.iter().zip(right).all(|(left, right)| same_cell(left, right))
}

/// Takes each row of one side out of the other, one by one.
fn naive(left: &ResultTable, right: &ResultTable) -> Seen {
    if left.columns.len() != right.columns.len() {
        return Seen::Columns(left.columns.len(), right.columns.len());
    }
    let mut rest: Vec<&Row> = right.rows.iter().collect();
    let mut only_left = 0;
    for row in &left.rows {
        match rest.iter().position(|other| same_row(row, other)) {
            Some(at) => drop(rest.remove(at)),
            None => only_left += 1,
        }
    }
    if only_left + rest.len() > 0 {
        return Seen::Rows { only_left, only_right: rest.len() };
    }
    match left.rows.iter().zip(&right.rows).position(|(left, right)| !same_row(left, right)) {
        Some(row) if left.ordered || right.ordered => Seen::OtherOrder(row),
        _ => Seen::Equal,
    }
}

/// Cells with many chances to be equal: across types, as NULL, as text that looks like a number.
fn cell() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (-2i64..3).prop_map(Value::Integer),
        (-4i32..5).prop_map(|half| Value::Real(f64::from(half) / 2.0)),
        "[a1]{0,2}".prop_map(Value::Text),
    ]
}

fn result(columns: usize, rows: Vec<Vec<Value>>, ordered: bool) -> ScriptResult {
    let rows = rows.into_iter().map(Row::from).collect();
    let column = |at| ResultColumn::new(format!("c{at}"), sqlfault::code::types::Type::Unknown);
    let columns = (0..columns).map(column).collect();
    ScriptResult { tables: vec![ResultTable { target: String::new(), columns, rows, ordered, sorted_by: Vec::new() }] }
}

/// Two results: the second has the rows of the first in another order, with some changed, or a column more.
fn two_results() -> impl Strategy<Value = (ScriptResult, ScriptResult)> {
    (1usize..4, any::<bool>(), any::<bool>()).prop_flat_map(|(width, left_ordered, right_ordered)| {
        let row = prop::collection::vec(cell(), width).boxed();
        let rows = prop::collection::vec(row.clone(), 0..12);
        rows.prop_flat_map(move |rows| {
            let other = prop_oneof![
                Just(rows.clone()),
                Just(rows.clone()).prop_shuffle(),
                prop::collection::vec(row.clone(), 0..12),
                (Just(rows.clone()), row.clone()).prop_map(|(mut rows, extra)| {
                    rows.push(extra);
                    rows
                }),
            ];
            let wider = prop_oneof![9 => Just(false), 1 => Just(true)];
            (Just(rows), other, wider).prop_map(move |(rows, mut other, wider)| {
                other.iter_mut().filter(|_| wider).for_each(|row| row.push(Value::Null));
                (result(width, rows, left_ordered), result(width + usize::from(wider), other, right_ordered))
            })
        })
    })
}
