//! Prompts for models, from `templates/prompt/author_*.j2`.

use minijinja::{Value, context};

use super::scenario::Scenario;
use crate::code::dialect::Dialect;
use crate::corpus::{Reference, ReferenceCard};
use crate::llm::{Prompt, PromptTemplates};

const TEMPLATES: [(&str, &str); 5] = [
    ("author_system.j2", include_str!("../../templates/prompt/author_system.j2")),
    ("author_scenario.j2", include_str!("../../templates/prompt/author_scenario.j2")),
    ("author_script.j2", include_str!("../../templates/prompt/author_script.j2")),
    ("author_hand.j2", include_str!("../../templates/prompt/author_hand.j2")),
    ("author_again.j2", include_str!("../../templates/prompt/author_again.j2")),
];

/// The templates, read once.
#[derive(Debug)]
pub(super) struct AuthorPrompts(PromptTemplates);

impl AuthorPrompts {
    /// The templates carried in the binary.
    pub fn built_in() -> Result<AuthorPrompts, minijinja::Error> {
        PromptTemplates::read(&TEMPLATES).map(AuthorPrompts)
    }

    fn prompt(&self, name: &str, source: &Reference, more: Value) -> Result<Prompt, minijinja::Error> {
        let system = self.0.fill("author_system.j2", context! { dialect => Dialect::Hive.title() })?;
        let shown = context! {
            card => card(&source.card), schema => source.schema_text.trim(), script => source.script.text().trim(),
        };
        Ok(Prompt::new(system.trim(), self.0.fill(name, context! { ..more, ..shown })?))
    }

    /// Asks for a scenario with its tables in another business.
    pub fn scenario(&self, source: &Reference, business: &str) -> Result<Prompt, minijinja::Error> {
        self.prompt("author_scenario.j2", source, context! { business })
    }

    /// Asks for the script of a scenario.
    pub fn script(&self, source: &Reference, scenario: &Scenario) -> Result<Prompt, minijinja::Error> {
        let own = |(name, value): (&str, &str)| vec![name.to_owned(), value.to_owned()];
        let parameters: Vec<Vec<String>> = source.card.parameters.iter().map(own).collect();
        let more = context! { target => card(&scenario.card), ddl => scenario.ddl.trim(), parameters };
        self.prompt("author_script.j2", source, more)
    }

    /// Asks for the same script in another style.
    pub fn reauthor(&self, source: &Reference) -> Result<Prompt, minijinja::Error> {
        self.prompt("author_hand.j2", source, context! {})
    }

    /// Says why an answer does not pass.
    pub fn again(&self, message: &str) -> Result<String, minijinja::Error> {
        self.0.fill("author_again.j2", context! { message })
    }
}

fn card(card: &ReferenceCard) -> Value {
    context! { title => &card.title, intention => &card.intention, scenario => &card.scenario }
}

/// A template that fails, in words.
pub(super) fn template(error: minijinja::Error) -> String {
    format!("prompt template: {error}")
}
