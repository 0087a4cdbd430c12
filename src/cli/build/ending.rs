//! How a build ends, and what is said of it.

use std::path::Path;

use super::super::Exit;
use super::super::failure::Failure;
use super::models;
use crate::pipeline::{BuildError, Funnel, ShardError};
use crate::store::StoreError;

pub(super) fn refused(error: BuildError) -> Failure {
    match error {
        BuildError::Stopped { .. } | BuildError::RefillStopped(_) => Failure::new(Exit::Interrupted, error),
        BuildError::Store(StoreError::File { .. }) => Failure::new(Exit::Output, error),
        BuildError::Translator(error) => Failure::no_translator(error),
        BuildError::Corpus(error) => Failure::unread(error),
        BuildError::Engine(_) | BuildError::EngineNeeded(_) => Failure::no_engine(error),
        error => error.into(),
    }
}

pub(in super::super) fn ended_by(error: ShardError) -> Failure {
    match error {
        ShardError::Build(error) => refused(error),
        ShardError::Store(StoreError::File { .. }) => Failure::new(Exit::Output, error),
        error => error.into(),
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
    if funnel.near_another > 0 {
        println!("left out {} references, each of them near to another one of the run", funnel.near_another);
    }
    for (script, reason) in &funnel.refused {
        println!("refused {script}: {reason}");
    }
    println!("written to {}", out.display());
}
