//! Reads a folder of scripts: references in folders of their own, and free `.sql` files beside any table definitions.

use std::path::{Path, PathBuf};

use super::definitions::Definitions;
use super::error::CorpusError;
use super::files::{PARAMETERS, SCRIPTS, find_files, has_ending, is_named, of_dbt_project, parameters, read};
use super::foreign_script::in_usual_words;
use super::pipeline_folder::pipelines;
use super::read::{WrittenSchema, assemble, card_of, inferring, read_reference, with_translation};
use super::reference::{Reference, ReferenceCard};
use super::translation::SourceTexts;
use crate::code::parameters::Parameters;
use crate::code::script::Script;
use crate::code::tree::Kind;
use crate::engine::translation::DialectTranslator;

/// Reads the references below `root`, at any depth; each that cannot be used is an error of its own.
///
/// A folder with `script.sql` is one reference, with a `card.yaml` if its author wrote one; without `schema.sql`, the
/// other files there and the free files define its tables. A folder whose card names `files` is one reference too, of
/// these files one after the other. In all other folders files are free: each `.sql`, `.hql` or
/// `.q` file with a query is a reference, whose tables any free file may define (DDL, `information_schema.columns` as
/// CSV, dbt's JSON files) and whose placeholders `parameters.yaml` in `root` binds.
///
/// With a translator, all SQL is read in translation.
///
/// # Errors
///
/// If a file or folder cannot be read, a definition does not parse, or there is no script at all.
pub fn read_folder(
    root: &Path,
    translator: Option<&mut DialectTranslator>,
) -> Result<Vec<Result<Reference, CorpusError>>, CorpusError> {
    read_folder_with(root, &[], translator)
}

/// As [`read_folder`], with definitions of tables from elsewhere, which count before those in the folder.
///
/// # Errors
///
/// As there.
pub fn read_folder_with(
    root: &Path,
    schema: &[PathBuf],
    translator: Option<&mut DialectTranslator>,
) -> Result<Vec<Result<Reference, CorpusError>>, CorpusError> {
    let mut elsewhere = Vec::new();
    for path in schema {
        find_files(path, &mut elsewhere)?;
    }
    elsewhere.extend(of_dbt_project(root));
    let mut files = Vec::new();
    find_files(root, &mut files)?;
    files.sort();
    let texts = SourceTexts::of(&files, translator)?;
    let whole: Vec<&Path> =
        files.iter().filter(|path| is_named(path, "script.sql")).filter_map(|path| path.parent()).collect();
    let pipelines = pipelines(&files)?;
    let (bare, parts): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(|path| {
        let of_pipeline = |parent: &Path| pipelines.iter().any(|pipeline| pipeline.folder == parent);
        let apart = path.parent().is_none_or(|parent| !whole.contains(&parent) && !of_pipeline(parent));
        apart && !is_named(path, PARAMETERS)
    });
    // What may define the tables of a script with a folder of its own.
    let defining = |folder: &Path| -> Vec<PathBuf> {
        let beside = parts.iter().copied().filter(|path| path.parent() == Some(folder));
        elsewhere.iter().chain(beside).chain(bare.iter().copied()).cloned().collect()
    };
    let mut references: Vec<Result<Reference, CorpusError>> = Vec::new();
    for folder in &whole {
        let has_schema = parts.iter().any(|path| path.parent() == Some(folder) && is_named(path, "schema.sql"));
        references.push(match has_schema && !texts.are_translated() {
            true => read_reference(root, folder),
            false => texts.all_definitions(&defining(folder), &Parameters::default()).and_then(|definitions| {
                let script = folder.join("script.sql");
                let read = bare_reference(root, &texts, &script, &definitions, &Parameters::default());
                with_translation(&texts, &script, read)
            }),
        });
    }
    for pipeline in pipelines.iter().filter(|pipeline| !whole.contains(&pipeline.folder.as_path())) {
        references.push(pipeline.read(root, &texts, &defining(&pipeline.folder)));
    }
    references.extend(bare_references(root, &bare, &elsewhere, &texts)?);
    if references.is_empty() { Err(CorpusError::Empty(root.to_owned())) } else { Ok(references) }
}

/// Reads the scripts among the files that belong to no folder with `script.sql`; tables are defined there or elsewhere.
fn bare_references(
    root: &Path,
    files: &[&PathBuf],
    elsewhere: &[PathBuf],
    texts: &SourceTexts,
) -> Result<Vec<Result<Reference, CorpusError>>, CorpusError> {
    let parameters = parameters(&root.join(PARAMETERS))?;
    let mut scripts = Vec::new();
    for path in files.iter().filter(|path| SCRIPTS.iter().any(|ending| has_ending(path, ending))) {
        let text = match texts.script(path) {
            Err(CorpusError::Untranslated { .. }) => read(path)?,
            text => text?,
        };
        if asks(&text) {
            scripts.push(*path);
        }
    }
    if scripts.is_empty() {
        return Ok(Vec::new());
    }
    let paths: Vec<PathBuf> = elsewhere.iter().chain(files.iter().copied()).cloned().collect();
    let definitions = texts.all_definitions(&paths, &parameters)?;
    let reference = |path: &PathBuf| bare_reference(root, texts, path, &definitions, &parameters);
    Ok(scripts.into_iter().map(|path| with_translation(texts, path, reference(path))).collect())
}

