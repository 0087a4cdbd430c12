//! The mutants of a run and of its refill.

use std::collections::BTreeMap;

use super::existing::ExistingRun;
use super::search::RefilledRun;
use crate::inject::Mutant;
use crate::prove::Verdict;

/// Returns every mutant that the run ever tried, with its verdict.
pub(super) fn all_trials(run: &ExistingRun, found: &RefilledRun) -> Vec<(Mutant, Verdict)> {
    let before =
        run.mutants.values().filter_map(|mutant| Some((mutant.clone(), run.proofs.get(&mutant.id)?.verdict.clone())));
    let (mutants, proofs) = &found.trials;
    let since = mutants.iter().cloned().zip(proofs.iter().map(|proof| proof.verdict.clone()));
    let by_id: BTreeMap<String, (Mutant, Verdict)> =
        before.chain(since).map(|trial| (trial.0.id.clone(), trial)).collect();
    by_id.into_values().collect()
}
