//! The models that are asked in turn, and answers that can be used.

use std::path::PathBuf;
use std::sync::Arc;

use super::reject::Reject;
use crate::llm::{AskError, Budget, Cache, Client, Model, Prompt, StopReason};

/// Which models are asked, and how.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The models; they take turns.
    pub models: Vec<Model>,
    /// Where requests and answers are kept.
    pub cache: PathBuf,
    /// Take answers from the cache only.
    pub offline: bool,
    /// Most money to spend, in the currency of the prices.
    pub max_cost: Option<f64>,
}

/// Why there is no answer to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftError {
    /// This answer cannot be used; others may be.
    Reject(Reject),
    /// Nothing more is to be asked: no money, no permission.
    Stopped(String),
}

impl From<Reject> for DraftError {
    fn from(reject: Reject) -> DraftError {
        DraftError::Reject(reject)
    }
}

/// Models that take turns.
#[derive(Debug)]
pub struct ModelClients(Vec<Client>);

impl ModelClients {
    /// Prepares the models.
    ///
    /// # Errors
    ///
    /// In words, without a key: no model, a variable that is not set, a header that cannot be sent.
    pub fn new(sources: &Sources) -> Result<ModelClients, String> {
        if sources.models.is_empty() {
            return Err("the models file names no model".to_owned());
        }
        let cache = Arc::new(Cache::new(&sources.cache));
        let budget = Arc::new(Budget::new(sources.max_cost));
        let client = |model: &Model| Client::new(model, &cache, &budget, sources.offline);
        sources.models.iter().map(client).collect::<Result<Vec<Client>, String>>().map(ModelClients)
    }

    /// Requests that may be under way at once.
    pub fn workers(&self) -> usize {
        self.0.iter().map(|client| client.model().concurrency).sum()
    }

    fn client(&self, turn: usize) -> &Client {
        &self.0[turn % self.0.len()]
    }

    pub fn name(&self, turn: usize) -> &str {
        &self.client(turn).model().name
    }

    /// Returns what the model whose turn it is answers; `expected` is the likely length of that in bytes.
    ///
    /// # Errors
    ///
    /// When there is no answer to use.
    pub fn ask(&self, turn: usize, prompt: &Prompt, expected: usize) -> Result<String, DraftError> {
        let answer = self.client(turn).ask(prompt, expected).map_err(|error| match error {
            AskError::Stopped { .. } | AskError::Cache(_) => DraftError::Stopped(error.to_string()),
            _ => Reject::NoAnswer.into(),
        })?;
        match answer.reply.stop {
            StopReason::Complete => Ok(answer.reply.text),
            StopReason::Truncated => Err(Reject::CutOff.into()),
            StopReason::Refused => Err(Reject::Refused.into()),
            StopReason::Unknown => Err(Reject::Unreadable.into()),
        }
    }
}
