//! The gates of a reference, whoever wrote it: it resolves, runs, is deterministic, leaves no part unreached, and is
//! complex enough.

use super::refusal::{FailedGate, GateFailure};
use crate::code::profile::{Complexity, Profile};
use crate::corpus::Reference;
use crate::parallel::shielded;
use crate::prove::Subject;

/// The gates that look at one script alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gates {
    /// How complex a script must be.
    pub complexity: Complexity,
}

impl Gates {
    /// Returns the script ready for proof if it passes every gate.
    ///
    /// # Errors
    ///
    /// Says at which gate it ended, and why.
    pub fn pass<'a>(&self, reference: &'a Reference) -> Result<Subject<'a>, GateFailure> {
        self.catching_panics(reference, reached)
    }

    /// The same without coverage, for a script whose graph is that of one that passed: databases are searched anew for
    /// each text, and reach the same branches in one and miss them in the other.
    pub fn pass_uncovered<'a>(&self, reference: &'a Reference) -> Result<Subject<'a>, GateFailure> {
        self.catching_panics(reference, |_| Ok(()))
    }

    fn catching_panics<'a>(
        &self,
        reference: &'a Reference,
        covered: impl Fn(&Subject<'_>) -> Result<(), GateFailure>,
    ) -> Result<Subject<'a>, GateFailure> {
        shielded(&reference.id, || {
            let subject = Subject::new(reference)?;
            covered(&subject)?;
            self.complex_enough(reference)?;
            Ok(subject)
        })
        .unwrap_or_else(|panic| Err(FailedGate::Panicked.with(panic.to_string())))
    }

    fn complex_enough(&self, reference: &Reference) -> Result<(), GateFailure> {
        let profile = Profile::of(&reference.script);
        if self.complexity.accepts(&profile) {
            return Ok(());
        }
        let Complexity { alpha, beta, tau } = self.complexity;
        let value = self.complexity.of(&profile);
        Err(FailedGate::Simple.with(format!(
            "its complexity, {alpha} × (depth {} + width {}) + {beta} × {} code lines = {value:.1}, is not above {tau}",
            profile.depth, profile.width, profile.code_lines
        )))
    }
}

/// Checks that some row reaches each query and takes each branch.
fn reached(subject: &Subject<'_>) -> Result<(), GateFailure> {
    let coverage = subject.coverage();
    if !coverage.unreached.is_empty() {
        let lines: Vec<String> = coverage.unreached.iter().map(usize::to_string).collect();
        return Err(FailedGate::Unreached
            .with(format!("no row of any fake database reaches the query that begins in line {}", lines.join(", "))));
    }
    if !coverage.untaken.is_empty() {
        return Err(FailedGate::Untaken.with(format!(
            "no row of any fake database takes these branches, given by line: {}",
            coverage.untaken.join(", ")
        )));
    }
    Ok(())
}
