//! The public sample of a semantic task: a small database and what the script should give on it.
//!
//! A complaint describes the sample, so that a solver can look at what it says. The databases that
//! judge answers are kept apart.

use std::collections::BTreeMap;

use serde::Serialize;

use super::baselines::Baselines;
use super::checkpoint::Phase;
use super::context::Context;
use super::databases::insert_statements;
use super::error::BuildError;
use super::proven::ProvenMutant;
use crate::engine::table::{Database, ScriptResult};
use crate::fault::Track;
use crate::parallel::{self, shielded};
use crate::prove::sample::sample;
use crate::prove::trial::Candidate;
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::HintLevel;
use crate::publish::difference::claims::Sides;
use crate::publish::format::Files;
use crate::publish::record::ResultRecord;
use crate::store::pretty;

/// The results of both scripts on a sample, as they are written.
#[derive(Serialize)]
struct SampleResults {
    /// The result of the script to repair, which `sqlfault query` shows as well. Left out where the complaint tells
    /// only the symptom: the two results side by side say more than any words.
    #[serde(skip_serializing_if = "Option::is_none")]
    gives: Option<Vec<ResultRecord>>,
    /// The result that it should give.
    should_give: Vec<ResultRecord>,
}

/// The samples of semantic tasks, by the ids of their mutants. None of them judges an answer.
#[derive(Default)]
pub(super) struct Samples {
    by_task: BTreeMap<String, Database>,
}

impl Samples {
    /// Makes a sample for every semantic task whose fault shows on one.
    pub fn make(context: Context<'_>, baselines: &Baselines<'_>, found: &[ProvenMutant]) -> Samples {
        let tasks: Vec<&ProvenMutant> = found.iter().filter(|item| item.track == Track::Semantic).collect();
        let made = parallel::map(context.settings.jobs, tasks, |item| {
            let sample = context.step(Phase::Sample, &item.mutant.id, || {
                let subject = baselines.subject(&item.mutant.script)?;
                shielded(&item.mutant.script, || of_task(subject, item)).ok().flatten()
            });
            Some((item.mutant.id.clone(), sample?))
        });
        Samples { by_task: made.into_iter().flatten().collect() }
    }

    /// Returns the sample of a task; `None` if its fault shows on none.
    pub fn of(&self, task: &str) -> Option<&Database> {
        self.by_task.get(task)
    }
}

fn of_task(subject: &Subject<'_>, item: &ProvenMutant) -> Option<Database> {
    let Verdict::Killed { witness, .. } = &item.verdict else { return None };
    let original = subject.reference.script.text();
    let text = item.mutant.text(original).ok()?;
    let nodes: Vec<_> =
        item.mutant.nodes().into_iter().filter(|node| node.index() < subject.bound.tree().len()).collect();
    sample(subject, &Candidate { text: &text, changed: item.mutant.changed(original), about: &nodes }, witness)
}

/// Writes the sample of a task to the public part of a run: its rows as `samples/<id>.json`, which `query` reads, and as
/// INSERT statements; and what the scripts give as `samples/<id>.results.json`.
pub(super) fn write_sample(
    files: &dyn Files,
    subject: &Subject<'_>,
    task: &str,
    database: &Database,
    sides: Sides<'_>,
    hints: HintLevel,
) -> Result<(), BuildError> {
    let records = |result: &ScriptResult| result.tables.iter().map(ResultRecord::from).collect();
    let gives = (hints != HintLevel::Symptom).then(|| records(sides.issue));
    let results = SampleResults { gives, should_give: records(sides.reference) };
    files.file(&format!("samples/{task}.sql"), insert_statements(&subject.reference.schema, database).as_bytes())?;
    files.file(&format!("samples/{task}.results.json"), pretty(&results).as_bytes())?;
    Ok(files.file(&format!("samples/{task}.json"), pretty(database).as_bytes())?)
}
