//! Plants every fault that fits a script once, proves it, and scores two answers: the broken script, and a repair.
//!
//! `cargo run --example plant_prove_score`
#![allow(clippy::print_stdout, reason = "an example speaks")]

use sqlfault::{
    Fault, MutantProof, Schema, Script, Taxonomy, exact_match, execution_match, graph_match, plant, prove, sites,
};

const TABLES: &str = "
CREATE TABLE users (user_id BIGINT, city STRING);
CREATE TABLE orders (order_id BIGINT, user_id BIGINT, amount DOUBLE, status STRING);";

const SCRIPT: &str = "
SELECT u.city, COUNT(DISTINCT u.user_id) AS users, SUM(o.amount) AS amount
FROM users u
LEFT JOIN orders o ON o.user_id = u.user_id AND o.status = 'PAID'
GROUP BY u.city";

/// Another way to write the same report.
const ANSWER: &str = "
SELECT u.city, COUNT(DISTINCT u.user_id) AS users, SUM(o.amount) AS amount
FROM users AS u LEFT OUTER JOIN orders AS o ON u.user_id = o.user_id AND 'PAID' = o.status
GROUP BY u.city";

/// Plants one fault and returns its proof in one line; `None` if it has no place or is not proved.
fn report(script: &Script, schema: &Schema, fault: &Fault) -> Result<Option<String>, Box<dyn std::error::Error>> {
    let sites = sites(script, schema, fault);
    let Some(site) = sites.first() else { return Ok(None) };
    let mutant = plant(script, fault, site);
    let issue = Script::new(mutant.text(script.text())?);
    Ok(match prove(script, schema, fault, &mutant)? {
        None => None,
        Some(MutantProof::Rejected(message)) => Some(message.lines().next().unwrap_or_default().to_owned()),
        Some(MutantProof::Killed(witness)) => {
            let answer = Script::new(ANSWER);
            assert!(!execution_match(&issue, script, schema, &witness) && !graph_match(&issue, script, schema));
            assert!(execution_match(&answer, script, schema, &witness) && graph_match(&answer, script, schema));
            assert!(!exact_match(ANSWER, SCRIPT));
            Some(format!("killed by {} rows", witness.row_count()))
        }
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (taxonomy, schema, script) = (Taxonomy::embedded()?, Schema::read(TABLES)?, Script::new(SCRIPT));
    for fault in taxonomy.faults() {
        if let Some(shown) = report(&script, &schema, fault)? {
            println!("{:45} {shown}", fault.id);
        }
    }
    Ok(())
}
