//! Strategies of `proptest`: correct scripts with their tables, and mutants of them. Feature `proptest`.
//!
//! Both shrink: scripts lose joins, conditions, outputs and views until the shortest that still fails is left, mutants
//! move to smaller edits. Names and tables are plain, so that a counterexample can be read.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;

use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::fault::{Taxonomy, Track};
use crate::inject::{Mutant, ScriptContext, plant, propose};

/// A correct script and the tables that it reads.
#[derive(Clone, Debug)]
pub struct SampleScript {
    /// The script.
    pub script: Script,
    /// Its tables.
    pub schema: Schema,
}

/// The tables of every generated script.
pub const TABLES: &str = "\
CREATE TABLE orders (id BIGINT, user_id BIGINT, city STRING, pay_amount DOUBLE, refund_amount DOUBLE, dt STRING);
CREATE TABLE users (id BIGINT, city STRING, level INT, create_time TIMESTAMP, login_time TIMESTAMP);
CREATE TABLE cities (city STRING, region STRING, weight DOUBLE);
";

/// What a script is made of; every part that is given up makes the script shorter.
#[derive(Clone, Debug)]
struct ScriptPlan {
    in_view: bool,
    columns: Vec<&'static str>,
    joins: Vec<&'static str>,
    conditions: Vec<&'static str>,
    totals: Vec<&'static str>,
    having: bool,
    ordered: bool,
    second: bool,
}

const COLUMNS: [&str; 6] = ["o.id", "o.city", "COALESCE(o.pay_amount, 0)", "o.dt", "o.user_id", "TRIM(o.city)"];
const JOINS: [&str; 3] = [
    "LEFT JOIN users u ON o.user_id = u.id AND u.level > 1",
    "JOIN cities c ON o.city = c.city",
    "LEFT JOIN (SELECT id, MAX(login_time) AS login_time FROM users GROUP BY id) v ON o.user_id = v.id",
];
const CONDITIONS: [&str; 5] = [
    "o.dt >= '2024-01-01'",
    "o.city IN ('a', 'b', 'c')",
    "(o.pay_amount > 10 OR o.refund_amount IS NULL)",
    "o.city NOT LIKE 'test%'",
    "o.pay_amount BETWEEN 1 AND 100",
];
const TOTALS: [&str; 4] = [
    "COUNT(*)",
    "SUM(o.pay_amount)",
    "COUNT(DISTINCT o.user_id)",
    "SUM(CASE WHEN o.refund_amount > 0 THEN o.refund_amount ELSE 0 END)",
];

fn some_of(choices: &'static [&'static str], least: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(choices, least..=choices.len())
}

fn plan() -> impl Strategy<Value = ScriptPlan> {
    let lists = (some_of(&COLUMNS, 1), some_of(&JOINS, 0), some_of(&CONDITIONS, 0), some_of(&TOTALS, 0));
    (lists, any::<[bool; 4]>()).prop_map(
        |((columns, joins, conditions, totals), [in_view, having, ordered, second])| ScriptPlan {
            in_view,
            columns,
            joins,
            conditions,
            totals,
            having,
            ordered,
            second,
        },
    )
}

impl ScriptPlan {
    fn query(&self) -> String {
        let named = |(at, text): (usize, &&str)| format!("{text} AS c{at}");
        let outputs: Vec<String> = self.columns.iter().chain(&self.totals).enumerate().map(named).collect();
        let mut lines = vec![format!("SELECT {}", outputs.join(",\n       ")), "FROM orders o".to_owned()];
        lines.extend(self.joins.iter().map(|join| (*join).to_owned()));
        if !self.conditions.is_empty() {
            lines.push(format!("WHERE {}", self.conditions.join("\n  AND ")));
        }
        if !self.totals.is_empty() {
            lines.push(format!("GROUP BY {}", self.columns.join(", ")));
            if self.having {
                lines.push("HAVING COUNT(*) > 1".to_owned());
            }
        }
        lines.join("\n")
    }

    fn text(&self) -> String {
        let mut text = self.query();
        if self.second {
            text = format!("{text}\nUNION ALL\n{text}");
        }
        if self.in_view {
            text = format!("WITH v AS (\n{text}\n)\nSELECT v.* FROM v");
        }
        if self.ordered && !self.second {
            text.push_str("\nORDER BY c0");
        }
        text
    }
}

