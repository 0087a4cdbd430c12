//! Prompts for models, from `templates/prompt/`.

use minijinja::{Value, context};

use super::assignment::Assignment;
use super::critique::CriticSetting;
use super::plan::RepairPlan;
use crate::corpus::ScriptFile;
use crate::llm::{Prompt, PromptTemplates};
use crate::publish::record::TaskRecord;

/// The templates, read once.
#[derive(Debug)]
pub struct RepairPrompts(PromptTemplates);

/// A template that cannot be read or filled.
#[derive(Debug, thiserror::Error)]
#[error("prompt template: {0}")]
pub struct PromptError(#[from] minijinja::Error);

const TEMPLATES: [(&str, &str); 12] = [
    ("system.j2", include_str!("../../templates/prompt/system.j2")),
    ("task.j2", include_str!("../../templates/prompt/task.j2")),
    ("whole.j2", include_str!("../../templates/prompt/whole.j2")),
    ("diff.j2", include_str!("../../templates/prompt/diff.j2")),
    ("minimal.j2", include_str!("../../templates/prompt/minimal.j2")),
    ("reasoned.j2", include_str!("../../templates/prompt/reasoned.j2")),
    ("critic.j2", include_str!("../../templates/prompt/critic.j2")),
    ("correct.j2", include_str!("../../templates/prompt/correct.j2")),
    ("planner.j2", include_str!("../../templates/prompt/planner.j2")),
    ("editor.j2", include_str!("../../templates/prompt/editor.j2")),
    ("feedback.j2", include_str!("../../templates/prompt/feedback.j2")),
    ("rows.j2", include_str!("../../templates/prompt/rows.j2")),
];

impl RepairPrompts {
    /// The templates carried in the binary.
    pub fn built_in() -> Result<RepairPrompts, PromptError> {
        Ok(RepairPrompts(PromptTemplates::read(&TEMPLATES)?))
    }

    fn fill(&self, name: &str, values: Value) -> Result<String, PromptError> {
        Ok(self.0.fill(name, values)?)
    }

    fn task(&self, name: &str, assignment: &Assignment<'_>) -> Result<Prompt, PromptError> {
        let dialect = assignment.task.dialect.title();
        let system = self.fill("system.j2", context! { dialect })?;
        let values = context! {
            rejected => assignment.is_syntax(),
            context => assignment.prompt_context(),
            schema => &assignment.task.schema_ddl,
            script => assignment.issue(),
            files => file_lines(assignment.task),
            has_sample => assignment.sample.is_some(),
        };
        Ok(Prompt::new(system, self.fill(name, values)?))
    }

    /// Asks for the whole script.
    pub fn whole(&self, assignment: &Assignment<'_>) -> Result<Prompt, PromptError> {
        self.task("whole.j2", assignment)
    }

    /// Asks for edit blocks.
    pub fn diff(&self, assignment: &Assignment<'_>) -> Result<Prompt, PromptError> {
        self.task("diff.j2", assignment)
    }

    /// Asks for the shortest edit blocks, which may begin and end within a line.
    pub fn minimal(&self, assignment: &Assignment<'_>) -> Result<Prompt, PromptError> {
        self.task("minimal.j2", assignment)
    }

    /// Asks for a critique, then the whole script.
    pub fn reasoned(&self, assignment: &Assignment<'_>) -> Result<Prompt, PromptError> {
        self.task("reasoned.j2", assignment)
    }

    /// Asks whether a script is right, and for a clause-wise critique if it is not.
    pub fn critic(
        &self,
        assignment: &Assignment<'_>,
        script: &str,
        setting: CriticSetting,
    ) -> Result<Prompt, PromptError> {
        let given =
            (setting == CriticSetting::Incorrect && script == assignment.issue()).then(|| assignment.prompt_context());
        let refused = || assignment.rejection(script).map(|rejection| rejection.message);
        let (message, complaint) = match given {
            Some(message) if assignment.is_syntax() => (Some(message.to_owned()), None),
            complaint => (refused(), complaint),
        };
        let values = context! {
            schema => &assignment.task.schema_ddl,
            script,
            question => assignment.question,
            message,
            complaint,
        };
        let dialect = assignment.task.dialect.title();
        let system = format!("You review {dialect} SQL written by data engineers. Some of it is right.");
        Ok(Prompt::new(system, self.fill("critic.j2", values)?))
    }

    /// Asks for a script corrected by a critique alone.
    pub fn correct(&self, assignment: &Assignment<'_>, script: &str, critique: &str) -> Result<Prompt, PromptError> {
        let schema = &assignment.task.schema_ddl;
        let values = context! { schema, script, critique };
        Ok(Prompt::new("You apply reviews to SQL scripts, exactly as told.", self.fill("correct.j2", values)?))
    }

    /// Asks for a plan.
    pub fn planner(&self, assignment: &Assignment<'_>) -> Result<Prompt, PromptError> {
        self.task("planner.j2", assignment)
    }

    /// Asks an editor to apply a plan to a script.
    pub fn editor(&self, plan: &RepairPlan, script: &str) -> Result<Prompt, PromptError> {
        let values = context! { instruction => &plan.instruction, sketch => &plan.sketch, script };
        Ok(Prompt::new("You apply edits to SQL scripts, exactly as told.", self.fill("editor.j2", values)?))
    }

    /// Shows the planner what came of its plan.
    pub fn feedback(&self, outcome: &RoundOutcome, script: &str) -> Result<String, PromptError> {
        let RoundOutcome { problem, message, rows } = outcome;
        self.fill("feedback.j2", context! { problem => *problem, message, rows, script })
    }

    /// Shows the planner what its query gives.
    pub fn rows(&self, rows: &str) -> Result<String, PromptError> {
        self.fill("rows.j2", context! { rows })
    }
}

/// Returns for each file of a task its name and its first and last line in the script; empty if the script is one file.
fn file_lines(task: &TaskRecord) -> Vec<Value> {
    // The record may be anybody's.
    let line = |at: usize| task.issue_sql.get(..at).unwrap_or_default().matches('\n').count();
    let file =
        |file: &ScriptFile| context! { path => &file.path, first => line(file.start) + 1, last => line(file.end) };
    task.files.iter().map(file).collect()
}

/// What came of a plan; a field that does not apply is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundOutcome {
    /// Why the editor's answer could not be used.
    pub problem: &'static str,
    /// Why the engine refuses the script.
    pub message: String,
    /// What the script gives on the public sample.
    pub rows: String,
}
