//! Every reference translates, and SQLite runs the translation on an empty database.

use std::path::{Path, PathBuf};

use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::engine::sqlite::{Limits, Sqlite};
use sqlfault::engine::table::Database;

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("domains");
    let entries = |path: &Path| -> Vec<PathBuf> {
        let listed = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let mut folders: Vec<PathBuf> = listed.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    };
    entries(&root).iter().flat_map(|domain| entries(domain)).collect()
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

#[derive(serde::Deserialize)]
struct Card {
    #[serde(default)]
    parameters: Parameters,
}

/// Runs a reference on an empty database; the error says what prevents it.
fn trouble(folder: &Path) -> Result<(), String> {
    let schema = Schema::read(&read(folder, "schema.sql")).map_err(|error| format!("schema: {error}"))?;
    let card: Card = serde_saphyr::from_str(&read(folder, "card.yaml")).map_err(|error| error.to_string())?;
    let script = Script::new(read(folder, "script.sql"));
    let known = card.parameters.with_assignments(&script);
    let bound = Script::new(known.bind(script.text()).map_err(|error| error.to_string())?);
    if let Some((_, error)) = bound.errors().first() {
        return Err(format!("syntax: {error}"));
    }
    let scopes = Scopes::resolve(&bound, &schema);
    if let Some(problem) = scopes.problems().first() {
        return Err(format!("{}: {:?}", bound.place(problem.span.start), problem.kind));
    }
    let translation = Sqlite::translate(&bound, &scopes, &schema, &card.parameters).map_err(|unsupported| {
        let text = unsupported.span.of(bound.text());
        format!("{}: {} [{}]", bound.place(unsupported.span.start), unsupported.what, &text[..text.len().min(80)])
    })?;
    let database = Sqlite::open(&schema, &Database::default()).map_err(|error| error.to_string())?;
    let result = database.run(&translation, &Limits::default()).map_err(|error| {
        let queries: Vec<_> = translation.queries().collect();
        format!("{error}\n{}", queries.join("\n;\n"))
    })?;
    if result.tables.is_empty() { Err("no result".to_owned()) } else { Ok(()) }
}

#[test]
fn every_reference_runs_on_an_empty_database() {
    let folders = folders();
    assert!(!folders.is_empty());
    let name = |folder: &Path| folder.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display().to_string();
    let failures: Vec<String> = folders
        .iter()
        .filter_map(|folder| trouble(folder).err().map(|error| format!("{}: {error}", name(folder))))
        .collect();
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), folders.len(), failures.join("\n"));
}
