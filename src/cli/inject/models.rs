//! `sqlfault inject --models`: models plant faults in the user's script.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::failure::Failure;
use super::planting::FaultPlanter;
use crate::draft::{DraftError, Drafter, Sources};
use crate::fault::{Fault, Track};
use crate::inject::{ScriptContext, propose};
use crate::llm::Models;
use crate::prove::Subject;
use crate::prove::admission::admit;

/// How many faults a model chooses from each track.
const KINDS: usize = 5;

/// Lets the models plant faults; returns how many were proved and shown.
pub(super) fn plant(planter: &FaultPlanter<'_>, file: &Path, faults: &[&Fault]) -> Result<usize, Failure> {
    let FaultPlanter { options, subject, .. } = planter;
    let models = Models::load(file)?.models;
    let count = models.len();
    let sources = Sources { models, cache: options.cache.clone(), offline: options.offline, max_cost: None };
    let work = DraftContext { planter, drafter: Drafter::new(&sources)? };
    let (mut shown, mut rejected) = (0, BTreeMap::new());
    for track in [Track::Syntax, Track::Semantic] {
        let kinds = offered(subject, faults, track);
        for turn in 0..count {
            shown += work.turn(turn, &kinds, &mut rejected)?;
        }
    }
    if !options.json {
        for (reason, count) in rejected {
            println!("{count:>6}  {reason}");
        }
    }
    Ok(shown)
}

/// The faults of a track that can be planted in the script.
fn offered<'a>(subject: &Subject<'_>, faults: &[&'a Fault], track: Track) -> Vec<&'a Fault> {
    let reference = subject.reference;
    let scopes = reference.scopes();
    let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
    let fits = |fault: &&&Fault| {
        fault.track == track && fault.operator().is_some_and(|operator| !propose(&context, operator).is_empty())
    };
    faults.iter().filter(fits).copied().collect()
}

struct DraftContext<'a> {
    planter: &'a FaultPlanter<'a>,
    drafter: Drafter,
}

impl DraftContext<'_> {
    /// Lets the model of this turn choose faults and plant each; counts answers that are no proved mutants by reason.
    fn turn(&self, turn: usize, kinds: &[&Fault], rejected: &mut BTreeMap<String, usize>) -> Result<usize, String> {
        let mut reject = |reason: String| *rejected.entry(reason).or_default() += 1;
        if kinds.is_empty() {
            return Ok(0);
        }
        let reference = self.planter.subject.reference;
        let chosen = match self.drafter.choose(turn, reference, kinds, KINDS) {
            Ok((chosen, unknown)) => {
                (0..unknown).for_each(|_| reject(crate::draft::Reject::UnknownType.to_string()));
                chosen
            }
            Err(DraftError::Reject(reason)) => {
                reject(reason.to_string());
                return Ok(0);
            }
            Err(DraftError::Stop(message)) => return Err(message),
        };
        let mut shown = 0;
        for fault in chosen {
            match self.drafter.draft(turn, reference, fault) {
                Ok(drafted) => match admit(&reference.script, &drafted.mutant) {
                    Err(refusal) => reject(refusal.to_string()),
                    Ok(_) if self.planter.tried(fault, &drafted.mutant).is_ok() => shown += 1,
                    Ok(_) => reject("not proved".to_owned()),
                },
                Err(DraftError::Reject(reason)) => reject(reason.to_string()),
                Err(DraftError::Stop(message)) => return Err(message),
            }
        }
        Ok(shown)
    }
}
