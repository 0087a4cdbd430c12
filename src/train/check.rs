//! Proves training pairs again: composes their references anew, plants the faults and runs both scripts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufReader;
use std::path::Path;

use serde_json::Value;

use super::error::TrainError;
use super::folder::{PROOFS, REFERENCES, TrainFolder};
use super::pair::{PairEvidence, PairProof};
use crate::code::script::Script;
use crate::corpus::compose::{Composer, ComposerOptions};
use crate::engine::Engine;
use crate::engine::compare::{Comparison, compare};
use crate::engine::spark_rules::Rejection;
use crate::inject::Mutant;
use crate::parallel::{self, Progress, shielded};
use crate::prove::Subject;
use crate::prove::baseline::BaselineDatabase;
use crate::prove::preparation::Preparation;
use crate::prove::trial::touches;
use crate::store::{FileError, bounded_lines, open_regular};

/// How much is checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckExtent {
    pub jobs: usize,
    /// Of so many parts one is checked; 1 checks all. Skeletons are compared in all parts.
    pub every: u64,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Pairs proved again.
    pub pairs: usize,
    /// Rows that were read.
    pub rows: usize,
    /// What does not hold: (id of the pair, or `part N` or `reference N`; what is wrong).
    pub problems: Vec<(String, String)>,
}

/// Checks the pairs and rows in a folder of training pairs.
pub fn check(
    root: &Path,
    extent: CheckExtent,
    engine: &dyn Engine,
    progress: &dyn Progress,
) -> Result<Report, TrainError> {
    let (folder, kept) = TrainFolder::read(root)?;
    let composer = Composer::embedded().map_err(|error| TrainError::Carried(error.to_string()))?;
    let check = Check { composer, engine, seed: kept.recipe.composing_seed() };
    let mut report = Report::default();
    let mut skeletons: HashMap<String, u64> = HashMap::new();
    let numbers = folder.numbers()?;
    progress.stage("parts", numbers.len());
    for part in numbers {
        for line in folder.written(part)?.into_iter().flatten().filter(|line| line.pairs > 0) {
            if let Some(other) = skeletons.insert(line.skeleton.clone(), line.number) {
                let what = format!("references {other} and {} have one skeleton", line.number);
                report.problems.push((format!("part {part}"), what));
            }
        }
        if part % extent.every.max(1) == 0 {
            let issues = check.prove_part(folder.proofs(part)?, extent.jobs, &mut report);
            rows(&folder.folder(part), &issues, &mut report)?;
        }
        progress.step();
    }
    Ok(report)
}

/// What pairs are proved with.
struct Check<'a> {
    composer: Composer,
    engine: &'a dyn Engine,
    /// What the references were composed with.
    seed: u64,
}

