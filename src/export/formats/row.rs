//! Rows and files of an export.

use serde_json::Value;

use super::super::{ExportError, SplitSide};

/// A row, and the file that it goes to.
pub struct ExportRow {
    pub(in super::super) file: String,
    pub(in super::super) row: Value,
}

impl ExportRow {
    pub(super) fn new(file: impl Into<String>, row: Value) -> ExportRow {
        ExportRow { file: file.into(), row }
    }
}

/// Name and content of a file that is the same in every export.
pub struct StaticFile(pub &'static str, pub &'static str);

/// Fills a template that the program carries.
pub(super) fn filled(template: &str, values: minijinja::Value) -> Result<String, ExportError> {
    Ok(minijinja::Environment::new().render_str(template, values)?)
}

pub(super) fn side_file(side: SplitSide) -> String {
    format!("{}.jsonl", side.name())
}

/// The wanted answer in one file, and pairs of it with wrong ones in another.
pub(super) fn wanted_and_pairs(side: SplitSide, wanted: Value, pairs: impl Iterator<Item = Value>) -> Vec<ExportRow> {
    let side = side.name();
    let pairs = pairs.map(|pair| ExportRow::new(format!("dpo_{side}.jsonl"), pair));
    std::iter::once(ExportRow::new(format!("sft_{side}.jsonl"), wanted)).chain(pairs).collect()
}
