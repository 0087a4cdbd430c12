//! Words for what was found, and the files of a run.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::alternatives::Alternatives;
use super::funnel::Funnel;
use super::gold::{explained, labels, part_repairs};
use super::hunt::{Found, Hunt, Planted, Proof};
use super::insert_statements::insert_statements;
use super::rewrites::Authors;
use super::roster::Entry;
use super::suite::Suites;
use super::wording::{Matter, Wording};
use super::{BuildError, Settings};
use crate::code::edit::Edits;
use crate::code::profile::Profile;
use crate::code::script::Script;
use crate::engine::Engine;
use crate::engine::table::{Database, ScriptResult};
use crate::fault::{Fault, Taxonomy};
use crate::inject::Mutant;
use crate::prove::confirmation::results;
use crate::prove::coverage::Coverage;
use crate::prove::trial::WitnessResults;
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::PhraseBook;
use crate::publish::critique::{Planted as Planting, critique};
use crate::publish::difference::claims::Sides;
use crate::publish::leak::Secrets;
use crate::publish::locate::locate;
use crate::publish::record::{
    Complexity, Context, Evidence, GoldRecord, Part, Provenance, ResultRecord, TaskRecord, patch,
};
use crate::publish::want::{intent, is_own};
use crate::store::RunDirectory;

/// Marks every task, so that the text can be kept out of training sets.
pub(super) const CANARY: &str =
    "sqlfault benchmark data; keep out of training corpora; 6b1f8c52-9d0e-4c7a-8f43-2ad1c0e95b77";

#[derive(Serialize)]
struct ScriptRecord<'a> {
    script: &'a str,
    key: String,
    domain: &'a str,
    title: &'a str,
    profile: Profile,
    complexity: f64,
    databases: usize,
    coverage: &'a Coverage,
}

/// What tasks are worded from.
pub(super) struct Words<'a> {
    pub book: PhraseBook,
    pub suites: &'a Suites,
    pub alternatives: &'a Alternatives,
}

