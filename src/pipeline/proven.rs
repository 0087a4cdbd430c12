//! Mutants that are proved to be wrong.

use serde::{Deserialize, Serialize};

use crate::fault::Track;
use crate::inject::Mutant;
use crate::prove::Verdict;

/// A verdict as a run publishes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MutantVerdict {
    /// The mutant's id.
    pub mutant: String,
    /// How its trial ended.
    pub verdict: Verdict,
}

/// A fault that is proved alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProvedFault {
    /// The mutant with this fault only.
    pub mutant: Mutant,
    /// Its proof.
    pub verdict: Verdict,
}

/// A proven mutant, with one fault or several: what a task is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProvedMutant {
    /// The mutant.
    pub mutant: Mutant,
    /// Its track.
    pub track: Track,
    /// Its proof.
    pub verdict: Verdict,
    /// Its faults, each proved alone; never empty.
    pub parts: Vec<ProvedFault>,
}

impl ProvedMutant {
    /// A mutant with one fault.
    pub fn single(track: Track, mutant: Mutant, verdict: Verdict) -> ProvedMutant {
        let part = ProvedFault { mutant: mutant.clone(), verdict: verdict.clone() };
        ProvedMutant { mutant, track, verdict, parts: vec![part] }
    }

    /// Returns the single faults of a mutant with several; empty if there is only one.
    pub fn several(&self) -> &[ProvedFault] {
        if self.parts.len() > 1 { &self.parts } else { &[] }
    }

    /// Returns the names of the witnesses of the single faults; empty if there is only one.
    pub fn part_names(&self) -> Vec<String> {
        (1..=self.several().len()).map(|number| format!("{}-{number}", self.mutant.id)).collect()
    }
}
