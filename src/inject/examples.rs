//! Checks a fault against the examples in its own entry.

use super::{ScriptContext, propose};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::engine::policy::{Policies, Policy};
use crate::fault::{Example, Expectation, Fault, Operator};

/// Returns what is wrong with the examples of a fault.
///
/// The list is empty if each `before` can become its `after`, no `never` has a site, what should not parse does not,
/// and the policy refuses what it should refuse.
pub fn example_problems(fault: &Fault) -> Vec<String> {
    let Some(operator) = fault.written_operator() else { return Vec::new() };
    let mut problems = Vec::new();
    for example in &fault.examples {
        match planted(operator, &example.schema, &example.before) {
            Ok(mutants) if mutants.contains(&example.after) => {}
            Ok(mutants) => problems.push(format!(
                "planting in the example `{}` does not give `{}`; it gives {}",
                example.before,
                example.after,
                listed(&mutants)
            )),
            Err(problem) => problems.push(problem),
        }
        if let Some(policy) = fault.policy() {
            problems.extend(policy_problem(policy, example));
            continue;
        }
        let parses = Script::new(example.after.as_str()).is_valid();
        if parses == (fault.expect == Expectation::RejectedAtParse) {
            let verb = if parses { "parses" } else { "does not parse" };
            problems.push(format!("`{}` {verb}, which does not fit `expect`", example.after));
        }
    }
    let schema = fault.examples.first().map_or("", |example| example.schema.as_str());
    for never in &fault.never {
        match planted(operator, schema, never) {
            Ok(mutants) if mutants.is_empty() => {}
            Ok(mutants) => problems.push(format!("the `never` script `{never}` has a site: {}", listed(&mutants))),
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

/// Returns what is wrong; `None` if the policy accepts `before` and refuses `after`.
fn policy_problem(policy: Policy, example: &Example) -> Option<String> {
    let schema = Schema::read(&example.schema).unwrap_or_default();
    let policies: Policies = std::iter::once(policy).collect();
    let (parameters, name) = (Parameters::default(), policy.name());
    let refused = |text: &str| policies.refuse(text, &schema, &parameters);
    if let Some(rejection) = refused(&example.before) {
        return Some(format!("the policy {name} refuses `{}`: {}", example.before, rejection.message));
    }
    refused(&example.after).is_none().then(|| format!("the policy {name} does not refuse `{}`", example.after))
}

/// Returns the text of every mutant of a correct script. `ddl` may be empty.
fn planted(operator: &Operator, ddl: &str, sql: &str) -> Result<Vec<String>, String> {
    let schema = if ddl.is_empty() {
        Schema::default()
    } else {
        Schema::read(ddl).map_err(|error| format!("the example's schema does not read: {error}"))?
    };
    let script = Script::new(sql);
    if let Some((_, error)) = script.errors().first() {
        return Err(format!("`{sql}` does not parse: {error:?}"));
    }
    let scopes = Scopes::resolve(&script, &schema);
    let context = ScriptContext::new(&script, &scopes, &schema);
    // Edits that an operator proposes fit the text they were made for.
    Ok(propose(&context, operator).iter().filter_map(|proposal| proposal.edits.apply(sql).ok()).collect())
}

fn listed(mutants: &[String]) -> String {
    if mutants.is_empty() {
        return "nothing".to_owned();
    }
    mutants.iter().map(|mutant| format!("`{mutant}`")).collect::<Vec<_>>().join(", ")
}