/// Words and writes everything; tasks are sorted by id.
pub(super) fn run(
    settings: &Settings,
    (taxonomy, words): (&Taxonomy, Words<'_>),
    (hunt, authors): (&Hunt<'_, '_>, Option<&Authors>),
    found: Vec<Found>,
    directory: &RunDirectory,
    funnel: &mut Funnel,
) -> Result<(), BuildError> {
    let mut writer = Writer::new((settings, taxonomy), (words.book, words.suites), hunt.executor(), directory);
    (writer.authors, writer.wording.authors) = (authors, authors);
    writer.alternatives = Some(words.alternatives);
    for item in &found {
        let Some(subject) = hunt.roster().subject(&item.mutant.script) else { continue };
        writer.publish(subject, item, funnel)?;
    }
    funnel.complaints = writer.wording.determination;
    let (tasks, gold): (Vec<TaskRecord>, Vec<GoldRecord>) = writer.records.into_values().unzip();
    funnel.rewrites = authors.map(Authors::numbers);
    let (mutants, proofs) = trials(hunt, &found);
    let complexity = settings.complexity.unwrap_or_default();
    let scripts: Vec<ScriptRecord<'_>> =
        hunt.roster().entries().iter().map(|entry| script_record(entry, complexity)).collect();
    directory.write_records("scripts.jsonl", &scripts)?;
    directory.write_records("mutants.jsonl", &mutants)?;
    directory.write_records("proofs.jsonl", &proofs)?;
    directory.write_records("tasks.jsonl", &tasks)?;
    directory.write_records("gold.jsonl", &gold)?;
    directory.write("funnel.json", pretty(funnel).as_bytes())?;
    directory.write("README.md", super::card::readme(settings, hunt.executor(), funnel, tasks.len()).as_bytes())?;
    Ok(())
}

/// Everything that was tried: single mutants by id, then those of several faults.
pub(super) fn trials(hunt: &Hunt<'_, '_>, found: &[Found]) -> (Vec<Mutant>, Vec<Proof>) {
    let mut trials = hunt.trials();
    let together = found.iter().filter(|item| !several(item).is_empty());
    trials.extend(together.map(|item| (item.mutant.clone(), item.verdict.clone())));
    trials.into_iter().map(|(mutant, verdict)| (mutant.clone(), Proof { mutant: mutant.id, verdict })).unzip()
}

pub(super) fn pretty(value: &impl Serialize) -> String {
    // Records hold no map with keys other than text, the only thing that JSON cannot write.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn script_record<'a>(entry: &'a Entry<'_>, complexity: crate::code::profile::Complexity) -> ScriptRecord<'a> {
    let profile = Profile::of(&entry.reference.script);
    ScriptRecord {
        script: &entry.reference.id,
        key: entry.reference.key(),
        domain: &entry.reference.card.domain,
        title: &entry.reference.card.title,
        complexity: complexity.of(&profile),
        profile,
        databases: entry.databases,
        coverage: &entry.coverage,
    }
}

fn write_witnesses(directory: &RunDirectory, subject: &Subject<'_>, item: &Found) -> Result<(), BuildError> {
    if let Verdict::Killed { witness, .. } = &item.verdict {
        write_database(directory, subject, &item.mutant.id, witness)?;
    }
    for (part, name) in several(item).iter().zip(part_names(item)) {
        if let Verdict::Killed { witness, .. } = &part.verdict {
            write_database(directory, subject, &name, witness)?;
        }
    }
    Ok(())
}

/// The parts of a task with several faults.
fn several(item: &Found) -> &[Planted] {
    if item.parts.len() > 1 { &item.parts } else { &[] }
}

/// Names of the witnesses of a task's single faults.
fn part_names(item: &Found) -> Vec<String> {
    (1..=several(item).len()).map(|number| format!("{}-{number}", item.mutant.id)).collect()
}

pub(super) fn write_database(
    directory: &RunDirectory,
    subject: &Subject<'_>,
    name: &str,
    database: &Database,
) -> Result<(), BuildError> {
    // The JSON comes last: where it is, both are.
    let sql = insert_statements(&subject.reference.schema, database);
    directory.write(&format!("databases/{name}.sql"), sql.as_bytes())?;
    Ok(directory.write(&format!("databases/{name}.json"), pretty(database).as_bytes())?)
}

/// Words tasks, and writes the databases that prove them.
pub(super) struct Writer<'a> {
    settings: &'a Settings,
    taxonomy: &'a Taxonomy,
    /// Complaints.
    pub wording: Wording<'a>,
    /// Other repairs of each task, where they were looked for.
    alternatives: Option<&'a Alternatives>,
    /// The engine with the last word.
    engine: String,
    directory: &'a RunDirectory,
    /// Models that planted faults.
    pub authors: Option<&'a Authors>,
    /// Tasks by id.
    pub records: BTreeMap<String, (TaskRecord, GoldRecord)>,
    /// The databases that the tasks of a script share.
    suites: &'a Suites,
    /// Scripts whose databases are written.
    written: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    pub fn new(
        (settings, taxonomy): (&'a Settings, &'a Taxonomy),
        (book, suites): (PhraseBook, &'a Suites),
        executor: &dyn Engine,
        directory: &'a RunDirectory,
    ) -> Writer<'a> {
        let (records, written) = Default::default();
        let engine = executor.name().to_owned();
        let (wording, alternatives) = (Wording::new(book), None);
        Writer { settings, taxonomy, wording, alternatives, engine, directory, authors: None, records, suites, written }
    }

    /// Makes a proved mutant a task; whether it could be worded is counted in the funnel.
    pub fn publish(&mut self, subject: &Subject<'_>, item: &Found, funnel: &mut Funnel) -> Result<bool, BuildError> {
        let faults: Vec<&Fault> =
            item.parts.iter().filter_map(|part| self.taxonomy.fault(&part.mutant.fault)).collect();
        match self.records(subject, &faults, item) {
            Ok(pair) => {
                write_witnesses(self.directory, subject, item)?;
                if self.written.insert(item.mutant.script.clone()) {
                    self.suites.write(self.directory, subject)?;
                }
                let cost = |part: &Planted| part.mutant.tokens_changed(&subject.reference.script);
                let costs: Vec<_> = faults.iter().copied().zip(item.parts.iter().map(cost)).collect();
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

    fn records(
        &mut self,
        subject: &Subject<'_>,
        faults: &[&Fault],
        item: &Found,
    ) -> Result<(TaskRecord, GoldRecord), String> {
        let reference = subject.reference;
        let issue = item.mutant.text(reference.script.text()).map_err(|error| error.to_string())?;
        let (context, evidence) = match &item.verdict {
            Verdict::Rejected { rejection, judges } => (
                Context::ErrorMessage(rejection.message.clone()),
                Evidence::Rejected {
                    engine: judges.first().map_or_else(|| self.engine.clone(), |first| first.engine.clone()),
                    stage: format!("{:?}", rejection.stage).to_lowercase(),
                    class: rejection.class.clone(),
                    message: rejection.message.clone(),
                    judges: judges.clone(),
                },
            ),
            Verdict::Killed { witness, shown, .. } => {
                self.killed(subject, faults, item, &issue, (witness, shown.as_deref()))?
            }
            _ => return Err("not proved".to_owned()),
        };
        let task = TaskRecord {
            instance_id: item.mutant.id.clone(),
            dialect: "hive".to_owned(),
            domain: reference.card.domain.clone(),
            issue_sql: issue.clone(),
            schema_ddl: reference.schema_text.clone(),
            parameters: reference.parameters.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            context,
            canary: CANARY.to_owned(),
        };
        let gold = self.gold(subject, faults, item, issue, evidence);
        Ok((task, gold))
    }

    fn killed(
        &mut self,
        subject: &Subject<'_>,
        faults: &[&Fault],
        item: &Found,
        issue: &str,
        (witness, shown): (&Database, Option<&WitnessResults>),
    ) -> Result<(Context, Evidence), String> {
        let (reference, broken) = results(subject, issue, witness, shown)?;
        let sides = Sides { reference: &reference, issue: &broken, schema: &subject.reference.schema };
        let complaint = self.complaint(subject, faults, item, issue, sides)?;
        let own = std::iter::once(item.mutant.id.clone()).chain(part_names(item));
        let names = own.chain(self.suites.names(subject));
        let databases = names.map(|name| format!("databases/{name}.json")).collect();
        let tables = |result: &ScriptResult| result.tables.iter().map(ResultRecord::from).collect();
        let evidence = Evidence::Killed {
            engine: self.engine.clone(),
            databases,
            reference: tables(&reference),
            issue: tables(&broken),
        };
        Ok((Context::UserQuery(complaint), evidence))
    }

    /// The complaint, worded so that no other repair of the place would satisfy it where that can be had.
    fn complaint(
        &mut self,
        subject: &Subject<'_>,
        faults: &[&Fault],
        item: &Found,
        issue: &str,
        sides: Sides<'_>,
    ) -> Result<String, String> {
        let planted = faults.iter().zip(&item.parts);
        let intents: Vec<_> = planted.map(|(fault, part)| intent(subject, fault, &part.mutant)).collect();
        let repair = item.mutant.edits.inverse(subject.reference.script.text());
        let secrets: Vec<Secrets<'_>> = faults
            .iter()
            .map(|fault| Secrets { fault: &fault.id, operator: "", issue_sql: issue, repair: &repair })
            .collect();
        let alternatives = self.alternatives.map_or(&[][..], |all| all.of(&item.mutant.id));
        let matter = Matter {
            instance_id: &item.mutant.id,
            title: &subject.reference.card.title,
            intents: &intents,
            own_wish: faults.iter().zip(&intents).all(|(fault, intent)| is_own(fault, intent)),
            secrets: &secrets,
            sides,
            alternatives,
        };
        self.wording.word(&matter)
    }

    fn gold(
        &self,
        subject: &Subject<'_>,
        faults: &[&Fault],
        item: &Found,
        issue: String,
        evidence: Evidence,
    ) -> GoldRecord {
        let reference = subject.reference;
        let correct = reference.script.text();
        let repair = item.mutant.edits.inverse(correct);
        let script = Script::new(issue.as_str());
        let repairs = part_repairs(item, correct);
        let wrongs: Vec<String> = faults
            .iter()
            .zip(item.parts.iter().zip(&repairs))
            .map(|(fault, (part, repair))| explained(fault, &issue, correct, &part.mutant, repair))
            .collect();
        let planted: Vec<Planting<'_>> =
            wrongs.iter().zip(&repairs).map(|(wrong, repair)| Planting { wrong, repair }).collect();
        let part = |(part, edits): (&Planted, &Edits)| Part { fault: part.mutant.fault.clone(), edits: edits.clone() };
        let location = repair.as_slice().first().map(|edit| locate(&script, edit));
        let profile = Profile::of(&reference.script);
        GoldRecord {
            instance_id: item.mutant.id.clone(),
            reference_sql: correct.to_owned(),
            alternatives: Vec::new(),
            labels: faults.iter().flat_map(|fault| labels(fault)).collect(),
            parts: several(item).iter().zip(&repairs).map(part).collect(),
            patch: patch(&issue, correct),
            critique: critique(&script, &planted),
            location: location.unwrap_or_else(|| locate(&script, &crate::code::edit::Edit::insertion(0, ""))),
            edits: repair,
            evidence,
            complexity: Complexity {
                lines: profile.lines,
                tokens: profile.words,
                functions: profile.functions,
                ast_depth: profile.depth,
                ast_width: profile.width,
            },
            provenance: Provenance {
                script: reference.id.clone(),
                source: format!("reference {}", reference.key()),
                tool: concat!("sqlfault ", env!("CARGO_PKG_VERSION")).to_owned(),
                taxonomy: self.taxonomy.digest().to_owned(),
                seed: self.settings.seed,
                policies: subject.policies.clone(),
                proposed_by: self.authors.and_then(|authors| authors.of(item)),
            },
        }
    }
}
