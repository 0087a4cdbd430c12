//! The scripts of a run: which passed their baseline, and each one's fake databases, made when they are first needed.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::records::Records;
use super::{Funnel, Progress, Settings, parallel};
use crate::code::profile::{Complexity, Profile};
use crate::corpus::Reference;
use crate::engine::Engine;
use crate::engine::policy::Policies;
use crate::prove::coverage::{self, Coverage};
use crate::prove::{Subject, confirmation};

/// How a script's baseline ended. It depends on the script and the engine alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Baseline {
    /// It can be a reference.
    Passed {
        /// Its fake databases.
        databases: usize,
        /// How much of it they reach.
        coverage: Coverage,
    },
    /// It cannot.
    Refused {
        /// Why.
        reason: String,
    },
}

/// Runs the baseline of a script.
pub(super) fn baseline<'a>(
    executor: &dyn Engine,
    policies: &Policies,
    reference: &'a Reference,
) -> (Baseline, Option<Subject<'a>>) {
    let subject = Subject::new(reference).map(|subject| subject.under(policies)).map_err(|refusal| refusal.to_string());
    let borne_out = subject.and_then(|subject| confirmation::baseline(executor, &subject).map(|()| subject));
    match borne_out {
        Ok(subject) => {
            let coverage = coverage::measure(&subject);
            (Baseline::Passed { databases: subject.baseline.len(), coverage }, Some(subject))
        }
        Err(reason) => (Baseline::Refused { reason }, None),
    }
}

/// A script that passed its baseline.
#[derive(Debug)]
pub struct Entry<'a> {
    /// The script.
    pub reference: &'a Reference,
    /// Its fake databases.
    pub databases: usize,
    /// How much of it they reach.
    pub coverage: Coverage,
    subject: OnceLock<Option<Subject<'a>>>,
    /// The policies of the run.
    policies: Policies,
}

impl<'a> Entry<'a> {
    /// The script ready for proof; none only when another version of this program passed it.
    pub fn subject(&self) -> Option<&Subject<'a>> {
        self.subject.get_or_init(|| Subject::new(self.reference).ok().map(|it| it.under(&self.policies))).as_ref()
    }
}

/// All scripts that passed.
#[derive(Debug)]
pub struct Roster<'a> {
    entries: Vec<Entry<'a>>,
    by_id: HashMap<&'a str, usize>,
}

impl<'a> Roster<'a> {
    /// Runs the baselines that the records do not hold; scripts that fail are named in the funnel.
    pub fn new(
        settings: &Settings,
        executor: &dyn Engine,
        references: &'a [Reference],
        records: &Records,
        (progress, funnel): (&dyn Progress, &mut Funnel),
    ) -> Roster<'a> {
        let ready = parallel::map(settings.jobs, references, |reference| {
            let ended = if progress.is_stopped() {
                (Baseline::Refused { reason: "not looked at".to_owned() }, None)
            } else if let Some(reason) = too_simple(settings.complexity, reference) {
                (Baseline::Refused { reason }, None)
            } else if let Some(known) = records.baseline(reference) {
                (known.clone(), None)
            } else {
                baseline(executor, &settings.policies, reference)
            };
            progress.step();
            ended
        });
        let mut entries = Vec::new();
        for (reference, (baseline, subject)) in references.iter().zip(ready) {
            match baseline {
                Baseline::Passed { databases, coverage } => {
                    let subject = subject.map_or_else(OnceLock::new, |subject| OnceLock::from(Some(subject)));
                    let policies = settings.policies.clone();
                    entries.push(Entry { reference, databases, coverage, subject, policies });
                }
                Baseline::Refused { reason } => funnel.refuse(&reference.id, reason),
            }
        }
        let by_id = entries.iter().enumerate().map(|(at, entry)| (entry.reference.id.as_str(), at)).collect();
        Roster { entries, by_id }
    }

    /// The scripts, in the order in which they were read.
    pub fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// The scripts' references.
    pub fn references(&self) -> Vec<&'a Reference> {
        self.entries.iter().map(|entry| entry.reference).collect()
    }

    /// The script of this id.
    pub fn entry(&self, script: &str) -> Option<&Entry<'a>> {
        self.by_id.get(script).map(|at| &self.entries[*at])
    }

    /// The script of this id, ready for proof.
    pub fn subject(&self, script: &str) -> Option<&Subject<'a>> {
        self.entry(script)?.subject()
    }
}

/// Why the settings leave a script out; none when they do not.
pub(super) fn too_simple(complexity: Option<Complexity>, reference: &Reference) -> Option<String> {
    let complexity = complexity?;
    let profile = Profile::of(&reference.script);
    let value = complexity.of(&profile);
    let refused = !complexity.accepts(&profile);
    refused.then(|| format!("complexity {value:.1} is not above tau = {}; choose a lower tau", complexity.tau))
}
