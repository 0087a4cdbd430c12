//! A script that is one file, with or without a card beside it.

use std::path::Path;

use super::bound_values::BoundValues;
use super::definitions::{Definitions, is_filled_by_a_query};
use super::error::CorpusError;
use super::file_tables::without_file_tables;
use super::files::{is_named, read};
use super::foreign_script::in_usual_words;
use super::inference::KnownParts;
use super::read::{assemble, card_of, inferring};
use super::reference::{Reference, ReferenceCard};
use super::translation::SourceTexts;
use super::written_schema::WrittenSchema;
use crate::code::parameters::Parameters;
use crate::code::script::Script;
use crate::code::tree::Kind;

/// A script in a folder of scripts.
pub(super) struct BareScript<'a> {
    pub path: &'a Path,
    /// Its id in the folder.
    pub id: String,
}

/// Returns the id of a script: its path below `root`, without the file's ending.
pub(super) fn id_of_script(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path).with_extension("");
    relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

impl BareScript<'_> {
    /// Reads the script with tables that the definitions define; only a `script.sql` may have a `card.yaml` beside it.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or the script or its card does not parse.
    pub fn read(
        &self,
        texts: &SourceTexts,
        definitions: &Definitions,
        bound: &BoundValues,
    ) -> Result<Reference, CorpusError> {
        let BareScript { path, id } = self;
        let card_file = path.with_file_name("card.yaml");
        let card = match is_named(path, "script.sql") && card_file.exists() {
            true => Some(card_of(&card_file, &read(&card_file)?)?),
            false => None,
        };
        let parameters = card.as_ref().map_or_else(|| bound.all(), |card| bound.around(&card.parameters));
        let written = in_usual_words(&texts.script(path)?, &parameters);
        let mut card = card.unwrap_or_else(|| ReferenceCard::of_script(id, &written));
        card.parameters = parameters;
        card.translated_from = texts.dialect(path).or(card.translated_from);
        let text = card.parameters.bind_names_and_clauses(&written);
        let script = Script::new(card.parameters.bind(&text).unwrap_or_else(|_| text.clone()));
        let schema = definitions.schema_for(&script);
        let known = KnownParts::of(definitions, &schema, &script);
        let text = without_file_tables(&text);
        inferring(path, assemble(path, id.clone(), text, WrittenSchema::of(schema), card)?, &known)
    }
}

/// What statements of definitions begin with in other dialects.
const DEFINING: [&str; 5] = ["CREATE", "GO", "ALTER", "COMMENT", "GRANT"];

/// Whether a file holds a query or a change of a table, or an error outside of definitions: then it may be a script,
/// and its reader is to be told.
pub(super) fn asks(text: &str) -> bool {
    let script = Script::new(in_usual_words(text, &Parameters::default()));
    let tree = script.tree();
    let first_word = |node| script.slice(node).split_whitespace().next().unwrap_or("").to_uppercase();
    tree.descendants(tree.root()).any(|node| match tree.kind(node) {
        Kind::Query | Kind::Update | Kind::Merge => true,
        // TRUNCATE and ALTER … DROP PARTITION alone are of an administrator.
        Kind::Delete => matches!(first_word(node).as_str(), "DELETE" | "WITH"),
        _ => false,
    }) || script
        .errors()
        .iter()
        .any(|(node, _)| !DEFINING.contains(&first_word(*node).as_str()) || is_filled_by_a_query(script.slice(*node)))
}
