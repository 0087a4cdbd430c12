//! Generates the databases targeted at an answer, in the same child process in which its text is read.

use serde::{Deserialize, Serialize};

use super::benchmark::{ReferenceTexts, Task};
use crate::code::script::Script;
use crate::engine::table::Database;
use crate::prove::Subject;
use crate::prove::targeted::targeted_databases;

/// An answer that gives the reference's rows on the suite of its task, with what databases are generated from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TargetRequest {
    reference: ReferenceTexts,
    suite: Vec<Database>,
    answer: String,
}

impl TargetRequest {
    pub fn new(task: &Task, suite: &[Database], answer: &str) -> TargetRequest {
        TargetRequest { reference: ReferenceTexts::of(task), suite: suite.to_vec(), answer: answer.to_owned() }
    }

    /// Returns databases that show a difference between the reference and the answer near what the answer changes, if
    /// one is found. The list is empty if the reference cannot be read, in which case no answer is judged by its rows.
    /// Calls `begins` before it looks at the answer.
    pub fn databases(self, begins: &mut dyn FnMut()) -> Vec<Database> {
        let reference = self.reference.read().ok();
        let subject = reference.as_ref().and_then(|reference| Subject::without_databases(reference).ok());
        begins();
        let targeted = |subject| targeted_databases(subject, &Script::new(self.answer.as_str()), &self.suite);
        subject.as_ref().map(targeted).unwrap_or_default()
    }
}
