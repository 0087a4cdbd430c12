//! Plants the examples of the embedded taxonomy.

use super::functions;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::fault::{Example, Fault, Operator, Taxonomy};
use crate::inject::example_problems;

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
fn examples_become_their_broken_forms_and_never_examples_have_no_site() {
    faults_that(example_problems);
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

#[test]
fn every_function_has_a_fault_and_a_name_of_its_own() {
    let taxonomy = Taxonomy::embedded().unwrap();
    let used: Vec<&str> = taxonomy
        .faults()
        .iter()
        .filter_map(|fault| match fault.written_operator() {
            Some(Operator::Function(name)) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let mut names: Vec<&str> = functions().map(|function| function.name).collect();
    assert!(names.iter().all(|name| used.contains(name)), "{names:?}");
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
