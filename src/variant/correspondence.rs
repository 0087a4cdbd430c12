//! What stands for what: one counterpart for each name, word, number and date of a folder.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::literal::{ScriptPart, TextUse, placeholder, replaced};
use super::number::{counterparts, plain};
use super::original::Original;
use super::vocabulary::{BusinessWords, NameRole};
use crate::code::clock::{CLOCK, USER};
use crate::code::parameters::Parameters;
use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::types::Type;
use crate::corpus::compose::draw::Draw;

/// The longest number that keeps its leading zeros, in digits.
const LONGEST_NUMBER: usize = 100;

/// How much of a correspondence is used: a proof by rows leaves literals as they are where rows depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReplacementLevel {
    Nothing,
    Names,
    Words,
    All,
}

/// The counterparts of a folder's names and literals; whoever has it can undo a variant.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Correspondence {
    /// Names, in lower case.
    pub names: BTreeMap<String, String>,
    /// Names of parameters.
    pub parameters: BTreeMap<String, String>,
    /// Words in texts, in lower case where case does not matter.
    pub words: BTreeMap<String, String>,
    pub numbers: BTreeMap<String, String>,
    /// What is added to the years of dates: leap years stay leap years.
    pub years: i32,
}

/// What the scripts of a folder say of their author.
#[derive(Default)]
struct FolderLiterals {
    parameters: BTreeSet<String>,
    words: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl Correspondence {
    /// Draws counterparts for all that these scripts say, out of a vocabulary.
    pub(super) fn draw(
        originals: &[Original],
        vocabulary: &BusinessWords<'_>,
        other: &BTreeSet<String>,
        draw: Draw,
    ) -> Correspondence {
        let names: BTreeMap<&String, NameRole> =
            originals.iter().rev().flat_map(|original| &original.names).map(|(name, role)| (name, *role)).collect();
        let known = Correspondence {
            names: names.keys().map(|name| ((*name).clone(), String::new())).collect(),
            ..Default::default()
        };
        let found = known.found(originals);
        // No name is a word of the originals either: names may stand in texts.
        let said = found.parameters.iter().chain(&found.words).map(|text| text.to_lowercase());
        let mut taken: BTreeSet<String> = names.keys().map(|name| (*name).clone()).chain(said).collect();
        let old = taken.clone();
        let mut name = |old: &str, role| vocabulary.name(role, &mut taken, draw.at("name").at(old));
        let names = names.iter().map(|(old, role)| ((*old).clone(), name(old, *role))).collect();
        let parameters = found.parameters.iter().map(|old| (old.clone(), name(old, NameRole::Parameter))).collect();
        Correspondence {
            names,
            parameters,
            words: words(&found.words, &old, vocabulary, other, draw.at("words")),
            numbers: counterparts(&found.numbers, draw.at("numbers")),
            years: draw.at("years").one_of([-12, -8, -4, 4, 8]),
        }
    }

    fn found(&self, originals: &[Original]) -> FolderLiterals {
        let mut found = FolderLiterals::default();
        let mut note = |part: ScriptPart<'_>| {
            match part {
                // A run that is a name is no word.
                ScriptPart::Named(run) if self.names.contains_key(&run.to_lowercase()) => return Some(String::new()),
                ScriptPart::Parameter(name) if ![CLOCK, USER].contains(&name) => {
                    _ = found.parameters.insert(name.to_owned())
                }
                ScriptPart::Word(word) => _ = found.words.insert(key(word)),
                ScriptPart::Number(number) => _ = found.numbers.insert(plain(number)),
                _ => {}
            }
            None
        };
        for original in originals {
            original.visit(&mut note);
        }
        found
    }

    /// Returns the counterpart of a part; `None` if it stays.
    pub(super) fn counterpart(&self, part: ScriptPart<'_>, level: ReplacementLevel) -> Option<String> {
        let from = |least: ReplacementLevel| level >= least;
        match part {
            ScriptPart::Name(name) if from(ReplacementLevel::Names) => self.names.get(&name.to_lowercase()).cloned(),
            ScriptPart::Named(name) if from(ReplacementLevel::Words) => {
                Some(in_case_of(name, self.names.get(&name.to_lowercase())?))
            }
            ScriptPart::Parameter(name) if from(ReplacementLevel::Names) => self.parameters.get(name).cloned(),
            ScriptPart::Word(word) if from(ReplacementLevel::Words) => {
                Some(in_case_of(word, self.words.get(&key(word))?))
            }
            ScriptPart::Number(number) if from(ReplacementLevel::All) => {
                let new = self.numbers.get(&plain(number))?;
                let width = if number.contains('.') { 0 } else { number.len().min(LONGEST_NUMBER) };
                Some(format!("{new:0>width$}"))
            }
            ScriptPart::Date(date) if from(ReplacementLevel::All) => {
                let year: i32 = date.get(..4)?.parse().ok()?;
                Some(format!("{}{}", year + self.years, &date[4..]))
            }
            _ => None,
        }
    }

