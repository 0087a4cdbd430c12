//! References of tests.

use super::{Reference, ReferenceCard, read_texts};

impl Reference {
    /// A script over these tables.
    pub(crate) fn of_test(script: &str, ddl: &str) -> Reference {
        read_texts("s".to_owned(), script.to_owned(), ddl.to_owned(), ReferenceCard::default()).unwrap()
    }
}
