//! Files of another dialect, read in translation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::definitions::{DefinitionError, Definitions};
use super::error::CorpusError;
use super::files::{FoundFiles, SCRIPTS, catalogue_database, has_ending, is_named, read};
use super::foreign_script::without_identifier_clauses;
use super::placeholder_values::PlaceholderProposals;
use super::usual_placeholders::with_usual_placeholders;
use crate::code::edit::{Edit, with_edits};
use crate::code::parameters::Parameters;
use crate::code::placeholder::{Placeholder, placeholders};
use crate::code::schema::Schema;
use crate::engine::spark::catalogue::{self, CatalogueError, Listing};
use crate::engine::translation::{DialectTranslator, TranslatedStatement};

/// A file of another dialect, statement by statement with its translation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TranslatedScript {
    /// The dialect, by sqlglot's name.
    pub dialect: String,
    /// What translated it, with its version.
    pub translator: String,
    /// Its statements, in order.
    pub statements: Vec<TranslatedStatement>,
}

impl TranslatedScript {
    /// Translates a text; its placeholders stay.
    ///
    /// # Errors
    ///
    /// If the translator gives no answer.
    fn of(text: &str, translator: &mut DialectTranslator) -> Result<TranslatedScript, CorpusError> {
        let text = with_usual_placeholders(text);
        let masked = Masked::new(&text);
        let mut statements = translator.translate(&masked.text)?;
        for statement in &mut statements {
            statement.original = masked.restored(&statement.original);
            statement.translated = masked.restored(&statement.translated);
        }
        Ok(TranslatedScript { dialect: translator.dialect().to_owned(), translator: translator.name(), statements })
    }

    /// Returns the script in translation, or else the first statement that cannot be translated, with the reason.
    pub(super) fn script(&self) -> Result<String, (&TranslatedStatement, &str)> {
        let refused = |statement| Some((statement, TranslatedStatement::refusal(statement)?));
        match self.statements.iter().find_map(refused) {
            Some(refused) => Err(refused),
            None => Ok(joined(self.statements.iter().map(|statement| statement.translated.as_str()))),
        }
    }

    /// Returns the statements in translation where that defines a table that can be read, and as written elsewhere: other
    /// readers know more definitions.
    fn definitions(&self) -> String {
        joined(self.statements.iter().map(|statement| match defines(&statement.translated) {
            true => statement.translated.as_str(),
            false => statement.original.as_str(),
        }))
    }
}

/// Whether a statement defines a table that can be read.
fn defines(statement: &str) -> bool {
    Schema::read(statement).is_ok_and(|schema| !schema.tables.is_empty())
}

/// Joins the statements that are not empty.
fn joined<'a>(statements: impl Iterator<Item = &'a str>) -> String {
    statements.filter(|text| !text.is_empty()).map(|text| format!("{text};\n")).collect::<Vec<_>>().join("\n")
}

/// A text whose placeholders are names, which every dialect reads.
struct Masked<'a> {
    text: String,
    placeholders: Vec<&'a str>,
}

impl<'a> Masked<'a> {
    fn new(original: &'a str) -> Masked<'a> {
        let found = placeholders(original).into_iter().filter(|placeholder| placeholder.in_sql);
        let edit = |(number, placeholder): (usize, Placeholder)| Edit::replacement(placeholder.span, mask(number));
        let edits: Vec<Edit> = found.enumerate().map(edit).collect();
        let placeholders = edits.iter().map(|edit| edit.span().of(original)).collect();
        Masked { text: with_edits(original, &edits), placeholders }
    }

    fn restored(&self, text: &str) -> String {
        let masks = self.placeholders.iter().enumerate();
        masks.fold(text.to_owned(), |text, (number, placeholder)| text.replace(&mask(number), placeholder))
    }
}

fn mask(number: usize) -> String {
    format!("placeholder_{number}_of_sqlfault")
}

/// The texts of files, in translation where there is one.
#[derive(Debug, Default)]
pub(super) struct SourceTexts {
    translations: BTreeMap<PathBuf, TranslatedScript>,
    /// Databases of the user's Spark that have been listed.
    listings: RefCell<BTreeMap<String, Listing>>,
}

impl SourceTexts {
    /// Translates the files that hold SQL, by their extension; without a translator all stay as they are.
    ///
    /// # Errors
    ///
    /// If the translator gives no answer.
    pub fn of(paths: &[PathBuf], translator: Option<&mut DialectTranslator>) -> Result<SourceTexts, CorpusError> {
        let mut texts = SourceTexts::default();
        let Some(translator) = translator else { return Ok(texts) };
        let endings = || SCRIPTS.iter().chain(&["ddl", "txt"]);
        for path in paths.iter().filter(|path| endings().any(|ending| has_ending(path, ending))) {
            // A file that cannot be read is told of when it is needed.
            if let Ok(text) = read(path)
                && !texts.translations.contains_key(path)
            {
                texts.translations.insert(path.clone(), TranslatedScript::of(&text, translator)?);
            }
        }
        Ok(texts)
    }

