//! GM and MB on trees of 1,000, 3,000 and 10,000 nodes.

use std::fmt::Write;
use std::hint::black_box;

use sqlfault::code::schema::Schema;
use sqlfault::code::script::Script;
use sqlfault::score::{ReferenceDistance, graph_match};

use crate::clock::{alone, at_sizes};
use crate::table::{row, shown};

const NODES: [usize; 3] = [1_000, 3_000, 10_000];
const SCHEMA: &str = "CREATE TABLE a (id BIGINT, x INT, name STRING)";

/// A correct script of about this many nodes: CTE after CTE, each reading the one before.
fn script(nodes: usize) -> String {
    let mut number = 0;
    let mut text = String::from("WITH c0 AS (SELECT id, x, name FROM a)");
    let end = |number: usize| format!("\nSELECT id, x, name FROM c{number}");
    while Script::new(format!("{text}{}", end(number))).tree().len() < nodes {
        // Each step adds a twentieth of the nodes: reading the text after every CTE would be quadratic.
        for _ in 0..(nodes / 1_000).max(1) {
            number += 1;
            let before = number - 1;
            let _ = write!(
                text,
                ",\nc{number} AS (SELECT p.id, coalesce(p.x, q.x, {number}) + 1 AS x, CASE WHEN p.name = 'k' THEN \
                 concat(p.name, q.name) ELSE p.name END AS name FROM c{before} p LEFT JOIN a q ON p.id = q.id AND q.x > 1 \
                 WHERE p.id IS NOT NULL)"
            );
        }
    }
    text + &end(number)
}

/// The text with `count` places changed, spread over the script.
fn changed(text: &str, count: usize) -> String {
    let places: Vec<usize> = text.match_indices("q.x > 1").map(|(place, _)| place).collect();
    let mut changed = text.to_owned();
    let step = (places.len() / count).max(1);
    for place in places.iter().step_by(step).take(count) {
        changed.replace_range(place + 4..place + 5, "<");
    }
    changed
}

/// Measures GM and MB at each size.
pub fn measure() {
    let schema = Schema::read(SCHEMA).expect("the DDL is right");
    let texts = NODES.map(script);
    let scripts: Vec<Script> = texts.iter().map(|text| Script::new(text.as_str())).collect();
    let sizes = [0, 1, 2].map(|at: usize| scripts[at].tree().len());
    let respelled: Vec<Script> = texts.iter().map(|text| Script::new(text.to_lowercase())).collect();
    grow("GM", &sizes, &|at| assert!(graph_match(&respelled[at], &scripts[at], &schema)));
    for edits in [1, 10] {
        let issues: Vec<Script> = texts.iter().map(|text| Script::new(changed(text, edits))).collect();
        let nearer: Vec<Script> = texts.iter().map(|text| Script::new(changed(text, edits.div_ceil(2)))).collect();
        grow(&format!("MB, {edits} edits"), &sizes, &|at| {
            let distance = ReferenceDistance::new(scripts[at].clone(), issues[at].clone());
            black_box(distance.is_nearer(&nearer[at]));
        });
    }
    far(&scripts[1], sizes[1]);
}

fn grow(what: &str, sizes: &[usize; 3], work: &dyn Fn(usize)) {
    let times = at_sizes(sizes.map(|size| 20_000 / size), work);
    for at in 1..sizes.len() {
        // Per node, so that a ratio of 1 means linear growth.
        let per_node = |at: usize| times[at].as_secs_f64() / sizes[at] as f64;
        let label = format!("{what}, {} nodes", sizes[at]);
        let before = format!("{} nodes: {}", sizes[0], shown(times[0]));
        row(&label, &shown(times[at]), &before, per_node(at) / per_node(0), (1.2, false));
    }
}

/// Measures an answer that differs from the reference everywhere, and an issue that differs by ten edits.
fn far(reference: &Script, size: usize) {
    let issue = Script::new(changed(reference.text(), 10));
    let unrelated = reference.text().replace("coalesce", "greatest").replace("LEFT JOIN", "JOIN").replace(" + 1", "");
    let unrelated = Script::new(unrelated);
    let taken = alone(&mut || {
        let distance = ReferenceDistance::new(reference.clone(), issue.clone());
        assert!(!distance.is_nearer(&unrelated));
    });
    row(
        &format!("MB, unlike answer, {size} nodes"),
        &shown(taken),
        "budget 0.3 s",
        taken.as_secs_f64() / 0.3,
        (1.0, false),
    );
}
