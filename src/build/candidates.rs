//! Every mutant that may be tried, in the order in which it is tried.

use std::collections::{BTreeMap, HashSet};

use super::Funnel;
use super::parallel::map;
use crate::code::scope::Scopes;
use crate::corpus::Seed;
use crate::fault::Taxonomy;
use crate::inject::plan::order;
use crate::inject::{Ground, Mutant, propose};

/// The candidates of each fault, in the order in which they are tried; `funnel` counts their places.
///
/// Two faults never share one edit of a script: the first by id has it. So the set of mutants depends neither on the
/// order of faults in the taxonomy nor on the order of scripts.
pub fn candidates(
    (seed, jobs): (u64, usize),
    taxonomy: &Taxonomy,
    scripts: &[&Seed],
    funnel: &mut Funnel,
) -> BTreeMap<String, Vec<Mutant>> {
    let mut taken = HashSet::new();
    let mut by_fault: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    let found = map(jobs, scripts, |script| mutants(taxonomy, script));
    for (script, mutants) in scripts.iter().zip(found) {
        let key = script.key();
        for mutant in mutants {
            let fresh = taken.insert((key.clone(), mutant.edits.clone()));
            funnel.site(&mutant.fault, fresh);
            if fresh {
                by_fault.entry(mutant.fault.clone()).or_default().push(mutant);
            }
        }
    }
    by_fault.into_iter().map(|(fault, mutants)| (fault, order(seed, mutants))).collect()
}

/// Every mutant of one script, by fault in order of ids.
fn mutants(taxonomy: &Taxonomy, script: &Seed) -> Vec<Mutant> {
    let scopes = Scopes::resolve(&script.script, &script.schema);
    let ground = Ground::new(&script.script, &scopes, &script.schema);
    let key = script.key();
    let mut mutants = Vec::new();
    for (_, fault) in taxonomy.by_id() {
        let proposals = fault.operator().map(|operator| propose(&ground, operator)).unwrap_or_default();
        mutants.extend(proposals.iter().map(|proposal| Mutant::new(&script.id, &key, &fault.id, proposal)));
    }
    mutants
}
