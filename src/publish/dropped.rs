//! Records of the tasks that were taken out of a run, with the reason.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The file of dropped tasks in a run directory.
pub const DROPPED: &str = "dropped.jsonl";

/// Who took a task out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DroppedBy {
    /// The vote: most solvers repair it.
    Sift,
    /// People who find it unfair.
    Review,
    /// A reference engine that does not confirm its proof.
    Engine,
}

impl DroppedBy {
    /// The reason in a few words, for counts.
    pub fn words(self) -> &'static str {
        match self {
            DroppedBy::Sift => "too easy",
            DroppedBy::Review => "unfair to reviewers",
            DroppedBy::Engine => "not confirmed by Spark",
        }
    }
}

/// One line of `dropped.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    pub instance_id: String,
    pub reason: String,
    #[serde(default = "by_engine")]
    pub by: DroppedBy,
    /// Number of the refill that replaced it, from 1; `None` before any refill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refill: Option<usize>,
    /// Its script and faults, and the decision that dropped it, as far as they are known.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The default of `by`: lines without it come from versions in which the engine alone dropped tasks.
fn by_engine() -> DroppedBy {
    DroppedBy::Engine
}

impl Dropped {
    /// A task that the reference engine does not confirm.
    pub fn by_engine(instance_id: String, reason: String) -> Dropped {
        Dropped { instance_id, reason, by: DroppedBy::Engine, refill: None, rest: Map::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_what_it_does_not_know() {
        let line = r#"{"instance_id":"a","reason":"r","by":"sift","refill":2,"script":"s/t"}"#;
        let dropped: Dropped = serde_json::from_str(line).unwrap();
        assert_eq!((dropped.by, dropped.refill), (DroppedBy::Sift, Some(2)));
        assert_eq!(serde_json::to_string(&dropped).unwrap(), line);
        let short: Dropped = serde_json::from_str(r#"{"instance_id":"a","reason":"r"}"#).unwrap();
        assert_eq!(short, Dropped::by_engine("a".to_owned(), "r".to_owned()));
    }
}
