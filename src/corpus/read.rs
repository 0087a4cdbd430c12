//! Reading references from the binary and from folders, with one clear error for each thing that can be wrong.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::bound_values::BoundValues;
use super::column_patterns::regular_expression_for_columns;
use super::definitions::{Definitions, alters_a_table, makes_tables_by_queries};
use super::dictionary::Dictionary;
use super::error::{CorpusError, PieceOfSql};
use super::file_tables::without_file_tables;
use super::files::{FoundFiles, PARAMETERS, of_dbt_project, parameters as parameters_of, read, read_file};
use super::foreign_script::{UsualScript, in_usual_words};
use super::hive_forms::notes_on_hive_forms;
use super::inference::{InferredTable, KnownParts, with_inferred};
use super::limits::beyond_limits;
use super::names_without_use::note_on_names_without_use;
use super::own_values::{UnreadColumn, left_out, unread_columns};
use super::parse_message::{parse_message, piece_of_sql};
use super::reference::{Reference, ReferenceCard};
use super::templates::template_left;
use super::translation::{SourceTexts, unbound_definitions};
use super::written_schema::WrittenSchema;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::script::{MAX_BYTES, Script};
use crate::code::span::LineColumn;
use crate::code::tree::Kind;
use crate::engine::translation::DialectTranslator;
use crate::store::yaml::read_yaml;

/// The folder `domains/`.
pub(super) static HAND_WRITTEN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/domains");

/// Reads the references carried in the binary, sorted by id.
pub fn embedded() -> Vec<Result<Reference, CorpusError>> {
    let mut folders: Vec<&Dir<'_>> = HAND_WRITTEN.dirs().flat_map(Dir::dirs).collect();
    folders.sort_by_key(|folder| folder.path());
    folders
        .into_iter()
        .map(|folder| {
            let path = folder.path();
            let file = |name: &'static str| {
                let file = folder.get_file(path.join(name)).and_then(include_dir::File::contents_utf8);
                file.map(str::to_owned).ok_or(CorpusError::Missing { folder: path.to_owned(), file: name })
            };
            reference(
                path,
                path.to_string_lossy().into_owned(),
                file("script.sql")?,
                file("schema.sql")?,
                card_of(&path.join("card.yaml"), &file("card.yaml")?)?,
            )
        })
        .collect()
}

/// Reads the folder of one reference; if there is no `card.yaml`, a card is made from the script.
///
/// # Errors
///
/// If a file is missing or does not read.
pub(super) fn read_reference(root: &Path, folder: &Path, bound: &BoundValues) -> Result<Reference, CorpusError> {
    let [script, schema, card_file] = ["script.sql", "schema.sql", "card.yaml"].map(|name| folder.join(name));
    let id = id_of(root, folder);
    if card_file.exists() {
        let mut card = card_of(&card_file, &read(&card_file)?)?;
        card.parameters = bound.around(&card.parameters);
        return reference(folder, id, read(&script)?, read(&schema)?, card);
    }
    let parameters = bound.all();
    let text = in_usual_words(&read(&script)?, &parameters);
    let card = ReferenceCard { parameters, ..ReferenceCard::of_script(&id, &text) };
    let schema_text = read(&schema)?;
    let schema = schema_of(&schema, &schema_text)?;
    let reference = assemble(&script, id, text, WrittenSchema { text: schema_text, schema }, card)?;
    inferring(&script, reference, &KnownParts::default())
}

/// Returns the id of a reference with a folder of its own: the path below `root`.
pub(super) fn id_of(root: &Path, folder: &Path) -> String {
    let relative = folder.strip_prefix(root).unwrap_or(folder);
    let id = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    if id.is_empty() { "script".to_owned() } else { id }
}

