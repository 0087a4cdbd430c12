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

/// What the work on every reference of a run needs.
#[derive(Clone, Copy)]
pub(super) struct WorkContext<'a> {
    pub context: Context<'a>,
    pub composer: &'a Composer,
    pub book: &'a PhraseBook,
}

impl WorkContext<'_> {
    /// Composes the reference and tries its faults until it has its task. A panic of this program
    /// costs only this reference.
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
            Baseline::prepared(context.engine, &context.settings.conditions(), reference, preparation);
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::super::inputs::Inputs;
    use super::super::super::settings::BuildSettings;
    use super::super::composer::composer;
    use super::*;
    use crate::engine::panicking::PanickingEngine;
    use crate::parallel::Unwatched;

    const SEED: u64 = 11;
    const WORDS: &str = "a bug of ours: the engine has a bug";

    /// What the work on every reference of the test needs, except the engine.
    struct Run {
        settings: BuildSettings,
        inputs: Inputs,
        composer: Composer,
    }

    impl Run {
        fn new() -> Run {
            // Short scripts: the work on each takes a second.
            let settings = BuildSettings { lines: Some([60, 80]), ..BuildSettings::new(PathBuf::from("run"), SEED) };
            let inputs = Inputs::read(&settings).unwrap();
            Run { settings, inputs, composer: composer().unwrap() }
        }

        fn work<'a>(&'a self, engine: &'a PanickingEngine) -> WorkContext<'a> {
            let Run { settings, inputs, composer } = self;
            let context = Context::new(settings, &inputs.taxonomy, engine, &Unwatched);
            WorkContext { context, composer, book: &inputs.book }
        }

        /// A task of two syntax faults on the reference of this number.
        fn planned(number: usize) -> Planned {
            let faults = ["aggregate-dropped-in-grouped-query", "alias-as-doubled", "alias-with-hyphen"];
            Planned { number, track: Track::Syntax, size: 2, faults: faults.map(str::to_owned).to_vec() }
        }
    }

    fn text(outcome: &Outcome) -> String {
        serde_json::to_string(outcome).unwrap()
    }

    /// Attack | a bug of ours, a panic, at any question that the work on a composed reference asks the engine | – | that mutant or that reference is refused with the words, the next reference is worked on
    #[test]
    fn a_panic_costs_one_reference_and_not_the_run() {
        let (run, [first, next]) = (Run::new(), [0, 1].map(Run::planned));
        let sound = PanickingEngine::at(usize::MAX);
        assert!(run.work(&sound).outcome(&first).task.is_some());
        let questions = sound.asked();
        for at in [0, questions / 2, questions - 1] {
            let engine = PanickingEngine::at(at);
            let outcome = run.work(&engine).outcome(&first);
            assert!(engine.panics() == 1 && text(&outcome).contains(WORDS), "question {at}: {outcome:?}");
        }
        // The last question is about the faults together; there only the shield around the whole work catches a panic.
        let engine = PanickingEngine::at(questions - 1);
        let work = run.work(&engine);
        assert_eq!(work.outcome(&first).refused.as_deref(), Some(WORDS));
        assert_eq!(text(&work.outcome(&next)), text(&run.work(&sound).outcome(&next)));
    }
}
