//! Checks the names in records, which may be foreign: files must be inside the run; faults, scripts and places must
//! exist; ids must be well formed.

use std::collections::BTreeSet;

use crate::code::script::Script;
use crate::engine::table::Database;
use crate::fault::Taxonomy;
use crate::publish::locate::locate;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::RunDirectory;

/// Longest id, in bytes.
const LONGEST_ID: usize = 80;

/// Reads a database that a record names.
///
/// # Errors
///
/// If the name leads out of the run or the file is no database; in words.
pub(super) fn database(directory: &RunDirectory, name: &str) -> Result<Database, String> {
    let path = directory.inside(name).ok_or_else(|| format!("{name:?} leads out of the run"))?;
    Database::read(&path).map_err(|error| error.to_string())
}

/// The faults and scripts that records may name.
pub(super) struct RecordNames {
    /// The faults of this program; `None` if the run was made with another taxonomy.
    taxonomy: Option<Taxonomy>,
    /// The scripts of the run; `None` if it does not list them.
    scripts: Option<BTreeSet<String>>,
}

/// What is read of a line of `scripts.jsonl`.
#[derive(serde::Deserialize)]
struct ScriptLine {
    script: String,
}

impl RecordNames {
    /// Reads the scripts of a run, and takes the program's faults if the run was made with them.
    pub fn of(directory: &RunDirectory, gold: &[GoldRecord]) -> RecordNames {
        let own = |taxonomy: &Taxonomy| gold.iter().all(|gold| gold.provenance.taxonomy == taxonomy.digest());
        // Without a readable list nothing else says which scripts there are, so their names are not checked.
        let scripts = directory.read_records::<ScriptLine>("scripts.jsonl").ok();
        let scripts = scripts.map(|lines| lines.into_iter().map(|line| line.script).collect());
        RecordNames { taxonomy: Taxonomy::embedded().ok().filter(own), scripts }
    }

    /// Returns what is wrong with the id, faults, script and place in a task's records.
    pub fn problems(&self, task: &TaskRecord, gold: &GoldRecord) -> Vec<String> {
        let mut problems = Vec::new();
        let id = task.instance_id.as_str();
        let is_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if id.is_empty() || id.len() > LONGEST_ID || !id.chars().all(is_id) || id.contains("..") {
            problems.push("its id is more than letters, digits, `-`, `_` and `.`".to_owned());
        }
        if let Some(taxonomy) = &self.taxonomy {
            let unknown = gold.labels.iter().filter(|label| taxonomy.fault(&label.fault).is_none());
            problems.extend(unknown.map(|label| format!("no fault is called {:?}", label.fault)));
        }
        if self.scripts.as_ref().is_some_and(|scripts| !scripts.contains(&gold.provenance.script)) {
            problems.push(format!("no script of the run is called {:?}", gold.provenance.script));
        }
        let first = gold.edits.as_slice().first();
        let fits = |end: usize| task.issue_sql.is_char_boundary(end) && end <= task.issue_sql.len();
        if let Some(edit) = first.filter(|edit| fits(edit.start) && fits(edit.end)) {
            let place = locate(&Script::new(task.issue_sql.as_str()), edit);
            if (place.line, place.column) != (gold.location.line, gold.location.column) {
                let (line, column) = (gold.location.line, gold.location.column);
                let words = format!("the place is line {}, column {}", place.line, place.column);
                problems.push(format!("{words}, not line {line}, column {column}"));
            }
        }
        problems
    }
}