/// Correct scripts over [`TABLES`], from `SELECT o.id AS c0 FROM orders o` to views with joins, groups and unions.
pub fn scripts() -> impl Strategy<Value = SampleScript> {
    // The tables are a constant that a test reads.
    let schema = Schema::read(TABLES).unwrap_or_default();
    plan().prop_map(move |plan| SampleScript { script: Script::new(plan.text()), schema: schema.clone() })
}

/// Mutants of a script for the faults of one track, or of both; none when no fault fits. They shrink towards edits that
/// change fewer tokens.
pub fn mutants_of(sample: &SampleScript, taxonomy: &Taxonomy, track: Option<Track>) -> Option<BoxedStrategy<Mutant>> {
    let scopes = Scopes::resolve(&sample.script, &sample.schema);
    let context = ScriptContext::new(&sample.script, &scopes, &sample.schema);
    let wanted = |fault: &&crate::fault::Fault| track.is_none_or(|track| fault.track == track);
    let mut mutants: Vec<Mutant> = Vec::new();
    for fault in taxonomy.faults().iter().filter(wanted) {
        let proposals = fault.operator().map(|operator| propose(&context, operator)).unwrap_or_default();
        mutants.extend(proposals.iter().map(|site| plant(&sample.script, fault, site)));
    }
    let size = |mutant: &Mutant| {
        let bytes: usize = mutant.edits.as_slice().iter().map(|edit| edit.text.len() + edit.end - edit.start).sum();
        (mutant.tokens_changed(&sample.script), bytes)
    };
    mutants.sort_by_cached_key(|mutant| (size(mutant), mutant.id.clone()));
    (!mutants.is_empty()).then(|| select(mutants).boxed())
}

/// Scripts with one mutant each; a failing pair shrinks to a shorter script first, then to a smaller edit.
pub fn mutated(taxonomy: Arc<Taxonomy>, track: Option<Track>) -> impl Strategy<Value = (SampleScript, Mutant)> {
    let with_mutant = move |sample: SampleScript| match mutants_of(&sample, &taxonomy, track) {
        Some(mutants) => mutants.prop_map(move |mutant| Some((sample.clone(), mutant))).boxed(),
        None => Just(None).boxed(),
    };
    scripts().prop_flat_map(with_mutant).prop_filter_map("a script without a site", |pair| pair)
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, TestRunner};

    use super::*;
    use crate::engine::spark_rules::judge;

    fn taxonomy() -> Arc<Taxonomy> {
        Arc::new(Taxonomy::embedded().unwrap())
    }

    proptest! {
        #![proptest_config(Config::with_cases(48))]

        #[test]
        fn scripts_are_correct(sample in scripts()) {
            let scopes = Scopes::resolve(&sample.script, &sample.schema);
            prop_assert_eq!(judge(&sample.script, &scopes, &sample.schema).map(|rejection| rejection.message), None);
        }
    }

    #[test]
    fn mutants_undo_to_their_script() {
        let taxonomy = taxonomy();
        proptest!(Config::with_cases(24), |((sample, mutant) in mutated(taxonomy.clone(), None))| {
            let original = sample.script.text();
            let text = mutant.text(original).unwrap();
            prop_assert_ne!(&text, original);
            prop_assert_eq!(mutant.edits.inverse(original).apply(&text).unwrap(), original);
        });
    }

    #[test]
    fn what_fails_shrinks_to_the_shortest_script_and_to_a_small_edit() {
        let mut runner = TestRunner::deterministic();
        let mut tree = scripts().new_tree(&mut runner).unwrap();
        while tree.simplify() {}
        let shortest = tree.current().script.text().to_owned();
        assert!(shortest.ends_with(" AS c0\nFROM orders o") && shortest.lines().count() == 2, "{shortest}");

        let sample = SampleScript {
            script: Script::new("SELECT o.id AS c0 FROM orders o WHERE o.id > 3"),
            schema: Schema::read(TABLES).unwrap(),
        };
        let mut tree = mutants_of(&sample, &taxonomy(), None).unwrap().new_tree(&mut runner).unwrap();
        while tree.simplify() {}
        assert_eq!(tree.current().tokens_changed(&sample.script), 1);
    }
}
