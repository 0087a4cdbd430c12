//! The messages between the page and the program.

use serde::{Deserialize, Serialize};

use super::judgement::{FairnessVerdict, Judgement};
use super::solution::Checked;
use crate::fault::Track;

/// How many tasks one annotator has judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnnotatorProgress {
    pub name: String,
    /// How many tasks they judged.
    pub judged: usize,
}

/// How many tasks of the queue everyone has judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// Name of the run's directory.
    pub run: String,
    /// Who looks at the page.
    pub annotator: String,
    /// Tasks in the queue.
    pub total: usize,
    /// How many of them this annotator has judged.
    pub judged: usize,
    pub annotators: Vec<AnnotatorProgress>,
    /// Tasks that the whole panel has judged.
    pub complete: usize,
}

/// Which tasks of the queue are wanted, by this annotator's own verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    #[default]
    All,
    /// Not judged yet.
    Open,
    Fair,
    Unfair,
    Ambiguous,
}

/// Which part of the queue is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Default, Deserialize)]
pub struct QueueQuery {
    #[serde(default)]
    pub filter: Filter,
    /// Words that the task has, in any order; all if there are none.
    #[serde(default)]
    pub search: String,
    /// Place of the first item among those that match, from 0.
    #[serde(default)]
    pub offset: usize,
}

/// A task whose judgement is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    pub instance_id: String,
}

/// A line of the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueueItem {
    /// Place in the whole queue, from 0.
    pub position: usize,
    pub instance_id: String,
    pub track: Track,
    pub domain: String,
    /// The fault planted in it; empty before the verdict.
    pub fault: String,
    /// What this annotator says.
    pub verdict: Option<FairnessVerdict>,
}

/// A part of the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QueuePage {
    /// How many tasks match the filter.
    pub total: usize,
    /// Place of the first item among those that match.
    pub offset: usize,
    pub items: Vec<QueueItem>,
}

/// A judgement as the page sends it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewJudgement {
    pub instance_id: String,
    pub verdict: FairnessVerdict,
    #[serde(default)]
    pub why: String,
    /// Anything else.
    #[serde(default)]
    pub note: String,
    /// Another script that is as correct.
    #[serde(default)]
    pub alternative: Option<String>,
}

/// A solution to run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    pub instance_id: String,
    pub sql: String,
}

/// The answer to a judgement: what is on the disk now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Saved {
    pub judgement: Judgement,
    /// What came of the alternative, when there is a new one.
    pub checked: Option<Checked>,
    /// How many tasks this annotator has judged by now.
    pub judged: usize,
}
