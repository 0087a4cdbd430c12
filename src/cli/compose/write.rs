//! Writes the folder of a reference, and the refusals beside the folders.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::author::RefusedScript;
use crate::cli::failure::Failure;
use crate::corpus::Reference;

/// Returns what a YAML file holds.
pub(super) fn yaml(value: &impl Serialize) -> Result<String, String> {
    serde_saphyr::to_string(value).map_err(|error| error.to_string())
}

/// Writes a script, in its files if it has several, with its schema, its card and the files `beside` them.
pub(super) fn reference(out: &Path, reference: &Reference, beside: &[(&str, String)]) -> Result<(), Failure> {
    let folder = out.join(&reference.id);
    let card = yaml(&reference.card)?;
    let text = reference.script.text();
    let mut scripts: Vec<(&str, &str)> =
        reference.files.iter().map(|file| (file.path.as_str(), file.text(text))).collect();
    if scripts.is_empty() {
        scripts.push(("script.sql", text));
    }
    let own = [("schema.sql", reference.schema_text.as_str()), ("card.yaml", card.as_str())];
    let beside = beside.iter().map(|(name, text)| (*name, text.as_str()));
    scripts.into_iter().chain(own).chain(beside).try_for_each(|(name, text)| file(&folder.join(name), text))
}

/// Writes the refusals, one a line.
pub(super) fn rejects(out: &Path, refused: &[RefusedScript]) -> Result<(), Failure> {
    let mut lines = String::new();
    for refused in refused {
        lines += &serde_json::to_string(refused)?;
        lines.push('\n');
    }
    file(&out.join("rejects.jsonl"), &lines)
}

/// Writes a file; its folder is made.
pub(super) fn file(path: &Path, text: &str) -> Result<(), Failure> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|error| Failure::output(path, &error))
}
