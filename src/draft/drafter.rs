//! Asks the models, and turns their answers into mutants or reasons for rejection.

use std::path::PathBuf;
use std::sync::Arc;

use super::compared::edits_between;
use super::confirm::{NamesInScope, ScriptKey, confirm};
use super::prompts::DraftPrompts;
use super::reword::{RewordOutcome, states_the_same};
use super::{Reject, reply};
use crate::code::script::Script;
use crate::corpus::Reference;
use crate::fault::Fault;
use crate::inject::{Mutant, ScriptContext};
use crate::llm::{AskError, Budget, Cache, Client, Model, Prompt, Stop};

/// Likely length of a choice of kinds, in bytes.
const CHOICE_BYTES: usize = 300;

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

/// A mutant that a model wrote.
#[derive(Clone, Debug)]
pub struct Drafted {
    /// The mutant.
    pub mutant: Mutant,
    /// The model's name.
    pub model: String,
}

/// Models that propose mutants.
#[derive(Debug)]
pub struct Drafter {
    clients: Vec<Client>,
    prompts: DraftPrompts,
}

/// Why there is no answer to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftError {
    /// This answer cannot be used; others may be.
    Reject(Reject),
    /// Nothing more is to be asked: no money, no permission.
    Stop(String),
}

impl From<Reject> for DraftError {
    fn from(reject: Reject) -> DraftError {
        DraftError::Reject(reject)
    }
}

impl Drafter {
    /// Prepares the models.
    ///
    /// # Errors
    ///
    /// In words, without a key: no model, a variable that is not set, a header that cannot be sent.
    pub fn new(sources: &Sources) -> Result<Drafter, String> {
        if sources.models.is_empty() {
            return Err("the models file names no model".to_owned());
        }
        let cache = Arc::new(Cache::new(&sources.cache));
        let budget = Arc::new(Budget::new(sources.max_cost));
        let client = |model: &Model| Client::new(model, &cache, &budget, sources.offline);
        let clients = sources.models.iter().map(client).collect::<Result<Vec<Client>, String>>()?;
        let prompts = DraftPrompts::built_in().map_err(|error| format!("prompt template: {error}"))?;
        Ok(Drafter { clients, prompts })
    }

    /// Requests that may be under way at once.
    pub fn workers(&self) -> usize {
        self.clients.iter().map(|client| client.model().concurrency).sum()
    }

    fn client(&self, turn: usize) -> &Client {
        &self.clients[turn % self.clients.len()]
    }

    fn ask(&self, turn: usize, prompt: &Prompt, expected: usize) -> Result<String, DraftError> {
        let answer = self.client(turn).ask(prompt, expected).map_err(|error| match error {
            AskError::Stopped { .. } | AskError::Cache(_) => DraftError::Stop(error.to_string()),
            _ => Reject::NoAnswer.into(),
        })?;
        match answer.reply.stop {
            Stop::Complete => Ok(answer.reply.text),
            Stop::Truncated => Err(Reject::CutOff.into()),
            Stop::Refused => Err(Reject::Refused.into()),
            Stop::Unknown => Err(Reject::Unreadable.into()),
        }
    }

    /// The kinds that a model chooses for a script out of those that can be planted in it, and how many of its choices
    /// were not offered. `turn` picks the model.
    ///
    /// # Errors
    ///
    /// When there is no answer to use.
    pub fn choose<'a>(
        &self,
        turn: usize,
        reference: &Reference,
        kinds: &[&'a Fault],
        count: usize,
    ) -> Result<(Vec<&'a Fault>, usize), DraftError> {
        let prompt = self.prompts.select(reference, kinds, count).map_err(template)?;
        let names = reply::chosen(&self.ask(turn, &prompt, CHOICE_BYTES)?).ok_or(Reject::Unreadable)?;
        let mut chosen: Vec<&'a Fault> = Vec::new();
        let mut unknown = 0;
        for name in &names {
            let is_meant = |fault: &&&Fault| {
                fault.id == *name || fault.leaves.iter().any(|leaf| leaf.level3.to_lowercase() == *name)
            };
            match kinds.iter().find(is_meant) {
                Some(fault) if chosen.iter().any(|known| known.id == fault.id) => {}
                Some(fault) => chosen.push(fault),
                None => unknown += 1,
            }
        }
        chosen.truncate(count);
        Ok((chosen, unknown))
    }

    /// The script with one mistake of this kind, as a mutant.
    ///
    /// # Errors
    ///
    /// When there is no answer to use, or it is no mutant of this kind.
    pub fn draft(&self, turn: usize, reference: &Reference, fault: &Fault) -> Result<Drafted, DraftError> {
        let prompt = self.prompts.inject(reference, fault).map_err(template)?;
        let said = self.ask(turn, &prompt, reference.script.text().len())?;
        let changed = crate::reply::script(&said, None).ok_or(Reject::Unreadable)?;
        let edits = edits_between(&reference.script, &Script::new(changed));
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let script = ScriptKey { id: &reference.id, key: &reference.key() };
        let mutant = confirm(&context, &NamesInScope::of(&context), script, fault, edits)?;
        Ok(Drafted { mutant, model: self.client(turn).model().name.clone() })
    }

    /// A complaint in a model's words, before the leak check.
    ///
    /// # Errors
    ///
    /// Why the complaint is kept as it is.
    pub fn reword(&self, turn: usize, complaint: &str, quoted: &[String]) -> Result<String, RewordOutcome> {
        let prompt = self.prompts.reword(complaint).map_err(|_| RewordOutcome::NoAnswer)?;
        let said = self.ask(turn, &prompt, complaint.len()).map_err(|_| RewordOutcome::NoAnswer)?;
        let reworded = reply::message(&said).ok_or(RewordOutcome::NoAnswer)?;
        if reworded.len() > 2 * complaint.len() || reworded.len() * 2 < complaint.len() {
            return Err(RewordOutcome::OtherLength);
        }
        if states_the_same(complaint, &reworded, quoted) { Ok(reworded) } else { Err(RewordOutcome::OtherFacts) }
    }
}

fn template(error: minijinja::Error) -> DraftError {
    DraftError::Stop(format!("prompt template: {error}"))
}
