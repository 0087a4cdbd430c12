//! Solvers that ask a model.

use std::sync::Arc;

use super::assignment::Assignment;
use super::attempt::{Attempt, AttemptOutcome, Mode, Usage};
use super::conversation::{Conversation, ConversationEnd};
use super::critique::{self, CriticSetting};
use super::plan::{self, RepairPlan};
use super::prompt::{PromptError, RepairPrompts, RoundOutcome};
use super::solver::{Solver, SolverError};
use crate::llm::{Client, ModelRequest, Prompt};
use crate::publish::critique::as_text;
use crate::reply;

/// Likely length of an answer in edit blocks, in bytes.
const EDIT_BYTES: usize = 700;
/// Queries on the sample that an agent may ask, over all its rounds.
const QUERIES: usize = 8;
/// Likely length of a critique, in bytes (145 words, SQLCritic, table 1).
const CRITIQUE_BYTES: usize = 900;
/// Likely length of a plan, in bytes.
const PLAN_BYTES: usize = 2_500;

/// A model in one mode.
pub struct ModelSolver {
    name: String,
    mode: Mode,
    client: Arc<Client>,
    /// Applies plans and critiques; unused in the modes without rounds.
    editor: Arc<Client>,
    prompts: Arc<RepairPrompts>,
    rounds: usize,
    /// Which scripts a critic is asked about.
    setting: CriticSetting,
}

/// What the attempts of a solver will take.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// Requests to be sent; for agents and critics those of the first round.
    pub requests: usize,
    /// Requests that have their answer on disk.
    pub cached: usize,
    /// Tokens read and written by the requests to be sent.
    pub usage: Usage,
    pub cost: f64,
}

impl Estimate {
    /// The sum of both.
    #[must_use]
    pub fn and(mut self, other: &Estimate) -> Estimate {
        self.requests += other.requests;
        self.cached += other.cached;
        self.usage += other.usage;
        self.cost += other.cost;
        self
    }

    /// Adds a prompt whose answer has `output` bytes.
    fn add(&mut self, client: &Client, prompt: &Prompt, output: usize) {
        if client.has(prompt) {
            self.cached += 1;
            return;
        }
        let (tokens, cost) = client.estimate(prompt, output);
        self.requests += 1;
        self.usage += Usage { input: tokens.input, output: tokens.output };
        self.cost += cost;
    }
}

impl ModelSolver {
    /// A model that answers with the whole script.
    pub fn whole(client: Arc<Client>, prompts: Arc<RepairPrompts>) -> ModelSolver {
        ModelSolver::new(Mode::Whole, Arc::clone(&client), client, prompts, 1)
    }

    /// A model that answers with edit blocks.
    pub fn diff(client: Arc<Client>, prompts: Arc<RepairPrompts>) -> ModelSolver {
        ModelSolver::new(Mode::Diff, Arc::clone(&client), client, prompts, 1)
    }

    /// A planner and an editor that work for at most `rounds` rounds.
    pub fn agent(planner: Arc<Client>, editor: Arc<Client>, prompts: Arc<RepairPrompts>, rounds: usize) -> ModelSolver {
        ModelSolver::new(Mode::Agent, planner, editor, prompts, rounds)
    }

    /// A critic and an editor that corrects by its critiques, for at most `rounds` rounds.
    pub fn critic(
        critic: Arc<Client>,
        editor: Arc<Client>,
        prompts: Arc<RepairPrompts>,
        rounds: usize,
        setting: CriticSetting,
    ) -> ModelSolver {
        // The settings are scored apart.
        let solver = ModelSolver::new(Mode::Critique, critic, editor, prompts, rounds);
        ModelSolver { name: format!("{}-{}", solver.name, setting.name()), setting, ..solver }
    }

    fn new(
        mode: Mode,
        client: Arc<Client>,
        editor: Arc<Client>,
        prompts: Arc<RepairPrompts>,
        rounds: usize,
    ) -> ModelSolver {
        // A model in two modes is two solvers: they are scored apart.
        let model = &client.model().name;
        let name = if mode == Mode::Whole { model.clone() } else { format!("{model}-{}", mode.name()) };
        ModelSolver { name, mode, client, editor, prompts, rounds: rounds.max(1), setting: CriticSetting::default() }
    }

