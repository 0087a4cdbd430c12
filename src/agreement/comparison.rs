//! Runs both engines on one script and its mutants, and compares what they say.

use crate::code::script::Script;
use crate::code::tree::Kind;
use crate::engine::compare::{Comparison, compare};
use crate::engine::spark::{Spark, flagged};
use crate::engine::spark_rules::{Rejection, RejectionStage as Rejected};
use crate::engine::table::{Database, ScriptResult};
use crate::engine::{Engine, Refusal, RunOutcome};
use crate::prove::Verdict;

use super::cause::{Cause, DisagreementKind};
use super::difference::difference;
use super::material::{AgreementScript, JudgedReference};
use super::report::{AgreementCounts, AgreementReport, EngineDisagreement, SyntaxJudgement};
use super::ties::{OrderedScript, RowOrders, differ};

/// Number of other row orders in which Spark runs a script again: few, since asking it takes long.
const SPARK_ORDERS: usize = 3;

/// A database on which both engines ran the reference, with their results.
struct SharedBaseline<'a> {
    name: &'a str,
    database: &'a Database,
    runs: Runs,
}

/// What is judged: a mutant, or, with empty `mutant` and `fault`, the reference.
#[derive(Clone, Copy)]
struct JudgedMutant<'a> {
    source: &'a AgreementScript,
    mutant: &'a str,
    fault: &'a str,
    text: &'a str,
}

/// The results of both engines for one script on one database.
struct Runs {
    embedded: ScriptResult,
    spark: ScriptResult,
}

/// Whether both engines accept a script.
struct JudgedScript {
    accepted: bool,
    /// Spark's answer on the first database, where it was asked.
    outcome: Option<RunOutcome>,
}

/// A comparison of one script: Spark, and what has been found so far.
pub(super) struct EngineComparison<'a> {
    pub spark: &'a mut Spark,
    pub embedded: &'a dyn Engine,
    pub report: AgreementReport,
    /// Whether Hive's parser is asked too.
    pub hive: bool,
}

