//! The phrases complaints are made of, read from `templates/complaint/*.yaml`.

use std::collections::{BTreeMap, BTreeSet};

use include_dir::{Dir, include_dir};
use minijinja::{Environment, UndefinedBehavior};
use serde::{Deserialize, Serialize};

use crate::publish::difference::Symptom;
use crate::store::yaml::{YamlError, read_yaml};

static BUILT_IN: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates/complaint");

/// The user's voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Register {
    /// A ticket in key words.
    Terse,
    /// An analyst who checked and is worried.
    Analyst,
    /// The product owner who speaks for the users.
    Owner,
}

impl Register {
    /// All registers.
    pub const ALL: [Register; 3] = [Register::Terse, Register::Analyst, Register::Owner];
}

/// Why a phrase book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PhraseError {
    /// A file of the book is missing.
    #[error(
        "complaint/{0}.yaml is missing; a templates folder holds complaint/*.yaml as `templates` of the project does"
    )]
    MissingFile(String),
    /// A file is not what it should be.
    #[error("complaint/{file}.yaml:{reason}; `templates/complaint` of the project shows the form")]
    Unreadable {
        /// Name without ending.
        file: String,
        /// What the reader says, with the place.
        reason: String,
    },
    /// A phrase is no valid template or did not render.
    #[error("complaint phrase {phrase:?}: {reason}")]
    Template {
        /// The phrase as written.
        phrase: String,
        /// What the template engine says.
        reason: String,
    },
    /// A part has no phrase that needs only the facts every complaint has.
    #[error("complaint phrases: {file}.yaml has no phrase for every case in one register")]
    NoFallback {
        /// Name without ending.
        file: String,
    },
}

/// One phrase and the variables it needs.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// The template as written.
    pub text: String,
    /// Names of the variables it uses.
    pub needs: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhraseFile {
    terse: Vec<String>,
    analyst: Vec<String>,
    owner: Vec<String>,
}

/// All phrases: by part (`opening`, `want`, `closing`, `detail`, or a symptom's name) and register.
#[derive(Clone, Debug)]
pub struct PhraseBook {
    parts: BTreeMap<(String, Register), Vec<Phrase>>,
}

/// The parts that are no symptom, and the variable each may rely on.
const FRAME: [(&str, &str); 4] = [("opening", "title"), ("want", "rule"), ("closing", ""), ("detail", "")];

impl PhraseBook {
    /// The phrases inside the program.
    pub fn built_in() -> Result<PhraseBook, PhraseError> {
        PhraseBook::read(|name| {
            let file = BUILT_IN.get_file(format!("{name}.yaml"))?;
            file.contents_utf8().map(str::to_owned)
        })
    }

    /// The phrases in the user's folder of templates: its `complaint/*.yaml`.
    ///
    /// # Errors
    ///
    /// When a file is missing or wrong.
    pub fn load(folder: &std::path::Path) -> Result<PhraseBook, PhraseError> {
        PhraseBook::read(|name| std::fs::read_to_string(folder.join("complaint").join(format!("{name}.yaml"))).ok())
    }

    /// Reads every part through `text_of`, which gives the text of the file of that name (without ending).
    pub fn read(text_of: impl Fn(&str) -> Option<String>) -> Result<PhraseBook, PhraseError> {
        let mut parts = BTreeMap::new();
        let symptoms = Symptom::ALL.map(|symptom| (symptom.name(), "report"));
        for (name, always) in FRAME.into_iter().chain(symptoms) {
            let text = text_of(name).ok_or_else(|| PhraseError::MissingFile(name.to_owned()))?;
            for (register, phrases) in read_file(name, &text)? {
                let plain = |phrase: &Phrase| phrase.needs.iter().all(|need| need == always);
                if name != "detail" && !phrases.iter().any(plain) {
                    return Err(PhraseError::NoFallback { file: name.to_owned() });
                }
                parts.insert((name.to_owned(), register), phrases);
            }
        }
        Ok(PhraseBook { parts })
    }

    /// The phrases of a part in one register.
    pub fn phrases(&self, part: &str, register: Register) -> &[Phrase] {
        self.parts.get(&(part.to_owned(), register)).map_or(&[], Vec::as_slice)
    }
}

fn read_file(name: &str, text: &str) -> Result<[(Register, Vec<Phrase>); 3], PhraseError> {
    let unreadable = |error: YamlError| PhraseError::Unreadable { file: name.to_owned(), reason: error.to_string() };
    let file: PhraseFile = read_yaml(text).map_err(unreadable)?;
    let read = |texts: Vec<String>| texts.into_iter().map(read_phrase).collect::<Result<Vec<_>, _>>();
    Ok([
        (Register::Terse, read(file.terse)?),
        (Register::Analyst, read(file.analyst)?),
        (Register::Owner, read(file.owner)?),
    ])
}

fn read_phrase(text: String) -> Result<Phrase, PhraseError> {
    let environment = Environment::new();
    let template = environment.template_from_str(&text).map_err(|error| template_error(&text, &error))?;
    let needs = template.undeclared_variables(false).into_iter().collect();
    Ok(Phrase { needs, text })
}

/// Renders a template with these variables; an unknown variable is an error.
pub(super) fn render(text: &str, variables: &BTreeMap<String, String>) -> Result<String, PhraseError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let template = environment.template_from_str(text).map_err(|error| template_error(text, &error))?;
    template.render(variables.clone()).map_err(|error| template_error(text, &error))
}

fn template_error(phrase: &str, error: &minijinja::Error) -> PhraseError {
    PhraseError::Template { phrase: phrase.to_owned(), reason: error.to_string() }
}
