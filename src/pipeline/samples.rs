//! The public sample of a task: a small database and what the script should give on it.
//!
//! A complaint describes the sample, so that a solver can look at what it says; on a syntax task it tells repairs apart
//! that the engine accepts. The databases that judge answers are kept apart.

use std::collections::BTreeMap;
use std::iter;

use serde::Serialize;

use super::alternatives::Alternatives;
use super::baselines::Baselines;
use super::checkpoint::Phase;
use super::context::Context;
use super::databases::insert_statements;
use super::error::BuildError;
use super::proven::ProvedMutant;
use crate::code::span::Span;
use crate::code::tree::NodeId;
use crate::engine::table::{Database, ScriptResult};
use crate::inject::Mutant;
use crate::parallel::{self, shielded};
use crate::prove::sample::{SampleSource, SampledMutant};
use crate::prove::suite::MutantText;
use crate::prove::trial::Candidate;
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::HintLevel;
use crate::publish::difference::claims::Sides;
use crate::publish::format::Files;
use crate::publish::record::ResultRecord;
use crate::store::pretty;

/// The results of both scripts on a sample, as they are written.
#[derive(Serialize)]
pub(super) struct SampleResults {
    /// The result of the script to repair, which `sqlfault query` shows as well. Left out where no engine runs it, and
    /// where the complaint tells only the symptom: the two results side by side say more than any words.
    #[serde(skip_serializing_if = "Option::is_none")]
    gives: Option<Vec<ResultRecord>>,
    /// The result that it should give.
    should_give: Vec<ResultRecord>,
}

impl SampleResults {
    /// Returns what both scripts give, as far as the complaint tells.
    pub fn of(sides: Sides<'_>, hints: HintLevel) -> SampleResults {
        let gives = (hints != HintLevel::Symptom).then(|| records(sides.issue));
        SampleResults { gives, should_give: records(sides.reference) }
    }

    /// Returns what the reference of a script gives that no engine runs.
    pub fn of_reference(result: &ScriptResult) -> SampleResults {
        SampleResults { gives: None, should_give: records(result) }
    }
}

fn records(result: &ScriptResult) -> Vec<ResultRecord> {
    result.tables.iter().map(ResultRecord::from).collect()
}

/// Scripts whose databases are kept at the same time: all those of a large run take much memory.
const SCRIPTS_AT_ONCE: usize = 100;

/// The samples of tasks, by the ids of their mutants. None of them judges an answer.
#[derive(Default)]
pub(super) struct Samples {
    by_task: BTreeMap<String, Database>,
}

impl Samples {
    /// Makes a sample for every syntax task whose reference gives rows on one, and for every semantic task whose fault
    /// shows on one, if possible with other rows than other repairs give.
    pub fn make(
        context: Context<'_>,
        baselines: &Baselines<'_>,
        found: &[ProvedMutant],
        alternatives: &Alternatives,
    ) -> Samples {
        let mut of_scripts: BTreeMap<&str, Vec<&ProvedMutant>> = BTreeMap::new();
        for item in found {
            of_scripts.entry(item.mutant.script.as_str()).or_default().push(item);
        }
        let of_scripts: Vec<(&str, Vec<&ProvedMutant>)> = of_scripts.into_iter().collect();
        let made = of_scripts.chunks(SCRIPTS_AT_ONCE).flat_map(|scripts| {
            let subjects = scripts.iter().filter_map(|(script, _)| Some((*script, baselines.subject(script)?)));
            let sources: BTreeMap<&str, SampleSource<'_>> =
                subjects.map(|(script, subject)| (script, SampleSource::new(subject))).collect();
            let items: Vec<&ProvedMutant> = scripts.iter().flat_map(|(_, items)| items.iter().copied()).collect();
            parallel::map(context.settings.jobs, items, |item| {
                let sample = context.step(Phase::Sample, &item.mutant.id, || {
                    let source = sources.get(item.mutant.script.as_str())?;
                    let others = alternatives.of(&item.mutant.id);
                    shielded(&item.mutant.script, || of_task(source, item, others)).ok().flatten()
                });
                Some((item.mutant.id.clone(), sample?))
            })
        });
        Samples { by_task: made.flatten().collect() }
    }

    /// Returns the sample of a task; `None` if its fault shows on none.
    pub fn of(&self, task: &str) -> Option<&Database> {
        self.by_task.get(task)
    }
}

fn of_task(source: &SampleSource<'_>, item: &ProvedMutant, others: &[MutantText]) -> Option<Database> {
    if !matches!(item.verdict, Verdict::Killed { .. }) {
        return source.of_reference();
    }
    let subject = source.subject;
    let whole = CandidateText::of(subject, &item.mutant)?;
    let parts: Vec<CandidateText> = match item.several() {
        // A decision that several places carry shows at each of the first, where some database does that.
        [] => {
            let places = item.mutant.places_alone(subject.reference.script.text());
            places.iter().filter_map(|place| CandidateText::of(subject, place)).collect()
        }
        several => several.iter().filter_map(|part| CandidateText::of(subject, &part.mutant)).collect(),
    };
    let parts = parts.iter().map(CandidateText::candidate).collect();
    let verdicts = iter::once(&item.verdict).chain(item.several().iter().map(|part| &part.verdict));
    let witnesses = verdicts.filter_map(|verdict| match verdict {
        Verdict::Killed { witness, .. } => Some(witness),
        _ => None,
    });
    source.sample(&SampledMutant { whole: whole.candidate(), parts, witnesses: witnesses.collect(), others })
}

/// A mutant as it is tried.
struct CandidateText {
    text: String,
    changed: Span,
    about: Vec<NodeId>,
}

impl CandidateText {
    fn of(subject: &Subject<'_>, mutant: &Mutant) -> Option<CandidateText> {
        let original = subject.reference.script.text();
        let text = mutant.text(original).ok()?;
        Some(CandidateText { text, changed: mutant.changed(original), about: subject.bound_nodes(mutant.nodes()) })
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate { text: &self.text, changed: self.changed, about: &self.about }
    }
}

/// Writes the sample of a task to the public part of a run: its rows as `samples/<id>.json`, which `query` reads, and as
/// INSERT statements; and what the scripts give as `samples/<id>.results.json`.
pub(super) fn write_sample(
    files: &dyn Files,
    subject: &Subject<'_>,
    task: &str,
    database: &Database,
    results: &SampleResults,
) -> Result<(), BuildError> {
    files.file(&format!("samples/{task}.sql"), insert_statements(&subject.reference.schema, database).as_bytes())?;
    files.file(&format!("samples/{task}.results.json"), pretty(results).as_bytes())?;
    Ok(files.file(&format!("samples/{task}.json"), pretty(database).as_bytes())?)
}
