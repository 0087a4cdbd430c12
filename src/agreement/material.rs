//! Reads what is to be judged from a run: scripts, mutants with their verdicts, and databases.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::basis::AgreementBasis;
use crate::corpus::{Reference, embedded};
use crate::engine::ExecutionContext;
use crate::engine::policy::{Policies, Policy};
use crate::engine::table::Database;
use crate::inject::Mutant;
use crate::pipeline::MutantVerdict;
use crate::prove::Verdict;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::store::hexadecimal;
use crate::store::{RunDirectory, StoreError};

/// A script of the run.
pub struct AgreementScript {
    pub id: String,
    /// The reference.
    pub text: String,
    pub context: ExecutionContext,
    /// Names and contents of its databases in the run.
    pub databases: Vec<(String, Database)>,
    /// Digest of all that is judged of it.
    pub digest: String,
}

/// A mutant and what the run records of it.
pub struct RecordedTrial {
    pub mutant: Mutant,
    /// The text with the mutant's edits.
    pub text: String,
    /// The verdict of the embedded engine.
    pub verdict: Verdict,
    /// Digest of all that is judged of it.
    pub digest: String,
}

/// A script and its mutants that are to be judged.
pub struct JudgedReference {
    pub source: AgreementScript,
    pub trials: Vec<RecordedTrial>,
    /// Whether the script itself is to be judged too, not only run beside its mutants.
    pub reference: bool,
}

impl JudgedReference {
    /// Returns digests of what is to be judged here.
    pub fn basis(&self) -> AgreementBasis {
        let reference = self.reference.then(|| (self.source.id.clone(), self.source.digest.clone()));
        let mutants = self.trials.iter().map(|trial| (trial.mutant.id.clone(), trial.digest.clone()));
        AgreementBasis {
            references: reference.into_iter().collect(),
            mutants: mutants.collect(),
            ..AgreementBasis::default()
        }
    }
}

/// Everything that is to be judged.
#[derive(Default)]
pub struct AgreementMaterial {
    pub scripts: Vec<JudgedReference>,
    /// Mutants that cannot be judged: without script, text or verdict, or refused by a policy, which no engine checks.
    pub passed_over: usize,
}

#[derive(Deserialize)]
struct SuiteDatabaseLine {
    script: String,
    key: String,
}

impl AgreementMaterial {
    /// Leaves out all but the first `most` mutants.
    pub fn keep(&mut self, most: Option<usize>) {
        let mut left = most.unwrap_or(usize::MAX);
        for work in &mut self.scripts {
            work.trials.truncate(left);
            left -= work.trials.len();
        }
    }

    /// Leaves out what an earlier agreement judged.
    pub fn leave_out(&mut self, judged: &AgreementBasis) {
        for work in &mut self.scripts {
            work.reference = !judged.references.contains_key(&work.source.id);
            work.trials.retain(|trial| !judged.mutants.contains_key(&trial.mutant.id));
        }
        self.scripts.retain(|work| work.reference || !work.trials.is_empty());
    }
}

/// Reads a run, with every mutant that was tried if `all`. Scripts come from its tasks; a script without any is looked
/// for among the references carried in the binary.
pub fn read(directory: &RunDirectory, all: bool) -> Result<AgreementMaterial, StoreError> {
    let lines: Vec<SuiteDatabaseLine> = directory.read_records("scripts.jsonl")?;
    let mutants: Vec<Mutant> = directory.read_records("mutants.jsonl")?;
    let proofs: Vec<MutantVerdict> = directory.read_records("proofs.jsonl")?;
    let mut verdicts: HashMap<String, Verdict> =
        proofs.into_iter().map(|proof| (proof.mutant, proof.verdict)).collect();
    let (mut published, ids) = published(directory)?;
    let references: HashMap<String, Reference> =
        embedded().into_iter().flatten().map(|reference| (reference.id.clone(), reference)).collect();
    let mut by_script: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants.into_iter().filter(|mutant| all || ids.contains(&mutant.id)) {
        by_script.entry(mutant.script.clone()).or_default().push(mutant);
    }
    let mut material = AgreementMaterial::default();
    for line in lines {
        let mine = by_script.remove(&line.script).unwrap_or_default();
        let carried = references.get(&line.script).filter(|reference| reference.key() == line.key);
        let source = published.remove(&line.script).or_else(|| carried.map(of_reference));
        let Some((text, context)) = source else {
            material.passed_over += mine.len();
            continue;
        };
        let trial = |mutant: Mutant| {
            let (text, verdict) = (mutant.text(&text).ok()?, verdicts.remove(&mutant.id)?);
            // Policies are rules of particular platforms, which no engine enforces.
            let is_policy = matches!(&verdict, Verdict::Rejected { rejection, .. } if Policy::of(rejection).is_some());
            let digest = digest([&text, &json(&verdict)]);
            (!is_policy).then_some(RecordedTrial { mutant, text, verdict, digest })
        };
        let all = mine.len();
        let trials: Vec<RecordedTrial> = mine.into_iter().filter_map(trial).collect();
        material.passed_over += all - trials.len();
        let databases = databases(directory, &line.key);
        let digest = digest([&text, &line.key, &json(&context.parameters), &json(&databases)]);
        let source = AgreementScript { id: line.script, text, context, databases, digest };
        material.scripts.push(JudgedReference { source, trials, reference: true });
    }
    material.passed_over += by_script.values().map(Vec::len).sum::<usize>();
    Ok(material)
}

