//! Compares the bounded algorithm with a plain one, and tests the decision on scripts.

use proptest::prelude::*;

use super::*;

/// A random tree as nested lists.
#[derive(Clone, Debug)]
struct Plain(u8, Vec<Plain>);

fn plain() -> impl Strategy<Value = Plain> {
    let leaf = (0u8..3).prop_map(|label| Plain(label, Vec::new()));
    leaf.prop_recursive(5, 24, 4, |inner| {
        (0u8..3, prop::collection::vec(inner, 0..4)).prop_map(|(label, below)| Plain(label, below))
    })
}

fn forest(tree: &Plain, labels: &mut LabelNumbers) -> Forest {
    fn add(tree: &Plain, forest: &mut Forest, roots: &mut Vec<usize>, labels: &mut LabelNumbers) {
        tree.1.iter().for_each(|child| add(child, forest, roots, labels));
        let label = labels.number(&tree.0.to_string());
        forest.close(label, tree.1.len(), roots, labels);
    }
    let mut forest = Forest::default();
    add(tree, &mut forest, &mut Vec::new(), labels);
    forest
}

/// Zhang and Shasha's recursion on forests as in their paper: over postorder ranges and without a bound.
fn naive(left: &Forest, right: &Forest) -> usize {
    let (n, m) = (left.len(), right.len());
    let mut trees = vec![vec![0usize; m]; n];
    for i in 0..n {
        for j in 0..m {
            let (li, lj) = (left.leftmost(i), right.leftmost(j));
            let mut costs = vec![vec![0usize; j + 2 - lj]; i + 2 - li];
            for x in 0..=i + 1 - li {
                for y in 0..=j + 1 - lj {
                    costs[x][y] = match (x, y) {
                        (0, y) => y,
                        (x, 0) => x,
                        (x, y) => {
                            let (a, b) = (li + x - 1, lj + y - 1);
                            let gap = costs[x - 1][y].min(costs[x][y - 1]) + 1;
                            if left.leftmost(a) == li && right.leftmost(b) == lj {
                                let change = usize::from(left.labels[a] != right.labels[b]);
                                let cost = gap.min(costs[x - 1][y - 1] + change);
                                trees[a][b] = cost;
                                cost
                            } else {
                                gap.min(costs[left.leftmost(a) - li][right.leftmost(b) - lj] + trees[a][b])
                            }
                        }
                    };
                }
            }
        }
    }
    trees[n - 1][m - 1]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_bounded_distance_is_the_plain_one_up_to_every_bound((a, b) in (plain(), plain())) {
        let mut labels = LabelNumbers::default();
        let (left, right) = (forest(&a, &mut labels), forest(&b, &mut labels));
        let exact = naive(&left, &right);
        for bound in 0..=exact + 2 {
            let within = distance_within(&left, &right, bound);
            prop_assert_eq!(within, (exact <= bound).then_some(exact), "bound {}", bound);
        }
        prop_assert_eq!(doubling(|bound| distance_within(&left, &right, bound)), exact);
    }

    #[test]
    fn the_distance_of_token_lists_is_that_of_flat_trees(
        a in prop::collection::vec(0u32..4, 0..14),
        b in prop::collection::vec(0u32..4, 0..14),
    ) {
        let flat = |list: &[u32]| Plain(9, list.iter().map(|label| Plain(*label as u8, Vec::new())).collect());
        let mut labels = LabelNumbers::default();
        let exact = naive(&forest(&flat(&a), &mut labels), &forest(&flat(&b), &mut labels));
        for bound in 0..=exact + 2 {
            prop_assert_eq!(flat::distance_within(&a, &b, bound), (exact <= bound).then_some(exact));
        }
    }
}

fn nearer(prediction: &str, reference: &str, issue: &str) -> bool {
    ReferenceDistance::new(Script::new(reference), Script::new(issue)).is_nearer(&Script::new(prediction))
}

#[test]
fn one_is_better_only_when_strictly_nearer() {
    let reference = "SELECT a, b FROM t LEFT JOIN u ON t.k = u.k WHERE a > 1";
    let issue = "SELECT a, b FROM t JOIN u ON t.k = u.j WHERE a > 2";
    let cases = [
        (reference, true),
        (issue, false),
        ("select a, b\nfrom t left join u on t.k = u.k where a > 1 -- done", true),
        ("SELECT a, b FROM t LEFT JOIN u ON t.k = u.j WHERE a > 2", true),
        ("SELECT a, b FROM t JOIN u ON t.k = u.j WHERE a > 3", false),
        ("SELECT 1", false),
        ("SELECT a, b FROM t LEFT JOIN u ON t.k = u.k WHERE a >", true),
        ("SELEC a b FROM", false),
    ];
    for (prediction, expected) in cases {
        assert_eq!(nearer(prediction, reference, issue), expected, "{prediction}");
    }
}

#[test]
fn an_issue_that_does_not_parse_is_measured_by_its_tokens() {
    let reference = "SELECT a, b FROM t WHERE a > 1";
    let issue = "SELECT a b, FROM t WHERE a > 1";
    assert!(nearer(reference, reference, issue));
    assert!(!nearer(issue, reference, issue));
    assert!(!nearer("SELECT c", reference, issue), "that it parses is not enough");
}

/// Adds the tree at the front of `text` (a label, then its children in parentheses) and returns what follows it.
fn read<'a>(text: &'a str, forest: &mut Forest, roots: &mut Vec<usize>, labels: &mut LabelNumbers) -> &'a str {
    let end = text.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(text.len());
    let (label, mut rest) = text.split_at(end);
    let mut children = 0;
    while let Some(next) = rest.strip_prefix(if children == 0 { '(' } else { ' ' }) {
        rest = read(next, forest, roots, labels);
        children += 1;
    }
    let number = labels.number(label);
    forest.close(number, children, roots, labels);
    if children > 0 { rest.strip_prefix(')').expect("children end") } else { rest }
}

#[test]
fn distances_are_those_that_apted_recorded_for_five_hundred_pairs() {
    let pairs = include_str!("../../../tests/data/apted/pairs.tsv").lines();
    let (mut seen, mut positive) = (0, 0);
    for line in pairs {
        let parts: Vec<&str> = line.split('\t').collect();
        let [left, right, distance] = parts[..] else { panic!("{line}") };
        let mut labels = LabelNumbers::default();
        let [left, right] = [left, right].map(|text| {
            let mut forest = Forest::default();
            assert_eq!(read(text, &mut forest, &mut Vec::new(), &mut labels), "");
            assert!(forest.len() < 300);
            forest
        });
        let expected: usize = distance.parse().unwrap();
        assert_eq!(doubling(|bound| distance_within(&left, &right, bound)), expected, "{line}");
        seen += 1;
        positive += usize::from(expected > 0);
    }
    assert!(seen == 500 && positive > 400, "{seen} pairs, {positive} of them differ");
}
