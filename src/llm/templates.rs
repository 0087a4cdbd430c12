//! Templates of prompts that the binary carries.

use minijinja::{Environment, Error, UndefinedBehavior, Value};

/// Templates by name, read once. A variable that a template uses and nobody gives is an error.
#[derive(Debug)]
pub struct PromptTemplates(Environment<'static>);

impl PromptTemplates {
    /// Reads templates, each given as its name and text.
    pub fn read(templates: &[(&'static str, &'static str)]) -> Result<PromptTemplates, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        for (name, text) in templates {
            environment.add_template(name, text)?;
        }
        Ok(PromptTemplates(environment))
    }

    /// Fills the template of a name.
    ///
    /// # Errors
    ///
    /// When there is none, or it uses what `values` does not have.
    pub fn fill(&self, name: &str, values: Value) -> Result<String, Error> {
        self.0.get_template(name)?.render(values)
    }
}