/// Returns the SHA-256 of parts, each with its length before it, in hexadecimal.
fn digest<'a>(parts: impl IntoIterator<Item = &'a String>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hexadecimal(&hash.finalize())
}

/// Returns a record as JSON. This cannot fail: only maps whose keys are no text could, and records hold none.
fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

fn of_reference(reference: &Reference) -> (String, ExecutionContext) {
    let context = ExecutionContext {
        schema: reference.schema.clone(),
        parameters: reference.parameters.clone(),
        policies: Policies::default(),
    };
    (reference.script.text().to_owned(), context)
}

/// References with schemas and parameters of the scripts that have tasks, by script, and the ids of all tasks.
type Published = (HashMap<String, (String, ExecutionContext)>, HashSet<String>);

/// Reads the tasks of a run.
fn published(directory: &RunDirectory) -> Result<Published, StoreError> {
    let tasks: Vec<TaskRecord> = directory.read_records("tasks.jsonl")?;
    let gold: Vec<GoldRecord> = directory.read_records("gold.jsonl")?;
    let by_id: HashMap<&str, &TaskRecord> = tasks.iter().map(|task| (task.instance_id.as_str(), task)).collect();
    let mut found = HashMap::new();
    for gold in gold {
        let Some(task) = by_id.get(gold.instance_id.as_str()) else { continue };
        let Ok(context) = ExecutionContext::read(&task.schema_ddl, &task.parameters, Policies::default()) else {
            continue;
        };
        found.entry(gold.provenance.script).or_insert((gold.reference_sql, context));
    }
    let ids = tasks.into_iter().map(|task| task.instance_id).collect();
    Ok((found, ids))
}

/// Reads the databases of a script's pool, numbered from 0.
fn databases(directory: &RunDirectory, key: &str) -> Vec<(String, Database)> {
    let read = |number: usize| {
        let name = format!("{key}-{number}");
        let database = Database::read(&directory.path(&format!("databases/{name}.json"))).ok()?;
        Some((name, database))
    };
    (0..).map_while(read).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a script with mutants of these ids and digests.
    pub fn work(id: &str, digest: &str, mutants: &[(&str, &str)]) -> JudgedReference {
        let context =
            ExecutionContext::read("CREATE TABLE t (a INT);", &Default::default(), Policies::default()).unwrap();
        let source = AgreementScript {
            id: id.to_owned(),
            text: String::new(),
            context,
            databases: Vec::new(),
            digest: digest.to_owned(),
        };
        let trial = |(mutant, digest): &(&str, &str)| RecordedTrial {
            mutant: Mutant { id: (*mutant).to_owned(), ..Mutant::of_edits(id, "k", "f", Default::default()) },
            text: String::new(),
            verdict: Verdict::Killed { witness: Database::default(), trials: 0, rows_before: 0, shown: None },
            digest: (*digest).to_owned(),
        };
        JudgedReference { source, trials: mutants.iter().map(trial).collect(), reference: true }
    }

    #[test]
    fn what_is_judged_is_left_out_and_a_script_with_new_mutants_stays_without_its_reference() {
        let scripts = vec![work("s/a", "1", &[("m1", "x"), ("m4", "n")]), work("s/b", "2", &[("m3", "z")])];
        let judged = [work("s/a", "1", &[("m1", "x")]), work("s/b", "2", &[("m3", "z")])];
        let mut basis = AgreementBasis::default();
        judged.iter().for_each(|work| basis.add(work.basis()));
        let mut material = AgreementMaterial { scripts, passed_over: 0 };
        material.leave_out(&basis);
        let left: Vec<(&str, bool, Vec<&str>)> = material
            .scripts
            .iter()
            .map(|it| (it.source.id.as_str(), it.reference, it.trials.iter().map(|it| it.mutant.id.as_str()).collect()))
            .collect();
        assert_eq!(left, [("s/a", false, vec!["m4"])]);
    }

    #[test]
    fn parts_of_a_digest_cannot_run_into_each_other() {
        let of = |parts: [&str; 2]| digest(&parts.map(str::to_owned));
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
        assert_eq!(of(["ab", "c"]), of(["ab", "c"]));
    }
}
