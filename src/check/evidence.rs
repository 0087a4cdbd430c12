//! What a stranger's record may name: files inside the run, and faults, scripts, lines and ids that there are.

use std::collections::BTreeSet;

use crate::code::script::Script;
use crate::engine::table::Database;
use crate::fault::Taxonomy;
use crate::publish::locate::locate;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::RunDirectory;

/// Longest id.
const LONGEST_ID: usize = 80;

/// A database that a record names.
///
/// # Errors
///
/// In words, if the name leads out of the run or the file is no database.
pub(super) fn database(directory: &RunDirectory, name: &str) -> Result<Database, String> {
    let path = directory.inside(name).ok_or_else(|| format!("{name:?} leads out of the run"))?;
    Database::read(&path).map_err(|error| error.to_string())
}

/// What records may name.
pub(super) struct KnownEvidence {
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

impl KnownEvidence {
    /// Reads what a run names.
    pub fn of(directory: &RunDirectory, gold: &[GoldRecord]) -> KnownEvidence {
        let own = |taxonomy: &Taxonomy| gold.iter().all(|gold| gold.provenance.taxonomy == taxonomy.digest());
        // A run without this list, or with lines of another version, names its scripts nowhere else.
        let scripts = directory.read_records::<ScriptLine>("scripts.jsonl").ok();
        let scripts = scripts.map(|lines| lines.into_iter().map(|line| line.script).collect());
        KnownEvidence { taxonomy: Taxonomy::embedded().ok().filter(own), scripts }
    }

    /// What of a task's records is no id, fault, script or place.
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
