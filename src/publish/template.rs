//! Templates of complaints and critiques: minijinja, in which an unknown variable is an error.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{Environment, UndefinedBehavior};
use serde::{Deserialize, Deserializer};

/// Most steps that filling in one template may take, a thousand times what the built-in ones need: a foreign one may
/// loop for ever.
pub const FUEL: u64 = 1_000_000;

/// A text with places to fill in, such as `{{ key }} is missing`.
#[derive(Clone, Debug)]
pub struct Template {
    text: String,
    needs: BTreeSet<String>,
}

/// Why a template cannot be read or filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("template {text:?}: {reason}")]
pub struct TemplateError {
    /// The template as written.
    pub text: String,
    /// What the template engine says.
    pub reason: String,
}

impl Template {
    pub fn read(text: &str) -> Result<Template, TemplateError> {
        let environment = Environment::new();
        let template = environment.template_from_str(text).map_err(|error| error_in(text, &error))?;
        let needs = template.undeclared_variables(false).into_iter().collect();
        Ok(Template { text: text.to_owned(), needs })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the variable that it begins with, if it begins with one.
    pub fn first_variable(&self) -> Option<&str> {
        self.text.strip_prefix("{{")?.split_whitespace().next()
    }

    /// Returns the names of the variables that it uses.
    pub fn needs(&self) -> &BTreeSet<String> {
        &self.needs
    }

    /// Returns the text with its places filled in.
    ///
    /// # Errors
    ///
    /// If a variable is not known, or it takes more than [`FUEL`] steps.
    pub fn fill(&self, variables: &BTreeMap<String, String>) -> Result<String, TemplateError> {
        let mut environment = Environment::new();
        environment.set_fuel(Some(FUEL));
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.render_str(&self.text, variables).map_err(|error| error_in(&self.text, &error))
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Template::read(&text).map_err(serde::de::Error::custom)
    }
}

fn error_in(text: &str, error: &minijinja::Error) -> TemplateError {
    TemplateError { text: text.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attack | templates that loop or recurse for ever, or repeat a text 10^12 times | loops take hours | error after a million steps, or at the size
    #[test]
    fn templates_that_do_not_end_are_ended() {
        let loops = "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}";
        let recursion = "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}";
        for text in [
            loops, recursion, "{{ range(1000000000) }}", "{{ 'a' * 1000000000000 }}",
            "{{ ('%999999999d' * 9)|format(1) }}",
        ] {
            let ended = Template::read(text).and_then(|template| template.fill(&BTreeMap::new()));
            assert!(ended.is_err(), "{text}: {:?} bytes", ended.map(|text| text.len()));
        }
    }
}
