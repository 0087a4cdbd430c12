//! Checks the names in records, which may be foreign: files must be inside the run; faults, scripts and places must
//! exist; ids must be well formed.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use crate::code::script::Script;
use crate::engine::table::Database;
use crate::fault::Taxonomy;
use crate::publish::locate::{Location, locate};
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::RunDirectory;
use crate::store::yaml::{read_yaml, text_of};

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
    /// The digest of the taxonomy of the run.
    digest: String,
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

/// What is read of `run.yaml`.
#[derive(serde::Deserialize)]
struct ManifestLine {
    taxonomy: Option<String>,
}

impl RecordNames {
    /// Reads the scripts of a run, and takes the program's faults if the run was made with them.
    pub fn of(directory: &RunDirectory, gold: &[GoldRecord]) -> RecordNames {
        let manifest = text_of(&directory.path("run.yaml")).ok();
        let manifest = manifest.and_then(|text| read_yaml::<ManifestLine>(&text).ok()).and_then(|it| it.taxonomy);
        let first = || gold.first().map(|gold| gold.provenance.taxonomy.clone());
        let digest = manifest.or_else(first).unwrap_or_default();
        let own = |taxonomy: &Taxonomy| digest == taxonomy.digest();
        // Without a readable list nothing else says which scripts there are, so their names are not checked.
        let scripts = directory.read_records::<ScriptLine>("scripts.jsonl").ok();
        let scripts = scripts.map(|lines| lines.into_iter().map(|line| line.script).collect());
        let taxonomy = Taxonomy::embedded().ok().filter(own);
        RecordNames { digest, taxonomy, scripts }
    }

    /// Returns what is wrong with the id, faults, script and place in a task's records.
    pub fn problems(&self, task: &TaskRecord, gold: &GoldRecord) -> Vec<String> {
        let mut problems = Vec::new();
        let id = task.instance_id.as_str();
        if id.len() > LONGEST_ID || !is_plain(id) {
            problems.push("its id is more than letters, digits, `-`, `_` and `.`".to_owned());
        }
        if gold.provenance.taxonomy != self.digest {
            problems.push("its taxonomy is not that of the run".to_owned());
        }
        let is_known = |fault: &str| self.taxonomy.as_ref().map_or(is_plain(fault), |it| it.fault(fault).is_some());
        let unknown = gold.labels.iter().filter(|label| !is_known(&label.fault));
        problems.extend(unknown.map(|label| format!("no fault is called {:?}", label.fault)));
        let script = gold.provenance.script.as_str();
        if self.scripts.as_ref().map_or(!is_inside(script), |scripts| !scripts.contains(script)) {
            problems.push(format!("no script of the run is called {script:?}"));
        }
        let first = gold.edits.as_slice().first();
        let fits = |end: usize| task.issue_sql.is_char_boundary(end) && end <= task.issue_sql.len();
        if let Some(edit) = first.filter(|edit| fits(edit.start) && fits(edit.end)) {
            let place = locate(&Script::new(task.issue_sql.as_str()), edit);
            if place != gold.location {
                problems.push(format!("the place is {}, not {}", in_words(&place), in_words(&gold.location)));
            }
        }
        problems
    }
}

/// Whether a name is a plain one: letters, digits, `-`, `_` and `.`.
fn is_plain(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.chars().all(is_letter) && !name.contains("..")
}

/// Whether a script's id is a path inside some folder, in letters that people can read.
fn is_inside(script: &str) -> bool {
    let mut parts = Path::new(script).components();
    !script.chars().any(char::is_control) && parts.all(|part| matches!(part, Component::Normal(_)))
}

fn in_words(location: &Location) -> String {
    let Location { line, column, statement, cte, clause } = location;
    let table = cte.as_ref().map(|name| format!(", {name:?}")).unwrap_or_default();
    format!("line {line}, column {column} (statement {statement}{table}, {clause})")
}
