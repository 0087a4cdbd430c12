//! Asks a model until an answer passes, and says each time why the one before did not.

use super::prompts::{AuthorPrompts, template};
use super::refusal::GateFailure;
use crate::draft::{DraftError, ModelClients};
use crate::llm::Prompt;

/// The work of one model on one script.
pub(super) struct Dialogue<'a> {
    pub clients: &'a ModelClients,
    pub prompts: &'a AuthorPrompts,
    /// The number that decides which model is asked.
    pub turn: usize,
    /// How many answers it may give to each question.
    pub tries: usize,
    /// What did not pass so far.
    pub refused: Vec<GateFailure>,
}

impl Dialogue<'_> {
    /// Returns what `judge` makes of the first answer that it accepts; `None` if it accepts none. `expected` is the
    /// likely length of an answer in bytes.
    ///
    /// # Errors
    ///
    /// If no model can be asked any further.
    pub fn ask<T>(
        &mut self,
        mut prompt: Prompt,
        expected: usize,
        judge: impl Fn(&str) -> Result<T, GateFailure>,
    ) -> Result<Option<T>, String> {
        for _ in 0..self.tries {
            let said = match self.clients.ask(self.turn, &prompt, expected) {
                Ok(said) => said,
                Err(DraftError::Stopped(message)) => return Err(message),
                Err(DraftError::Reject(reject)) => {
                    self.refused.push(reject.into());
                    return Ok(None);
                }
            };
            match judge(&said) {
                Ok(accepted) => return Ok(Some(accepted)),
                Err(failure) => {
                    prompt.turns.extend([said, self.prompts.again(&failure.message).map_err(template)?]);
                    self.refused.push(failure);
                }
            }
        }
        Ok(None)
    }
}
