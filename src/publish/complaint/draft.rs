//! Puts a complaint together, phrase by phrase.

use std::collections::{BTreeMap, BTreeSet};

use super::chance::PhraseChance;
use super::phrases::{ComplaintShape, PhraseBook, PhraseError, Register};
use crate::publish::difference::Symptom;
use crate::publish::template::Template;

/// Numbers of rows; who has said one of them says none of the others.
const ROWS: [&str; 7] =
    ["expected_rows", "actual_rows", "expected_number", "actual_number", "missing", "extra", "duplicated"];
/// The variables that name what is wrong.
const NAMES: [&str; 2] = ["report", "title"];

/// A complaint as far as it is written.
pub(super) struct Draft<'a> {
    book: &'a PhraseBook,
    register: Register,
    choice: PhraseChance<'a>,
    variables: BTreeMap<String, String>,
    /// Whether what is wrong has been named, and whether the last sentence did so.
    is_named: bool,
    is_just_named: bool,
    pub text: String,
    /// The part and the number of each phrase.
    pub parts: Vec<String>,
    /// The variables that were used.
    pub said: BTreeSet<String>,
}

/// A phrase with its position in its file.
type Numbered<'a> = (usize, &'a Template);

impl<'a> Draft<'a> {
    pub fn new(
        book: &'a PhraseBook,
        register: Register,
        choice: PhraseChance<'a>,
        variables: BTreeMap<String, String>,
    ) -> Draft<'a> {
        let (text, parts, said) = Default::default();
        let (is_named, is_just_named) = (false, false);
        Draft { book, register, choice, variables, is_named, is_just_named, text, parts, said }
    }

    /// Writes all parts of a complaint about a symptom. `is_titled` says whether the title is that of what is wrong.
    pub fn of(mut self, symptom: &str, is_titled: bool) -> Result<Draft<'a>, PhraseError> {
        let clauses = most_telling(self.usable(symptom, &BTreeSet::new()));
        let opening = self.opening(&clauses);
        let clause = self.drawn(symptom, self.fitting(clauses, opening));
        self.say("opening", opening, is_titled)?;
        self.say(symptom, clause, is_titled)?;
        let ComplaintShape { detail, closing, .. } = *self.book.shape();
        if self.is_drawn("detail", detail) {
            let mut told = self.told();
            if symptom == Symptom::EmptyResult.name() {
                told.extend(["actual_rows", "actual_number", "missing"].map(str::to_owned));
            }
            let detail = self.drawn("detail", self.usable("detail", &told));
            self.say("detail", detail, is_titled)?;
        }
        for part in ["besides", "also", "several", "intent"] {
            let phrase = self.drawn(part, self.usable(part, &BTreeSet::new()));
            self.say(part, phrase, is_titled)?;
        }
        // Who has asked does not ask again.
        if self.is_drawn("closing", closing) && !self.text.contains('?') {
            let is_new = |closing: &Template| first_words(closing).is_none_or(|words| !self.has_words(&words));
            let closings = chosen(self.usable("closing", &BTreeSet::new()), is_new);
            let closing = self.drawn("closing", closings);
            self.say("closing", closing, is_titled)?;
        }
        Ok(self)
    }

    /// Draws whether to begin with the name of what is wrong, with other words, or at once. The report has to be named:
    /// here if none of the clauses that may follow does.
    fn opening(&self, clauses: &[Numbered<'a>]) -> Option<Numbered<'a>> {
        let ComplaintShape { naming, plain, .. } = *self.book.shape();
        let must_name = !clauses.iter().any(|(_, clause)| clause.needs().contains("report"));
        let all = self.usable("opening", &BTreeSet::new());
        let (named, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, phrase)| names(phrase));
        match self.choice.of("beginning", 100) {
            drawn if must_name || drawn < naming => self.drawn("opening", named),
            drawn if drawn < naming + plain => self.drawn("opening", others),
            _ => None,
        }
    }

    /// Returns the clauses that fit an opening: behind one that names what is wrong, those that do not; behind a colon,
    /// those without a further one; none that begins with the same words. Without a name before, those with one. Where no
    /// clause fits, all do.
    fn fitting(&self, clauses: Vec<Numbered<'a>>, opening: Option<Numbered<'a>>) -> Vec<Numbered<'a>> {
        let is_named = opening.is_some_and(|(_, opening)| names(opening));
        let after_colon = opening.is_some_and(|(_, opening)| opening.text().ends_with(':'));
        let by_name = |clause: &Template| is_named != clause.needs().contains("report");
        let by_colon = |clause: &Template| !after_colon || !clause.text().contains([':', '–']);
        let begins = opening.and_then(|(_, opening)| first_words(opening));
        let by_words = |clause: &Template| begins.is_none() || first_words(clause) != begins;
        chosen(chosen(chosen(clauses, by_name), by_colon), by_words)
    }

    /// Whether the complaint has these words already.
    fn has_words(&self, words: &str) -> bool {
        self.text.to_lowercase().contains(words)
    }

    /// What need not be said again in a further sentence.
    fn told(&self) -> BTreeSet<String> {
        let mut told: BTreeSet<String> =
            self.said.iter().filter(|name| !NAMES.contains(&name.as_str())).cloned().collect();
        if ROWS.iter().any(|name| told.contains(*name)) {
            told.extend(ROWS.map(str::to_owned));
        }
        told
    }

    fn is_drawn(&self, part: &str, percent: usize) -> bool {
        self.choice.of(&format!("{part} at all"), 100) < percent
    }

    fn drawn(&self, part: &str, phrases: Vec<Numbered<'a>>) -> Option<Numbered<'a>> {
        phrases.get(self.choice.of(part, phrases.len())).copied()
    }

    /// Returns the phrases of a part whose variables are all known and none of them in `avoid`.
    fn usable(&self, part: &str, avoid: &BTreeSet<String>) -> Vec<Numbered<'a>> {
        let known = |need: &String| self.variables.contains_key(need) && !avoid.contains(need);
        let phrases = self.book.phrases(part, self.register).iter().enumerate();
        phrases.filter(|(_, phrase)| phrase.needs().iter().all(known)).collect()
    }

    /// Adds a phrase. What has a name is not named a second time.
    fn say(&mut self, part: &str, phrase: Option<Numbered<'a>>, is_titled: bool) -> Result<(), PhraseError> {
        let Some((number, phrase)) = phrase else { return Ok(()) };
        if self.is_named {
            let words = &self.book.vocabulary().report;
            let starts = self.is_just_named && phrase.text().starts_with("{{ report }}");
            let again = if starts { &words.again_first } else { &words.again };
            self.variables.insert("report".to_owned(), again.clone());
        }
        let sentence = phrase.fill(&self.variables)?;
        self.parts.push(format!("{part}:{number}"));
        self.said.extend(phrase.needs().iter().cloned());
        if !sentence.is_empty() {
            self.join(phrase, &sentence);
        }
        self.is_just_named = phrase.needs().contains("report") || (is_titled && phrase.needs().contains("title"));
        self.is_named |= self.is_just_named;
        Ok(())
    }

    /// Adds a sentence with a capital, unless it goes on after a colon or starts with a name that stands as it is written.
    fn join(&mut self, phrase: &Template, sentence: &str) {
        let goes_on = self.text.ends_with([':', ',', '–']);
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        let as_it_is = goes_on || self.book.starts_with_name(phrase, sentence);
        self.text.push_str(&if as_it_is { sentence.to_owned() } else { capitalized(sentence) });
    }
}

