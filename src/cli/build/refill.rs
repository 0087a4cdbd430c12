//! `sqlfault build --refill RUN`.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::engine::EngineOption;
use super::super::failure::Failure;
use super::super::progress::TerminalProgress;
use super::super::verbosity::closing;
use super::super::{Exit, interrupt};
use super::ending::{ended, refused, report};
use super::options::BuildOptions;
use crate::cli::worker_count::workers;
use crate::pipeline::{BuildSettings, ReferenceSource, Refilled, refill, settings_of};
use crate::publish::dropped::DroppedBy;

/// Refills a run with the settings that it records.
pub(super) fn run(options: &BuildOptions, run: &Path) -> Result<Exit, Failure> {
    interrupt::listen();
    let settings = settings_of(folders(options, run)).map_err(refused)?;
    let refilled = refill(&settings, &TerminalProgress::new(options.json)).map_err(refused)?;
    show(options, &settings, &refilled);
    closing("report", settings.out.display());
    Ok(ended(&refilled.funnel))
}

/// The settings that the command line gives; the rest are read from the run.
fn folders(options: &BuildOptions, run: &Path) -> BuildSettings {
    BuildSettings {
        jobs: workers(options.given.jobs),
        resume: true,
        // A composed run records that it is one.
        source: options.given.source.clone().unwrap_or(ReferenceSource::HandWritten),
        taxonomy: options.given.taxonomy.clone(),
        templates: options.given.templates.clone(),
        engine: options.engine.choice(Some(EngineOption::Spark), None).unwrap_or_default(),
        ..BuildSettings::new(run.to_owned(), 0)
    }
}

fn show(options: &BuildOptions, settings: &BuildSettings, refilled: &Refilled) {
    let mut reasons: BTreeMap<DroppedBy, usize> = BTreeMap::new();
    for line in &refilled.dropped {
        *reasons.entry(line.by).or_default() += 1;
    }
    if options.json {
        let line = serde_json::json!({
            "seed": settings.seed, "out": settings.out, "dropped": reasons, "added": refilled.added,
            "funnel": refilled.funnel,
        });
        println!("{line}");
        return;
    }
    if reasons.is_empty() && refilled.added.is_empty() {
        println!("nothing to drop and nothing to add");
    }
    for (by, count) in &reasons {
        println!("dropped {count}: {}", by.words());
    }
    for (track, count) in &refilled.added {
        println!("added {count} {} tasks", format!("{track:?}").to_lowercase());
    }
    report(&settings.out, &refilled.funnel);
}
