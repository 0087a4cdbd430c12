//! The record of one attempt: what a solver was asked, what it answered, and what came out of it.

use serde::{Deserialize, Serialize};

use crate::publish::critique::Critique;

/// How a solver works on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A model writes the whole script again.
    Whole,
    /// A model answers with search-and-replace blocks.
    Diff,
    /// A planner and an editor work in rounds with the engine's answer.
    Agent,
    /// A critic names what is wrong, clause by clause, and an editor corrects by the critique alone, in rounds.
    Critique,
    /// No model: rules of this program.
    #[value(skip)]
    BuiltIn,
}

impl Mode {
    /// The name in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Whole => "whole",
            Mode::Diff => "diff",
            Mode::Agent => "agent",
            Mode::Critique => "critique",
            Mode::BuiltIn => "built_in",
        }
    }
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// There is SQL to judge.
    Answered,
    /// The solver says that it has no repair.
    GaveUp,
    /// The model or its provider refuses to answer.
    Refused,
    /// The answer was cut off by a length limit.
    Truncated,
    /// The answer holds no SQL, or search text that the script does not have.
    Unparseable,
    /// The request is too long for the model. Other requests that the provider calls wrong are no attempt.
    Rejected,
}

impl AttemptOutcome {
    pub fn words(self) -> &'static str {
        match self {
            AttemptOutcome::Answered => "answered",
            AttemptOutcome::GaveUp => "gave up",
            AttemptOutcome::Refused => "refused",
            AttemptOutcome::Truncated => "cut off",
            AttemptOutcome::Unparseable => "without SQL",
            AttemptOutcome::Rejected => "rejected by the server",
        }
    }
}

/// Tokens paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Tokens written, reasoning included.
    pub output: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input += other.input;
        self.output += other.output;
    }
}

/// One line of `attempts.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub instance_id: String,
    pub solver: String,
    pub mode: Mode,
    /// Digest of the (last) request; `None` without a model.
    pub prompt_hash: Option<String>,
    /// The replies of all models asked, joined by `----`, or the words of a rejection; for the linter the rule that it
    /// applied; otherwise `None`.
    pub raw: Option<String>,
    /// The SQL to judge; `None` unless `outcome` is `answered`.
    pub predict_sql: Option<String>,
    pub outcome: AttemptOutcome,
    /// Why the model stopped, in its provider's word.
    pub finish_reason: Option<String>,
    /// Tokens of all rounds.
    pub usage: Usage,
    /// Money of all rounds, in the currency of the configured prices.
    pub cost: f64,
    /// Milliseconds that the provider took in all rounds; a reply from the cache counts those of its original request.
    pub latency_ms: u64,
    /// Rounds of an agent or a critic; 1 for all others.
    pub rounds: usize,
    /// The turns of an agent's planner (prompts, plans, queries and what they gave) or of a critic, the user's first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<String>,
    /// The critiques of all rounds; an empty one says that the script is right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub critiques: Vec<Vec<Critique>>,
}

impl Attempt {
    /// The first critique, if it alone has led to the answer; `None` if a later one was acted on or no critic was
    /// asked.
    pub fn critique(&self) -> Option<&[Critique]> {
        let (first, others) = self.critiques.split_first()?;
        others.iter().all(Vec::is_empty).then_some(first)
    }

    /// An attempt without a model.
    pub fn built_in(instance_id: &str, solver: &str, predict_sql: Option<String>) -> Attempt {
        Attempt {
            instance_id: instance_id.to_owned(),
            solver: solver.to_owned(),
            mode: Mode::BuiltIn,
            prompt_hash: None,
            raw: None,
            outcome: if predict_sql.is_some() { AttemptOutcome::Answered } else { AttemptOutcome::GaveUp },
            predict_sql,
            finish_reason: None,
            usage: Usage::default(),
            cost: 0.0,
            latency_ms: 0,
            rounds: 1,
            turns: Vec::new(),
            critiques: Vec::new(),
        }
    }
}
