//! The two benchmarks.

use serde::{Deserialize, Serialize};

/// Which benchmark a fault belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// The engine rejects the script; the solver sees its message.
    Syntax,
    /// The script runs and gives wrong results; the solver sees a complaint.
    Semantic,
}
