//! Which faults a composed reference has places for: all that planning needs to know of it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::baseline::too_simple;
use super::super::candidates::{CandidateDraw, candidates};
use super::super::context::Context;
use super::super::funnel::Funnel;
use crate::code::shingles::Shingles;
use crate::corpus::compose::{Composed, Composer, ComposerOptions};
use crate::parallel::{self, shielded};

/// A reference that is not worked on yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// The number from which it is composed.
    pub number: usize,
    /// Ids of the faults that have a place in it.
    pub faults: BTreeSet<String>,
}

/// A reference as it was looked at.
pub(super) struct Looked {
    pub places: Places,
    /// What tells it from other references.
    pub shingles: Shingles,
}

/// Composes the reference of this number.
///
/// # Errors
///
/// In words, if it cannot be composed.
pub(super) fn compose(context: Context<'_>, composer: &Composer, number: usize) -> Result<Composed, String> {
    let settings = context.settings;
    let kind = settings.track_on(number).map(|track| track as usize);
    let options = ComposerOptions {
        domain: None,
        lines: settings.lines,
        scripts: settings.scripts,
        profile: settings.profile,
        kind,
        complexity: settings.complexity,
    };
    let made = shielded(&name(number), || composer.compose(settings.seed, number as u64, &options));
    made.map_err(|panic| panic.to_string())?.map_err(|error| error.to_string())
}

/// Names a reference that has no id yet.
pub(super) fn name(number: usize) -> String {
    format!("composed {number}")
}

/// Composes references and finds their places. The funnel counts the places, and names references that cannot be used.
pub(super) fn look(
    context: Context<'_>,
    composer: &Composer,
    numbers: Range<usize>,
    funnel: &mut Funnel,
) -> Vec<Looked> {
    let looked = parallel::map(context.settings.jobs, numbers, |number| {
        if context.progress.is_stopped() {
            return (number, Err("not looked at".to_owned()), Funnel::default());
        }
        let mut own = Funnel::default();
        let places = places(context, composer, number, &mut own);
        context.progress.step();
        (number, places, own)
    });
    let mut read = Vec::new();
    for (number, places, own) in looked {
        funnel.add_sites(&own);
        match places {
            Ok(places) => read.push(places),
            Err(reason) => funnel.refuse(&name(number), reason),
        }
    }
    read
}

fn places(context: Context<'_>, composer: &Composer, number: usize, funnel: &mut Funnel) -> Result<Looked, String> {
    let reference = compose(context, composer, number)?.reference;
    if let Some(reason) = too_simple(context.settings.complexity, &reference) {
        return Err(reason);
    }
    let draw = CandidateDraw { seed: context.settings.seed, jobs: 1, taxonomy: context.taxonomy };
    let found = candidates(&draw, &[&reference], funnel);
    // A script with the shape of one track's is for tasks of that track.
    let track = context.settings.track_on(number);
    let is_wanted = |fault: &str| track.is_none() || context.fault(fault).map(|fault| fault.track) == track;
    let placed = found.into_iter().filter(|(fault, mutants)| !mutants.is_empty() && is_wanted(fault));
    let faults = placed.map(|(fault, _)| fault).collect();
    Ok(Looked { places: Places { number, faults }, shingles: Shingles::of(&reference.script) })
}