    /// Returns the first prompt about a task, and the likely length of its answer in bytes.
    fn first_prompt(&self, assignment: &Assignment<'_>) -> Result<(Prompt, usize), PromptError> {
        let issue = assignment.issue();
        Ok(match self.mode {
            Mode::Diff => (self.prompts.diff(assignment)?, EDIT_BYTES),
            Mode::Agent => (self.prompts.planner(assignment)?, PLAN_BYTES),
            Mode::Critique => (self.prompts.critic(assignment, issue, self.setting)?, CRITIQUE_BYTES),
            Mode::Whole | Mode::BuiltIn => (self.prompts.whole(assignment)?, issue.len()),
        })
    }

    /// Whether a model is asked about a task.
    fn asks(&self, assignment: &Assignment<'_>) -> bool {
        self.mode != Mode::Critique || self.setting.asks(assignment)
    }

    /// Adds to `sum` what a task will take.
    pub fn estimate(&self, assignment: &Assignment<'_>, sum: &mut Estimate) -> Result<(), PromptError> {
        if !self.asks(assignment) {
            return Ok(());
        }
        let issue = assignment.issue();
        let (first, expected) = self.first_prompt(assignment)?;
        sum.add(&self.client, &first, expected);
        let edit = match self.mode {
            Mode::Agent => {
                let plan = RepairPlan { instruction: "x".repeat(PLAN_BYTES), sketch: String::new() };
                self.prompts.editor(&plan, issue)?
            }
            Mode::Critique => self.prompts.correct(assignment, issue, &"x".repeat(CRITIQUE_BYTES))?,
            _ => return Ok(()),
        };
        sum.add(&self.editor, &edit, issue.len());
        Ok(())
    }

    /// The first request about a task, for batch files; `None` if its answer is on disk or the critic is not asked.
    pub fn first_request(&self, assignment: &Assignment<'_>) -> Result<Option<ModelRequest>, PromptError> {
        if !self.asks(assignment) {
            return Ok(None);
        }
        let (prompt, _) = self.first_prompt(assignment)?;
        Ok((!self.client.has(&prompt)).then(|| self.client.request(&prompt)))
    }

    /// The model that is asked first.
    pub fn client(&self) -> &Client {
        &self.client
    }
}

impl Solver for ModelSolver {
    fn name(&self) -> &str {
        &self.name
    }

    fn mode(&self) -> Mode {
        self.mode
    }

    fn repair(&self, assignment: &Assignment<'_>) -> Result<Attempt, SolverError> {
        let mut conversation = Conversation::new(&self.name, self.mode, assignment);
        let end = match self.mode {
            Mode::Agent => self.work_in_rounds(&mut conversation),
            Mode::Critique => self.criticise_and_correct(&mut conversation),
            Mode::Whole | Mode::Diff | Mode::BuiltIn => self.ask_once(&mut conversation),
        };
        conversation.end(end)
    }

    fn takes_controls(&self) -> bool {
        self.mode == Mode::Critique
    }

    fn concurrency(&self) -> Option<usize> {
        Some(self.client.model().concurrency)
    }
}

fn template(error: PromptError) -> ConversationEnd {
    ConversationEnd::Nothing(SolverError::StopReason(error.to_string()))
}

impl ModelSolver {
    /// Asks for the whole script, or for edits of it.
    fn ask_once(&self, conversation: &mut Conversation<'_>) -> Result<String, ConversationEnd> {
        let (prompt, expected) = self.first_prompt(conversation.assignment).map_err(template)?;
        let reply = conversation.ask(&self.client, &prompt, expected)?;
        conversation.script(&reply)
    }

