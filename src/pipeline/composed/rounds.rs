//! The rounds of a composed run: plan, work, count the outcomes, until no task is missing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::super::context::Context;
use super::super::error::BuildError;
use super::super::funnel::{Funnel, KillFunnel};
use super::super::proven::TriedMutant;
use super::super::quotas::Quota;
use super::count::{add_outcome, count_track};
use super::distinct::DistinctReferences;
use super::kept_task::KeptTask;
use super::outcome::{MadeTask, Outcome};
use super::places::{self, Places, look};
use super::plan::{Planned, assign};
use super::track_plan::TrackPlan;
use super::work::WorkContext;
use crate::code::script::Script;
use crate::parallel;
use crate::publish::record::{self, GoldRecord, TaskRecord};
use crate::store::{Log, RunDirectory, StoreError};

/// The log of a run under way: outcomes of references, so that a resumed run need not work on them again.
pub(in super::super) const OUTCOMES: &str = "outcomes.partial.jsonl";

/// References to choose from for each missing task: rare faults need several.
const CHOICE_PER_TASK: usize = 2;
/// References to choose from in addition.
const SPARE_CHOICE: usize = 8;
/// Maximum number of references that are composed for each missing task.
const MOST_PER_TASK: usize = 6;
/// References worked on without a new task after which a run ends with too few tasks.
const MOST_FRUITLESS: usize = 96;

/// The result of a composed run.
pub(in super::super) struct ComposedRun {
    /// Tasks by id.
    pub records: BTreeMap<String, (TaskRecord, GoldRecord)>,
    /// Every mutant that was tried, and its proof.
    pub trials: Vec<TriedMutant>,
    /// Lines of `scripts.jsonl`.
    pub scripts: Vec<Value>,
    /// Specifications of the references that have tasks.
    pub specifications: Vec<Value>,
    /// References that were worked on here, because no record held them.
    pub worked_here: usize,
}

/// A composed run under way.
pub(super) struct Rounds<'a> {
    work: WorkContext<'a>,
    /// Where the databases of tasks go.
    directory: &'a RunDirectory,
    log: Log,
    /// Outcomes known from earlier work, by the number of the reference.
    known: HashMap<usize, Outcome>,
    plans: [TrackPlan<'a>; 2],
    /// References that are not worked on yet.
    free: Vec<Places>,
    /// The references composed so far, none near to another.
    distinct: DistinctReferences,
    /// The first number from which no reference has been composed yet.
    pub seen: usize,
    outcomes: Vec<Outcome>,
    /// Complaints used so far: no two tasks of a run share one.
    complaints: BTreeSet<String>,
    worked_here: usize,
}

