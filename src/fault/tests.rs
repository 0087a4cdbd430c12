//! Laws of the embedded taxonomy.

use std::collections::BTreeMap;

use super::*;
use crate::engine::policy::Policy;

fn embedded() -> Taxonomy {
    Taxonomy::embedded().unwrap()
}

/// The rows of the paper's tables 3 and 4: track and leaf.
fn paper_rows() -> Vec<(Track, Leaf)> {
    let table = include_str!("../../taxonomy/leaves.tsv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let track = if cells[1] == "syntax" { Track::Syntax } else { Track::Semantic };
        let [level1, level2, level3] = [cells[2], cells[3], cells[4]].map(str::to_owned);
        (track, Leaf { level1, level2, level3, count: cells[5].parse().unwrap() })
    };
    table.lines().skip(1).map(row).filter(|(_, leaf)| leaf.count > 0).collect()
}

/// Rows of the paper that no bug has: grouping by a column that depends on the key changes no result, and a condition of an
/// inner join means the same in WHERE. The faults nearest to them take their share.
const SHOWN_BY_NO_BUG: [&str; 2] = [
    "Grouping by a functionally dependent column unnecessarily",
    "JOIN condition placed in WHERE clause (accidental CROSS JOIN)",
];

/// Whether a fault has a leaf as its own, or takes the share of one that no bug has.
fn stands_for(fault: &Fault, leaf: &Leaf) -> bool {
    let takes_share = SHOWN_BY_NO_BUG.contains(&leaf.level3.as_str()) && fault.counts_for.as_ref() == Some(leaf);
    fault.leaves.contains(leaf) || takes_share
}

