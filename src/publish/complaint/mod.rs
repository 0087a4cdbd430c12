//! The user's words for a semantic task: who speaks, what they see, what they want. Never SQL, never the cause.
//!
//! The SHA-256 of the task's id chooses the phrases, so the same task always gets the same words.

mod chance;
mod phrases;
mod draft;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use phrases::{PhraseBook, PhraseError, Register};

use self::chance::PhraseChance;
use self::draft::Draft;

use super::difference::Facts;
use super::vocabulary::{Vocabulary, filled};

/// How much a complaint tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HintLevel {
    /// What the report shows, figures of the rows concerned, and the business rule.
    Rule,
    /// What the report shows and figures of the rows concerned.
    Figures,
    /// Only what kind of wrong somebody sees, in which column, whether its figures are too high or too low, whether one row
    /// or several are missing or too many and what they are, and which other reports are wrong.
    Symptom,
}

impl HintLevel {
    /// Returns this level and those that tell more, from the least to the most telling.
    pub fn and_more(self) -> impl Iterator<Item = HintLevel> {
        [HintLevel::Symptom, HintLevel::Figures, HintLevel::Rule].into_iter().filter(move |level| *level <= self)
    }
}

/// How much the complaints of a run tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Hints {
    /// Each the business rule.
    Rule,
    /// Each figures of the rows concerned.
    Figures,
    /// Each only what kind of wrong somebody sees.
    Symptom,
    /// Drawn for each task: the symptom for half of them, figures for the others. The rule is said where these leave
    /// another repair open.
    #[default]
    Mixed,
}

impl Hints {
    /// Returns the level of a task; `draw` is a random number from 0 (included) to 1 (excluded).
    pub fn level(self, draw: f64) -> HintLevel {
        match self {
            Hints::Rule => HintLevel::Rule,
            Hints::Figures => HintLevel::Figures,
            Hints::Symptom => HintLevel::Symptom,
            Hints::Mixed if draw < SYMPTOM_SHARE => HintLevel::Symptom,
            Hints::Mixed => HintLevel::Figures,
        }
    }
}

/// Share of the mixed complaints that tell the symptom only.
const SYMPTOM_SHARE: f64 = 0.5;

/// The business rule that the correct script follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// A clause in lower case without a full stop, such as `accounts without any booking must still be listed`.
    pub rule: String,
    /// Data that the rule cites, which may look like code without being it.
    pub quoted: Vec<String>,
    /// Whether it begins with a name as the script writes it, or with a value: neither takes a capital.
    pub begins_with_name: bool,
}

/// What a complaint is made from.
#[derive(Clone, Copy, Debug)]
pub struct ComplaintInput<'a> {
    /// The task's id, which chooses the phrases.
    pub instance_id: &'a str,
    /// Title of the script's purpose. A single word is not used: it may be a mere file name.
    pub title: &'a str,
    pub facts: &'a Facts,
    /// What the user wants: a rule for each planted fault whose rule can be worded.
    pub intents: &'a [Intent],
    /// How many faults the task has.
    pub faults: usize,
    pub hints: HintLevel,
}

impl<'a> ComplaintInput<'a> {
    /// The input of a complaint about one task that tells all there is to tell.
    pub fn telling_all(
        instance_id: &'a str,
        title: &'a str,
        facts: &'a Facts,
        intents: &'a [Intent],
    ) -> ComplaintInput<'a> {
        ComplaintInput { instance_id, title, facts, intents, faults: 1, hints: HintLevel::Rule }
    }
}

/// A rendered complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub text: String,
    /// The voice.
    pub register: Register,
    /// Register, symptom and the number of each phrase chosen: `terse wrong_value opening:3 wrong_value:1 intent:0`.
    pub wording: String,
    /// Data quoted in the words, which may look like code without being it.
    pub quoted: Vec<String>,
    /// The variables of the facts that the words use.
    pub said: BTreeSet<String>,
}

impl Complaint {
    /// Composes the complaint about a task; each `attempt`, from 0, draws other phrases.
    pub fn compose(book: &PhraseBook, request: &ComplaintInput, attempt: u32) -> Result<Complaint, PhraseError> {
        let choice = PhraseChance { instance_id: request.instance_id, attempt };
        let register = Register::ALL[choice.of("register", Register::ALL.len())];
        let symptom = request.facts.symptom.name();
        let brief = choice.of("brief", 100) < book.shape().brief;
        let draft = Draft::new(book, register, choice, variables(book.vocabulary(), request, brief));
        let draft = draft.of(symptom, request.facts.title.is_some())?;
        let wording = format!("{} {symptom} {}", format!("{register:?}").to_lowercase(), draft.parts.join(" "));
        Ok(Complaint { text: draft.text, register, wording, quoted: quoted(request), said: draft.said })
    }
}

/// The variables of facts that a complaint which tells the symptom only may use.
const SYMPTOM_VARIABLES: [&str; 18] = [
    "column", "label", "deviation", "correction", "thing", "things", "most_rows", "some_rows", "other_rows",
    "rows_too_many", "row_too_many", "rows_too_few", "row_too_few", "other_columns", "others", "others_lacking_rows",
    "others_with_extra_rows", "others_with_wrong_values",
];

fn variables(vocabulary: &Vocabulary, request: &ComplaintInput, brief: bool) -> BTreeMap<String, String> {
    let ComplaintInput { title, facts, intents, faults, hints, .. } = request;
    let title = facts.title.as_deref().unwrap_or(title);
    let mut variables = facts.variables(vocabulary, brief);
    if *hints == HintLevel::Symptom {
        variables.retain(|name, _| SYMPTOM_VARIABLES.contains(&name.as_str()));
    }
    variables.insert("report".to_owned(), vocabulary.report(&facts.table));
    if facts.title.is_some() || title.split_whitespace().count() > 1 {
        variables.insert("title".to_owned(), title.to_owned());
    }
    if *faults > 1 {
        variables.insert("faults".to_owned(), vocabulary.fault_count(*faults));
    }
    let together = |first: String, next: &String| filled(&vocabulary.rules, &[("first", &first), ("next", next)]);
    if let Some((first, others)) = intents.split_first().filter(|_| *hints == HintLevel::Rule) {
        let rule = others.iter().map(|intent| &intent.rule).fold(first.rule.clone(), together);
        if !first.begins_with_name {
            variables.insert("sentence".to_owned(), rule.clone());
        }
        variables.insert("rule".to_owned(), rule);
    }
    variables
}

/// Data in a complaint: values of the example row, and those that a business rule names.
fn quoted(request: &ComplaintInput) -> Vec<String> {
    let example = request.facts.example.iter();
    let keys = example.clone().flat_map(|example| example.key.iter().chain(&example.instead)).map(|(_, value)| value);
    let cells = example.filter_map(|example| example.cell.as_ref()).flat_map(|cell| [&cell.expected, &cell.actual]);
    keys.chain(cells).chain(request.intents.iter().flat_map(|intent| &intent.quoted)).cloned().collect()
}

#[cfg(test)]
mod test_cases;
#[cfg(test)]
mod test_templates;
#[cfg(test)]
mod tests;