    /// Whether there is any translation.
    pub fn are_translated(&self) -> bool {
        !self.translations.is_empty()
    }

    /// Returns the text of a script.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or a statement cannot be translated.
    pub fn script(&self, path: &Path) -> Result<String, CorpusError> {
        let Some(translation) = self.translations.get(path) else { return read(path) };
        translation.script().map_err(|(statement, reason)| CorpusError::Untranslated {
            path: path.to_owned(),
            line: statement.line,
            dialect: translation.dialect.clone(),
            reason: reason.to_owned(),
            statement: statement.original.clone(),
        })
    }

    /// Returns the text of a file of definitions.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn definitions(&self, path: &Path) -> Result<String, CorpusError> {
        self.translations.get(path).map_or_else(|| read(path), |translation| Ok(translation.definitions()))
    }

    /// Returns the tables of a database of the user's Spark, which starts once for all scripts that ask.
    fn listing(&self, database: &str) -> Result<Listing, CatalogueError> {
        let mut listings = self.listings.borrow_mut();
        if !listings.contains_key(database) {
            listings.insert(database.to_owned(), catalogue::list(database)?);
        }
        Ok(listings.get(database).cloned().unwrap_or_default())
    }

    /// Returns what the definitions of tables lose in translation, with their place.
    pub fn losses(&self) -> Vec<String> {
        let losses = self.translations.iter().flat_map(|(path, translation)| {
            let defining = translation.statements.iter().filter(|statement| defines(&statement.translated));
            let told = |statement: &TranslatedStatement| {
                let place = format!("{}:{}", path.display(), statement.line);
                statement.lost.iter().map(|lost| format!("{place}: {lost}")).collect::<Vec<_>>()
            };
            defining.flat_map(told)
        });
        losses.collect()
    }

    /// Returns the dialect that a file was translated from; `None` if it is read as it is.
    pub fn dialect(&self, path: &Path) -> Option<String> {
        self.translation(path).map(|translation| translation.dialect.clone())
    }

    /// Returns the translation of a file; `None` if it is read as it is.
    pub fn translation(&self, path: &Path) -> Option<&TranslatedScript> {
        self.translations.get(path)
    }

    /// Reads all definitions in these files. Of the files in folders, those that cannot hold any, by name or extension,
    /// are no definitions; one that does not read is passed over with a note, as it may be anybody's.
    ///
    /// # Errors
    ///
    /// If a file that the user names cannot be read, a definition in it does not parse, or Spark does not tell its
    /// tables.
    pub fn all_definitions(&self, files: &FoundFiles, parameters: &Parameters) -> Result<Definitions, CorpusError> {
        let mut definitions = Definitions::default();
        for path in &files.named {
            match catalogue_database(path) {
                Some(database) => definitions.add_listing(self.listing(database)?),
                None => {
                    let before = definitions.count();
                    match self.add_definitions(&mut definitions, path, parameters) {
                        // What else the file defines may do.
                        Err(error) if definitions.count() > before => definitions.note(format!("left out: {error}")),
                        added => added?,
                    }
                }
            }
        }
        let endings = || SCRIPTS.iter().chain(&["csv", "ddl", "txt"]);
        let may_define = |path: &&PathBuf| {
            let is_dbt = is_named(path, "manifest.json") || is_named(path, "catalog.json");
            is_dbt || endings().any(|ending| has_ending(path, ending))
        };
        for path in files.in_folders.iter().filter(may_define) {
            if let Err(error) = self.add_definitions(&mut definitions, path, parameters) {
                definitions.note(format!("no definitions are taken from {error}"));
            }
        }
        Ok(definitions)
    }