#[test]
fn every_row_of_the_paper_has_a_fault_or_a_reason() {
    let taxonomy = embedded();
    let rows = paper_rows();
    assert_eq!(rows.len(), 100);
    let sum = |wanted| rows.iter().filter(|(track, _)| *track == wanted).map(|(_, leaf)| leaf.count).sum::<u32>();
    assert_eq!((sum(Track::Syntax), sum(Track::Semantic)), (699, 515));
    let covered = |(track, leaf): &(Track, Leaf)| {
        taxonomy.faults().iter().any(|fault| fault.track == *track && stands_for(fault, leaf))
    };
    let missing: Vec<_> = rows.iter().filter(|row| !covered(row)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_leaf_of_the_table_has_a_fault() {
    let taxonomy = embedded();
    for line in include_str!("../../taxonomy/leaves.tsv").lines().skip(1) {
        let level3 = line.split('\t').nth(4).unwrap();
        let is_of = |fault: &Fault| fault.leaves.iter().any(|leaf| leaf.level3 == level3);
        assert!(SHOWN_BY_NO_BUG.contains(&level3) || taxonomy.faults().iter().any(is_of), "{line}");
    }
}

#[test]
fn an_entry_stands_in_the_file_of_its_first_leaf() {
    let slug = |name: &str| {
        let lower = name.to_lowercase().replace('&', "and");
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
    };
    for fault in embedded().faults() {
        let leaf = &fault.leaves[0];
        assert_eq!(fault.origin.file, format!("{}/{}.yaml", slug(&leaf.level1), slug(&leaf.level2)), "{}", fault.id);
    }
}

#[test]
fn a_fault_of_a_policy_is_planted_only_where_the_policy_is_switched_on() {
    let policed = |taxonomy: &Taxonomy| -> Vec<String> {
        let faults = taxonomy.faults().iter().filter(|fault| fault.policy().is_some() && fault.operator().is_some());
        faults.map(|fault| fault.id.clone()).collect()
    };
    assert!(policed(&embedded()).is_empty());
    for policy in Policy::ALL {
        let taxonomy = embedded().under(&std::iter::once(policy).collect());
        let ids = policed(&taxonomy);
        assert_eq!(ids.len(), 1, "{}", policy.name());
        let id = &ids[0];
        let at = taxonomy.faults().iter().position(|fault| fault.id == *id).unwrap();
        assert_eq!(taxonomy.faults()[at].policy(), Some(policy));
        assert!(taxonomy.prevalence()[at] > 0.0, "{id}");
    }
}

#[test]
fn every_row_of_the_paper_can_be_planted_on_some_platform() {
    let taxonomy = embedded();
    let plantable = |fault: &&Fault| fault.written_operator().is_some();
    for (track, leaf) in paper_rows() {
        let mut planted = taxonomy.faults().iter().filter(plantable);
        assert!(planted.any(|fault| fault.track == track && stands_for(fault, &leaf)), "{leaf:?}");
    }
}

#[test]
fn most_faults_are_data() {
    let taxonomy = embedded();
    let planted = || taxonomy.faults().iter().filter(|fault| fault.operator().is_some());
    let functions = planted().filter(|fault| matches!(fault.operator(), Some(Operator::Function(_)))).count();
    assert!(functions * 2 < planted().count());
}

#[test]
fn prevalence_shares_out_every_row_that_can_be_planted() {
    let taxonomy = embedded();
    for track in [Track::Syntax, Track::Semantic] {
        let planted = |leaf: &Leaf| {
            let mut faults =
                taxonomy.faults().iter().filter(|fault| fault.track == track && fault.operator().is_some());
            faults.any(|fault| fault.counted_leaves().contains(leaf))
        };
        let rows = paper_rows().into_iter().filter(|(row_track, leaf)| *row_track == track && planted(leaf));
        let wanted: u32 = rows.map(|(_, leaf)| leaf.count).sum();
        let shares = taxonomy.faults().iter().zip(taxonomy.prevalence());
        let sum: f64 = shares.filter(|(fault, _)| fault.track == track).map(|(_, share)| share).sum();
        assert!((sum - f64::from(wanted)).abs() < 1e-6, "{track:?}: {sum} of {wanted}");
        assert!(sum > 500.0);
    }
}

#[test]
fn a_decision_takes_a_share_of_the_papers_mix_under_a_label_of_its_own() {
    let taxonomy = embedded();
    let turned = taxonomy.fault("decision-turned-population").unwrap();
    assert_eq!((turned.leaves[0].count, turned.counted_leaves()[0].count), (0, 14));
    let share = taxonomy.faults().iter().zip(taxonomy.prevalence()).find(|(fault, _)| fault.id == turned.id);
    assert!(share.is_some_and(|(_, share)| share > 0.0));
}

#[test]
fn bugs_that_passed_review_name_their_family_and_why_they_passed() {
    let taxonomy = embedded();
    for fault in taxonomy.faults() {
        let words = fault.why_missed.split_whitespace().count();
        assert!(words >= if fault.is_shipped() { 3 } else { 1 }, "{}: {:?}", fault.id, fault.why_missed);
        assert!(!fault.is_shipped() || fault.family.is_some(), "{} has no family", fault.id);
    }
    let ours = taxonomy.faults().iter().filter(|fault| {
        fault.family.is_some() && fault.operator().is_some() && fault.leaves.iter().all(|leaf| leaf.count == 0)
    });
    assert!(ours.count() >= 30);
}

#[test]
fn a_rule_rests_on_nothing_that_it_does_not_say() {
    for (id, fault) in embedded().by_id() {
        for wording in fault.rule.all() {
            let appeals = ["agreed", "expected", "supposed to", "meant to come", "asked for", "specification"];
            assert!(!appeals.iter().any(|words| wording.contains(words)), "{id}: {wording}");
        }
    }
}

fn read(file: &str, content: &str) -> Result<Taxonomy, TaxonomyError> {
    Taxonomy::of_files(&BTreeMap::from([(file.to_owned(), content.to_owned())]))
}

const ENTRY: &str = "
- id: a-b
  track: syntax
  leaf: {level1: A, level2: B, level3: C}
  found_at: production
  summary: s
  why_missed: w
  operator: {drop_words: {at: {node: case}, words: END}}
  expect: rejected_at_parse
  clause: select
  critique: {wrong: w, mend: m}
  example: {before: SELECT 1, after: SELECT 2}
  never: [SELECT 1, SELECT 2]
";

#[test]
fn mistakes_in_a_file_are_told_with_file_line_and_what_was_expected() {
    assert!(read("a/b.yaml", ENTRY).is_ok());
    let cases = [
        ("clause: select", "clause: selct", "a/b.yaml:10:", "expected one of"),
        ("summary: s", "sumary: s", "a/b.yaml:6:", "unknown field `sumary`"),
        ("summary: s", "summary: s\n  summary: t", "a/b.yaml:7:", "duplicate"),
        ("node: case", "node: kase", "a/b.yaml:8:", "unknown variant `kase`"),
        ("id: a-b", "id: A b", "a/b.yaml:2:", "joined by hyphens"),
        ("leaf: {level1: A, level2: B, level3: C}", "leaf: no-such", "a/b.yaml:2:", "no leaf is called `no-such`"),
        ("leaf: {level1: A, level2: B, level3: C}", "leaf: filter-missing", "a/b.yaml:2:", "other track"),
        (
            "leaf: {level1: A, level2: B, level3: C}",
            "leaf: {level1: A, level: B}",
            "a/b.yaml:4:",
            "unknown field `level`",
        ),
        (
            "summary: s",
            "summary: s\n  counts_for: missing-lateral-view",
            "a/b.yaml:2:",
            "under the same level1 and level2",
        ),
        ("summary: s", "summary: s\n  rule: r", "a/b.yaml:2:", "no `rule`"),
        ("wrong: w", "wrong: '{{ x }}'", "a/b.yaml:2:", "it may use"),
        ("track: syntax", "track: semantic", "a/b.yaml:2:", "must not `expect` a rejection"),
        (
            "operator: {drop_words: {at: {node: case}, words: END}}",
            "not_shown: r\n  weight: -1",
            "a/b.yaml:2:",
            "above 0",
        ),
        ("summary: s", "summary: s\n  policy: no-lambda", "a/b.yaml:2:", "the reason why no engine shows it"),
        ("summary: s", "summary: s\n  not_shown: r", "a/b.yaml:2:", "not both, unless a `policy` refuses it"),
        ("summary: s", "summary: s\n  policy: no-lamda", "a/b.yaml:7:", "unknown variant `no-lamda`"),
    ];
    for (old, new, place, words) in cases {
        let message = read("a/b.yaml", &ENTRY.replace(old, new)).unwrap_err().to_string();
        assert!(message.starts_with(place) && message.contains(words), "{message}");
    }
}

#[test]
fn an_id_that_occurs_twice_is_refused_with_both_places() {
    let message = read("x.yaml", &format!("{ENTRY}{}", &ENTRY[1..])).unwrap_err().to_string();
    assert_eq!(message, "x.yaml:14: fault `a-b` is already in x.yaml:2");
}

#[test]
fn a_folder_of_the_users_is_read_like_the_embedded_one() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Taxonomy::load(folder.path()), Err(TaxonomyError::Empty(_))));
    std::fs::create_dir(folder.path().join("own")).unwrap();
    std::fs::write(folder.path().join("own/faults.yaml"), ENTRY).unwrap();
    let taxonomy = Taxonomy::load(folder.path()).unwrap();
    assert_eq!(taxonomy.fault("a-b").unwrap().origin.file, "own/faults.yaml");
    assert_ne!(taxonomy.digest(), embedded().digest());
}
