//! Makes tasks of proven mutants: the public record, the judge's record, and the databases that prove it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::alternatives::Alternatives;
use super::baselines::ReadyReference;
use super::checkpoint::Phase;
use super::complaints::{ComplaintRequest, ComplaintWriter, Wording};
use super::context::Context;
use super::databases::write_database;
use super::error::BuildError;
use super::funnel::{Determination, Funnel};
use super::gold::{TaskProof, UnwrittenTask};
use super::model_authors::ModelAuthors;
use super::proven::{ProvedMutant, TriedMutant};
use super::samples::{SampleResults, Samples, write_sample};
use super::suites::Suites;
use crate::corpus::{Reference, after};
use crate::engine::table::{Database, ScriptResult};
use crate::fault::Fault;
use crate::parallel::shielded;
use crate::prove::confirmation::results;
use crate::prove::suite::{MutantText, OtherMutants};
use crate::prove::trial::WitnessResults;
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::{HintLevel, PhraseBook};
use crate::publish::difference::claims::Sides;
use crate::publish::format::Files;
use crate::publish::intent::intent;
use crate::publish::leak::Secrets;
use crate::publish::questions;
use crate::publish::record::{self, Evidence, GoldRecord, ResultRecord, TaskRecord};
use crate::store::pretty;

/// What tasks are made of besides their mutants.
#[derive(Clone, Copy)]
pub(super) struct TaskMaterial<'a> {
    /// The databases that the tasks of a script share.
    pub suites: &'a Suites,
    /// The public database of each semantic task.
    pub samples: &'a Samples,
    /// Other repairs of each task, where they were looked for.
    pub alternatives: &'a Alternatives,
}

/// The result of making a task, with the state that the wording of later tasks depends on.
#[derive(Serialize, Deserialize)]
struct TaskOutcome {
    /// Both records, or why there are none.
    records: Result<(TaskRecord, GoldRecord), String>,
    /// Complaints that no other task may use.
    words: Vec<String>,
    /// How far the complaints up to this one determine their references.
    determination: Determination,
}

/// What a task shows to its solver, and what its judge knows.
struct TaskDisclosure {
    context: record::SolverContext,
    /// How much the complaint tells; `None` for a syntax task.
    hints: Option<HintLevel>,
    evidence: Evidence,
}

/// The results that a complaint speaks of.
struct ShownEvidence<'a> {
    sides: Sides<'a>,
    /// Whether these are the results on the public sample.
    has_sample: bool,
}

/// Makes tasks and writes the databases that prove them.
pub(super) struct Publisher<'a> {
    context: Context<'a>,
    /// Where the databases go.
    files: &'a dyn Files,
    /// Writes the complaints.
    pub complaints: ComplaintWriter<'a>,
    /// The models that planted faults, if any did.
    authors: Option<&'a ModelAuthors>,
    /// Tasks by id.
    pub records: BTreeMap<String, (TaskRecord, GoldRecord)>,
    /// Scripts whose databases are written.
    written: BTreeSet<String>,
}

