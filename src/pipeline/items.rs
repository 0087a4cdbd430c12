//! Work items: what any process, anywhere, needs to make trials.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::baseline::{Baseline, ProofConditions, too_simple};
use super::candidates::{CandidateDraw, candidates};
use super::combine::gathered;
use super::error::BuildError;
use super::funnel::Funnel;
use super::inputs::Inputs;
use super::queues::FaultQueue;
use super::quotas::{FaultShare, Quota, targets};
use super::records::{TOOL, WorkerRecord};
use super::settings::BuildSettings;
use super::trial::TrialRecord;
use crate::corpus::{Reference, ReferenceCard, read_texts};
use crate::engine::policy::Policies;
use crate::engine::{Engine, EngineChoice};
use crate::fault::Track;
use crate::inject::Mutant;
use crate::parallel::shielded;
use crate::prove::admission::admit;
use crate::prove::effort::Effort;

/// Maximum number of mutants in an item. An item takes seconds, so a lost worker costs only seconds.
const MOST_TRIALS: usize = 32;

/// A script and mutants of it to try: all that a worker needs besides this program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkItem {
    /// The version of this program that planned it.
    pub tool: String,
    /// Its place in the plan, from 0.
    pub number: usize,
    /// The engine that decides.
    pub engine: EngineChoice,
    /// Rules of the platform beyond the engine's.
    #[serde(default, skip_serializing_if = "Policies::is_empty")]
    pub policies: Policies,
    /// How hard to search; as usual if the run does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// The script's id.
    pub id: String,
    /// What the script is for.
    pub card: ReferenceCard,
    /// Its table definitions.
    pub schema: String,
    /// The correct script.
    pub script: String,
    /// What to try, in this order.
    pub attempts: Vec<PlannedTrial>,
}

/// One mutant to try.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedTrial {
    /// Its track.
    pub track: Track,
    /// The mutant.
    pub mutant: Mutant,
}

/// Why an item cannot be done. A mutant that fails is no error.
#[derive(Debug, thiserror::Error)]
pub enum ItemError {
    /// Another version planned it.
    #[error("item {number} was planned by {tool}; this is {TOOL}: use one version everywhere")]
    OtherTool {
        /// Which item.
        number: usize,
        /// The version.
        tool: String,
    },
    /// Its script or schema does not read.
    #[error("item {number}: {message}")]
    Script {
        /// Which item.
        number: usize,
        /// Why.
        message: String,
    },
}

/// All items of a run. They depend on the settings alone, never on how many processes share them.
///
/// Which mutants a run needs is known only after trying them, so one and a half times its quota, and a few more, are
/// planned for each fault. `merge` tries what a run then lacks.
///
/// # Errors
///
/// If inputs cannot be used.
pub fn plan(settings: &BuildSettings) -> Result<Vec<WorkItem>, BuildError> {
    let Inputs { taxonomy, references, .. } = Inputs::read(settings)?;
    let fit: Vec<&Reference> = references.iter().filter(|it| too_simple(settings.complexity, it).is_none()).collect();
    let draw = CandidateDraw { seed: settings.seed, jobs: settings.jobs, taxonomy: &taxonomy };
    let candidates = candidates(&draw, &fit, &mut Funnel::new(&taxonomy));
    let mut chosen: HashMap<String, Vec<PlannedTrial>> = HashMap::new();
    for quota in Quota::of(settings) {
        let candidates = gathered(settings, quota, &candidates);
        let queues = FaultQueue::all(&taxonomy, settings.mix, quota.track, &candidates);
        let shares: Vec<FaultShare> = queues.iter().map(FaultQueue::share).collect();
        for (queue, target) in queues.iter().zip(targets(quota.faults(settings), &shares)) {
            for mutant in queue.candidates.iter().take(ahead(target)) {
                let attempt = PlannedTrial { track: quota.track, mutant: mutant.clone() };
                chosen.entry(mutant.script.clone()).or_default().push(attempt);
            }
        }
    }
    let mut items = Vec::new();
    for reference in fit {
        let attempts = chosen.remove(reference.id.as_str()).unwrap_or_default();
        let slices: Vec<&[PlannedTrial]> =
            if attempts.is_empty() { vec![&[]] } else { attempts.chunks(MOST_TRIALS).collect() };
        for slice in slices {
            items.push(item(settings, reference, items.len(), slice));
        }
    }
    Ok(items)
}

