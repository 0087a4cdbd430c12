//! Every mutant that may be tried, in the order in which it is tried.

use std::collections::{BTreeMap, HashSet};

use super::funnel::Funnel;
use super::policies::kept_policies;
use super::secret::RunSecret;
use crate::corpus::Reference;
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::plan::order;
use crate::inject::{Mutant, ScriptContext, propose, states_the_rule};
use crate::parallel::{self, shielded};

/// What a draw of candidates depends on, besides the scripts.
#[derive(Clone, Copy, Debug)]
pub struct CandidateDraw<'a> {
    /// The random seed.
    pub seed: u64,
    /// Number of workers; the result does not depend on it.
    pub jobs: usize,
    /// The faults.
    pub taxonomy: &'a Taxonomy,
}

/// Returns the candidates of each fault in the order in which they are tried; `funnel` counts their sites.
///
/// Two faults never share one edit of a script: the fault with fewer sites keeps it, since the other finds more
/// elsewhere; of two with equally many, the first by id. So the set of mutants depends neither on the order of faults
/// in the taxonomy nor on the order of scripts.
pub fn candidates(
    draw: &CandidateDraw<'_>,
    scripts: &[&Reference],
    funnel: &mut Funnel,
) -> BTreeMap<String, Vec<Mutant>> {
    let CandidateDraw { seed, jobs, taxonomy } = *draw;
    let secret = RunSecret::of(seed);
    let found = parallel::map(jobs, scripts, |script| {
        // A script on which an operator panics has no candidates; the others go on.
        shielded(&script.id, || mutants(taxonomy, script, secret)).unwrap_or_default()
    });
    let keys: Vec<String> = scripts.iter().map(|script| script.key()).collect();
    let keyed = keys.iter().zip(found).flat_map(|(key, mutants)| mutants.into_iter().map(move |one| (key, one)));
    let mut by_fault: BTreeMap<String, Vec<(&str, Mutant)>> = BTreeMap::new();
    for (key, mutant) in keyed {
        by_fault.entry(mutant.fault.clone()).or_default().push((key, mutant));
    }
    let mut rarest_first: Vec<_> = by_fault.into_iter().collect();
    // Faults of policies come first: an edit that a policy refuses can be no other fault where the policy holds.
    let is_free = |fault: &str| taxonomy.fault(fault).is_none_or(|fault| fault.policy().is_none());
    rarest_first.sort_by_key(|(fault, mutants)| (is_free(fault), mutants.len()));
    let mut taken = HashSet::new();
    let mut fresh_of_fault = BTreeMap::new();
    for (fault, mutants) in rarest_first {
        let mut fresh = Vec::new();
        for (key, mutant) in mutants {
            let is_fresh = taken.insert((key, mutant.edits.clone()));
            funnel.site(&fault, is_fresh);
            fresh.extend(is_fresh.then_some(mutant));
        }
        fresh_of_fault.insert(fault, order(seed, fresh));
    }
    fresh_of_fault
}

/// Returns every mutant of one script, by fault in order of ids.
fn mutants(taxonomy: &Taxonomy, script: &Reference, secret: RunSecret) -> Vec<Mutant> {
    let scopes = script.scopes();
    let context = ScriptContext::new(&script.script, &scopes, &script.schema).with_decisions(&script.decisions);
    let key = secret.script_key(script);
    let mut mutants = Vec::new();
    let kept = kept_policies(taxonomy.policies(), script);
    let is_held = |fault: &Fault| fault.policy().is_none_or(|policy| kept.has(policy));
    for (_, fault) in taxonomy.by_id().filter(|(_, fault)| is_held(fault)) {
        let proposals = fault.operator().map(|operator| propose(&context, operator)).unwrap_or_default();
        let planted = proposals.iter().map(|proposal| Mutant::new(&script.id, &key, &fault.id, proposal));
        // A semantic fault is too easy if a comment states the rule it breaks; a syntax error names its place anyway.
        let stated =
            |mutant: &Mutant| fault.track == Track::Semantic && states_the_rule(&script.script, &script.schema, mutant);
        mutants.extend(planted.filter(|mutant| !stated(mutant)));
    }
    mutants
}