/// Reads one script without a card and the definitions of its tables, as `sqlfault inject` takes them. If `definitions`
/// is empty, all files beside and below the script are searched. A `parameters.yaml` beside it binds what `parameters`
/// does not. With a translator, script and definitions are read in translation. The texts returned say what was assumed in
/// reading.
///
/// # Errors
///
/// If a file cannot be read, or the script or a definition does not parse.
pub fn read_script(
    script: &Path,
    definitions: &[PathBuf],
    parameters: Parameters,
    translator: Option<&mut DialectTranslator>,
) -> Result<(Reference, Vec<String>), CorpusError> {
    // The parent of a bare file name is empty.
    let folder = script.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = definition_files(script, folder, definitions)?;
    let whole: Vec<PathBuf> = files.all().cloned().chain([script.to_owned()]).collect();
    let texts = SourceTexts::of(&whole, translator)?;
    let by_files = parameters_of(&folder.join(PARAMETERS))?;
    let by_user: Vec<String> = parameters.iter().map(|(name, _)| name.to_owned()).collect();
    let parameters = BoundValues { by_files, by_user: parameters }.all();
    let written = texts.script(script)?;
    let definition_texts: Vec<&Path> = files.all().map(PathBuf::as_path).collect();
    let without_use = note_on_names_without_use(&by_user, &parameters, &written, &definition_texts);
    let ScriptWithoutCard { id, text, card, mut notes } = ScriptWithoutCard::of(script, &written, &texts, parameters)?;
    let bound = bound_script(&text, &card.parameters);
    notes.extend(without_use.into_iter().chain(notes_on_hive_forms(&bound)));
    let on_tables = without_file_tables(&text);
    if on_tables == text
        && !texts.are_translated()
        && let Some(schema) = exact_definitions(definitions, &bound)?
    {
        let reference = assemble(script, id, text, schema, card)?;
        return Ok((inferring(script, reference, &KnownParts::default())?, notes));
    }
    let found = match (texts.all_definitions(&files, &card.parameters), definitions) {
        (Ok(found), _) if !found.is_empty() => found,
        // For a single file that no reader accepts, the error of the Hive and Spark reader says most.
        // One of comments alone goes with a script that makes all its tables.
        (_, [only])
            if only.is_file() && has_ddl(only) && (!Definitions::names(&bound).is_empty() || has_statements(only)?) =>
        {
            notes.push(without_defined_tables(only, &card.parameters)?);
            Definitions::default()
        }
        (found, _) => found?,
    };
    let schema = found.schema_for(&bound);
    let on_views = found.notes_on_queries(&schema);
    let known = KnownParts::of(&found, &schema, &bound);
    let assembled = assemble(script, id, on_tables, WrittenSchema::of(schema), card);
    let inferred = assembled.and_then(|reference| inferring(script, reference, &known));
    let reference = with_translation(&texts, script, inferred)?;
    notes.extend(files.notes.iter().chain(&texts.losses()).chain(found.notes()).chain(&on_views).cloned());
    Ok((reference, notes))
}

/// Returns a note on a file of which no definition can be used, if queries alone make its tables: what these read nothing
/// tells, and the script goes on with what it says itself.
///
/// # Errors
///
/// Why nothing is defined, for any other file.
fn without_defined_tables(path: &Path, parameters: &Parameters) -> Result<String, CorpusError> {
    let ddl = read(path)?;
    if let Some(unbound) = unbound_definitions(path, &ddl, parameters) {
        return Err(unbound);
    }
    match (schema_of(path, &ddl), makes_tables_by_queries(&ddl)) {
        (_, true) => Ok(format!(
            "{}: left out, as its tables are made by queries of others that nothing defines",
            path.display()
        )),
        (Err(error), false) => Err(error),
        (Ok(_), false) => Err(CorpusError::Empty(path.to_owned())),
    }
}

/// Returns the files that may define the tables of a script: those given, or else all beside and below the script.
fn definition_files(script: &Path, folder: &Path, given: &[PathBuf]) -> Result<FoundFiles, CorpusError> {
    if !given.is_empty() {
        return FoundFiles::below(given.iter().map(PathBuf::as_path));
    }
    let mut files = FoundFiles::below([folder])?;
    files.in_folders.extend(of_dbt_project(script));
    Ok(files)
}

/// A script without a card, as it is read.
struct ScriptWithoutCard {
    id: String,
    /// In the words of Hive and Spark.
    text: String,
    /// A card made from it.
    card: ReferenceCard,
    /// What was assumed in reading.
    notes: Vec<String>,
}

