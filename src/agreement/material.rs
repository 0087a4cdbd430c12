//! What a run holds, read again: scripts, mutants with their verdicts, and databases.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;

use crate::build::{Case, Proof};
use crate::corpus::{Seed, embedded};
use crate::engine::policy::{Policies, Policy};
use crate::engine::table::Database;
use crate::inject::Mutant;
use crate::prove::Verdict;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::{RunDirectory, StoreError};

/// A script of the run.
pub struct Source {
    /// Its id.
    pub id: String,
    /// The correct text.
    pub text: String,
    /// Schema and parameters.
    pub case: Case,
    /// Its databases in the run, by name.
    pub databases: Vec<(String, Database)>,
}

/// A mutant and what the run says of it.
pub struct Trial {
    /// The mutant.
    pub mutant: Mutant,
    /// The changed text.
    pub text: String,
    /// The verdict of the embedded engine.
    pub verdict: Verdict,
}

/// Everything, scripts by id and each with its mutants.
#[derive(Default)]
pub struct Material {
    /// Scripts and their mutants.
    pub scripts: Vec<(Source, Vec<Trial>)>,
    /// Mutants without a script.
    pub passed_over: usize,
}

#[derive(Deserialize)]
struct ScriptLine {
    script: String,
    key: String,
}

/// Reads a run. Scripts come from its tasks, or from the seeds carried in the program where a script has no task.
///
/// # Errors
///
/// When the run cannot be read.
pub fn read(directory: &RunDirectory, all: bool) -> Result<Material, StoreError> {
    let lines: Vec<ScriptLine> = directory.read_records("scripts.jsonl")?;
    let mutants: Vec<Mutant> = directory.read_records("mutants.jsonl")?;
    let proofs: Vec<Proof> = directory.read_records("proofs.jsonl")?;
    let mut verdicts: HashMap<String, Verdict> =
        proofs.into_iter().map(|proof| (proof.mutant, proof.verdict)).collect();
    let (mut published, ids) = published(directory)?;
    let seeds: HashMap<String, Seed> = embedded().into_iter().flatten().map(|seed| (seed.id.clone(), seed)).collect();
    let mut by_script: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants.into_iter().filter(|mutant| all || ids.contains(&mutant.id)) {
        by_script.entry(mutant.script.clone()).or_default().push(mutant);
    }
    let mut material = Material::default();
    for line in lines {
        let mine = by_script.remove(&line.script).unwrap_or_default();
        let carried = seeds.get(&line.script).filter(|seed| seed.key() == line.key);
        let source = published.remove(&line.script).or_else(|| carried.map(of_seed));
        let Some((text, case)) = source else {
            material.passed_over += mine.len();
            continue;
        };
        let trial = |mutant: Mutant| {
            let (text, verdict) = (mutant.text(&text).ok()?, verdicts.remove(&mutant.id)?);
            // What a policy refuses, no engine does.
            let is_policy = matches!(&verdict, Verdict::Rejected { rejection, .. } if Policy::of(rejection).is_some());
            (!is_policy).then_some(Trial { mutant, text, verdict })
        };
        let all = mine.len();
        let trials: Vec<Trial> = mine.into_iter().filter_map(trial).collect();
        material.passed_over += all - trials.len();
        let databases = databases(directory, &line.key);
        material.scripts.push((Source { id: line.script, text, case, databases }, trials));
    }
    material.passed_over += by_script.values().map(Vec::len).sum::<usize>();
    Ok(material)
}

fn of_seed(seed: &Seed) -> (String, Case) {
    let case = Case { schema: seed.schema.clone(), parameters: seed.parameters.clone(), policies: Policies::default() };
    (seed.script.text().to_owned(), case)
}

/// Texts and cases of the scripts that have tasks, by script, and the ids of the tasks.
type Published = (HashMap<String, (String, Case)>, HashSet<String>);

/// Texts, schemas and parameters of the scripts that have tasks.
fn published(directory: &RunDirectory) -> Result<Published, StoreError> {
    let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
    let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
    let by_id: HashMap<&str, &TaskRecord> = tasks.iter().map(|task| (task.instance_id.as_str(), task)).collect();
    let mut found = HashMap::new();
    for gold in gold {
        let Some(task) = by_id.get(gold.instance_id.as_str()) else { continue };
        let Ok(case) = Case::read(&task.schema_ddl, &task.parameters, Policies::default()) else { continue };
        found.entry(gold.provenance.script).or_insert((gold.reference_sql, case));
    }
    let ids = tasks.into_iter().map(|task| task.instance_id).collect();
    Ok((found, ids))
}

/// The databases of a script's own pool that the run holds.
fn databases(directory: &RunDirectory, key: &str) -> Vec<(String, Database)> {
    let read = |number: usize| {
        let name = format!("{key}-{number}");
        let database = Database::read(&directory.path(&format!("databases/{name}.json"))).ok()?;
        Some((name, database))
    };
    (0..).map_while(read).collect()
}