impl EngineComparison<'_> {
    /// Judges a script and its mutants; `step` is called after each that counts.
    pub fn script(&mut self, work: &JudgedReference, step: &dyn Fn()) {
        let JudgedReference { source, trials, .. } = work;
        let reference = JudgedMutant { source, mutant: "", fault: "", text: &source.text };
        self.report.references += 1;
        let mut judged = self.judge(reference, source.databases.first().map(|(_, database)| database));
        let mut stages = Vec::new();
        for (name, database) in source.databases.iter().filter(|_| judged.accepted) {
            let runs = self.run(reference, name, database, judged.outcome.take());
            stages.extend(runs.and_then(|runs| self.stage(reference, name, database, runs)));
        }
        if work.reference {
            step();
        } else {
            // An earlier agreement has counted the reference.
            self.report = AgreementReport::default();
        }
        for trial in trials {
            let subject =
                JudgedMutant { source, mutant: &trial.mutant.id, fault: &trial.mutant.fault, text: &trial.text };
            self.report.mutants += 1;
            let mut judged = self.judge(subject, stages.first().map(|stage: &SharedBaseline<'_>| stage.database));
            if judged.accepted {
                for stage in &stages {
                    self.compare_on(subject, stage, judged.outcome.take());
                }
                if let Verdict::Killed { witness, .. } = &trial.verdict
                    && let Some(runs) = self.run(reference, &trial.mutant.id, witness, None)
                    && let Some(stage) = self.stage(reference, &trial.mutant.id, witness, runs)
                {
                    self.compare_on(subject, &stage, None);
                }
            }
            step();
        }
    }

    /// Asks both engines whether they accept a script, and compares. What the embedded one accepts, Spark runs on
    /// `first` at once: that checks it too, and checking alone costs nearly as much.
    fn judge(&mut self, subject: JudgedMutant<'_>, first: Option<&Database>) -> JudgedScript {
        let context = &subject.source.context;
        let embedded = match self.embedded.check(subject.text, context.by_ref()).into_rejection() {
            Ok(rejection) => rejection,
            Err(words) => {
                self.disagree(subject, DisagreementKind::NotJudged, "", format!("embedded: {words}"));
                return JudgedScript { accepted: false, outcome: None };
            }
        };
        let first = first.filter(|_| embedded.is_none());
        let ran = first.map(|database| self.spark.run(subject.text, &context.schema, &context.parameters, database));
        let spark = match &ran {
            Some(RunOutcome::Ran(_)) => RunOutcome::Ran(ScriptResult::default()),
            Some(RunOutcome::Refused(refusal)) if refusal.rejection.stage != Rejected::Run => {
                RunOutcome::Refused(refusal.clone())
            }
            _ => self.spark.check(subject.text, &context.schema, &context.parameters),
        };
        let spark = match spark {
            RunOutcome::Ran(_) => None,
            RunOutcome::Refused(refusal) => Some(refusal),
            RunOutcome::Denied(words) | RunOutcome::Failed(words) => {
                self.disagree(subject, DisagreementKind::NotJudged, "", words);
                return JudgedScript { accepted: false, outcome: None };
            }
            RunOutcome::TimedOut => {
                self.disagree(subject, DisagreementKind::NotJudged, "", "Spark took too long".to_owned());
                return JudgedScript { accepted: false, outcome: None };
            }
        };
        let accepted = self.weigh(subject, embedded, spark);
        JudgedScript { accepted, outcome: ran }
    }

    /// Compares the answers of both engines; returns whether both accept.
    fn weigh(&mut self, subject: JudgedMutant<'_>, embedded: Option<Rejection>, spark: Option<Refusal>) -> bool {
        let context = &subject.source.context;
        let same = embedded.is_some() == spark.is_some();
        self.tally(subject.fault, |agreement| agreement.accepted.count(same));
        match (&embedded, &spark) {
            (Some(ours), Some(theirs)) => self.refused(subject, ours, theirs),
            (Some(ours), None) => {
                self.disagree(
                    subject,
                    DisagreementKind::AcceptedBySparkOnly,
                    "",
                    format!("embedded: {}", ours.message),
                );
            }
            (None, Some(theirs)) => {
                let words = format!("Spark: {}", theirs.rejection.message);
                self.disagree(subject, DisagreementKind::RefusedBySparkOnly, "", words);
            }
            (None, None) => {}
        }
        let accepted = embedded.is_none() && spark.is_none();
        if !accepted && !subject.mutant.is_empty() {
            let hive = self.hive.then(|| self.spark.hive(subject.text, &context.parameters).ok().flatten());
            let hive = hive.flatten().map(|refusal| refusal.rejection);
            let spark = spark.map(|refusal| refusal.rejection);
            let instance_id = subject.mutant.to_owned();
            self.report.judgements.push(SyntaxJudgement { instance_id, embedded, spark, hive });
        }
        accepted
    }

    fn refused(&mut self, subject: JudgedMutant<'_>, ours: &Rejection, theirs: &Refusal) {
        let traced_to = Cause::of_refusals(ours, &theirs.rejection);
        let same = ours.class == theirs.rejection.class;
        self.tally(subject.fault, |agreement| agreement.class.count(same));
        if !same {
            let words = format!("embedded: {}\nSpark: {}", ours.message, theirs.rejection.message);
            let found = disagreement(subject, DisagreementKind::Class, "", words);
            self.report.disagreements.push(EngineDisagreement { traced_to, ..found });
        }
        if theirs.placed {
            let same = ours.place == theirs.rejection.place;
            self.tally(subject.fault, |agreement| agreement.place.count(same));
            if !same {
                let words = format!("{} embedded {}, Spark {}", ours.class, ours.place, theirs.rejection.place);
                let found = disagreement(subject, DisagreementKind::Place, "", words);
                self.report.disagreements.push(EngineDisagreement { traced_to, ..found });
            }
        }
    }

    /// Compares what both engines give for the reference on a database; `None` if that depends on the order of rows.
    fn stage<'b>(
        &mut self,
        reference: JudgedMutant<'_>,
        name: &'b str,
        database: &'b Database,
        runs: Runs,
    ) -> Option<SharedBaseline<'b>> {
        let same = self.same(reference, name, database, &runs)?;
        for function in functions(reference.text) {
            self.report.functions.entry(function).or_default().count(same);
        }
        Some(SharedBaseline { name, database, runs })
    }

    /// Runs a mutant on a database and compares its results, and whether they differ from the reference's.
    fn compare_on(&mut self, subject: JudgedMutant<'_>, stage: &SharedBaseline<'_>, outcome: Option<RunOutcome>) {
        let Some(runs) = self.run(subject, stage.name, stage.database, outcome) else { return };
        if self.same(subject, stage.name, stage.database, &runs).is_none() {
            return;
        }
        let ours = compare(&stage.runs.embedded, &runs.embedded);
        let theirs = compare(&stage.runs.spark, &runs.spark);
        let differs = |comparison: &Comparison| matches!(comparison, Comparison::Different(_));
        let same = differs(&ours) == differs(&theirs);
        self.tally(subject.fault, |agreement| agreement.kills.count(same));
        if !same {
            let cause = format!("embedded: {}\nSpark: {}", difference(&ours), difference(&theirs));
            self.disagree(subject, DisagreementKind::Kill, stage.name, cause);
        }
    }

    /// Whether both engines give the same rows; `None` if they differ only by the order in which tables are read.
    fn same(&mut self, subject: JudgedMutant<'_>, name: &str, database: &Database, runs: &Runs) -> Option<bool> {
        let comparison = compare(&runs.embedded, &runs.spark);
        let same = !matches!(comparison, Comparison::Different(_));
        if !same && let Some(about) = self.depends_on_order(subject, database, runs) {
            self.disagree(subject, about, name, difference(&comparison));
            return None;
        }
        self.tally(subject.fault, |agreement| agreement.results.count(same));
        if !same {
            self.disagree(subject, DisagreementKind::Results, name, difference(&comparison));
        }
        Some(same)
    }

    /// Returns in which way a difference depends on the order in which the tables are read; `None` if it does not.
    fn depends_on_order(
        &mut self,
        subject: JudgedMutant<'_>,
        database: &Database,
        Runs { embedded, spark }: &Runs,
    ) -> Option<DisagreementKind> {
        let context = &subject.source.context;
        let script = OrderedScript { engine: self.embedded, source: subject.source, text: subject.text };
        let orders = RowOrders::of(script, database, embedded);
        if orders.explain(spark) {
            return Some(DisagreementKind::Tie);
        }
        let mut theirs =
            |other: &Database| match self.spark.run(subject.text, &context.schema, &context.parameters, other) {
                RunOutcome::Ran(result) => differ(spark, &flagged(result.writable(), embedded)),
                _ => false,
            };
        (orders.vary || database.orders().take(SPARK_ORDERS).any(|other| theirs(&other)))
            .then_some(DisagreementKind::Unstable)
    }

    /// Runs a script on both engines; `None` if one fails, with a disagreement noted if the other does not. `outcome`
    /// is Spark's, if known.
    fn run(
        &mut self,
        subject: JudgedMutant<'_>,
        name: &str,
        database: &Database,
        outcome: Option<RunOutcome>,
    ) -> Option<Runs> {
        let context = &subject.source.context;
        let embedded = self.embedded.result(subject.text, context.by_ref(), database);
        let ask = || self.spark.run(subject.text, &context.schema, &context.parameters, database);
        let spark = outcome.unwrap_or_else(ask).into_result();
        match (embedded, spark) {
            (Ok(embedded), Ok(spark)) => {
                // A child writes infinities as text.
                let embedded = embedded.writable();
                let spark = flagged(spark.writable(), &embedded);
                Some(Runs { embedded, spark })
            }
            (Err(_), Err(_)) => None,
            (Ok(_), Err(words)) => {
                self.disagree(subject, DisagreementKind::Run, name, format!("Spark: {words}"));
                None
            }
            (Err(words), Ok(_)) => {
                self.disagree(subject, DisagreementKind::Run, name, format!("embedded: {words}"));
                None
            }
        }
    }

    fn tally(&mut self, fault: &str, count: impl Fn(&mut AgreementCounts)) {
        count(&mut self.report.total);
        if !fault.is_empty() {
            count(self.report.faults.entry(fault.to_owned()).or_default());
        }
    }

    fn disagree(&mut self, subject: JudgedMutant<'_>, about: DisagreementKind, database: &str, words: String) {
        self.report.disagreements.push(disagreement(subject, about, database, words));
    }
}

/// Returns a disagreement with the cause that its kind alone tells.
fn disagreement(
    subject: JudgedMutant<'_>,
    about: DisagreementKind,
    database: &str,
    words: String,
) -> EngineDisagreement {
    EngineDisagreement {
        mutant: subject.mutant.to_owned(),
        script: subject.source.id.clone(),
        fault: subject.fault.to_owned(),
        about,
        traced_to: Cause::of(about),
        database: database.to_owned(),
        answers: words,
    }
}

/// Returns the functions that a script calls, each once.
fn functions(text: &str) -> Vec<String> {
    let script = Script::new(text);
    let tree = script.tree();
    let all = script.statements().iter().flat_map(|statement| tree.descendants(*statement));
    let calls = all.filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
    let names: std::collections::BTreeSet<String> = calls.map(|call| script.function_name(call)).collect();
    names.into_iter().collect()
}
