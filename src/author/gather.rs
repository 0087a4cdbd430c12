//! Collects references from numbered attempts until there are enough; every refusal is kept.

use serde::Serialize;

use super::novelty::Novelty;
use super::refusal::GateFailure;
use crate::corpus::Reference;
use crate::parallel::{self, Progress};

/// Attempts for each script that is wanted, before the rest is given up.
const ATTEMPTS: u64 = 4;

/// A refusal, as `rejects.jsonl` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedScript {
    pub number: u64,
    /// Id of the script, or of that which a model was to work on.
    pub script: String,
    /// Name of the model that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The gate in words.
    pub reason: String,
    pub message: String,
}

/// What came of one attempt.
#[derive(Debug)]
pub struct AuthorAttempt<T> {
    /// Name of the model that was asked.
    pub model: Option<String>,
    /// What passed the gates of one script.
    pub made: Option<T>,
    /// What was refused on the way.
    pub refused: Vec<RefusedScript>,
}

/// What came of all attempts.
#[derive(Debug)]
pub struct Gathered<T> {
    /// What passed every gate, in the order of the attempts.
    pub kept: Vec<T>,
    /// What did not.
    pub refused: Vec<RefusedScript>,
    /// Why no further attempt was made, if that is not for their number.
    pub stopped: Option<String>,
}

/// Makes attempts, `jobs` at once, until `wanted` references pass. What comes out does not depend on `jobs`: an attempt
/// knows the references of earlier rounds, and at the end of its round it is held against those before it.
pub fn gather<T: AsRef<Reference> + Send>(
    wanted: usize,
    jobs: usize,
    progress: &dyn Progress,
    attempt: impl Fn(u64, &Novelty) -> Result<AuthorAttempt<T>, String> + Sync,
) -> Gathered<T> {
    let mut known = Novelty::of_public();
    let mut gathered = Gathered { kept: Vec::new(), refused: Vec::new(), stopped: None };
    let (mut next, last) = (0, wanted as u64 * ATTEMPTS);
    while gathered.kept.len() < wanted && next < last && gathered.stopped.is_none() && !progress.is_stopped() {
        let round = next..last.min(next + (wanted - gathered.kept.len()) as u64);
        next = round.end;
        progress.stage("scripts", (round.end - round.start) as usize);
        let attempts = parallel::map(jobs, round.clone(), |number| {
            let attempted = attempt(number, &known);
            progress.step();
            attempted
        });
        for (number, attempted) in round.zip(attempts) {
            match attempted {
                Ok(attempted) => gathered.add(number, attempted, &mut known),
                Err(message) => gathered.stopped = gathered.stopped.or(Some(message)),
            }
        }
    }
    gathered
}

impl<T: AsRef<Reference>> Gathered<T> {
    fn add(&mut self, number: u64, attempted: AuthorAttempt<T>, known: &mut Novelty) {
        self.refused.extend(attempted.refused);
        let Some(made) = attempted.made else { return };
        let reference = made.as_ref();
        match known.check(&reference.script) {
            Ok(()) => {
                known.add(reference);
                self.kept.push(made);
            }
            Err(failure) => self.refused.push(RefusedScript::new(number, &reference.id, attempted.model, failure)),
        }
    }
}

impl RefusedScript {
    /// Returns the record of a failure.
    pub(super) fn new(number: u64, script: &str, model: Option<String>, failure: GateFailure) -> RefusedScript {
        let GateFailure { gate, message } = failure;
        RefusedScript { number, script: script.to_owned(), model, reason: gate.to_string(), message }
    }
}
