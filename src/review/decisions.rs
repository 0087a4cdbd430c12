//! `decisions.jsonl`: which tasks stay, go, or wait for people.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::store::{RunDirectory, StoreError};

/// The file of decisions in a run.
pub const FILE: &str = "decisions.jsonl";

/// The decision on a task. Fields that other stages write are kept as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewDecision {
    pub instance_id: String,
    /// `kept`, `too_easy`, `queued`, `removed`, …
    pub decision: String,
    /// Everything else on the line.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The decision that sends a task to people.
pub const QUEUED: &str = "queued";

/// The decisions of a run; `None` if nothing has been decided yet.
pub fn read(directory: &RunDirectory) -> Result<Option<Vec<ReviewDecision>>, StoreError> {
    if !directory.path(FILE).exists() {
        return Ok(None);
    }
    directory.read_records(FILE).map(Some)
}
