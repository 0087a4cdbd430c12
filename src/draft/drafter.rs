//! Asks the models, and turns their answers into mutants or reasons for rejection.

use super::clients::{DraftError, ModelClients, Sources};
use super::confirm::{NamesInScope, ScriptKey, confirm};
use super::prompts::DraftPrompts;
use super::reject::Reject;
use super::reply;
use super::reword::{RewordOutcome, states_the_same};
use super::text_edits::edits_between;
use crate::code::script::Script;
use crate::corpus::Reference;
use crate::fault::Fault;
use crate::inject::{Mutant, ScriptContext};

/// Likely length of a choice of kinds, in bytes.
const CHOICE_BYTES: usize = 300;

/// A mutant that a model wrote.
#[derive(Clone, Debug)]
pub struct Drafted {
    pub mutant: Mutant,
    pub model: String,
}

/// Models that propose mutants.
#[derive(Debug)]
pub struct Drafter {
    clients: ModelClients,
    prompts: DraftPrompts,
}

impl Drafter {
    /// Prepares the models.
    pub fn new(sources: &Sources) -> Result<Drafter, String> {
        let clients = ModelClients::new(sources)?;
        let prompts = DraftPrompts::built_in().map_err(|error| format!("prompt template: {error}"))?;
        Ok(Drafter { clients, prompts })
    }

    /// Requests that may be under way at once.
    pub fn workers(&self) -> usize {
        self.clients.workers()
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
        let names = reply::chosen(&self.clients.ask(turn, &prompt, CHOICE_BYTES)?).ok_or(Reject::Unreadable)?;
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
        let said = self.clients.ask(turn, &prompt, reference.script.text().len())?;
        let changed = crate::reply::script(&said, None).ok_or(Reject::Unreadable)?;
        let edits = edits_between(&reference.script, &Script::new(changed));
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let script = ScriptKey { id: &reference.id, key: &reference.key() };
        let mutant = confirm(&context, &NamesInScope::of(&context), script, fault, edits)?;
        Ok(Drafted { mutant, model: self.clients.name(turn).to_owned() })
    }

    /// A complaint in a model's words, before the leak check.
    ///
    /// # Errors
    ///
    /// Why the complaint is kept as it is.
    pub fn reword(&self, turn: usize, complaint: &str, quoted: &[String]) -> Result<String, RewordOutcome> {
        let prompt = self.prompts.reword(complaint).map_err(|_| RewordOutcome::NoAnswer)?;
        let said = self.clients.ask(turn, &prompt, complaint.len()).map_err(|_| RewordOutcome::NoAnswer)?;
        let reworded = reply::message(&said).ok_or(RewordOutcome::NoAnswer)?;
        if reworded.len() > 2 * complaint.len() || reworded.len() * 2 < complaint.len() {
            return Err(RewordOutcome::OtherLength);
        }
        if states_the_same(complaint, &reworded, quoted) { Ok(reworded) } else { Err(RewordOutcome::OtherFacts) }
    }
}

fn template(error: minijinja::Error) -> DraftError {
    DraftError::Stopped(format!("prompt template: {error}"))
}