    /// Criticises and corrects until the critic finds nothing more, for at most `rounds` rounds. The editor sees the
    /// critique and not what the critic saw, so that an accepted answer shows that the critique was right.
    fn criticise_and_correct(&self, conversation: &mut Conversation<'_>) -> Result<String, ConversationEnd> {
        let mut script = conversation.assignment.issue().to_owned();
        if !self.setting.asks(conversation.assignment) {
            return Ok(script);
        }
        for round in 1..=self.rounds {
            conversation.attempt.rounds = round;
            let assignment = conversation.assignment;
            let prompt = self.prompts.critic(assignment, &script, self.setting).map_err(template)?;
            let reply = conversation.ask(&self.client, &prompt, CRITIQUE_BYTES)?;
            let read = critique::critique(&reply);
            conversation.attempt.turns.extend(prompt.turns);
            conversation.attempt.turns.push(reply);
            // What was corrected before stands, even if the critic then says nothing that can be read.
            let Some(critique) = read else { return conversation.corrected(script, round) };
            conversation.attempt.critiques.push(critique);
            let Some(critique) = conversation.attempt.critiques.last().filter(|critique| !critique.is_empty()) else {
                break;
            };
            let prompt = self.prompts.correct(assignment, &script, &as_text(critique)).map_err(template)?;
            let reply = conversation.ask(&self.editor, &prompt, script.len())?;
            let Some(corrected) = reply::script(&reply, Some(&script)) else {
                return conversation.corrected(script, round);
            };
            script = corrected;
        }
        Ok(script)
    }

    /// Plans, edits and asks the engine, for at most `rounds` rounds. Where the run has a public sample, the planner
    /// may query it before it plans, and sees what the edited script returns on it; it ends by saying that it is done.
    /// Without a sample the first script that the engine accepts ends the rounds. The last script is the answer.
    fn work_in_rounds(&self, conversation: &mut Conversation<'_>) -> Result<String, ConversationEnd> {
        let mut prompt = self.prompts.planner(conversation.assignment).map_err(template)?;
        let mut script = conversation.assignment.issue().to_owned();
        let (mut changed, mut accepted) = (false, false);
        for round in 1..=self.rounds {
            conversation.attempt.rounds = round;
            let reply = self.planned(conversation, &mut prompt)?;
            if accepted && plan::is_done(&reply) {
                break;
            }
            let mut outcome = RoundOutcome { problem: "", message: String::new(), rows: String::new() };
            match self.edit(conversation, &reply, &script)? {
                None => outcome.problem = "it held no script",
                Some(edited) => {
                    (script, changed) = (edited, true);
                    let rejection = conversation.assignment.rejection(&script);
                    accepted = rejection.is_none();
                    match rejection {
                        Some(rejection) => outcome.message = rejection.message,
                        None => match conversation.look(&script) {
                            Some(rows) => outcome.rows = rows,
                            None => return Ok(script),
                        },
                    }
                }
            }
            let feedback = self.prompts.feedback(&outcome, &script).map_err(template)?;
            prompt.turns.extend([reply, feedback]);
            conversation.keep(&prompt);
        }
        if changed { Ok(script) } else { Err(ConversationEnd::Without(AttemptOutcome::Unparseable)) }
    }

    /// Asks the planner until its reply is no query, and returns that reply; queries and their rows go into `prompt`.
    fn planned(&self, conversation: &mut Conversation<'_>, prompt: &mut Prompt) -> Result<String, ConversationEnd> {
        loop {
            let reply = conversation.ask(&self.client, prompt, PLAN_BYTES)?;
            let asked = if conversation.queries < QUERIES { plan::query(&reply) } else { None };
            let rows = asked.and_then(|sql| conversation.look(&sql));
            prompt.turns.push(reply);
            conversation.keep(prompt);
            let Some(rows) = rows else { return Ok(prompt.turns.pop().unwrap_or_default()) };
            conversation.queries += 1;
            prompt.turns.push(self.prompts.rows(&rows).map_err(template)?);
        }
    }

    /// The script as the editor leaves it; `None` if the plan or the editor's answer is no use.
    fn edit(
        &self,
        conversation: &mut Conversation<'_>,
        reply: &str,
        script: &str,
    ) -> Result<Option<String>, ConversationEnd> {
        let Some(plan) = plan::plan(reply) else { return Ok(None) };
        let prompt = self.prompts.editor(&plan, script).map_err(template)?;
        let edited = conversation.ask(&self.editor, &prompt, script.len())?;
        Ok(reply::script(&edited, Some(script)))
    }
}

#[cfg(test)]
mod tests;
