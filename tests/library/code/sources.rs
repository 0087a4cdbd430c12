//! The scripts that the tests read: the references and the long samples.

use std::fs;
use std::path::{Path, PathBuf};

/// One SQL file.
pub struct Source {
    /// Its path inside the project.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The DDL next to it; empty for a sample.
    pub schema: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(read) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn source(path: &Path, schema: String) -> Source {
    let shown = path.strip_prefix(root()).unwrap_or(path).display().to_string();
    Source { path: shown, text: read(path), schema }
}

/// The six long samples of Hive and Spark SQL.
pub fn samples() -> Vec<Source> {
    let found: Vec<Source> =
        entries(&root().join("tests/data/samples")).iter().map(|path| source(path, String::new())).collect();
    assert_eq!(found.len(), 6, "the samples are part of the project");
    found
}

/// Every reference with its schema.
pub fn references() -> Vec<Source> {
    let domains = entries(&root().join("domains"));
    let folders = domains.iter().flat_map(|domain| entries(domain)).filter(|folder| folder.join("script.sql").exists());
    folders.map(|folder| source(&folder.join("script.sql"), read(&folder.join("schema.sql")))).collect()
}
