//! Tests another SQL tool with the strategies of this crate: does the formatter of `sqlparser` keep the tree of every
//! mutant, and does it keep a mutant apart from the script that it was made of?
//!
//! `cargo run --example formatter_keeps_meaning --features proptest`
#![allow(clippy::print_stdout, reason = "an example speaks")]

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sqlfault::strategies::mutated;
use sqlfault::{Taxonomy, Track};
use sqlparser::ast::Statement;
use sqlparser::dialect::HiveDialect;
use sqlparser::parser::Parser;

/// The tree and the formatted text; `None` if the tool cannot read the script.
fn formatted(sql: &str) -> Option<(Vec<Statement>, String)> {
    let statements = Parser::parse_sql(&HiveDialect {}, sql).ok()?;
    let text = statements.iter().map(ToString::to_string).collect::<Vec<_>>().join(";\n");
    Some((statements, text))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let taxonomy = Arc::new(Taxonomy::embedded()?);
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    // Semantic mutants are valid SQL: a tool for SQL must read them like any other script.
    let outcome = runner.run(&mutated(taxonomy, Some(Track::Semantic)), |(sample, mutant)| {
        let original = sample.script.text();
        let broken = mutant.text(original).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let (Some((before, script)), Some((tree, text))) = (formatted(original), formatted(&broken)) else {
            return Err(TestCaseError::reject("not read by the tool"));
        };
        prop_assert_eq!(formatted(&text).map(|(again, _)| again), Some(tree.clone()), "{} changes: {}", broken, text);
        prop_assert!(before == tree || script != text, "{} is formatted like {}", broken, original);
        Ok(())
    });
    match outcome {
        Ok(()) => println!("200 mutants formatted, none changed"),
        Err(counterexample) => println!("{counterexample}"),
    }
    Ok(())
}
