//! The numbers of an agreement, and what disagrees.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::basis::AgreementBasis;
use super::cause::Cause;
use super::parts::ScriptAgreement;
use crate::engine::spark_rules::Rejection;

/// How often two engines gave the same, of how often they were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementCount {
    /// The same.
    pub same: usize,
    /// Compared.
    pub of: usize,
}

impl AgreementCount {
    /// Counts one comparison.
    pub fn count(&mut self, same: bool) {
        self.same += usize::from(same);
        self.of += 1;
    }

    fn add(&mut self, other: AgreementCount) {
        self.same += other.same;
        self.of += other.of;
    }

    /// The share that is the same; 1 when nothing was compared.
    pub fn share(self) -> f64 {
        if self.of == 0 { 1.0 } else { self.same as f64 / self.of as f64 }
    }
}

/// What can agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementCounts {
    /// Both accept a script, or both refuse it.
    pub accepted: AgreementCount,
    /// Of those that both refuse: the same error class.
    pub class: AgreementCount,
    /// Of those that both refuse, where Spark names a place: the same line and column.
    pub place: AgreementCount,
    /// The same rows, of runs that both finish.
    pub results: AgreementCount,
    /// Both see the mutant differ from its reference on a database, or neither does.
    pub kills: AgreementCount,
}

/// What a disagreement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisagreementKind {
    /// Spark refuses what the embedded engine accepts.
    RefusedBySparkOnly,
    /// Spark accepts what the embedded engine refuses.
    AcceptedBySparkOnly,
    /// Another error class.
    Class,
    /// Another place.
    Place,
    /// Other rows.
    Results,
    /// Other rows, but each of Spark's is one that the embedded engine gives too when the tables are read in another
    /// order: the script leaves the choice open, and neither is wrong.
    Tie,
    /// Other rows, and an engine's own rows change with the order in which the tables are read, but no order tried
    /// gives those of the other: an open choice among many, or one that hides an error.
    Unstable,
    /// One of the two fails at run time.
    Run,
    /// One sees the mutant differ, the other does not.
    Kill,
    /// Spark could not be asked: a statement that may not run there, or no answer.
    NotJudged,
}

impl DisagreementKind {
    /// What differs, for a card.
    pub fn words(self) -> &'static str {
        match self {
            DisagreementKind::RefusedBySparkOnly => "refused by Spark only",
            DisagreementKind::AcceptedBySparkOnly => "accepted by Spark only",
            DisagreementKind::Class => "error class",
            DisagreementKind::Place => "place of the error",
            DisagreementKind::Results => "rows",
            DisagreementKind::Tie => "rows, by an open choice",
            DisagreementKind::Unstable => "rows, by their order",
            DisagreementKind::Run => "one fails",
            DisagreementKind::Kill => "told from the reference by one only",
            DisagreementKind::NotJudged => "not judged",
        }
    }

    /// Whether the rows hang on the order in which tables are read.
    pub fn is_open(self) -> bool {
        matches!(self, DisagreementKind::Tie | DisagreementKind::Unstable)
    }
}

/// One disagreement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineDisagreement {
    /// The mutant, or empty for a reference.
    pub mutant: String,
    /// The script.
    pub script: String,
    /// The fault, or empty for a reference.
    pub fault: String,
    /// What it is about.
    pub about: DisagreementKind,
    /// Its cause, as far as it is known.
    #[serde(default)]
    pub why: Cause,
    /// The database, or empty.
    pub database: String,
    /// More of it, in words: what each of the two says.
    pub cause: String,
}

/// The word of each judge on one rejected mutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SyntaxJudgement {
    /// The mutant.
    pub instance_id: String,
    /// What the embedded rules say.
    pub embedded: Option<Rejection>,
    /// What Spark says.
    pub spark: Option<Rejection>,
    /// What Hive's parser says.
    pub hive: Option<Rejection>,
}

/// The agreement of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgreementReport {
    /// The engine asked.
    pub engine: String,
    /// What was judged, and how; reports older than this do not say.
    #[serde(default)]
    pub basis: Option<AgreementBasis>,
    /// References judged.
    pub references: usize,
    /// Mutants judged.
    pub mutants: usize,
    /// Mutants that no script or edit could be found for.
    pub passed_over: usize,
    /// All together.
    pub total: AgreementCounts,
    /// By fault.
    pub faults: BTreeMap<String, AgreementCounts>,
    /// Equality of the references' results, by function they call.
    pub functions: BTreeMap<String, AgreementCount>,
    /// Times the engine's process had to be started again.
    pub restarts: usize,
    /// Everything that disagrees.
    pub disagreements: Vec<EngineDisagreement>,
    /// The words of every judge, for each mutant that one of them refuses.
    #[serde(skip)]
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

    /// Why Spark does not bear a task out; none when it does.
    pub fn reason(&self, instance_id: &str) -> Option<String> {
        let counts = |about: DisagreementKind| {
            !matches!(
                about,
                DisagreementKind::Class | DisagreementKind::Place | DisagreementKind::Tie | DisagreementKind::Unstable
            )
        };
        let found = self.disagreements.iter().filter(|it| counts(it.about));
        let mine = |it: &&EngineDisagreement| it.mutant == instance_id;
        found.clone().find(mine).map(|it| it.cause.clone())
    }

    /// Whether results on a task's own witness hang on the order in which tables are read: Spark cannot bear it out.
    pub fn open_witness(&self, instance_id: &str) -> Option<String> {
        let mut open = self.disagreements.iter().filter(|it| it.about.is_open() && it.database == instance_id);
        open.next().map(|it| format!("its witness gives other rows in another order of the tables: {}", it.cause))
    }

    /// Databases on which results hang on the order of rows.
    pub fn unstable(&self) -> std::collections::BTreeSet<&str> {
        let unstable = self.disagreements.iter().filter(|it| it.about.is_open());
        unstable.map(|it| it.database.as_str()).collect()
    }

    /// Why Spark does not bear a script's reference out; none when it does.
    pub fn reference_reason(&self, script: &str) -> Option<String> {
        let mut found =
            self.disagreements.iter().filter(|it| it.mutant.is_empty() && it.script == script && !it.about.is_open());
        found.next().map(|it| format!("its reference: {}", it.cause))
    }
}
