//! Mutants that were tried, and those that are proved to be wrong.

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

/// A mutant with its verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedMutant {
    pub mutant: Mutant,
    pub verdict: Verdict,
}

impl TriedMutant {
    /// Splits trials into the lines of `mutants.jsonl` and those of `proofs.jsonl`.
    pub fn lines(trials: &[TriedMutant]) -> (Vec<&Mutant>, Vec<MutantVerdict>) {
        let verdict = |TriedMutant { mutant, verdict }: &TriedMutant| MutantVerdict {
            mutant: mutant.id.clone(),
            verdict: verdict.clone(),
        };
        (trials.iter().map(|tried| &tried.mutant).collect(), trials.iter().map(verdict).collect())
    }
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
    pub parts: Vec<TriedMutant>,
}

impl ProvedMutant {
    /// A mutant with one fault.
    pub fn single(track: Track, mutant: Mutant, verdict: Verdict) -> ProvedMutant {
        let mut proved = ProvedMutant { mutant, track, verdict, parts: Vec::new() };
        proved.parts.push(proved.tried());
        proved
    }

    /// Returns it as a trial.
    pub fn tried(&self) -> TriedMutant {
        TriedMutant { mutant: self.mutant.clone(), verdict: self.verdict.clone() }
    }

    /// Returns the single faults of a mutant with several; empty if there is only one.
    pub fn several(&self) -> &[TriedMutant] {
        if self.parts.len() > 1 { &self.parts } else { &[] }
    }

    /// Returns the names of the witnesses of the single faults; empty if there is only one.
    pub fn part_names(&self) -> Vec<String> {
        (1..=self.several().len()).map(|number| format!("{}-{number}", self.mutant.id)).collect()
    }
}
