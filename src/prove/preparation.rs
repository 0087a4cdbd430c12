//! How a script is made ready: with how many databases, and for how much effort.

use super::effort::{Effort, WorkLimit};
use super::reference_refusal::ReferenceRefusal;
use super::search::branches::add_branch_databases;
use super::subject::Subject;
use super::varieties::VARIETIES;
use crate::corpus::Reference;
use crate::engine::policy::Policies;

/// Varieties of a small baseline.
const FEW_VARIETIES: usize = 3;

/// What a script that is one of many is made ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// To judge answers on its databases; none are made for branches.
    Judging,
    /// To prove mutants of it with little effort: another mutant, or another script, costs less than a long search.
    Composing,
    /// To prove what few databases kill: most mutants, in a fraction of the time.
    Training,
}

/// What the proofs of a run are made under.
#[derive(Clone, Debug, Default)]
pub struct ProofConditions {
    /// Rules of the platform beyond the engine's.
    pub policies: Policies,
    /// How hard to search; `None` leaves it to the preparation.
    pub effort: Option<Effort>,
}

impl ProofConditions {
    /// Makes a reference ready of which many mutants are to be tried.
    ///
    /// # Errors
    ///
    /// If the script cannot serve as a reference.
    pub fn subject<'a>(&self, reference: &'a Reference) -> Result<Subject<'a>, ReferenceRefusal> {
        Subject::limited(reference, self.effort.unwrap_or_default())
    }

    /// Returns the subject under these conditions.
    #[must_use]
    pub fn apply<'a>(&self, subject: Subject<'a>) -> Subject<'a> {
        let effort = self.effort.unwrap_or(subject.effort);
        subject.under(&self.policies).with_effort(effort)
    }
}

impl<'a> Subject<'a> {
    /// Runs the baseline of a reference.
    ///
    /// # Errors
    ///
    /// If the script cannot serve as a reference.
    pub fn new(reference: &'a Reference) -> Result<Subject<'a>, ReferenceRefusal> {
        Subject::within(reference, WorkLimit::none())
    }

    /// Runs the baseline of a reference on which no more than this work may be done.
    ///
    /// # Errors
    ///
    /// As [`Subject::new`].
    pub fn within(reference: &'a Reference, work: WorkLimit) -> Result<Subject<'a>, ReferenceRefusal> {
        let mut subject = Subject::without_branches(reference, &VARIETIES, &work)?;
        subject.work = work;
        add_branch_databases(&mut subject);
        Ok(subject)
    }

    /// Runs the baseline of a reference of which many mutants are to be tried: neither it nor any of them may take all
    /// the time.
    ///
    /// # Errors
    ///
    /// As [`Subject::new`].
    pub fn limited(reference: &'a Reference, effort: Effort) -> Result<Subject<'a>, ReferenceRefusal> {
        let mut subject = Subject::within(reference, WorkLimit::of_baseline(effort))?;
        subject.work = WorkLimit::none();
        subject.limits_trials = true;
        Ok(subject)
    }

    /// Runs the baseline of a reference that is one of many.
    ///
    /// # Errors
    ///
    /// As [`Subject::new`].
    pub fn prepared(reference: &'a Reference, preparation: Preparation) -> Result<Subject<'a>, ReferenceRefusal> {
        let any_work = WorkLimit::none();
        match preparation {
            Preparation::Judging => Subject::without_branches(reference, &VARIETIES, &any_work),
            Preparation::Composing => Ok(Subject::new(reference)?.with_effort(Effort::Low)),
            Preparation::Training => Subject::without_branches(reference, &VARIETIES[..FEW_VARIETIES], &any_work),
        }
    }
}
