//! How a script is made ready: with how many databases, and for how much effort.

use super::effort::Effort;
use super::search::branches::add_branch_databases;
use super::subject::{ReferenceRefusal, Subject};
use super::varieties::VARIETIES;
use crate::corpus::Reference;

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

impl<'a> Subject<'a> {
    /// Runs the baseline of a reference.
    ///
    /// # Errors
    ///
    /// If the script cannot serve as a reference.
    pub fn new(reference: &'a Reference) -> Result<Subject<'a>, ReferenceRefusal> {
        let mut subject = Subject::without_branches(reference, &VARIETIES)?;
        add_branch_databases(&mut subject);
        Ok(subject)
    }

    /// Runs the baseline of a reference that is one of many.
    ///
    /// # Errors
    ///
    /// As [`Subject::new`].
    pub fn prepared(reference: &'a Reference, preparation: Preparation) -> Result<Subject<'a>, ReferenceRefusal> {
        match preparation {
            Preparation::Judging => Subject::without_branches(reference, &VARIETIES),
            Preparation::Composing => Ok(Subject::new(reference)?.with_effort(Effort::Low)),
            Preparation::Training => Subject::without_branches(reference, &VARIETIES[..FEW_VARIETIES]),
        }
    }
}