impl<'a> Publisher<'a> {
    pub fn new(
        context: Context<'a>,
        book: &'a PhraseBook,
        authors: Option<&'a ModelAuthors>,
        files: &'a dyn Files,
    ) -> Publisher<'a> {
        let (records, written) = Default::default();
        let complaints = ComplaintWriter::new(book, authors);
        Publisher { context, files, complaints, authors, records, written }
    }

    /// Makes a task of a proven mutant and returns whether that worked. The funnel counts it, or
    /// why it could not be worded.
    pub fn publish(
        &mut self,
        entry: &ReadyReference<'_>,
        item: &ProvedMutant,
        material: TaskMaterial<'_>,
        funnel: &mut Funnel,
    ) -> Result<bool, BuildError> {
        let faults = self.faults(item);
        match self.outcome(entry, item, material)?.records {
            Ok(pair) => {
                let cost = |part: &TriedMutant| part.mutant.tokens_changed(&entry.reference.script);
                let costs: Vec<_> = faults.into_iter().zip(item.parts.iter().map(cost)).collect();
                funnel.publish(item.track, &costs);
                self.records.insert(item.mutant.id.clone(), pair);
                Ok(true)
            }
            Err(reason) => {
                for fault in faults {
                    *funnel.fault(&fault.id).lost.entry(reason.clone()).or_default() += 1;
                }
                Ok(false)
            }
        }
    }

    fn faults(&self, item: &ProvedMutant) -> Vec<&'a Fault> {
        item.parts.iter().filter_map(|part| self.context.fault(&part.mutant.fault)).collect()
    }

    /// Makes a task and writes its files, or reads the outcome that an earlier process kept.
    fn outcome(
        &mut self,
        entry: &ReadyReference<'_>,
        item: &ProvedMutant,
        material: TaskMaterial<'_>,
    ) -> Result<TaskOutcome, BuildError> {
        if let Some(known) = self.context.known::<TaskOutcome>(Phase::Task, &item.mutant.id) {
            self.complaints.used.extend(known.words.iter().cloned());
            self.complaints.determination = known.determination;
            return Ok(known);
        }
        let made = match entry.subject() {
            Some(subject) => self.made(subject, item, material)?,
            None => Err("the reference does not pass its baseline here".to_owned()),
        };
        let words = std::mem::take(&mut self.complaints.words);
        let outcome = TaskOutcome { records: made, words, determination: self.complaints.determination };
        self.context.keep(Phase::Task, &item.mutant.id, &outcome);
        Ok(outcome)
    }

    /// Writes the files of a task and returns both its records, or why it cannot be worded.
    fn made(
        &mut self,
        subject: &Subject<'_>,
        item: &ProvedMutant,
        material: TaskMaterial<'_>,
    ) -> Result<Result<(TaskRecord, GoldRecord), String>, BuildError> {
        let issue = match item.mutant.text(subject.reference.script.text()) {
            Ok(issue) => issue,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let draft = UnwrittenTask { subject, item, faults: self.faults(item), issue };
        let records = shielded(&item.mutant.script, || self.records(&draft, material))
            .unwrap_or_else(|panic| Err(panic.to_string()));
        if records.is_ok() {
            self.write_files(&draft, material)?;
        }
        Ok(records)
    }

    fn write_files(&mut self, draft: &UnwrittenTask<'_, '_>, material: TaskMaterial<'_>) -> Result<(), BuildError> {
        let UnwrittenTask { subject, item, .. } = draft;
        write_witnesses(self.files, subject, item)?;
        if let (Verdict::Rejected { .. }, Some(database)) = (&item.verdict, material.samples.of(&item.mutant.id))
            && let Some(result) = subject.result_on(database)
        {
            let results = SampleResults::of_reference(&subject.read_tables(result));
            write_sample(self.files, subject, &item.mutant.id, database, &results)?;
        }
        if self.written.insert(item.mutant.script.clone()) {
            material.suites.write(self.files, subject)?;
            write_translation(self.files, subject.reference)?;
            write_inferred(self.files, subject.reference)?;
        }
        if self.context.settings.controls > 0 {
            // A solver that is asked whether a script is right must know what the script is for.
            let file = questions::file(&item.mutant.id);
            self.files.file(&file, questions::question(subject.reference).as_bytes())?;
        }
        Ok(())
    }

    /// Returns both records of a task, or why it cannot be worded.
    fn records(
        &mut self,
        draft: &UnwrittenTask<'_, '_>,
        material: TaskMaterial<'_>,
    ) -> Result<(TaskRecord, GoldRecord), String> {
        let UnwrittenTask { subject, item, .. } = draft;
        let disclosed = match &item.verdict {
            Verdict::Rejected { rejection, judges } => {
                let engine = judges.first().map_or_else(|| self.engine(), |first| first.engine.clone());
                TaskDisclosure {
                    context: record::SolverContext::ErrorMessage(rejection.message.clone()),
                    hints: None,
                    evidence: Evidence::rejected(engine, rejection, judges.clone()),
                }
            }
            Verdict::Killed { .. } => self.killed(draft, material)?,
            _ => return Err("not proved".to_owned()),
        };
        let task = TaskRecord {
            canary: self.context.secret.canary(),
            files: after(&subject.reference.files, &item.mutant.edits),
            ..TaskRecord::on(subject.reference, &item.mutant.id, &draft.issue, disclosed.context)
        };
        let proposed_by = self.authors.and_then(|authors| authors.of(item));
        let proof = TaskProof { evidence: disclosed.evidence, hints: disclosed.hints, proposed_by };
        Ok((task, draft.gold(self.context, proof)))
    }

    fn engine(&self) -> String {
        self.context.engine.name().to_owned()
    }

    /// Returns the complaint and the evidence of a semantic task.
    fn killed(&mut self, draft: &UnwrittenTask<'_, '_>, material: TaskMaterial<'_>) -> Result<TaskDisclosure, String> {
        let UnwrittenTask { subject, item, issue, .. } = draft;
        let Verdict::Killed { witness, shown, .. } = &item.verdict else { return Err("not proved".to_owned()) };
        let found = results(subject, issue, witness, shown.as_deref())?;
        // A task without a usable sample is described on its witness.
        let sample = material.samples.of(&item.mutant.id);
        // Whoever reads the report sees nothing of the tables on the way: they would point to the step that is wrong.
        let read = |WitnessResults { reference, issue }| WitnessResults {
            reference: subject.read_tables(reference),
            issue: subject.read_tables(issue),
        };
        let on_sample =
            sample.and_then(|database| Some((database, read(results(subject, issue, database, None).ok()?))));
        let wording = match &on_sample {
            Some((database, WitnessResults { reference, issue })) => {
                let sides = Sides { reference, issue };
                let others = material.alternatives.results(subject, &item.mutant.id, database);
                let wording = self.wording(draft, ShownEvidence { sides, has_sample: true }, &others)?;
                let results = SampleResults::of(sides, wording.hints);
                let written = write_sample(self.files, subject, &item.mutant.id, database, &results);
                written.map_err(|error| error.to_string())?;
                wording
            }
            None => {
                let WitnessResults { reference, issue } = &read(found.clone());
                let sides = Sides { reference, issue };
                let others = material.alternatives.results(subject, &item.mutant.id, witness);
                self.wording(draft, ShownEvidence { sides, has_sample: false }, &others)?
            }
        };
        let own = std::iter::once(item.mutant.id.clone()).chain(item.part_names());
        // Where the issue gives more rows than may be read, nothing can be compared.
        let shared = material.suites.names(subject).into_iter().zip(material.suites.of(subject));
        let changed = item.mutant.changed(subject.reference.script.text());
        let read = OtherMutants::new(subject, &[MutantText { text: issue.clone(), changed }]);
        let all: Vec<usize> = (0..read.len()).collect();
        let runs = |database: &Database| !read.results(database, &all).is_empty();
        let names = own.chain(shared.filter(|(_, database)| runs(database)).map(|(name, _)| name));
        let databases = names.map(|name| format!("databases/{name}.json")).collect();
        let tables = |result: &ScriptResult| result.tables.iter().map(ResultRecord::from).collect();
        let evidence = Evidence::Killed {
            engine: self.engine(),
            databases,
            reference: tables(&found.reference),
            issue: tables(&found.issue),
        };
        let context = record::SolverContext::UserQuery(wording.text);
        Ok(TaskDisclosure { context, hints: Some(wording.hints), evidence })
    }

    /// Words the complaint, if possible so that no other repair of the place would satisfy it.
    fn wording(
        &mut self,
        draft: &UnwrittenTask<'_, '_>,
        shown: ShownEvidence<'_>,
        others: &[ScriptResult],
    ) -> Result<Wording, String> {
        let UnwrittenTask { subject, item, faults, issue } = draft;
        let planted = faults.iter().zip(&item.parts);
        let book = &self.complaints.book.of_script(subject);
        let intents: Vec<_> = planted.filter_map(|(fault, part)| intent(subject, fault, &part.mutant, book)).collect();
        let repair = item.mutant.edits.inverse(subject.reference.script.text());
        let cites_names = book.vocabulary().cites_names();
        let secrets: Vec<Secrets<'_>> = faults
            .iter()
            .map(|fault| Secrets { fault: &fault.id, operator: "", issue_sql: issue, repair: &repair, cites_names })
            .collect();
        let request = ComplaintRequest {
            book,
            instance_id: &item.mutant.id,
            title: subject.reference.card.own_title(),
            intents: &intents,
            faults: faults.len(),
            secrets: &secrets,
            sides: shown.sides,
            alternatives: others,
            hints: self.context.settings.hints_of(&item.mutant.id),
            has_sample: shown.has_sample,
        };
        self.complaints.word(&request)
    }
}

/// Writes what no definition tells of a script's tables.
fn write_inferred(files: &dyn Files, reference: &Reference) -> Result<(), BuildError> {
    if reference.inferred.is_empty() {
        return Ok(());
    }
    Ok(files.file(&format!("inferred/{}.json", reference.key()), pretty(&reference.inferred).as_bytes())?)
}

/// Writes a script that was translated as its author wrote it, statement by statement, with the translation.
fn write_translation(files: &dyn Files, reference: &Reference) -> Result<(), BuildError> {
    let Some(translation) = &reference.translation else { return Ok(()) };
    Ok(files.file(&format!("translations/{}.json", reference.key()), pretty(translation).as_bytes())?)
}

fn write_witnesses(files: &dyn Files, subject: &Subject<'_>, item: &ProvedMutant) -> Result<(), BuildError> {
    if let Verdict::Killed { witness, .. } = &item.verdict {
        write_database(files, subject, &item.mutant.id, witness)?;
    }
    for (part, name) in item.several().iter().zip(item.part_names()) {
        if let Verdict::Killed { witness, .. } = &part.verdict {
            write_database(files, subject, &name, witness)?;
        }
    }
    Ok(())
}
