//! A conversation with a model about one task.

use super::assignment::Assignment;
use super::attempt::{Attempt, AttemptOutcome, Mode, Usage};
use super::solver::SolverError;
use crate::engine::child::Sandbox;
use crate::llm::{AskError, Client, ModelAnswer, Prompt, StopReason};
use crate::reply;

/// Rows of each table that an agent is shown.
const SHOWN_ROWS: usize = 30;

/// Why a conversation ends without SQL.
pub(super) enum ConversationEnd {
    /// An outcome to record.
    Without(AttemptOutcome),
    /// No attempt came about.
    Nothing(SolverError),
}

/// What was said about one task so far.
pub(super) struct Conversation<'a> {
    pub assignment: &'a Assignment<'a>,
    pub attempt: Attempt,
    pub queries: usize,
    /// Where queries and edited scripts run.
    sandbox: Option<Sandbox>,
}

impl<'a> Conversation<'a> {
    /// Nothing said yet to a solver of this name and mode.
    pub fn new(solver: &str, mode: Mode, assignment: &'a Assignment<'a>) -> Conversation<'a> {
        let mut attempt = Attempt::built_in(&assignment.task.instance_id, solver, None);
        attempt.mode = mode;
        attempt.rounds = 0;
        Conversation { assignment, attempt, queries: 0, sandbox: None }
    }

    /// Asks, and notes what it took. Refusals and answers cut off end the conversation.
    pub fn ask(&mut self, client: &Client, prompt: &Prompt, expected: usize) -> Result<String, ConversationEnd> {
        let answer = client.ask(prompt, expected).map_err(|error| self.failed(&error))?;
        self.note(&answer);
        match answer.reply.stop {
            StopReason::Complete => Ok(answer.reply.text),
            StopReason::Truncated => Err(ConversationEnd::Without(AttemptOutcome::Truncated)),
            StopReason::Refused => Err(ConversationEnd::Without(AttemptOutcome::Refused)),
            StopReason::Unknown => Err(ConversationEnd::Without(AttemptOutcome::Unparseable)),
        }
    }

    fn note(&mut self, answer: &ModelAnswer) {
        let attempt = &mut self.attempt;
        attempt.usage += Usage { input: answer.reply.tokens.input, output: answer.reply.tokens.output };
        attempt.cost += answer.cost;
        attempt.latency_ms += answer.latency_ms;
        attempt.prompt_hash = Some(answer.digest.clone());
        attempt.finish_reason = Some(answer.reply.finish_reason.clone());
        attempt.raw = Some(match attempt.raw.take() {
            None => answer.reply.text.clone(),
            Some(before) => format!("{before}\n\n----\n\n{}", answer.reply.text),
        });
    }

    /// The script of the earlier rounds where this round came to nothing.
    ///
    /// # Errors
    ///
    /// In the first round, which has no earlier script.
    pub fn corrected(&self, script: String, round: usize) -> Result<String, ConversationEnd> {
        if round > 1 { Ok(script) } else { Err(ConversationEnd::Without(AttemptOutcome::Unparseable)) }
    }

    /// What a query or a script returns on the public sample, as text; `None` if there is no sample.
    pub fn look(&mut self, sql: &str) -> Option<String> {
        let sample = self.assignment.sample.as_ref()?;
        let sandbox = self.sandbox.get_or_insert_with(Sandbox::open);
        Some(sample.query(self.assignment.task, sql, sandbox).as_text(SHOWN_ROWS))
    }

    /// Keeps the turns so far as the trajectory of the attempt.
    pub fn keep(&mut self, prompt: &Prompt) {
        self.attempt.turns.clone_from(&prompt.turns);
    }

    /// The SQL in a reply, whichever way the model has written it.
    pub fn script(&self, reply: &str) -> Result<String, ConversationEnd> {
        reply::script(reply, Some(self.assignment.issue())).ok_or(ConversationEnd::Without(AttemptOutcome::Unparseable))
    }

    fn failed(&mut self, error: &AskError) -> ConversationEnd {
        match error {
            // A script too long for the model is a property of the task; any other wrong request is one of the set-up.
            AskError::Rejected { status, message, .. } if is_too_long(*status, message) => {
                self.attempt.raw = Some(message.clone());
                ConversationEnd::Without(AttemptOutcome::Rejected)
            }
            AskError::Stopped { .. } => ConversationEnd::Nothing(SolverError::StopReason(error.to_string())),
            _ => ConversationEnd::Nothing(SolverError::Task(error.to_string())),
        }
    }

    /// The attempt, or why none came about.
    pub fn end(mut self, end: Result<String, ConversationEnd>) -> Result<Attempt, SolverError> {
        self.attempt.rounds = self.attempt.rounds.max(1);
        match end {
            Ok(sql) => {
                self.attempt.predict_sql = Some(sql);
                self.attempt.outcome = AttemptOutcome::Answered;
            }
            Err(ConversationEnd::Without(outcome)) => self.attempt.outcome = outcome,
            Err(ConversationEnd::Nothing(error)) => return Err(error),
        }
        Ok(self.attempt)
    }
}

fn is_too_long(status: u16, message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    status == 413 || ["context", "too long", "too large", "maximum"].iter().any(|word| lower.contains(word))
}
