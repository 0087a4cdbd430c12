//! Removes files of tasks that are not in a run: of dropped tasks, and of work that gave none.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::store::{RunDirectory, StoreError};

/// Folders with files of single tasks.
const FOLDERS: [&str; 3] = ["databases", "samples", "questions"];

/// Removes the databases, samples and questions that belong to no task, control or script of a written run.
///
/// # Errors
///
/// If the files of the run cannot be read or removed.
pub(super) fn remove_unused(directory: &RunDirectory) -> Result<(), StoreError> {
    let owners = owners(directory)?;
    for folder in FOLDERS {
        let files = std::fs::read_dir(directory.path(folder)).into_iter().flatten().flatten();
        let names = files.map(|file| format!("{folder}/{}", file.file_name().to_string_lossy()));
        for name in names.filter(|name| !owners.contains(owner(name))) {
            directory.remove(&name)?;
        }
    }
    Ok(())
}

/// Returns the ids of tasks and controls, and the keys of scripts: a later refill needs the scripts' shared databases.
fn owners(directory: &RunDirectory) -> Result<BTreeSet<String>, StoreError> {
    let mut owners = BTreeSet::new();
    for (file, id, databases) in [
        ("gold.jsonl", "/instance_id", "/evidence/databases"),
        ("controls_gold.jsonl", "/instance_id", "/databases"),
        ("scripts.jsonl", "/key", ""),
    ] {
        if !directory.path(file).exists() {
            continue;
        }
        for record in directory.read_records::<Value>(file)? {
            owners.extend(record.pointer(id).and_then(Value::as_str).map(str::to_owned));
            let databases = record.pointer(databases).and_then(Value::as_array).into_iter().flatten();
            owners.extend(databases.filter_map(Value::as_str).map(|name| owner(name).to_owned()));
        }
    }
    Ok(owners)
}

/// Returns the task or script that a file belongs to: its name begins with the id or key.
fn owner(name: &str) -> &str {
    let name = Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split(['-', '.']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_of_what_is_not_in_the_run_go() {
        let folder = tempfile::tempdir().unwrap();
        let directory = RunDirectory::create(&folder.path().join("run")).unwrap();
        let gold =
            json!({"instance_id": "aa", "evidence": {"databases": ["databases/aa.json", "databases/ff-1.json"]}});
        let control = json!({"instance_id": "cc", "databases": ["databases/dd-0.json"]});
        directory.write_records("gold.jsonl", &[gold]).unwrap();
        directory.write_records("scripts.jsonl", &[json!({"script": "s", "key": "bb"})]).unwrap();
        directory.write_records("controls_gold.jsonl", &[control]).unwrap();
        let kept = [
            "databases/aa.json", "databases/aa-2.sql", "databases/bb-0.json", "databases/dd-0.sql",
            "databases/ff-1.sql", "samples/aa.results.json", "questions/aa.txt", "questions/cc.txt",
        ];
        let gone = ["databases/ee.json", "databases/ee-1.sql", "samples/ee.json", "questions/ee.txt"];
        for name in kept.iter().chain(&gone) {
            directory.write(name, b"").unwrap();
        }
        remove_unused(&directory).unwrap();
        let exists = |name: &&str| directory.path(name).exists();
        assert!(kept.iter().all(exists));
        assert!(!gone.iter().any(exists));
    }
}
