//! What the scripts of a run are for, in public: the question that SQLCritic gives its critic beside the script.
//!
//! Runs with scripts without a fault have it, so that a critic who hears no complaint can tell right from wrong. Tasks and
//! controls are told in the same way.

use serde::{Deserialize, Serialize};

/// The file of a run.
pub const QUESTIONS: &str = "questions.jsonl";

/// What one script is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The task or control.
    pub instance_id: String,
    /// What the script must compute, with the rules that it follows where they are known.
    pub question: String,
}
