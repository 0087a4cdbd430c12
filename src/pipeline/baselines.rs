//! The references of a run: the scripts that passed their baseline, each with its fake databases.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::baseline::{Baseline, ProofConditions, too_simple};
use super::checkpoint::Phase;
use super::context::Context;
use super::funnel::Funnel;
use super::records::WorkerRecords;
use super::settings::BuildSettings;
use crate::corpus::Reference;
use crate::parallel;
use crate::prove::Subject;
use crate::prove::coverage::Coverage;

/// A script that passed its baseline.
#[derive(Debug)]
pub(super) struct ReadyReference<'a> {
    /// The script.
    pub reference: &'a Reference,
    /// The number of its fake databases.
    pub databases: usize,
    /// How much of the script these databases reach.
    pub coverage: Coverage,
    subject: OnceLock<Option<Subject<'a>>>,
    conditions: ProofConditions,
}

impl<'a> ReadyReference<'a> {
    /// Wraps a script that has just passed its baseline.
    pub fn new(
        reference: &'a Reference,
        coverage: Coverage,
        subject: Subject<'a>,
        settings: &BuildSettings,
    ) -> ReadyReference<'a> {
        let databases = subject.baseline.len();
        let subject = OnceLock::from(Some(subject));
        ReadyReference { reference, databases, coverage, subject, conditions: settings.conditions() }
    }

    /// Returns the script ready for proof; its fake databases are made on the first call. `None` only if it passed its
    /// baseline under another version of this program.
    pub fn subject(&self) -> Option<&Subject<'a>> {
        let conditions = &self.conditions;
        let made = || conditions.subject(self.reference).ok().map(|subject| conditions.apply(subject));
        self.subject.get_or_init(made).as_ref()
    }

    /// Returns the script ready for proof, if it has been made already.
    pub fn subject_at_hand(&self) -> Option<&Subject<'a>> {
        self.subject.get()?.as_ref()
    }
}

/// All scripts that passed.
#[derive(Debug, Default)]
pub(super) struct Baselines<'a> {
    entries: Vec<ReadyReference<'a>>,
    by_id: HashMap<&'a str, usize>,
}

impl<'a> Baselines<'a> {
    /// Runs the baselines that the records do not hold; scripts that fail are named in the funnel.
    pub fn run(
        context: Context<'_>,
        references: &'a [Reference],
        records: &WorkerRecords,
        funnel: &mut Funnel,
    ) -> Baselines<'a> {
        let settings = context.settings;
        let ready = parallel::map(settings.jobs, references, |reference| {
            context.progress.at(&reference.id);
            let mut subject = None;
            let mut run = || {
                let (baseline, ready) = Baseline::run(context.engine, &settings.conditions(), reference);
                subject = ready;
                baseline
            };
            let baseline = if context.progress.is_stopped() {
                Baseline::Refused { reason: "not looked at".to_owned() }
            } else if let Some(reason) = too_simple(settings.complexity, reference) {
                Baseline::Refused { reason }
            } else if let Some(known) = records.baseline(reference) {
                known.clone()
            } else {
                context.step(Phase::Baseline, &reference.id, &mut run)
            };
            context.progress.step();
            (baseline, subject)
        });
        let mut entries = Vec::new();
        for (reference, (baseline, subject)) in references.iter().zip(ready) {
            match baseline {
                Baseline::Passed { databases, coverage } => {
                    let subject = subject.map_or_else(OnceLock::new, |subject| OnceLock::from(Some(subject)));
                    let conditions = settings.conditions();
                    entries.push(ReadyReference { reference, databases, coverage, subject, conditions });
                }
                Baseline::Refused { reason } => funnel.refuse(&reference.id, reason),
            }
        }
        Baselines::of(entries)
    }

    /// Collects scripts that passed.
    pub fn of(entries: Vec<ReadyReference<'a>>) -> Baselines<'a> {
        let by_id = entries.iter().enumerate().map(|(at, entry)| (entry.reference.id.as_str(), at)).collect();
        Baselines { entries, by_id }
    }

    /// Returns the scripts that passed, in the order in which they were read.
    pub fn entries(&self) -> &[ReadyReference<'a>] {
        &self.entries
    }

    /// Returns the references alone.
    pub fn references(&self) -> Vec<&'a Reference> {
        self.entries.iter().map(|entry| entry.reference).collect()
    }

    /// Returns the script of this id, if it passed.
    pub fn entry(&self, script: &str) -> Option<&ReadyReference<'a>> {
        self.by_id.get(script).map(|at| &self.entries[*at])
    }

    /// Returns the script of this id ready for proof, if it passed.
    pub fn subject(&self, script: &str) -> Option<&Subject<'a>> {
        self.entry(script)?.subject()
    }
}
