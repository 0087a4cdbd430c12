//! The models file.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::store::yaml::read_yaml;

/// Which of the four protocols a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// OpenAI chat completions; also vLLM, SGLang, llama.cpp, Ollama, OpenRouter and most vendors.
    Chat,
    Responses,
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
}

impl Protocol {
    /// The name in a models file.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Chat => "chat",
            Protocol::Responses => "responses",
            Protocol::Anthropic => "anthropic",
            Protocol::Gemini => "gemini",
        }
    }
}

/// What a million tokens cost, in any one currency.
#[derive(Clone, Copy, Debug, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// A million tokens read.
    pub input: f64,
    /// A million tokens written.
    pub output: f64,
}

/// One model and how it is reached.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name in records: letters, digits, `.`, `_` and `-`.
    pub name: String,
    #[serde(alias = "shape")]
    pub protocol: Protocol,
    /// Scheme, host and port, with any prefix before the protocol's own path, such as `https://api.openai.com`.
    pub base_url: String,
    /// The path after it, where a server has another than the protocol's own.
    #[serde(default)]
    pub path: Option<String>,
    /// The model's name at its provider.
    pub model: String,
    /// The environment variable that holds the key; `None` for servers without keys.
    #[serde(default)]
    pub key_variable: Option<String>,
    /// The header that carries the key, where it is not the protocol's own; its value is then the key alone.
    #[serde(default)]
    pub key_header: Option<String>,
    /// Further headers, such as `anthropic-version`.
    #[serde(default)]
    pub headers: std::collections::BTreeMap<String, String>,
    /// Merged into the body of each request: length limits, sampling, reasoning effort, whatever the provider takes.
    #[serde(default)]
    pub extra_body: Map<String, Value>,
    /// Price of tokens; free when absent.
    #[serde(default)]
    pub price: Price,
    /// Requests at once, at most.
    #[serde(default = "four")]
    pub concurrency: usize,
    /// Longest wait for a whole answer, in seconds.
    #[serde(default = "ten_minutes")]
    pub timeout_seconds: f64,
    /// Attempts after the first.
    #[serde(default = "six")]
    pub retries: u32,
    /// Wait before the first retry, in milliseconds; it doubles from retry to retry, up to a minute.
    #[serde(default = "half_a_second")]
    pub first_wait_ms: u64,
    /// For the agent and the critic: the model of this file that edits the script; itself when absent.
    #[serde(default)]
    pub editor: Option<String>,
}

fn four() -> usize {
    4
}

fn ten_minutes() -> f64 {
    600.0
}

fn six() -> u32 {
    6
}

fn half_a_second() -> u64 {
    500
}

/// The content of a models file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    pub models: Vec<Model>,
}

/// Why a models file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    #[error("{0}:{1}")]
    Syntax(PathBuf, String),
    /// A model in it makes no sense.
    #[error("model {0}: {1}")]
    Model(String, &'static str),
}

impl Models {
    /// Reads a models file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, has unknown or doubled fields, or a model that makes no sense.
    pub fn load(path: &Path) -> Result<Models, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::File(path.to_owned(), error))?;
        Models::read(&text).map_err(|error| match error {
            ConfigError::Syntax(_, message) => ConfigError::Syntax(path.to_owned(), message),
            other => other,
        })
    }

    /// Reads the text of a models file.
    pub fn read(text: &str) -> Result<Models, ConfigError> {
        let models: Models = read_yaml(text).map_err(|error| ConfigError::Syntax(PathBuf::new(), error.to_string()))?;
        for (position, model) in models.models.iter().enumerate() {
            let fail = |reason| Err(ConfigError::Model(model.name.clone(), reason));
            if models.models[..position].iter().any(|other| other.name == model.name) {
                return fail("two models have this name");
            }
            if let Some(reason) = model.fault() {
                return fail(reason);
            }
            if model.editor.as_ref().is_some_and(|editor| models.model(editor).is_none()) {
                return fail("its editor is not a model of this file");
            }
        }
        Ok(models)
    }

    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.name == name)
    }
}

impl Model {
    fn fault(&self) -> Option<&'static str> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.bytes().all(plain) {
            return Some("a name consists of letters, digits, dot, underscore and dash");
        }
        if !self.base_url.starts_with("https://") && !self.base_url.starts_with("http://") {
            return Some("base_url starts with https:// or http://");
        }
        if self.base_url.contains('@') {
            return Some("base_url holds no user and password; keys come from the environment");
        }
        if self.protocol == Protocol::Anthropic && !self.extra_body.contains_key("max_tokens") {
            return Some("this protocol wants max_tokens in extra_body");
        }
        if self.extra_body.contains_key("stream") {
            return Some("answers are read whole: leave stream out of extra_body");
        }
        if self.concurrency == 0 || !(self.timeout_seconds > 0.0 && self.timeout_seconds < 86_400.0) {
            return Some("concurrency is at least 1 and timeout_seconds between 0 and a day");
        }
        if !(self.price.input >= 0.0 && self.price.output >= 0.0) {
            return Some("a price is not negative");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "models:\n- {name: a, protocol: chat, base_url: 'http://x', model: m}\n";

    #[test]
    fn a_short_file_is_enough_and_nothing_is_sent_by_default() {
        let models = Models::read(GOOD).unwrap();
        assert!(models.models[0].extra_body.is_empty() && models.models[0].headers.is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_words() {
        let cases = [
            ("models: [{name: a, protocol: chat, base_url: 'http://x', model: m, temprature: 0}]", "temprature"),
            ("models: [{name: a/b, protocol: chat, base_url: 'http://x', model: m}]", "letters"),
            ("models: [{name: a, protocol: anthropic, base_url: 'http://x', model: m}]", "max_tokens"),
            ("models: [{name: a, protocol: chat, base_url: 'ftp://x', model: m}]", "https://"),
            ("models: [{name: a, protocol: chat, base_url: 'https://u:p@x', model: m}]", "environment"),
            ("models: [{name: a, protocol: chat, base_url: 'http://x', model: m, editor: b}]", "editor"),
            ("models: [{name: a, name: b, protocol: chat, base_url: 'http://x', model: m}]", "name"),
            ("models: [{name: a, protocol: soap, base_url: 'http://x', model: m}]", "soap"),
        ];
        for (text, word) in cases {
            let error = Models::read(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
        let twice = format!("{GOOD}- {{name: a, protocol: chat, base_url: 'http://x', model: m}}\n");
        assert!(Models::read(&twice).unwrap_err().to_string().contains("two models"));
    }
}
