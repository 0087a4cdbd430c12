//! The numbers of a run, of its tracks, its faults, and of what else happened in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::determination::Determination;
use super::kills::KillFunnel;
use crate::engine::policy::Policy;
use crate::fault::{Fault, Taxonomy, Track};
use crate::prove::suite::SuiteMeasure;
use crate::publish::dropped::DroppedBy;

/// The numbers of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Funnel {
    /// Scripts that cannot be references, with the reason.
    pub refused: Vec<(String, String)>,
    /// What was passed over and what was assumed when the scripts of a folder were read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Tasks wanted and published, by track.
    pub tracks: BTreeMap<Track, TrackFunnel>,
    /// Controls by kind; see [`crate::publish::control`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, usize>,
    /// What became of the semantic mutants.
    #[serde(default)]
    pub kills: KillFunnel,
    /// How many mutants the suites tell apart from the references; measured when the run was built.
    #[serde(default)]
    pub suites: SuiteFunnel,
    /// How far the complaints determine the references.
    #[serde(default)]
    pub complaints: Determination,
    /// What models proposed.
    #[serde(default, rename = "rewrites", skip_serializing_if = "Option::is_none")]
    pub models: Option<ModelFunnel>,
    /// What was dropped after the build, and what took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refill: Option<RefillFunnel>,
    /// Number of references that a composed run has looked at, for tasks and for controls: a
    /// refill goes on behind them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composed: Option<usize>,
    /// How many composed references got no task because they are near to another one of the run.
    #[serde(default, skip_serializing_if = "crate::store::is_zero")]
    pub near_another: usize,
    /// What became of the policies that were switched on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub policies: BTreeMap<Policy, PolicyFunnel>,
    /// The numbers of each fault.
    pub faults: BTreeMap<String, FaultFunnel>,
}

/// How good the suites of a run are.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct SuiteFunnel {
    /// Against the other mutants tried of the same script.
    pub tried: SuiteMeasure,
    /// Against mutants of the same script that were never tried, so that no database was made for them.
    pub held_out: SuiteMeasure,
}

/// The numbers of a track.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TrackFunnel {
    /// Tasks asked for.
    pub asked: usize,
    /// Tasks published.
    pub published: usize,
    /// Half the sum of the differences between the shares wanted and published: 0 is a perfect mix.
    pub mix_distance: f64,
    /// Tasks by the number of their faults.
    pub faults_per_task: BTreeMap<usize, usize>,
    /// Attempts to put faults together that failed, by reason.
    pub not_together: BTreeMap<String, usize>,
}

/// What became of a policy over the scripts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyFunnel {
    /// Scripts that keep it: there it is enforced, and its faults are planted.
    pub kept: usize,
    /// Scripts that break it in their correct form: there it does not hold, and its faults are not planted.
    pub broken: Vec<String>,
}

/// The numbers of what models proposed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFunnel {
    /// Tasks wanted from models, by track.
    pub wanted: BTreeMap<Track, usize>,
    /// Scripts for which models were asked to choose kinds of mistakes.
    pub scripts: usize,
    /// Answers that were asked for, one per script and kind of mistake.
    pub asked: usize,
    /// Answers that passed the gates and were tried.
    pub drafted: usize,
    /// Mutants of models that were proved, by track.
    pub proved: BTreeMap<Track, usize>,
    /// Answers that are no mutants, by reason.
    pub rejected: BTreeMap<String, usize>,
    /// Complaints that models were asked to reword, by what became of them.
    pub complaints: BTreeMap<String, usize>,
    /// Why the models were not asked any further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// The numbers of all refills of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefillFunnel {
    /// How many refills changed the run.
    pub rounds: usize,
    /// Tasks dropped, by track and by who dropped them.
    pub dropped: BTreeMap<Track, BTreeMap<DroppedBy, usize>>,
    /// Tasks that came in, by track; some of them may have been dropped again.
    pub refilled: BTreeMap<Track, usize>,
}

/// The numbers of a fault.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FaultFunnel {
    /// Tasks that the mix wants.
    pub wanted: usize,
    /// Places where it could be planted.
    pub sites: usize,
    /// Places where another fault makes the same edit.
    pub same_as_another: usize,
    /// Mutants tried.
    pub tried: usize,
    /// Mutants that were proved and could be worded.
    pub proved: usize,
    /// Tasks published.
    pub published: usize,
    /// Tasks published once and dropped since.
    #[serde(default, skip_serializing_if = "crate::store::is_zero")]
    pub dropped: usize,
    /// Published faults by the number of tokens that their edits change.
    pub tokens_changed: BTreeMap<usize, usize>,
    /// Mutants lost, by reason.
    pub lost: BTreeMap<String, usize>,
}

impl SuiteFunnel {
    /// Returns the figures as a part of the run's card.
    pub fn card(&self) -> String {
        let line = |measure: &SuiteMeasure, what: &str| {
            format!(
                "{:.1} % of {} pairs of a task and {what} ({} more could not be told by any database)",
                100.0 * measure.share(),
                measure.others,
                measure.survivors
            )
        };
        let tried = line(&self.tried, "another mutant of its script");
        let held_out = line(&self.held_out, "a mutant that was never tried");
        format!("\nA task's databases tell from the reference {tried}, and {held_out}.\n")
    }
}

impl Funnel {
    /// Returns an empty funnel that names every fault, so that faults without a site show.
    pub fn new(taxonomy: &Taxonomy) -> Funnel {
        let faults = taxonomy.faults().iter().map(|fault| (fault.id.clone(), FaultFunnel::default()));
        Funnel { faults: faults.collect(), ..Funnel::default() }
    }

    /// Records a script that cannot be used, with the reason.
    pub fn refuse(&mut self, script: &str, reason: impl Into<String>) {
        self.refused.push((script.to_owned(), reason.into()));
    }

    /// Counts a site of a fault; `fresh` is false if another fault makes the same edit.
    pub fn site(&mut self, fault: &str, fresh: bool) {
        let entry = self.fault(fault);
        entry.sites += 1;
        entry.same_as_another += usize::from(!fresh);
    }

    /// Adds the places that another funnel counted.
    pub(in super::super) fn add_sites(&mut self, other: &Funnel) {
        for (fault, numbers) in &other.faults {
            let own = self.fault(fault);
            own.sites += numbers.sites;
            own.same_as_another += numbers.same_as_another;
        }
    }

    /// Returns the numbers of one fault.
    pub fn fault(&mut self, fault: &str) -> &mut FaultFunnel {
        self.faults.entry(fault.to_owned()).or_default()
    }

    /// Counts a published task with these faults, each with the number of tokens that its edits change.
    pub fn publish(&mut self, track: Track, faults: &[(&Fault, usize)]) {
        for (fault, tokens_changed) in faults {
            let numbers = self.fault(&fault.id);
            numbers.published += 1;
            *numbers.tokens_changed.entry(*tokens_changed).or_default() += 1;
        }
        let numbers = self.tracks.entry(track).or_default();
        numbers.published += 1;
        *numbers.faults_per_task.entry(faults.len()).or_default() += 1;
    }

    /// Whether every track has as many tasks as were asked for.
    pub fn is_full(&self) -> bool {
        self.tracks.values().all(|track| track.published >= track.asked)
    }
}
