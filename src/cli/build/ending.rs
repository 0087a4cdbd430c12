//! How a build ends, and what is said of it.

use std::path::Path;

use super::super::Exit;
use super::super::failure::{bad_input, failed, no_engine, no_translator, unread};
use super::models;
use crate::pipeline::{BuildError, Funnel, ShardError};
use crate::store::StoreError;

pub(super) fn refused(error: &BuildError) -> Exit {
    match error {
        BuildError::Stopped { .. } | BuildError::RefillStopped(_) => failed(error, Exit::Interrupted),
        BuildError::Store(StoreError::File { .. }) => failed(error, Exit::Output),
        BuildError::Translator(error) => no_translator(error),
        BuildError::Corpus(error) => unread(error),
        BuildError::Engine(_) | BuildError::EngineNeeded(_) => no_engine(error),
        _ => bad_input(error),
    }
}

/// Reports an error of shards and returns how it ends the program.
pub(in super::super) fn ended_by(error: &ShardError) -> Exit {
    match error {
        ShardError::Build(error) => refused(error),
        ShardError::Store(StoreError::File { .. }) => failed(error, Exit::Output),
        _ => bad_input(error),
    }
}

/// Returns how a build ends: short if the run has fewer tasks than were asked for.
pub fn ended(funnel: &Funnel) -> Exit {
    if funnel.is_full() { Exit::Done } else { Exit::Short }
}

/// Prints what became of the tasks asked for.
pub fn report(out: &Path, funnel: &Funnel) {
    for (track, numbers) in &funnel.tracks {
        println!(
            "{track:?}: {} of {} tasks, distance of the mix from the wanted one {:.3}",
            numbers.published, numbers.asked, numbers.mix_distance
        );
    }
    if let Some(words) = funnel.kills.witnesses.words() {
        println!("{words}");
    }
    for (policy, numbers) in &funnel.policies {
        let name = policy.name();
        println!(
            "policy {name}: {} scripts keep it, {} break it and get none of its faults",
            numbers.kept,
            numbers.broken.len()
        );
    }
    models::report(funnel);
    for note in &funnel.notes {
        println!("note: {note}");
    }
    for (script, reason) in &funnel.refused {
        println!("refused {script}: {reason}");
    }
    println!("written to {}", out.display());
}
