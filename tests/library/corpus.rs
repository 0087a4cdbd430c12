//! The hand-written references as a set: no two have similar skeletons, and their mean sizes reach those of published
//! benchmarks.
#![expect(clippy::print_stdout, reason = "the report is what a reader of the corpus asks for")]

use std::collections::{BTreeMap, BTreeSet};

use sqlfault::code::profile::Profile;
use sqlfault::code::tree::{Kind, NodeId, Tree};
use sqlfault::corpus::{Reference, embedded};

/// Two references may share at most this much of their skeletons.
///
/// Copies of one script with other names, literals and one clause more or less have 0.8 and above.
const MOST_ALIKE: f64 = 0.55;

fn references() -> Vec<Reference> {
    embedded()
        .into_iter()
        .map(|reference| reference.unwrap_or_else(|error| panic!("a reference of ours: {error}")))
        .collect()
}

/// A node's kind, without what it holds.
fn kind(tree: &Tree, node: NodeId) -> String {
    format!("{:?}", tree.kind(node)).chars().take_while(|c| c.is_alphanumeric()).collect()
}

/// The skeleton of a script as shingles: each inner node as its parent's kind, its own and those of its children, in
/// order. Names, literals, comments and layout do not count; how often a shingle occurs does, up to three times.
fn shingles(reference: &Reference) -> BTreeSet<(String, usize)> {
    let tree = reference.script.tree();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for node in tree.descendants(tree.root()) {
        let children = tree.children(node);
        if children.is_empty() || matches!(tree.kind(node), Kind::Column | Kind::Table) {
            continue;
        }
        let parent = tree.parent(node).map(|parent| kind(tree, parent)).unwrap_or_default();
        let children: Vec<String> = children.iter().map(|child| kind(tree, *child)).collect();
        *counts.entry(format!("{parent} > {} ({})", kind(tree, node), children.join(" "))).or_default() += 1;
    }
    counts.into_iter().flat_map(|(shingle, count)| (0..count.min(3)).map(move |at| (shingle.clone(), at))).collect()
}

/// Jaccard similarity.
fn alike(one: &BTreeSet<(String, usize)>, other: &BTreeSet<(String, usize)>) -> f64 {
    let shared = one.intersection(other).count();
    shared as f64 / (one.len() + other.len() - shared).max(1) as f64
}

#[test]
fn no_two_references_share_a_skeleton() {
    let references = references();
    let skeletons: Vec<_> = references.iter().map(shingles).collect();
    let mut pairs: Vec<(f64, &str, &str)> = Vec::new();
    for (at, one) in skeletons.iter().enumerate() {
        for (other_at, other) in skeletons.iter().enumerate().skip(at + 1) {
            pairs.push((alike(one, other), &references[at].id, &references[other_at].id));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mean = pairs.iter().map(|pair| pair.0).sum::<f64>() / pairs.len() as f64;
    println!(
        "{} references, {} pairs, mean similarity {mean:.3}, median {:.3}",
        references.len(),
        pairs.len(),
        pairs[pairs.len() / 2].0
    );
    for (similarity, one, other) in pairs.iter().take(10) {
        println!("{similarity:.3} {one} | {other}");
    }
    let (similarity, one, other) = pairs[0];
    assert!(similarity <= MOST_ALIKE, "{one} and {other} share {similarity:.3} of their skeletons");
}

/// The business domains the corpus promises (paper, Appendix E).
const DOMAINS: [&str; 26] = [
    "finance", "banking risk", "insurance", "e-commerce", "retail", "logistics", "manufacturing", "healthcare",
    "pharma", "education", "travel", "hospitality", "ride-hailing", "food delivery", "telecom", "energy",
    "advertising", "gaming", "media streaming", "social network", "real estate", "human resources", "public sector",
    "agriculture", "cybersecurity", "customer support",
];

#[test]
fn every_business_domain_has_two_scripts_or_more() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for reference in references() {
        *counts.entry(reference.card.domain.clone()).or_default() += 1;
    }
    for domain in DOMAINS {
        let count = counts.remove(domain).unwrap_or_default();
        assert!(count >= 2, "{domain} has {count} scripts");
    }
    assert_eq!(counts, BTreeMap::new(), "domains outside the list");
}

#[test]
fn a_copy_with_other_names_is_found_out() {
    let references = references();
    let original = &references[0];
    let text = original.script.text().replace("'2", "'1").replace("_id", "_key").replace("amount", "sum_of_it");
    let copy = Reference { script: sqlfault::code::script::Script::new(text), ..original.clone() };
    let similarity = alike(&shingles(original), &shingles(&copy));
    assert!(similarity > 0.95, "{similarity}");
}

#[test]
fn the_means_of_the_corpus_are_those_of_published_benchmarks_or_above() {
    let profiles: Vec<Profile> = references().iter().map(|reference| Profile::of(&reference.script)).collect();
    let mean = |figure: fn(&Profile) -> usize| {
        profiles.iter().map(|profile| figure(profile) as f64).sum::<f64>() / profiles.len() as f64
    };
    let goals: [(&str, f64, f64); 5] = [
        ("lines", mean(|profile| profile.lines), 141.0),
        ("words", mean(|profile| profile.words), 426.0),
        ("functions", mean(|profile| profile.functions), 17.0),
        ("depth", mean(|profile| profile.depth), 8.8),
        ("width", mean(|profile| profile.width), 11.1),
    ];
    for (name, mean, goal) in goals {
        println!("{name}: mean {mean:.1}, at least {goal}");
    }
    for (name, mean, goal) in goals {
        assert!(mean >= goal, "mean {name} is {mean:.1}, below {goal}");
    }
}
