//! The phrases of which complaints are made, read from `templates/complaint/*.yaml`.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};

#[cfg(test)]
use crate::corpus::Dictionary;
use crate::fault::{Fault, Many, RULE_VARIABLES, Rule, Taxonomy, Track};
use crate::prove::Subject;
use crate::publish::difference::Symptom;
use crate::publish::template::{Template, TemplateError};
use crate::publish::vocabulary::Vocabulary;
use crate::store::FileError;
use crate::store::yaml::{YamlError, read_yaml, text_of};

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
    /// A file of the book cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file does not have the form that it should have.
    #[error("complaint/{file}.yaml:{reason}; `templates/complaint` of the project shows the form")]
    Unreadable {
        /// Name without ending.
        file: String,
        /// What the reader says, with the place.
        reason: String,
    },
    /// A phrase cannot be read or filled.
    #[error("complaint: {0}")]
    Template(#[from] TemplateError),
    /// A rule in the user's folder is for no semantic fault, or uses a variable that rules do not have.
    #[error("complaint/rules.yaml: `{key}` {problem}")]
    Rule {
        /// The rule's key: a fault's id, or `id/word`.
        key: String,
        problem: String,
    },
    /// A part lacks, in some register, a phrase that needs only what every complaint knows.
    #[error("complaint phrases: {file}.yaml has no phrase for every case in one register")]
    NoFallback {
        /// Name without ending.
        file: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhraseFile {
    terse: Vec<Template>,
    analyst: Vec<Template>,
    owner: Vec<Template>,
}

/// Of a hundred complaints, how many have a part; see `templates/complaint/shape.yaml`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComplaintShape {
    /// Those that begin by naming what is wrong.
    pub naming: usize,
    /// Those that begin with other words.
    pub plain: usize,
    /// Those with a second figure, where there is one.
    pub detail: usize,
    /// Those that end with a plea or thanks.
    pub closing: usize,
    /// Those that name a row by its values alone, where these look like names.
    pub brief: usize,
}

/// All wordings of complaints.
#[derive(Clone, Debug)]
pub struct PhraseBook {
    /// Phrases by part (`opening`, `detail`, `besides`, `also`, `several`, `intent`, `closing`, or a symptom's name) and
    /// register.
    parts: Arc<BTreeMap<(String, Register), Vec<Template>>>,
    /// The words that phrases are filled with.
    vocabulary: Vocabulary,
    shape: ComplaintShape,
    /// The user's own wordings of rules, by the fault's id; they take precedence over the taxonomy's.
    rules: Arc<BTreeMap<String, Rule>>,
}

/// A part of a complaint; each has a file of phrases.
struct PhrasePart {
    name: &'static str,
    /// The variable that is always known where the part is used.
    always: &'static str,
    /// Whether each register must have a phrase that uses no other variable.
    in_every_case: bool,
}

const FRAME: [PhrasePart; 7] = [
    PhrasePart { name: "opening", always: "", in_every_case: true },
    PhrasePart { name: "besides", always: "", in_every_case: false },
    PhrasePart { name: "also", always: "others", in_every_case: true },
    PhrasePart { name: "several", always: "faults", in_every_case: true },
    PhrasePart { name: "intent", always: "rule", in_every_case: true },
    PhrasePart { name: "closing", always: "", in_every_case: true },
    PhrasePart { name: "detail", always: "", in_every_case: false },
];
/// The variables of phrases that start with the name of a column or table.
const NAMES: [&str; 12] = [
    "column", "example", "instead", "key", "label", "more", "others", "others_lacking_rows", "others_with_extra_rows",
    "others_with_wrong_values", "report", "table",
];
/// The file of the shares of the parts.
const SHAPE: &str = "shape";
/// The file of the vocabulary.
const WORDS: &str = "words";
/// The optional file of rules in a user's folder.
const RULES: &str = "rules";

impl PhraseBook {
    /// Returns the wording inside the program.
    pub fn built_in() -> Result<PhraseBook, PhraseError> {
        PhraseBook::read(|name| {
            let file = BUILT_IN.get_file(format!("{name}.yaml"));
            Ok(file.and_then(|file| file.contents_utf8()).map(str::to_owned))
        })
    }

    /// Returns the wording in the user's folder of templates: its `complaint/*.yaml`. `complaint/rules.yaml` may be
    /// missing; a rule there, under a fault's id or `id/word`, replaces that of the taxonomy.
    ///
    /// # Errors
    ///
    /// When a file is missing, unreadable or wrong, or a rule is for no semantic fault of the taxonomy.
    pub fn load(folder: &Path, taxonomy: &Taxonomy) -> Result<PhraseBook, PhraseError> {
        let book = PhraseBook::read(|name| text_if_present(&folder.join("complaint").join(format!("{name}.yaml"))))?;
        let known = |id: &String| taxonomy.fault(id).is_some_and(|fault| fault.track == Track::Semantic);
        let Some(id) = book.rules.keys().find(|id| !known(id)) else { return Ok(book) };
        let problem = "is not a semantic fault of the taxonomy; `sqlfault faults` lists them".to_owned();
        Err(PhraseError::Rule { key: id.clone(), problem })
    }

    /// Reads every file through `text_of`, which gives the text of the file of that name (without ending), if there is
    /// one.
    fn read(text_of: impl Fn(&str) -> Result<Option<String>, FileError>) -> Result<PhraseBook, PhraseError> {
        let text = |name: &str| text_of(name)?.ok_or_else(|| PhraseError::MissingFile(name.to_owned()));
        let mut parts = BTreeMap::new();
        let of_symptom = |symptom: Symptom| PhrasePart { name: symptom.name(), always: "report", in_every_case: true };
        for part in FRAME.into_iter().chain(Symptom::ALL.map(of_symptom)) {
            for (register, phrases) in read_phrases(part.name, &text(part.name)?)? {
                let plain = |phrase: &Template| phrase.needs().iter().all(|need| need == part.always);
                if part.in_every_case && !phrases.iter().any(plain) {
                    return Err(PhraseError::NoFallback { file: part.name.to_owned() });
                }
                parts.insert((part.name.to_owned(), register), phrases);
            }
        }
        let vocabulary = Vocabulary::read(&text(WORDS)?).map_err(|error| unreadable(WORDS, &error))?;
        let shape = read_yaml(&text(SHAPE)?).map_err(|error| unreadable(SHAPE, &error))?;
        let rules = text_of(RULES)?.map_or(Ok(BTreeMap::new()), |text| read_rules(&text))?;
        Ok(PhraseBook { parts: Arc::new(parts), vocabulary, shape, rules: Arc::new(rules) })
    }

    pub fn phrases(&self, part: &str, register: Register) -> &[Template] {
        self.parts.get(&(part.to_owned(), register)).map_or(&[], Vec::as_slice)
    }

    /// Returns the book with what is known of a script's columns and tables.
    #[must_use]
    pub fn of_script(&self, subject: &Subject<'_>) -> PhraseBook {
        PhraseBook { vocabulary: self.vocabulary.of_script(subject), ..self.clone() }
    }

    /// Returns the book with what a dictionary says of a script's columns and tables.
    #[cfg(test)]
    pub fn naming(&self, dictionary: &Dictionary) -> PhraseBook {
        PhraseBook { vocabulary: self.vocabulary.naming(dictionary), ..self.clone() }
    }

    /// Returns how many complaints have which part.
    pub fn shape(&self) -> &ComplaintShape {
        &self.shape
    }

    /// Returns the words that phrases are filled with.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Whether a phrase, filled to be `sentence`, starts with a name that complaints cite as the script writes it.
    pub(super) fn starts_with_name(&self, phrase: &Template, sentence: &str) -> bool {
        let words = &self.vocabulary.report;
        let nameless = self.vocabulary.nameless().map(|name| self.vocabulary.report(&name));
        let columns = self.vocabulary.nth_columns();
        let mut of_words = nameless.chain(columns).chain([words.again.clone(), format!("{} ", words.again_first)]);
        self.vocabulary.cites_names()
            && phrase.first_variable().is_some_and(|variable| NAMES.contains(&variable))
            && !of_words.any(|words| sentence.starts_with(&words))
    }

    /// Returns the business rule of a fault: in the user's wording, else in that of the taxonomy.
    pub fn rule<'a>(&'a self, fault: &'a Fault) -> &'a Rule {
        self.rules.get(&fault.id).unwrap_or(&fault.rule)
    }
}

/// The text of a file that may be missing.
fn text_if_present(path: &Path) -> Result<Option<String>, FileError> {
    match text_of(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(FileError { path: path.to_owned(), source }),
    }
}

fn unreadable(name: &str, error: &YamlError) -> PhraseError {
    PhraseError::Unreadable { file: name.to_owned(), reason: error.to_string() }
}

fn read_phrases(name: &str, text: &str) -> Result<[(Register, Vec<Template>); 3], PhraseError> {
    let file: PhraseFile = read_yaml(text).map_err(|error| unreadable(name, &error))?;
    Ok([(Register::Terse, file.terse), (Register::Analyst, file.analyst), (Register::Owner, file.owner)])
}

/// Reads the user's rules: wordings under a fault's id, or under `id/word` for the case that the fault replaces this
/// word.
fn read_rules(text: &str) -> Result<BTreeMap<String, Rule>, PhraseError> {
    let file: BTreeMap<String, Many<String>> = read_yaml(text).map_err(|error| unreadable(RULES, &error))?;
    let mut rules: BTreeMap<String, Rule> = BTreeMap::new();
    for (key, wordings) in file {
        for wording in wordings.iter() {
            let template = Template::read(wording)?;
            if let Some(name) = template.needs().iter().find(|name| !RULE_VARIABLES.contains(&name.as_str())) {
                let problem = format!("uses `{name}`; it may use {}", RULE_VARIABLES.join(", "));
                return Err(PhraseError::Rule { key, problem });
            }
        }
        let (id, word) = key.split_once('/').map_or((key.as_str(), None), |(id, word)| (id, Some(word)));
        let rule = rules.entry(id.to_owned()).or_default();
        match word {
            Some(word) => rule.by_word.insert(word.to_owned(), wordings.to_vec()),
            None => Some(std::mem::replace(&mut rule.wordings, wordings.to_vec())),
        };
    }
    Ok(rules)
}