impl ScriptWithoutCard {
    /// Makes one of what `script` has `written`, or of that in translation.
    fn of(
        script: &Path,
        written: &str,
        texts: &SourceTexts,
        parameters: Parameters,
    ) -> Result<ScriptWithoutCard, CorpusError> {
        let id = script.file_stem().map_or_else(|| "script".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let UsualScript { text: usual, rewritten } = UsualScript::of(written, &parameters);
        let text = parameters.bind_names_and_clauses(&usual);
        let card = ReferenceCard {
            domain: String::new(),
            translated_from: texts.dialect(script),
            parameters,
            ..ReferenceCard::of_script(&id, &text)
        };
        let name = script.display();
        let encoding = read_file(script)?.encoding;
        let encoding = encoding.map(|encoding| format!("{name}: read as {encoding}; save it as UTF-8 to be sure"));
        let rewritten = (!rewritten.is_empty() && !texts.are_translated())
            .then(|| format!("{name}: {}; diffs are of the script as it is read then", rewritten.join("; ")));
        Ok(ScriptWithoutCard { id, text, card, notes: encoding.into_iter().chain(rewritten).collect() })
    }
}

/// Returns the definitions of a single file that needs no mapping and defines every table of a script: they are kept byte
/// for byte.
fn exact_definitions(given: &[PathBuf], bound: &Script) -> Result<Option<WrittenSchema>, CorpusError> {
    let [only] = given else { return Ok(None) };
    if !only.is_file() {
        return Ok(None);
    }
    let ddl = read(only)?;
    let Ok(schema) = Schema::read(&ddl) else { return Ok(None) };
    let defines_all =
        !alters_a_table(&ddl) && Definitions::names(bound).iter().all(|name| schema.table(name).is_some());
    Ok(defines_all.then_some(WrittenSchema { text: ddl, schema }))
}

/// Makes a reference of its texts; errors name the files `<id>/script.sql` and `<id>/schema.sql`.
///
/// # Errors
///
/// If the script or the schema does not parse.
pub fn read_texts(id: String, script: String, schema: String, card: ReferenceCard) -> Result<Reference, CorpusError> {
    let (script_path, schema_path) = (format!("{id}/script.sql"), format!("{id}/schema.sql"));
    let read = schema_of(Path::new(&schema_path), &schema)?;
    assemble(Path::new(&script_path), id, script, WrittenSchema { text: schema, schema: read }, card)
}

/// Returns a script with the values of its placeholders, those that it sets itself included; the script as it is if one has
/// none.
fn bound_script(text: &str, parameters: &Parameters) -> Script {
    let script = Script::new(text);
    match parameters.with_assignments(&script).bind(text) {
        Ok(bound) if bound != text => Script::new(bound),
        _ => script,
    }
}

/// Whether a file holds DDL, by its extension: CSV and JSON list columns.
fn has_ddl(path: &Path) -> bool {
    !path.extension().is_some_and(|extension| extension == "csv" || extension == "json")
}

fn has_statements(path: &Path) -> Result<bool, CorpusError> {
    Ok(!Script::new(read(path)?).statements().is_empty())
}

pub(super) fn schema_of(path: &Path, text: &str) -> Result<Schema, CorpusError> {
    Schema::read(text).map_err(|source| CorpusError::Schema { path: path.to_owned(), source })
}

fn reference(
    folder: &Path,
    id: String,
    script: String,
    schema: String,
    card: ReferenceCard,
) -> Result<Reference, CorpusError> {
    let read = schema_of(&folder.join("schema.sql"), &schema)?;
    assemble(&folder.join("script.sql"), id, script, WrittenSchema { text: schema, schema: read }, card)
}

/// Reads the text of a card.
pub(super) fn card_of(path: &Path, text: &str) -> Result<ReferenceCard, CorpusError> {
    let mut card: ReferenceCard = read_yaml(text).map_err(|error| CorpusError::yaml(path, error))?;
    for (name, expression) in std::mem::take(&mut card.functions) {
        card.parameters.insert(format!("{}()", name.trim_end_matches("()")), expression);
    }
    Ok(card)
}

/// Returns what was read of a script with its translation, and an error with the words of the translation that it is
/// about.
pub(super) fn with_translation(
    texts: &SourceTexts,
    path: &Path,
    read: Result<Reference, CorpusError>,
) -> Result<Reference, CorpusError> {
    let Some(translation) = texts.translation(path) else { return read };
    match read {
        Ok(reference) => Ok(Reference { translation: Some(translation.clone()), ..reference }),
        Err(CorpusError::Script { path, place, message }) => {
            let script = translation.script().unwrap_or_default();
            let line = script.lines().nth(place.line - 1).unwrap_or_default().trim();
            let message = format!("{message}; in the translation from {}, in its line `{line}`", translation.dialect);
            Err(CorpusError::Script { path, place, message })
        }
        refused => refused,
    }
}

/// Adds to a reference what its definitions lack, as its script uses it.
///
/// # Errors
///
/// If it cannot be told which columns a table has.
pub(super) fn inferring(path: &Path, reference: Reference, known: &KnownParts) -> Result<Reference, CorpusError> {
    let text = reference.script.text();
    let bound = bound_script(text, &reference.parameters);
    let inferred = match with_inferred(&bound, reference.schema.clone(), known) {
        Ok(inferred) => inferred,
        // Placeholders without a value hide what could be inferred; that they have none is said of the reference.
        Err(_) if !reference.parameters.unbound(text).is_empty() => return Ok(reference),
        Err(source) => return Err(CorpusError::Inference { path: path.to_owned(), source }),
    };
    if inferred.tables.is_empty() {
        return Ok(reference);
    }
    let WrittenSchema { text, schema } = WrittenSchema::of(inferred.schema);
    let inferred = reference.inferred.into_iter().chain(inferred.tables).collect();
    Ok(Reference { schema_text: text, schema, inferred, ..reference })
}

/// Whether a script has a query, or changes the rows of a table.
fn asks_for_rows(script: &Script) -> bool {
    let tree = script.tree();
    tree.descendants(tree.root()).any(|node| tree.kind(node) == Kind::Query || tree.kind(node).changes_rows())
}

/// Makes a reference of what was read of it, after checking that the script parses and keeps the limits.
pub(super) fn assemble(
    script_path: &Path,
    id: String,
    script: String,
    definitions: WrittenSchema,
    card: ReferenceCard,
) -> Result<Reference, CorpusError> {
    if script.len() > MAX_BYTES {
        return Err(CorpusError::TooLarge { path: script_path.to_owned(), bytes: script.len() });
    }
    if let Some((at, tag)) = template_left(&script) {
        let message = format!(
            "`{tag}` is for a template engine to run; run it first (`dbt compile` writes to target/compiled), and give \
             the SQL that it writes"
        );
        return Err(CorpusError::Script { path: script_path.to_owned(), place: LineColumn::of(&script, at), message });
    }
    let script = Script::new(script);
    if let Some((_, error)) = script.errors().first() {
        let (path, place) = (script_path.to_owned(), script.place(error.span.start));
        if let Some(proposals) = piece_of_sql(&script, error, &card.parameters) {
            let piece = Box::new(PieceOfSql { path, place, error: error.clone() });
            return Err(CorpusError::PieceOfSql { piece, proposals: Box::new(proposals) });
        }
        return Err(CorpusError::Script { path, place, message: parse_message(&script, error, &card) });
    }
    if let Some((place, name)) = regular_expression_for_columns(&script) {
        let message = format!("{name} stands for columns by a regular expression, which is not read; write them out");
        return Err(CorpusError::Script { path: script_path.to_owned(), place, message });
    }
    if !asks_for_rows(&script) {
        return Err(CorpusError::NoQuery(script_path.to_owned()));
    }
    let unread = unread_columns(&script, &definitions.schema);
    let definitions = definitions.without(&unread);
    if let Some((place, message)) = left_out(&script, &definitions.schema) {
        return Err(CorpusError::Script { path: script_path.to_owned(), place, message });
    }
    if let Some((place, what)) = beyond_limits(&script) {
        return Err(CorpusError::TooMany { path: script_path.to_owned(), place, what });
    }
    let parameters = card.parameters.with_assignments(&script).with_functions(&script).with_quoted_dates(&script);
    let parameters = parameters.used_by(&script).with_clock(&script);
    Ok(Reference {
        id,
        card,
        schema_text: definitions.text,
        schema: definitions.schema,
        script,
        parameters,
        decisions: Vec::new(),
        dictionary: Dictionary::default(),
        translation: None,
        inferred: unread
            .into_iter()
            .map(|UnreadColumn { table, column }| InferredTable::without(table, column))
            .collect(),
        files: Vec::new(),
    })
}