impl<'a> Rounds<'a> {
    /// Starts a run. The outcomes in `known` and in the log of its folder are reused.
    ///
    /// # Errors
    ///
    /// If the log cannot be used.
    pub fn new(
        work: WorkContext<'a>,
        directory: &'a RunDirectory,
        known: Vec<Outcome>,
    ) -> Result<Rounds<'a>, StoreError> {
        let log = directory.log(OUTCOMES)?;
        let known = known.into_iter().chain(log.records()?).map(|outcome| (outcome.planned.number, outcome)).collect();
        let plans = plans(work.context);
        Ok(Rounds {
            work,
            directory,
            log,
            known,
            plans,
            free: Vec::new(),
            distinct: DistinctReferences::default(),
            seen: 0,
            outcomes: Vec::new(),
            complaints: BTreeSet::new(),
            worked_here: 0,
        })
    }

    /// Counts a task that the run has already.
    pub fn keep(&mut self, task: &KeptTask<'_>) {
        self.plans.iter_mut().filter(|plan| plan.track == task.track).for_each(|plan| plan.made(&task.faults));
        self.complaints.extend(task.complaint.map(str::to_owned));
        self.distinct.keep(&Script::new(task.reference));
    }

    /// Works round by round until no task is missing, or until further references seem useless.
    pub fn fill(&mut self, funnel: &mut Funnel) -> Result<(), BuildError> {
        let most = self.seen + MOST_PER_TASK * self.missing() + MOST_FRUITLESS;
        let mut fruitless = 0;
        let mut idle = 0;
        while self.missing() > 0 && fruitless < MOST_FRUITLESS && self.seen < most {
            self.add_references(idle, funnel)?;
            self.work.context.progress.stage("tasks", self.missing());
            let planned = assign(&mut self.plans, &self.free);
            // Free references on which nothing that is missing can be planned are of no use.
            idle = if planned.is_empty() { self.free.len() } else { 0 };
            self.free.retain(|places| planned.iter().all(|planned| planned.number != places.number));
            let before = self.missing();
            self.work(&planned, funnel)?;
            fruitless = if self.missing() < before { 0 } else { fruitless + planned.len().max(1) };
        }
        Ok(())
    }

    /// Returns how many more references to compose; `idle` of the free ones are of no use.
    fn wanted(&self, idle: usize) -> usize {
        (CHOICE_PER_TASK * self.missing() + SPARE_CHOICE).saturating_sub(self.free.len() - idle)
    }

    /// Composes further references and finds the places of faults in them.
    fn add_references(&mut self, idle: usize, funnel: &mut Funnel) -> Result<(), BuildError> {
        let numbers = self.seen..self.seen + self.wanted(idle);
        if numbers.is_empty() {
            return Ok(());
        }
        self.seen = numbers.end;
        self.work.context.progress.stage("references", numbers.len());
        let WorkContext { context, composer, .. } = self.work;
        let looked = look(context, composer, numbers, funnel);
        let all = looked.len();
        let free = self.distinct.add(context.settings.jobs, looked);
        funnel.near_another += all - free.len();
        self.free.extend(free);
        self.work.context.go_on()
    }

    fn missing(&self) -> usize {
        self.plans.iter().map(TrackPlan::missing).sum()
    }

    /// Works on the references of a round.
    fn work(&mut self, planned: &[Planned], funnel: &mut Funnel) -> Result<(), BuildError> {
        let Rounds { work, directory, log, known, .. } = &*self;
        let worked = parallel::map(work.context.settings.jobs, planned, |planned| {
            if work.context.progress.is_stopped() {
                return Ok(None);
            }
            let recorded = known.get(&planned.number).filter(|outcome| outcome.planned == *planned);
            let here = recorded.is_none();
            let mut outcome = recorded.cloned().unwrap_or_else(|| work.outcome(planned));
            let is_logged = !here && outcome.files.is_empty();
            outcome.write_files(directory)?;
            // An outcome that a stop or an absent engine cut short is not logged, so it is worked on again.
            if !is_logged && work.context.go_on().is_ok() {
                log.append(&outcome)?;
            }
            if outcome.task.is_some() {
                work.context.progress.step();
            }
            Ok(Some((outcome, here)))
        });
        let worked = worked.into_iter().collect::<Result<Vec<_>, StoreError>>()?;
        self.work.context.go_on()?;
        for (outcome, here) in worked.into_iter().flatten() {
            self.worked_here += usize::from(here);
            self.take(outcome, funnel);
        }
        Ok(())
    }

    /// Counts the outcome of a reference. Its task is dropped if another one has the same complaint.
    fn take(&mut self, mut outcome: Outcome, funnel: &mut Funnel) {
        if let Some(MadeTask { task, .. }) = &outcome.task
            && let record::SolverContext::UserQuery(complaint) = &task.context
            && !self.complaints.insert(complaint.clone())
        {
            if let Some(last) = outcome.attempts.last_mut() {
                last.lost = Some("no wording is left".to_owned());
            }
            outcome.task = None;
        }
        let Some(plan) = self.plans.iter_mut().find(|plan| plan.track == outcome.planned.track) else { return };
        for (fault, trial) in outcome.trials_by_fault() {
            plan.tried(fault, trial);
        }
        if outcome.task.is_some() {
            plan.made(&outcome.faults());
        }
        if let Some(reason) = &outcome.refused {
            funnel.refuse(&places::name(outcome.planned.number), reason.as_str());
        }
        self.outcomes.push(outcome);
    }

    /// Completes the funnel and returns the run as it is written.
    pub fn finish(self, funnel: &mut Funnel) -> ComposedRun {
        let Rounds { work, plans, outcomes, worked_here, .. } = self;
        let context = work.context;
        for plan in &plans {
            count_track(plan, funnel);
        }
        let mut run = ComposedRun {
            records: BTreeMap::new(),
            trials: Vec::new(),
            scripts: Vec::new(),
            specifications: Vec::new(),
            worked_here,
        };
        let mut trials: BTreeMap<String, TriedMutant> = BTreeMap::new();
        for outcome in outcomes {
            add_outcome(funnel, context.taxonomy, &outcome);
            trials.extend(outcome.trials.into_iter().map(|tried| (tried.mutant.id.clone(), tried)));
            let Some(MadeTask { task, gold, script, specification }) = outcome.task else { continue };
            run.scripts.push(script);
            run.specifications.push(specification);
            run.records.insert(task.instance_id.clone(), (task, gold));
        }
        run.trials = trials.into_values().collect();
        funnel.kills = KillFunnel::of(context.taxonomy, &run.trials);
        run
    }
}

fn plans(context: Context<'_>) -> [TrackPlan<'_>; 2] {
    let Context { settings, taxonomy, .. } = context;
    Quota::of(settings).map(|quota| TrackPlan::new(taxonomy, settings, quota))
}

/// Looks at references and plans the first round of a run: the work that shards share out.
///
/// # Errors
///
/// If the user asked to stop.
pub(super) fn first_round(work: WorkContext<'_>) -> Result<Vec<Planned>, BuildError> {
    let mut plans = plans(work.context);
    let missing: usize = plans.iter().map(TrackPlan::missing).sum();
    let numbers = 0..CHOICE_PER_TASK * missing + SPARE_CHOICE;
    work.context.progress.stage("references", numbers.len());
    let looked = look(work.context, work.composer, numbers, &mut Funnel::default());
    let free = DistinctReferences::default().add(work.context.settings.jobs, looked);
    work.context.go_on()?;
    Ok(assign(&mut plans, &free))
}
