//! A composed run in numbers.

use super::super::funnel::{Funnel, SuiteFunnel};
use super::super::quotas::{distance, ideal};
use super::outcome::{MadeTask, Outcome};
use super::track_plan::TrackPlan;
use crate::fault::Taxonomy;

/// Writes the results of a track into the funnel.
pub(super) fn count_track(plan: &TrackPlan<'_>, funnel: &mut Funnel) {
    let shares = plan.shares();
    let numbers = funnel.tracks.entry(plan.track).or_default();
    numbers.asked = plan.wanted;
    numbers.mix_distance = distance(&shares);
    for (fault, wanted) in plan.faults().zip(ideal(plan.wanted_faults(), &shares)) {
        funnel.fault(fault).wanted = wanted;
    }
}

/// Adds the outcome of one composed reference to the funnel.
pub(super) fn add_outcome(funnel: &mut Funnel, taxonomy: &Taxonomy, outcome: &Outcome) {
    for attempt in &outcome.attempts {
        let numbers = funnel.fault(&attempt.fault);
        numbers.tried += 1;
        match &attempt.lost {
            None => numbers.proved += 1,
            Some(reason) => *numbers.lost.entry(reason.clone()).or_default() += 1,
        }
    }
    for (policy, numbers) in &outcome.policies {
        let all = funnel.policies.entry(*policy).or_default();
        all.kept += numbers.kept;
        all.broken.extend(numbers.broken.iter().cloned());
    }
    let track = funnel.tracks.entry(outcome.planned.track).or_default();
    for (reason, count) in &outcome.not_together {
        *track.not_together.entry(reason.clone()).or_default() += count;
    }
    let Some(MadeTask { task, gold, .. }) = &outcome.task else { return };
    funnel.suites = SuiteFunnel {
        tried: funnel.suites.tried.plus(outcome.suites.tried),
        held_out: funnel.suites.held_out.plus(outcome.suites.held_out),
    };
    funnel.complaints = funnel.complaints.plus(outcome.complaints);
    funnel.count_task(taxonomy, task, gold);
}