impl Check<'_> {
    /// Proves the pairs of a part again; returns the text of each issue, by the pair's id.
    fn prove_part(&self, proofs: Vec<PairProof>, jobs: usize, report: &mut Report) -> HashMap<String, String> {
        let mut by_reference: BTreeMap<u64, Vec<PairProof>> = BTreeMap::new();
        proofs.into_iter().for_each(|proof| by_reference.entry(proof.reference).or_default().push(proof));
        let proved = parallel::map(jobs, &by_reference, |(number, proofs)| {
            let again = || self.prove_again(*number, proofs);
            shielded(&format!("reference {number}"), again).unwrap_or_else(|panic| Err(panic.to_string()))
        });
        let mut issues: HashMap<String, String> = HashMap::new();
        for ((number, proofs), proved) in by_reference.iter().zip(proved) {
            report.pairs += proofs.len();
            let texts = match proved {
                Ok(texts) => texts,
                Err(what) => {
                    report.problems.push((format!("reference {number}"), what));
                    continue;
                }
            };
            for (proof, text) in proofs.iter().zip(texts) {
                match text {
                    Ok(text) => drop(issues.insert(proof.instance_id.clone(), text)),
                    Err(what) => report.problems.push((proof.instance_id.clone(), what)),
                }
            }
        }
        issues
    }

    /// The text of the issue of each proof, or what does not hold; an error if the reference itself cannot be made again.
    fn prove_again(&self, number: u64, proofs: &[PairProof]) -> Result<Vec<Result<String, String>>, String> {
        let composed = self.composer.compose(self.seed, number, &ComposerOptions::default());
        let composed = composed.map_err(|error| error.to_string())?;
        let subject =
            Subject::prepared(&composed.reference, Preparation::Training).map_err(|refusal| refusal.to_string())?;
        let mut texts = HashSet::new();
        let again = |proof: &PairProof| {
            let text = self.issue(&subject, proof)?;
            if texts.insert(text.clone()) { Ok(text) } else { Err("another pair has the same issue".to_owned()) }
        };
        Ok(proofs.iter().map(again).collect())
    }

    /// The text of an issue, if what its proof says holds.
    fn issue(&self, subject: &Subject<'_>, proof: &PairProof) -> Result<String, String> {
        let text = proof.edits.apply(subject.reference.script.text()).map_err(|error| error.to_string())?;
        match &proof.shown {
            PairEvidence::Untouched if proof.edits.as_slice().is_empty() => Ok(text),
            PairEvidence::Untouched => Err("it is said to be the reference and is not".to_owned()),
            PairEvidence::Rewritten => {
                for baseline in &subject.baseline {
                    if !self.compared(subject, &text, baseline)?.is_equal() {
                        return Err("it is said to mean what the reference means, and gives other rows".to_owned());
                    }
                }
                Ok(text)
            }
            PairEvidence::Rejected(class) => match self.engine.rejection(&text, subject.context())? {
                Some(rejection) if rejection.class == *class && is_near(subject, proof, &text, &rejection) => Ok(text),
                Some(rejection) if rejection.class == *class => {
                    Err(format!("refused as {class}, but not near the change: {}", rejection.place))
                }
                other => Err(format!("not refused as {class}: {other:?}")),
            },
            PairEvidence::Differs(number) => {
                let baseline = subject.baseline.get(*number).ok_or_else(|| format!("there is no database {number}"))?;
                let differs = self.compared(subject, &text, baseline)?.is_different();
                if differs { Ok(text) } else { Err(format!("database {number} does not tell it from the reference")) }
            }
        }
    }

    fn compared(&self, subject: &Subject<'_>, text: &str, baseline: &BaselineDatabase) -> Result<Comparison, String> {
        let found = self.engine.result(text, subject.context(), &baseline.database)?;
        Ok(compare(&baseline.result, &found))
    }
}

/// Whether a rejection is of the statement that the proof's edits change. The engine has read the text before.
fn is_near(subject: &Subject<'_>, proof: &PairProof, text: &str, rejection: &Rejection) -> bool {
    let mutant = Mutant::of_edits(&subject.reference.id, "", &proof.fault, proof.edits.clone());
    touches(&Script::new(text), mutant.changed(subject.reference.script.text()), rejection.span)
}

/// Reports rows that belong to no pair of the part or do not contain the issue of theirs.
fn rows(folder: &Path, issues: &HashMap<String, String>, report: &mut Report) -> Result<(), TrainError> {
    let fail = |source| TrainError::File(FileError { path: folder.to_owned(), source });
    for entry in std::fs::read_dir(folder).map_err(fail)?.flatten() {
        let name = entry.file_name();
        if name == PROOFS || name == REFERENCES {
            continue;
        }
        let fail = |source| TrainError::File(FileError { path: entry.path(), source });
        for line in bounded_lines(BufReader::new(open_regular(&entry.path()).map_err(fail)?)) {
            let row: Value = serde_json::from_str(&line.map_err(fail)?).unwrap_or_default();
            report.rows += 1;
            let id = row["instance_id"].as_str().unwrap_or("a row without an id").to_owned();
            match issues.get(&id) {
                None => report.problems.push((id, "no pair of the part".to_owned())),
                Some(issue) if !says(&row, issue.trim_end()) => {
                    report.problems.push((id, "its row does not show the issue".to_owned()));
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

fn says(value: &Value, text: &str) -> bool {
    match value {
        Value::String(words) => words.contains(text),
        Value::Array(items) => items.iter().any(|item| says(item, text)),
        Value::Object(fields) => fields.values().any(|field| says(field, text)),
        _ => false,
    }
}