    fn add_definitions(
        &self,
        definitions: &mut Definitions,
        path: &Path,
        parameters: &Parameters,
    ) -> Result<(), CorpusError> {
        let text = self.definitions(path)?;
        // Where nothing is bound the signs of placeholders stand in comments alone.
        let is_bound = !["csv", "tsv", "json"].iter().any(|ending| has_ending(path, ending)) && !parameters.is_empty();
        let text = if is_bound { in_words_of_definitions(&text) } else { text };
        let added = definitions.add(path, &text, parameters);
        added.map_err(|source| {
            unbound_definitions(path, &text, parameters)
                .unwrap_or_else(|| CorpusError::Definitions { path: path.to_owned(), source })
        })
    }
}

/// Definitions with the usual placeholders, and with names in place of `IDENTIFIER(…)`.
fn in_words_of_definitions(text: &str) -> String {
    with_usual_placeholders(&without_identifier_clauses(text))
}

/// The error of definitions that do not read as they are and may do so with values for their placeholders; `None` if they
/// have none without a value.
pub(super) fn unbound_definitions(path: &Path, text: &str, parameters: &Parameters) -> Option<CorpusError> {
    let usual = in_words_of_definitions(text);
    let missing = parameters.unbound(&usual);
    if missing.is_empty() {
        return None;
    }
    let source = DefinitionError { place: None, message: PlaceholderProposals::of(&usual, &missing, None).to_string() };
    Some(CorpusError::Definitions { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(original: &str, translated: &str, refusal: Option<&str>) -> TranslatedStatement {
        TranslatedStatement {
            line: 3,
            original: original.to_owned(),
            translated: translated.to_owned(),
            lost: Vec::new(),
            refusal: refusal.map(str::to_owned),
        }
    }

    fn translation(statements: Vec<TranslatedStatement>) -> TranslatedScript {
        TranslatedScript { dialect: "snowflake".to_owned(), translator: "sqlglot 30".to_owned(), statements }
    }

    #[test]
    fn placeholders_survive_as_names() {
        let text = "SELECT '${day}', x -- ${no}\nFROM ${db}.t_${part} WHERE n > {{ least }}";
        let masked = Masked::new(text);
        assert!(placeholders(&masked.text).iter().all(|placeholder| !placeholder.in_sql), "{}", masked.text);
        assert_eq!(masked.restored(&masked.text), text);
    }

    #[test]
    fn statements_left_out_are_no_part_of_the_script() {
        let whole = translation(vec![
            statement("USE ROLE x", "", None),
            statement("SELECT a::int", "SELECT CAST(a AS INT)", None),
        ]);
        assert_eq!(whole.script().unwrap(), "SELECT CAST(a AS INT);\n");
        let broken = translation(vec![statement("SELECT a", "SELECT a", None), statement("SELEC", "", Some("why"))]);
        assert_eq!(broken.script().map_err(|(statement, reason)| (statement.line, reason)), Err((3, "why")));
    }

    #[test]
    fn a_definition_that_is_not_readable_in_translation_stays_as_written() {
        let both = translation(vec![
            statement("CREATE TABLE a (x INT8)", "CREATE TABLE a (x BIGINT)", None),
            statement("CREATE TABLE b (x GEOGRAPHY)", "CREATE TABLE b (x GEOGRAPHY())", None),
        ]);
        assert_eq!(both.definitions(), "CREATE TABLE a (x BIGINT);\n\nCREATE TABLE b (x GEOGRAPHY);\n");
    }
}