fn names(phrase: &Template) -> bool {
    NAMES.iter().any(|name| phrase.needs().contains(*name))
}

/// Returns the first two words of a phrase, in lower case and without marks; `None` if it has fewer or begins with a variable.
fn first_words(phrase: &Template) -> Option<String> {
    let mut words = phrase.text().split_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    let is_plain = !first.contains('{') && !second.contains('{');
    is_plain.then(|| format!("{first} {second}").trim_end_matches(['.', ':', ',', '!', '?']).to_lowercase())
}

/// Returns the phrases that meet a condition; all if none does.
fn chosen<'a>(phrases: Vec<Numbered<'a>>, meets: impl Fn(&Template) -> bool) -> Vec<Numbered<'a>> {
    let found: Vec<Numbered<'a>> = phrases.iter().copied().filter(|(_, phrase)| meets(phrase)).collect();
    if found.is_empty() { phrases } else { found }
}

/// The strength of a phrase that names a row or a total.
const MOST_TELLING: u8 = 3;

/// Returns the most telling of some phrases: those that name a row or a total, else those with another variable beside
/// report and column, else those that name a column, else the rest.
fn most_telling(phrases: Vec<Numbered<'_>>) -> Vec<Numbered<'_>> {
    let best = phrases.iter().map(|(_, phrase)| strength(phrase)).max().unwrap_or_default();
    phrases.into_iter().filter(|(_, phrase)| strength(phrase) == best).collect()
}

fn strength(phrase: &Template) -> u8 {
    let names_a_figure = |need: &String| matches!(need.as_str(), "key" | "example" | "total");
    match phrase.needs() {
        needs if needs.iter().any(names_a_figure) => MOST_TELLING,
        needs if needs.iter().any(|need| !matches!(need.as_str(), "report" | "title" | "column" | "label")) => 2,
        needs if needs.contains("column") || needs.contains("label") => 1,
        _ => 0,
    }
}

fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
