//! The numbers of an agreement, and what disagrees.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::basis::AgreementBasis;
use super::cause::{Cause, DisagreementKind};
use crate::engine::spark_rules::Rejection;

/// How often two engines agreed, of how often they were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementCount {
    /// Comparisons in which they agreed.
    pub same: usize,
    /// All comparisons.
    pub of: usize,
}

impl AgreementCount {
    pub fn count(&mut self, same: bool) {
        self.same += usize::from(same);
        self.of += 1;
    }

    fn add(&mut self, other: AgreementCount) {
        self.same += other.same;
        self.of += other.of;
    }

    /// Returns the share of comparisons in which they agreed; 1 if nothing was compared.
    pub fn share(self) -> f64 {
        if self.of == 0 { 1.0 } else { self.same as f64 / self.of as f64 }
    }
}

/// Agreement in everything that is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementCounts {
    /// Both accept a script, or both refuse it.
    pub accepted: AgreementCount,
    /// Of those that both refuse: the same error class.
    pub class: AgreementCount,
    /// Of those that both refuse, where Spark names a place: the same line and column.
    pub place: AgreementCount,
    /// The same rows, of runs that both finish and that do not depend on the order of rows.
    pub results: AgreementCount,
    /// Both see the mutant differ from its reference on a database, or neither does.
    pub kills: AgreementCount,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineDisagreement {
    /// The mutant, or empty for a reference.
    pub mutant: String,
    pub script: String,
    /// The fault, or empty for a reference.
    pub fault: String,
    pub about: DisagreementKind,
    /// Its cause, as far as it is known.
    #[serde(default, alias = "why")]
    pub traced_to: Cause,
    /// The database, by name or, for a witness, by its mutant; empty if none was run.
    pub database: String,
    /// What each of the two engines says.
    #[serde(alias = "cause")]
    pub answers: String,
}

/// What each engine says of one mutant that Spark or the embedded engine refuses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SyntaxJudgement {
    pub instance_id: String,
    pub embedded: Option<Rejection>,
    pub spark: Option<Rejection>,
    pub hive: Option<Rejection>,
}

/// The agreement of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgreementReport {
    pub engine: String,
    /// What was judged, and how; `None` in reports of older versions.
    #[serde(default)]
    pub basis: Option<AgreementBasis>,
    pub references: usize,
    pub mutants: usize,
    /// Mutants that could not be judged: without script, text or verdict, or refused by a policy.
    pub passed_over: usize,
    /// Counts of all references and mutants.
    pub total: AgreementCounts,
    /// Counts of mutants, by fault.
    pub faults: BTreeMap<String, AgreementCounts>,
    /// Agreement in the references' results, by the functions that they call.
    pub functions: BTreeMap<String, AgreementCount>,
    /// Times the engine's process had to be started again.
    pub restarts: usize,
    pub disagreements: Vec<EngineDisagreement>,
    /// What each engine says of each mutant that one of them refuses; written to a file of its own.
    #[serde(skip)]
    pub judgements: Vec<SyntaxJudgement>,
}

/// What was found of one script: an interim result.
#[derive(Debug, Serialize, Deserialize)]
pub struct ScriptAgreement {
    /// Version, engine and extent: only results with the same setting can be used.
    pub setting: String,
    pub script: String,
    /// Digests of what was judged: if the run was refilled since, they tell its mutants from these.
    pub basis: AgreementBasis,
    pub report: AgreementReport,
    /// What each engine says of refused mutants, which a report does not write.
    pub judgements: Vec<SyntaxJudgement>,
}

impl AgreementCounts {
    fn add(&mut self, other: AgreementCounts) {
        self.accepted.add(other.accepted);
        self.class.add(other.class);
        self.place.add(other.place);
        self.results.add(other.results);
        self.kills.add(other.kills);
    }
}

impl AgreementReport {
    /// Adds what was found of another script.
    pub(super) fn add(&mut self, part: ScriptAgreement) {
        if let Some(mine) = &mut self.basis {
            mine.add(part.basis);
        }
        let (part, judgements) = (part.report, part.judgements);
        self.references += part.references;
        self.mutants += part.mutants;
        self.total.add(part.total);
        for (fault, agreement) in part.faults {
            self.faults.entry(fault).or_default().add(agreement);
        }
        for (function, tally) in part.functions {
            self.functions.entry(function).or_default().add(tally);
        }
        self.disagreements.extend(part.disagreements);
        self.judgements.extend(judgements);
    }

    /// Returns why Spark does not confirm a task; other error classes, places and orders of rows count as confirmed.
    pub fn reason(&self, instance_id: &str) -> Option<String> {
        let counts = |about: DisagreementKind| {
            !matches!(
                about,
                DisagreementKind::Class | DisagreementKind::Place | DisagreementKind::Tie | DisagreementKind::Unstable
            )
        };
        let found = self.disagreements.iter().filter(|it| counts(it.about));
        let mine = |it: &&EngineDisagreement| it.mutant == instance_id;
        found.clone().find(mine).map(|it| it.answers.clone())
    }

    /// Returns why Spark cannot confirm a task if results on its witness depend on the order in which tables are read.
    pub fn open_witness(&self, instance_id: &str) -> Option<String> {
        let mut open = self.disagreements.iter().filter(|it| it.about.is_open() && it.database == instance_id);
        open.next().map(|it| format!("its witness gives other rows in another order of the tables: {}", it.answers))
    }

    /// Returns the databases on which results depend on the order of rows.
    pub fn unstable(&self) -> std::collections::BTreeSet<&str> {
        let unstable = self.disagreements.iter().filter(|it| it.about.is_open());
        unstable.map(|it| it.database.as_str()).collect()
    }

    /// Returns why Spark does not confirm a script's reference; `None` if it does.
    pub fn reference_reason(&self, script: &str) -> Option<String> {
        let mut found =
            self.disagreements.iter().filter(|it| it.mutant.is_empty() && it.script == script && !it.about.is_open());
        found.next().map(|it| format!("its reference: {}", it.answers))
    }
}
