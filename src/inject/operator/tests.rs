//! The embedded taxonomy's examples, planted.

use super::*;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::fault::{Example, Expectation, Fault, Taxonomy};

fn mutants(fault: &Fault, schema: &str, sql: &str) -> Vec<String> {
    let schema = tables(schema);
    let script = Script::new(sql);
    assert!(script.is_valid(), "{}: {:?} in {sql}", fault.id, script.errors());
    let scopes = Scopes::resolve(&script, &schema);
    let ground = Ground::new(&script, &scopes, &schema);
    let proposals = propose(&ground, fault.operator().unwrap());
    proposals.iter().map(|proposal| proposal.edits.apply(sql).unwrap()).collect()
}

fn tables(ddl: &str) -> Schema {
    if ddl.is_empty() { Schema::default() } else { Schema::read(ddl).unwrap() }
}

fn plantable(taxonomy: &Taxonomy) -> impl Iterator<Item = &Fault> {
    taxonomy.faults().iter().filter(|fault| fault.operator().is_some())
}

fn faults_that(wrong: impl Fn(&Fault) -> Vec<String>) {
    let taxonomy = Taxonomy::embedded().unwrap();
    let found: Vec<String> = plantable(&taxonomy)
        .flat_map(|fault| {
            let id = fault.id.clone();
            wrong(fault).into_iter().map(move |text| format!("{id}: {text}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn planting_in_an_example_gives_its_broken_form() {
    faults_that(|fault| {
        let missing = |example: &&Example| !mutants(fault, &example.schema, &example.before).contains(&example.after);
        let show = |example: &Example| {
            format!(
                "{}\n    wanted {}\n    found  {:#?}",
                example.before,
                example.after,
                mutants(fault, &example.schema, &example.before)
            )
        };
        fault.examples.iter().filter(missing).map(show).collect()
    });
}

#[test]
fn never_examples_have_no_site() {
    faults_that(|fault| {
        let schema = &fault.examples[0].schema;
        let sites = |sql: &&String| !mutants(fault, schema, sql).is_empty();
        fault.never.iter().filter(sites).map(|sql| format!("{sql} gives {:?}", mutants(fault, schema, sql))).collect()
    });
}

#[test]
fn what_should_not_parse_does_not_and_all_else_does() {
    faults_that(|fault| {
        let wrong = |example: &&Example| {
            Script::new(example.after.as_str()).is_valid() == (fault.expect == Expectation::RejectedAtParse)
        };
        fault.examples.iter().filter(wrong).map(|example| example.after.clone()).collect()
    });
}

#[test]
fn broken_examples_of_semantic_faults_resolve() {
    faults_that(|fault| {
        let resolves = |example: &Example| {
            let schema = tables(&example.schema);
            Scopes::resolve(&Script::new(example.after.as_str()), &schema).problems().is_empty()
        };
        let semantic = !fault.expect.is_rejection();
        let with_schema = fault.examples.iter().filter(|example| semantic && !example.schema.is_empty());
        with_schema.filter(|example| !resolves(example)).map(|example| example.after.clone()).collect()
    });
}
