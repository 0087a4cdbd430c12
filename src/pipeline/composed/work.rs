//! The work on one composed reference: pure, so that it may be done anywhere and in any order.

use super::super::baseline::{Baseline, Preparation};
use super::super::baselines::{Baselines, ReadyReference};
use super::super::candidates::{CandidateDraw, candidates};
use super::super::context::Context;
use super::super::funnel::Funnel;
use super::super::policies;
use super::outcome::Outcome;
use super::places::compose;
use super::plan::Planned;
use super::task_search::TaskSearch;
use crate::corpus::compose::Composer;
use crate::fault::Track;
use crate::parallel::shielded;
use crate::publish::complaint::PhraseBook;

/// What all references of a run are worked on with.
#[derive(Clone, Copy)]
pub(super) struct WorkContext<'a> {
    pub context: Context<'a>,
    pub composer: &'a Composer,
    pub book: &'a PhraseBook,
}

impl WorkContext<'_> {
    /// Composes the reference and tries its faults until it has its task. A panic of this program costs this reference.
    pub fn outcome(&self, planned: &Planned) -> Outcome {
        shielded(&format!("reference {}", planned.number), || self.worked(planned))
            .unwrap_or_else(|panic| Outcome::nothing(planned.clone(), Some(panic.to_string())))
    }

    fn worked(&self, planned: &Planned) -> Outcome {
        let context = self.context;
        let composed = match compose(context, self.composer, planned.number) {
            Ok(composed) => composed,
            Err(reason) => return Outcome::nothing(planned.clone(), Some(reason)),
        };
        let reference = &composed.reference;
        let preparation = match planned.track {
            Track::Syntax => Preparation::Judging,
            Track::Semantic => Preparation::Composing,
        };
        let (baseline, subject) =
            Baseline::prepared(context.engine, &context.settings.policies, reference, preparation);
        let (coverage, subject) = match (baseline, subject) {
            (Baseline::Passed { coverage, .. }, Some(subject)) => (coverage, subject),
            (Baseline::Refused { reason }, _) => return Outcome::nothing(planned.clone(), Some(reason)),
            _ => return Outcome::nothing(planned.clone(), Some("the baseline gave no script".to_owned())),
        };
        let draw = CandidateDraw { seed: context.settings.seed, jobs: 1, taxonomy: context.taxonomy };
        let candidates = candidates(&draw, &[reference], &mut Funnel::default());
        let baselines = Baselines::of(vec![ReadyReference::new(reference, coverage, subject, context.settings)]);
        let mut outcome = Outcome::nothing(planned.clone(), None);
        outcome.policies = policies::count(&context.settings.policies, &[reference]);
        let (baselines, candidates) = (&baselines, &candidates);
        let search = TaskSearch { context, book: self.book, composed: &composed, baselines, candidates };
        search.fill(&mut outcome);
        outcome
    }
}