/// Reads a script with tables that the definitions define and placeholders that the parameters bind; only a `script.sql` may have a `card.yaml` beside it.
///
/// # Errors
///
/// If a file cannot be read, or the script or its card does not parse.
pub(super) fn bare_reference(
    root: &Path,
    texts: &SourceTexts,
    path: &Path,
    definitions: &Definitions,
    parameters: &Parameters,
) -> Result<Reference, CorpusError> {
    let text = parameters.bind_name_placeholders(&in_usual_words(&texts.script(path)?));
    let card_file = path.with_file_name("card.yaml");
    let relative = path.strip_prefix(root).unwrap_or(path).with_extension("");
    let id = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
    let card = ReferenceCard::of_script(&id, &text, parameters.clone());
    let mut card = match is_named(path, "script.sql") && card_file.exists() {
        true => card_of(&card_file, &read(&card_file)?)?,
        false => card,
    };
    card.translated_from = texts.dialect(path).or(card.translated_from);
    let bound = Script::new(parameters.bind(&text).unwrap_or_else(|_| text.clone()));
    let schema = definitions.schema_for(&bound);
    let untyped = definitions.untyped(&schema);
    inferring(path, assemble(path, id, text, WrittenSchema::of(schema), card)?, &untyped)
}

/// What statements of definitions begin with in other dialects.
const DEFINING: [&str; 5] = ["CREATE", "GO", "ALTER", "COMMENT", "GRANT"];

/// Whether a file holds a query, or an error outside of definitions: then it may be a script, and its reader is to be
/// told.
fn asks(text: &str) -> bool {
    let script = Script::new(in_usual_words(text));
    let tree = script.tree();
    tree.descendants(tree.root()).any(|node| tree.kind(node) == Kind::Query)
        || script.errors().iter().any(|(node, _)| {
            let first = script.slice(*node).split_whitespace().next().unwrap_or("");
            !DEFINING.iter().any(|word| first.eq_ignore_ascii_case(word))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn bare_scripts_find_their_tables_title_and_parameters() {
        let folder = folder(&[
            ("ddl/ods.sql", "USE ods; CREATE TABLE orders (id INT, d STRING); CREATE TABLE unused (x INT);"),
            (
                "ddl/hr.sql",
                "CREATE TABLE [hr].[staff] ([id] INT IDENTITY(1,1));\nGO\nCREATE TABLE [hr].[desks] ([id] INT);\n",
            ),
            ("columns.csv", "table_schema,table_name,column_name,data_type\ndim,users,id,int8\n"),
            ("parameters.yaml", "day: 2024-02-01\n"),
            (
                "jobs/daily.sql",
                "-- ------\n-- Author: somebody\n-- Orders of a day\nSELECT o.id FROM ods.orders o JOIN dim.users u ON u.id = o.id WHERE d = '$day'",
            ),
            ("jobs/no_title.hql", "SELECT id FROM orders"),
        ]);
        let read = read_folder(folder.path(), None).unwrap();
        let references: Vec<Reference> = read.into_iter().map(Result::unwrap).collect();
        let [daily, other] = references.as_slice() else { panic!("{references:?}") };
        assert_eq!(
            (daily.id.as_str(), daily.card.title.as_str(), daily.card.domain.as_str()),
            ("jobs/daily", "Orders of a day", "jobs")
        );
        assert_eq!(
            daily.schema.tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>(),
            ["ods.orders", "dim.users"]
        );
        assert!(daily.parameters.bind(daily.script.text()).unwrap().ends_with("d = '2024-02-01'"));
        assert_eq!((other.card.title.as_str(), other.schema.tables.len()), ("no title", 1));
    }

    #[test]
    fn a_folder_without_scripts_says_so() {
        let folder = folder(&[("ddl.sql", "CREATE TABLE t (a INT)")]);
        assert!(matches!(read_folder(folder.path(), None), Err(CorpusError::Empty(_))));
    }

    #[test]
    fn a_reference_needs_no_card() {
        let folder = folder(&[
            ("shop/daily/script.sql", "SELECT a FROM t"),
            ("shop/daily/schema.sql", "CREATE TABLE t (a INT);"),
        ]);
        let reference = read_folder(folder.path(), None).unwrap().remove(0).unwrap();
        assert_eq!(
            (reference.id.as_str(), reference.card.domain.as_str(), reference.card.title.as_str()),
            ("shop/daily", "shop", "daily")
        );
    }
}