fn item(settings: &BuildSettings, reference: &Reference, number: usize, attempts: &[PlannedTrial]) -> WorkItem {
    WorkItem {
        tool: TOOL.to_owned(),
        number,
        engine: settings.engine.clone(),
        policies: settings.policies.clone(),
        effort: settings.effort,
        id: reference.id.clone(),
        card: reference.card.clone(),
        schema: reference.schema_text.clone(),
        script: reference.script.text().to_owned(),
        attempts: attempts.to_vec(),
    }
}

/// Returns how many candidates of a fault to plan for a quota: about three of four trials succeed.
fn ahead(quota: usize) -> usize {
    if quota == 0 { 0 } else { quota + quota / 2 + 2 }
}

/// Makes the trials of an item.
///
/// # Errors
///
/// If another version planned it, or its script or schema cannot be read.
pub fn work(engine: &dyn Engine, item: WorkItem) -> Result<WorkerRecord, ItemError> {
    if item.tool != TOOL {
        return Err(ItemError::OtherTool { number: item.number, tool: item.tool });
    }
    let reference = read_texts(item.id, item.script, item.schema, item.card)
        .map_err(|error| ItemError::Script { number: item.number, message: error.to_string() })?;
    let conditions = ProofConditions { policies: item.policies, effort: item.effort };
    let (baseline, subject) = Baseline::run(engine, &conditions, &reference);
    let tried = |attempt: &PlannedTrial| {
        let subject = subject.as_ref()?;
        let admitted = || admit(&reference.script, &attempt.mutant).is_ok();
        let trial = || admitted().then(|| TrialRecord::run(engine, subject, attempt.track, &attempt.mutant));
        // A trial that panics is left out; `merge` reports it.
        shielded(&reference.id, trial).ok().flatten()
    };
    let trials = item.attempts.iter().filter_map(tried).collect();
    Ok(WorkerRecord {
        tool: item.tool,
        number: item.number,
        script: reference.id.clone(),
        key: reference.key(),
        engine: engine.name().to_owned(),
        baseline,
        trials,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::{Edit, Edits};
    use crate::code::span::Span;
    use crate::engine::panicking::PanickingEngine;

    const SCRIPT: &str = "SELECT a, SUM(b) AS total FROM t WHERE b > 10 AND a < 5 GROUP BY a";
    const SCHEMA: &str = "CREATE TABLE t (a INT, b INT);";

    /// An item of two mutants, each of which changes one comparison.
    fn item() -> WorkItem {
        let attempt = |from: &str, to: &str| {
            let start = SCRIPT.find(from).unwrap();
            let edits = Edits::new(vec![Edit::replacement(Span { start, end: start + from.len() }, to)]).unwrap();
            let mutant = Mutant::of_edits("s", SCRIPT, "comparison-negated", edits);
            PlannedTrial { track: Track::Semantic, mutant }
        };
        WorkItem {
            tool: TOOL.to_owned(),
            number: 0,
            engine: EngineChoice::Sqlite,
            policies: Policies::default(),
            effort: None,
            id: "s".to_owned(),
            card: ReferenceCard { domain: "shop".to_owned(), title: "Totals".to_owned(), ..ReferenceCard::default() },
            schema: SCHEMA.to_owned(),
            script: SCRIPT.to_owned(),
            attempts: vec![attempt("b > 10", "b < 10"), attempt("a < 5", "a > 5")],
        }
    }

    /// Attack | a bug of ours, a panic, at any question that a `worker` asks the engine | – | that trial is left out, or that script is refused with the words; the others are tried
    #[test]
    fn a_panic_costs_a_worker_one_trial_and_not_the_item() {
        let sound = PanickingEngine::at(usize::MAX);
        let whole = work(&sound, item()).unwrap();
        assert_eq!(whole.trials.len(), 2);
        let record = |question: usize| {
            let engine = PanickingEngine::at(question);
            let record = work(&engine, item()).unwrap();
            assert_eq!(engine.panics(), 1, "question {question}");
            record
        };
        let last = record(sound.asked() - 1);
        assert_eq!(serde_json::to_string(&last.trials).unwrap(), serde_json::to_string(&whole.trials[..1]).unwrap());
        let first = record(0);
        let refused = matches!(&first.baseline, Baseline::Refused { reason } if reason.contains("a bug of ours"));
        assert!(refused && first.trials.is_empty(), "{first:?}");
    }
}
