//! A composed run shared out: the references of its first round, worked on by shards or by workers anywhere.
//!
//! A record holds the whole outcome of a reference, including the databases of its task. `merge` makes the run from the
//! records; what they do not hold, and the later rounds, it works on itself.

use serde::{Deserialize, Serialize};

use super::super::context::Context;
use super::super::error::BuildError;
use super::super::inputs::Inputs;
use super::super::records::TOOL;
use super::super::settings::BuildSettings;
use super::composer::composer;
use super::outcome::Outcome;
use super::plan::Planned;
use super::rounds::first_round;
use super::work::WorkContext;
use crate::corpus::compose::Composer;
use crate::engine::{self, Engine};
use crate::parallel::{self, Unwatched};
use crate::store::{Log, StoreError};

/// A reference to work on: all that a worker needs besides this program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComposedItem {
    /// The version of this program that planned it.
    pub tool: String,
    /// The settings of the run; the folders that they name must exist where the worker runs.
    pub settings: BuildSettings,
    /// The reference and its faults.
    pub(in super::super) planned: Planned,
}

/// What a worker writes for such an item.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComposedRecord {
    /// The version of this program.
    pub tool: String,
    /// The engine that decides.
    pub engine: String,
    /// The outcome of the work.
    pub(in super::super) outcome: Outcome,
}

/// The items of a run. They depend on the settings alone, never on how many processes share them.
///
/// # Errors
///
/// If references cannot be composed, or the user asked to stop.
pub(in super::super) fn plan(context: Context<'_>, inputs: &Inputs) -> Result<Vec<ComposedItem>, BuildError> {
    let composer = composer()?;
    let work = WorkContext { context, composer: &composer, book: &inputs.book };
    let planned = first_round(work)?;
    let item = |planned| ComposedItem { tool: TOOL.to_owned(), settings: context.settings.clone(), planned };
    Ok(planned.into_iter().map(item).collect())
}

/// Works on items and appends their records to the log. Items whose records it holds already are skipped.
///
/// # Errors
///
/// If the log cannot be used, or the user asked to stop.
pub(in super::super) fn work_all(
    context: Context<'_>,
    inputs: &Inputs,
    items: &[ComposedItem],
    log: &Log,
) -> Result<(), BuildError> {
    let composer = composer()?;
    let work = WorkContext { context, composer: &composer, book: &inputs.book };
    let done: Vec<ComposedRecord> = log.records()?;
    let left: Vec<&ComposedItem> =
        items.iter().filter(|item| done.iter().all(|record| record.outcome.planned != item.planned)).collect();
    context.progress.stage("tasks", left.len());
    let ended = parallel::map(context.settings.jobs, left, |item| {
        if context.go_on().is_err() {
            return Ok(());
        }
        let record = record(work, item);
        // An item that a stop cut short is not logged, so it is worked on again.
        if context.go_on().is_ok() {
            log.append(&record)?;
            context.progress.step();
        }
        Ok(())
    });
    ended.into_iter().collect::<Result<Vec<()>, StoreError>>()?;
    context.go_on()
}

fn record(work: WorkContext<'_>, item: &ComposedItem) -> ComposedRecord {
    let engine = work.context.engine.name().to_owned();
    ComposedRecord { tool: TOOL.to_owned(), engine, outcome: work.outcome(&item.planned) }
}

/// Works on items one after the other; inputs and engine are opened again only when the settings change.
#[derive(Default)]
pub struct ComposedWorker {
    ready: Option<Ready>,
}

/// Inputs, composer and engine for the settings of the last item.
struct Ready {
    settings: BuildSettings,
    inputs: Inputs,
    composer: Composer,
    engine: Box<dyn Engine>,
}

impl Ready {
    fn of(settings: &BuildSettings) -> Result<Ready, BuildError> {
        let engine = engine::open(&settings.engine)?;
        Ok(Ready { settings: settings.clone(), inputs: Inputs::read(settings)?, composer: composer()?, engine })
    }

    fn is_of(&self, settings: &BuildSettings) -> bool {
        let text = |settings: &BuildSettings| serde_json::to_string(settings).unwrap_or_default();
        text(&self.settings) == text(settings)
    }
}

impl ComposedWorker {
    /// Works on an item.
    ///
    /// # Errors
    ///
    /// If another version planned it, what its settings name cannot be used, or the engine is absent.
    pub fn work(&mut self, item: &ComposedItem) -> Result<ComposedRecord, BuildError> {
        if item.tool != TOOL {
            let words = format!("the item was planned by {}; this is {TOOL}: use one version everywhere", item.tool);
            return Err(BuildError::Compose(words));
        }
        let ready = match self.ready.take().filter(|ready| ready.is_of(&item.settings)) {
            Some(ready) => ready,
            None => Ready::of(&item.settings)?,
        };
        let Ready { settings, inputs, composer, engine } = self.ready.insert(ready);
        // A worker on a cluster shows no progress and is ended from outside.
        let context = Context::new(settings, &inputs.taxonomy, &**engine, &Unwatched);
        let made = record(WorkContext { context, composer, book: &inputs.book }, item);
        match context.engine.absence() {
            Some(reason) => Err(BuildError::EngineNeeded(reason)),
            None => Ok(made),
        }
    }
}
