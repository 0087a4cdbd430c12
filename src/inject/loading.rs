//! Loads a taxonomy and checks that every function it names exists.

use std::path::Path;

use super::operator::unknown_function;
use crate::fault::{Taxonomy, TaxonomyError};

/// Returns the taxonomy in `folder`, or the one built into the program if there is none.
///
/// # Errors
///
/// If a file cannot be read or an entry is wrong. The error names the file and line.
pub fn load_taxonomy(folder: Option<&Path>) -> Result<Taxonomy, TaxonomyError> {
    let taxonomy = folder.map_or_else(Taxonomy::embedded, Taxonomy::load)?;
    match unknown_function(&taxonomy) {
        Some((fault, message)) => {
            let origin = fault.origin.clone();
            Err(TaxonomyError::Invalid { file: origin.file, line: origin.line, column: 1, message })
        }
        None => Ok(taxonomy),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_does_not_exist_is_told_with_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let known = include_str!("../../taxonomy/joins-and-grouping/group-by-logic.yaml");
        std::fs::write(folder.path().join("a.yaml"), known.replace("extra_group_key", "extra_gruop_key")).unwrap();
        let message = load_taxonomy(Some(folder.path())).unwrap_err().to_string();
        assert!(
            message.starts_with("a.yaml:") && message.contains("no function is called `extra_gruop_key`"),
            "{message}"
        );
        assert!(load_taxonomy(None).is_ok());
    }
}
