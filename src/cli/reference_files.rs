//! Writes references as `build --source` reads them.

use std::fs;
use std::path::Path;

use crate::corpus::Reference;

/// Writes a script with its schema and card, as `build --source` reads them.
pub(super) fn write_reference(out: &Path, reference: &Reference) -> Result<(), String> {
    let folder = out.join(&reference.id);
    let card = serde_saphyr::to_string(&reference.card).map_err(|error| error.to_string())?;
    write_file(&folder.join("script.sql"), reference.script.text())?;
    write_file(&folder.join("schema.sql"), &reference.schema_text)?;
    write_file(&folder.join("card.yaml"), &card)
}

/// Writes a file; its folder is made.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}; {}", path.display(), crate::store::remedy(&error));
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(path, text).map_err(failed)
}