    /// Returns a text of the data with its counterparts.
    pub(super) fn text(&self, text: &str, level: ReplacementLevel) -> String {
        replaced(text, TextUse::Plain, &mut |part| self.counterpart(part, level))
    }

    /// Returns a schema with other names, without comments.
    pub(super) fn schema(&self, schema: &Schema, level: ReplacementLevel) -> Schema {
        let name = |name: &str| self.counterpart(ScriptPart::Name(name), level).unwrap_or_else(|| name.to_owned());
        let column = |column: &TableColumn| TableColumn {
            name: name(&column.name),
            data_type: self.data_type(&column.data_type, level),
            comment: String::new(),
            ..column.clone()
        };
        let table = |table: &TableDefinition| TableDefinition {
            name: table.name.split('.').map(name).collect::<Vec<_>>().join("."),
            columns: table.columns.iter().map(column).collect(),
            comment: String::new(),
        };
        schema.tables.iter().map(table).collect::<Vec<_>>().into()
    }

    fn data_type(&self, data_type: &Type, level: ReplacementLevel) -> Type {
        let inner = |part: &Type| Box::new(self.data_type(part, level));
        match data_type {
            Type::Array(element) => Type::Array(inner(element)),
            Type::Map(key, value) => Type::Map(inner(key), inner(value)),
            Type::Struct(fields) => {
                let name =
                    |name: &String| self.counterpart(ScriptPart::Name(name), level).unwrap_or_else(|| name.clone());
                Type::Struct(fields.iter().map(|(field, of)| (name(field), *inner(of))).collect())
            }
            plain => plain.clone(),
        }
    }

    /// Returns parameters with other names and values.
    pub(super) fn parameters(&self, parameters: &Parameters, level: ReplacementLevel) -> Parameters {
        let key = |key: &str| placeholder(key, &mut |part| self.counterpart(part, level));
        parameters.iter().map(|(name, value)| (key(name), self.text(value, level))).collect()
    }
}

/// Returns counterparts of words that are not among `old`: those of one to three letters keep their length, longer ones
/// are of the vocabulary; the order within each length is kept.
fn words(
    found: &BTreeSet<String>,
    old: &BTreeSet<String>,
    vocabulary: &BusinessWords<'_>,
    other: &BTreeSet<String>,
    draw: Draw,
) -> BTreeMap<String, String> {
    let own = vocabulary.words();
    let other: Vec<String> = other.difference(&own).cloned().collect();
    let mut long = draw.shuffled(&own.into_iter().collect::<Vec<_>>());
    long.extend(draw.at("other").shuffled(&other));
    long.retain(|word| !old.contains(word));
    let mut made = BTreeMap::new();
    for length in 1..=4 {
        let words: Vec<&String> = found.iter().filter(|word| word.chars().count().min(4) == length).collect();
        let free = if length == 4 { long.clone() } else { draw.at("short").shuffled(&short(length, old)) };
        let mut new: Vec<String> = free.into_iter().take(words.len()).collect();
        // Where short words are used up, longer ones follow.
        let missing = words.len() - new.len();
        new.extend(long.split_off(long.len().saturating_sub(missing)));
        new.sort();
        made.extend(words.into_iter().cloned().zip(new));
    }
    made
}

/// All texts of so many letters that are not among `old`.
fn short(length: usize, old: &BTreeSet<String>) -> Vec<String> {
    let longer =
        |texts: Vec<String>| texts.iter().flat_map(|text| ('a'..='z').map(move |c| format!("{text}{c}"))).collect();
    let all = (0..length).fold(vec![String::new()], |texts, _| longer(texts));
    all.into_iter().filter(|text| !old.contains(text)).collect()
}

/// Returns a word as it is looked up: in lower case, unless its letters are of mixed case.
pub(super) fn key(word: &str) -> String {
    let lower = word.to_lowercase();
    if in_case_of(word, &lower) == word { lower } else { word.to_owned() }
}

/// Returns a lower-case word in the case of another: lower, upper or with a capital.
fn in_case_of(word: &str, lower: &str) -> String {
    let is_upper = word.to_uppercase() == word && word.to_lowercase() != word;
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    match (is_upper, capital) {
        (true, _) => lower.to_uppercase(),
        (false, true) if word.chars().skip(1).all(|c| !c.is_uppercase()) => {
            lower.chars().take(1).flat_map(char::to_uppercase).chain(lower.chars().skip(1)).collect()
        }
        _ => lower.to_owned(),
    }
}
