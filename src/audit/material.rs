//! What an attacker has besides the run: scripts of this repository, other runs, folders of scripts, rows and
//! environments for trainers.

use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::AuditError;
use crate::corpus::{CorpusError, embedded};
use crate::publish::record::TaskRecord;
use crate::score::Task;
use crate::store::{FileError, LARGEST_FILE, RunDirectory, bounded_lines, locate, open_regular, regular_text};

/// Fields of rows that are a script as a whole; in other texts scripts stand between fences.
const SCRIPT_FIELDS: [&str; 2] = ["issue_sql", "reference_sql"];
/// Words in the names of files whose rows a learner does not see.
const HELD_OUT: [&str; 2] = ["test", "validation"];
/// The scripts of a Harbor task, as `export --format harbor` names them.
const HARBOR_SCRIPTS: [&str; 2] = ["environment/issue.sql", "solution/answer.sql"];

/// What an attacker has besides the run.
#[derive(Debug, Default)]
pub(super) struct Material {
    /// Scripts and texts, each once.
    texts: BTreeSet<String>,
    /// Scripts of rows that are held out from learners.
    held_out: BTreeSet<String>,
}

impl Material {
    /// Reads the scripts of this repository, and what the given runs, files and folders hold.
    pub fn read(against: &[PathBuf]) -> Result<Material, AuditError> {
        let own = embedded().into_iter().filter_map(Result::ok);
        let texts = own.map(|reference| reference.script.text().to_owned()).collect();
        let mut material = Material { texts, ..Material::default() };
        for path in against {
            let mut found = Material::default();
            if locate(path, "tasks.jsonl").is_file() {
                let tasks: Vec<TaskRecord> = RunDirectory::open(path)?.read_records("tasks.jsonl")?;
                found.texts.extend(tasks.into_iter().map(|task| task.issue_sql));
            } else {
                found.add(path)?;
            }
            if found.texts.is_empty() && found.held_out.is_empty() {
                return Err(AuditError::Nothing(path.clone()));
            }
            material.texts.append(&mut found.texts);
            material.held_out.append(&mut found.held_out);
        }
        Ok(material)
    }

    /// Returns the texts that the attacker knows.
    pub fn known(&self) -> Vec<String> {
        self.texts.iter().cloned().collect()
    }

    /// Returns whether each task is attacked: only held-out ones if rows hold out some, since learners know the others.
    pub fn attacked(&self, tasks: &[Task]) -> Vec<bool> {
        let held_out: BTreeSet<&str> = self.held_out.iter().map(|text| text.trim_end()).collect();
        let attacked: Vec<bool> =
            tasks.iter().map(|task| held_out.contains(task.record.issue_sql.trim_end())).collect();
        if attacked.contains(&true) { attacked } else { vec![true; tasks.len()] }
    }

    /// Adds a file, or the files below a folder; links are not followed.
    fn add(&mut self, path: &Path) -> Result<(), AuditError> {
        let fail = |source| CorpusError::File(FileError { path: path.to_owned(), source });
        let kind = std::fs::symlink_metadata(path).map_err(fail)?;
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if kind.is_dir() && path.join("task.toml").is_file() {
            self.add_harbor_task(path);
        } else if kind.is_dir() {
            for entry in std::fs::read_dir(path).map_err(fail)? {
                self.add(&entry.map_err(fail)?.path())?;
            }
        } else if kind.is_file() && ending == "sql" {
            // A file that is not UTF-8 holds no script.
            self.texts.extend(regular_text(path, LARGEST_FILE).ok());
        } else if kind.is_file() && ending == "jsonl" {
            let texts = self.side(is_held_out(path));
            for line in bounded_lines(BufReader::new(open_regular(path).map_err(fail)?)) {
                serde_json::from_str(&line.map_err(fail)?).into_iter().for_each(|row| scripts_of(&row, texts));
            }
        }
        Ok(())
    }

    /// Adds the scripts of a Harbor task; it is held out if the folder around it is: `test/4f1c09`.
    fn add_harbor_task(&mut self, task: &Path) {
        let texts = self.side(task.parent().is_some_and(is_held_out));
        // A script that is missing or not UTF-8 is left out, as among other files.
        texts.extend(HARBOR_SCRIPTS.iter().filter_map(|name| regular_text(&task.join(name), LARGEST_FILE).ok()));
    }

    fn side(&mut self, held_out: bool) -> &mut BTreeSet<String> {
        if held_out { &mut self.held_out } else { &mut self.texts }
    }
}

/// Whether the rows of a file, or the tasks of a folder, are held out: `test.jsonl`, `sft_validation.jsonl`, `test`.
fn is_held_out(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    stem.split(|letter: char| !letter.is_alphanumeric()).any(|word| HELD_OUT.contains(&word))
}

/// Adds the scripts of a row, whatever its form.
fn scripts_of(value: &Value, texts: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let blocks = text.split("```sql\n").skip(1).filter_map(|rest| rest.split("\n```").next());
            texts.extend(blocks.map(str::to_owned));
        }
        Value::Array(items) => items.iter().for_each(|item| scripts_of(item, texts)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if SCRIPT_FIELDS.contains(&name.as_str()) => drop(texts.insert(text.clone())),
                    other => scripts_of(other, texts),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scripts_are_found_in_rows_of_any_form() {
        let mut texts = BTreeSet::new();
        for row in [
            json!({ "prompt": [{ "role": "user", "content": "Look:\n\n```sql\nSELECT 1\n```\n\nand ```sql\nSELECT 2\n```" }] }),
            json!({ "instruction": "none", "output": "```sql\nSELECT 3\n```" }),
            json!({ "issue_sql": "SELECT 4\n", "patch": "SELECT 5" }),
        ] {
            scripts_of(&row, &mut texts);
        }
        assert_eq!(texts.into_iter().collect::<Vec<_>>(), ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4\n"]);
    }

    #[test]
    fn rows_are_held_out_by_the_name_of_their_file() {
        for (name, held_out) in
            [("test.jsonl", true), ("sft_validation.jsonl", true), ("train.jsonl", false), ("latest.jsonl", false)]
        {
            assert_eq!(is_held_out(Path::new(name)), held_out, "{name}");
        }
    }
}
