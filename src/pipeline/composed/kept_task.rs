//! Tasks that a run has already when it is filled up.

use crate::fault::Track;

/// A task that the run has already.
pub(in super::super) struct KeptTask<'a> {
    pub track: Track,
    /// Ids of its faults.
    pub faults: Vec<&'a str>,
    /// Its complaint; `None` for a syntax task.
    pub complaint: Option<&'a str>,
    /// The text of its reference.
    pub reference: &'a str,
}
