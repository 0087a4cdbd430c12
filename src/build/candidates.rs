//! Every mutant that may be tried, in the order in which it is tried.

use std::collections::{BTreeMap, HashSet};

use super::Funnel;
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
    seed: u64,
    taxonomy: &Taxonomy,
    scripts: &[&Seed],
    funnel: &mut Funnel,
) -> BTreeMap<String, Vec<Mutant>> {
    let mut taken = HashSet::new();
    let mut by_fault: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for script in scripts {
        let scopes = Scopes::resolve(&script.script, &script.schema);
        let ground = Ground::new(&script.script, &scopes, &script.schema);
        let key = script.key();
        for (_, fault) in taxonomy.by_id() {
            let Some(operator) = fault.operator() else { continue };
            for proposal in propose(&ground, operator) {
                let fresh = taken.insert((key.clone(), proposal.edits.clone()));
                funnel.site(&fault.id, fresh);
                if fresh {
                    let mutant = Mutant::new(&script.id, &key, &fault.id, &proposal);
                    by_fault.entry(fault.id.clone()).or_default().push(mutant);
                }
            }
        }
    }
    by_fault.into_iter().map(|(fault, mutants)| (fault, order(seed, mutants))).collect()
}
