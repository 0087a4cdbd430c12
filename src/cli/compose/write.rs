//! Writes the folder of a reference, and the refusals beside the folders.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::author::RefusedScript;
use crate::corpus::Reference;

/// Returns what a YAML file holds.
pub(super) fn yaml(value: &impl Serialize) -> Result<String, String> {
    serde_saphyr::to_string(value).map_err(|error| error.to_string())
}

/// Writes a script with its schema, its card and the files `beside` them.
pub(super) fn reference(out: &Path, reference: &Reference, beside: &[(&str, String)]) -> Result<(), String> {
    let folder = out.join(&reference.id);
    let failed =
        |path: &Path, error: std::io::Error| format!("{}: {error}; {}", path.display(), crate::store::remedy(&error));
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    let card = yaml(&reference.card)?;
    let own = [
        ("script.sql", reference.script.text()),
        ("schema.sql", reference.schema_text.as_str()),
        ("card.yaml", card.as_str()),
    ];
    for (name, text) in own.into_iter().chain(beside.iter().map(|(name, text)| (*name, text.as_str()))) {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

/// Writes the refusals, one a line.
pub(super) fn rejects(out: &Path, refused: &[RefusedScript]) -> Result<(), String> {
    let path = out.join("rejects.jsonl");
    let mut lines = String::new();
    for refused in refused {
        lines += &serde_json::to_string(refused).map_err(|error| error.to_string())?;
        lines.push('\n');
    }
    let written = fs::create_dir_all(out).and_then(|()| fs::write(&path, lines));
    written.map_err(|error| format!("{}: {error}; {}", path.display(), crate::store::remedy(&error)))
}
