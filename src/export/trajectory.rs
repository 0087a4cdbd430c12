//! Trajectories: conversations of agents whose answers the judge accepted, for a learner to follow.

use serde_json::{Value, json};

use super::ExportError;
use crate::repair::prompt::RepairPrompts;
use crate::repair::{Assignment, Attempt, Mode};
use crate::score::Task;

/// The turns of an agent's conversation, prompts and replies in alternation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AgentTurns {
    solver: String,
    turns: Vec<String>,
}

impl AgentTurns {
    /// Returns the turns of an attempt up to the model's last; `None` if no agent made it, or its turns were not kept.
    pub fn of(attempt: &Attempt) -> Option<AgentTurns> {
        let mut turns = attempt.turns.clone();
        // What came of the last round may follow it, as a turn that the model did not answer.
        turns.truncate(turns.len() / 2 * 2);
        let is_agent = attempt.mode == Mode::Agent && !turns.is_empty();
        is_agent.then(|| AgentTurns { solver: attempt.solver.clone(), turns })
    }
}

/// A conversation that led to a right script.
#[derive(Clone, Debug)]
pub struct Trajectory<'a> {
    pub task: &'a Task,
    pub solver: &'a str,
    /// What the model was told before the task.
    system: String,
    /// What user and model said in alternation, from the task to the model's last reply.
    turns: &'a [String],
}

impl<'a> Trajectory<'a> {
    /// Makes the trajectory of an agent on a task.
    pub(super) fn new(
        prompts: &RepairPrompts,
        task: &'a Task,
        agent: &'a AgentTurns,
    ) -> Result<Trajectory<'a>, ExportError> {
        let schema = |_| ExportError::Schema(task.record.instance_id.clone());
        let system = prompts.planner(&Assignment::new(&task.record).map_err(schema)?)?.system;
        Ok(Trajectory { task, solver: &agent.solver, system, turns: &agent.turns })
    }

    /// Returns the whole conversation as chat messages.
    pub fn messages(&self) -> Vec<Value> {
        let system = json!({ "role": "system", "content": self.system });
        let said = self.turns.iter().enumerate().map(|(number, text)| {
            let role = if number % 2 == 0 { "user" } else { "assistant" };
            json!({ "role": role, "content": text })
        });
        std::iter::once(system).chain(said).collect()
    }

    /// Returns each reply of the model, after all messages before it.
    pub fn replies(&self) -> Vec<(Vec<Value>, Value)> {
        let messages = self.messages();
        (2..messages.len()).step_by(2).map(|at| (messages[..at].to_vec(), messages[at].clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_agents_turns_count_and_what_nobody_answered_does_not() {
        let said = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let attempt = |mode, turns: &[&str]| Attempt {
            mode,
            turns: said(turns),
            ..Attempt::built_in("a", "m-agent", Some("select 1".to_owned()))
        };
        let turns = |attempt| AgentTurns::of(&attempt).map(|agent| agent.turns);
        assert_eq!(turns(attempt(Mode::Agent, &["task", "plan", "rows"])), Some(said(&["task", "plan"])));
        assert_eq!(turns(attempt(Mode::Agent, &["task", "plan"])), Some(said(&["task", "plan"])));
        assert_eq!(turns(attempt(Mode::Agent, &[])), None);
        assert_eq!(turns(attempt(Mode::Critique, &["script", "critique"])), None);
    }
}
