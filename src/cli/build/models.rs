//! Models in a build.

use std::path::Path;

use super::super::failure::Failure;
use super::super::terminal::escaped;
use super::given::GivenSettings;
use super::options::BuildOptions;
use crate::draft::Sources;
use crate::llm::Models;
use crate::pipeline::{Funnel, ModelUse};
use crate::store::locate;

/// The default share of the tasks whose faults models plant.
const SHARE: f64 = 0.25;

/// Returns how models take part; `None` if no models are named.
pub(super) fn used(options: &BuildOptions, given: &GivenSettings, out: &Path) -> Result<Option<ModelUse>, Failure> {
    let (share, reword) = (given.rewrite_share, given.reword);
    let Some(file) = &given.models else {
        if share.is_some() || reword {
            return Err(Failure::usage("--rewrite-share and --reword need --models"));
        }
        return Ok(None);
    };
    if options.shard.is_some() || options.plan_only {
        return Err(Failure::usage("models cannot be asked in shards: build without --shard and --plan-only"));
    }
    let share = share.unwrap_or(SHARE);
    if !(0.0..=1.0).contains(&share) {
        return Err(Failure::usage("--rewrite-share is a share from 0 to 1"));
    }
    let models = Models::load(file)?.models;
    let cache = locate(out, "exchanges");
    let sources = Sources { models, cache, offline: options.offline, max_cost: options.max_cost };
    Ok(Some(ModelUse { sources, share, reword }))
}

/// Prints what came of the models.
pub(super) fn report(funnel: &Funnel) {
    let Some(numbers) = &funnel.models else { return };
    for (track, wanted) in &numbers.wanted {
        let proved = numbers.proved.get(track).copied().unwrap_or(0);
        println!("models, {track:?}: {proved} of {wanted} faults proved");
    }
    println!("models: {} answers asked for, {} passed the gates", numbers.asked, numbers.drafted);
    for (reason, count) in numbers.rejected.iter().chain(&numbers.complaints) {
        println!("{count:>6}  {reason}");
    }
    if let Some(stopped) = &numbers.stopped {
        println!("models were not asked any further: {}", escaped(stopped));
    }
}
