//! Checks that no mutant that was refused or killed has the graph of its reference.

use std::collections::{BTreeMap, HashMap};

use super::report::CheckReport;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::corpus::beyond_limits;
use crate::inject::Mutant;
use crate::pipeline::MutantVerdict;
use crate::prove::Verdict;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::score::graph_match;
use crate::store::{RunDirectory, StoreError};

/// Checks every mutant that a trial told from its reference, whether or not it became a task. Mutants of scripts
/// without a task are left out, as the text of such a script is not in the run.
pub(super) fn check(
    directory: &RunDirectory,
    tasks: &[TaskRecord],
    gold: &[GoldRecord],
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    if !directory.path("mutants.jsonl").exists() || !directory.path("proofs.jsonl").exists() {
        return Ok(());
    }
    let proofs: Vec<MutantVerdict> = directory.read_records("proofs.jsonl")?;
    let verdicts: HashMap<&str, &Verdict> =
        proofs.iter().map(|proof| (proof.mutant.as_str(), &proof.verdict)).collect();
    let schemas: HashMap<&str, &str> =
        tasks.iter().map(|task| (task.instance_id.as_str(), task.schema_ddl.as_str())).collect();
    let mut scripts: BTreeMap<&str, (Script, Schema)> = BTreeMap::new();
    for gold in gold {
        let schema = schemas.get(gold.instance_id.as_str()).and_then(|ddl| Schema::read(ddl).ok());
        if let Some(schema) = schema {
            let known = || (Script::new(gold.reference_sql.as_str()), schema);
            scripts.entry(gold.provenance.script.as_str()).or_insert_with(known);
        }
    }
    for mutant in directory.read_records::<Mutant>("mutants.jsonl")? {
        let apart = verdicts.get(mutant.id.as_str()).is_some_and(|verdict| is_apart(verdict));
        let Some((reference, schema)) = scripts.get(mutant.script.as_str()).filter(|_| apart) else { continue };
        let Ok(text) = mutant.text(reference.text()) else { continue };
        // A script beyond the limits is reported with its task, if it has one.
        if beyond_limits(reference).or_else(|| beyond_limits(&Script::new(text.as_str()))).is_some() {
            continue;
        }
        report.mutants += 1;
        if graph_match(&Script::new(text), reference, schema) {
            let what = format!("it was told apart from its reference, and has its graph ({})", mutant.fault);
            report.add(&mutant.id, vec![what]);
        }
    }
    Ok(())
}

/// Whether a trial has shown that the mutant differs from its reference.
fn is_apart(verdict: &Verdict) -> bool {
    use Verdict::{DiffersInOrderOnly, FailsAtRunTime, Killed, Rejected, RejectedElsewhere};
    matches!(
        verdict,
        Rejected { .. } | RejectedElsewhere { .. } | Killed { .. } | DiffersInOrderOnly | FailsAtRunTime { .. }
    )
}
