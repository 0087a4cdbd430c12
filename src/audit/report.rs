//! Audits a run: makes and judges every attack, and measures what the run shares with what is public.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::anomaly::restore_layout;
use super::attack::{AttackAnswers, Public, changed};
use super::error::AuditError;
use super::learned::{Learned, Separability, learned};
use super::material::Material;
use super::nearest::nearest;
use super::overlap::{Overlap, overlap};
use super::siblings::vote;
use crate::inject::Mutant;
use crate::parallel::{self, Progress};
use crate::publish::record::TaskRecord;
use crate::score::{Benchmark, Judge, Task};
use crate::store::{RunDirectory, pretty};

/// The file of an audit in a run.
pub const AUDIT: &str = "audit.json";
/// The cards that hold its section.
const CARDS: [&str; 2] = ["card.md", "README.md"];
/// The heading of its section.
pub const HEADING: &str = "## Leak attacks";

/// What to audit against, and how.
#[derive(Clone, Debug)]
pub struct AuditSettings {
    /// Other runs, folders of scripts, and rows and environments for trainers that an attacker or a learner may have.
    pub against: Vec<PathBuf>,
    /// Number of workers.
    pub jobs: usize,
}

/// How the answers of one attack were judged: `em`, `gm` and `accepted` are shares of all tasks that were attacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttackScore {
    pub attack: String,
    /// Tasks to which it had an answer.
    pub answered: usize,
    /// Answers that are the reference byte for byte.
    pub em: f64,
    /// Answers with the graph of the reference.
    pub gm: f64,
    /// Answers accepted as repairs.
    pub accepted: f64,
}

/// What an audit found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Audit {
    /// Tasks that were attacked.
    pub tasks: usize,
    /// Tasks that were not, since rows for trainers teach them and hold out others of the run.
    pub taught: usize,
    /// Public scripts and texts that the attacks had.
    pub public_texts: usize,
    pub attacks: Vec<AttackScore>,
    /// How well a classifier tells broken scripts from references on the syntax track.
    pub syntax: Separability,
    /// The same for the semantic track.
    pub semantic: Separability,
    /// Text that the run shares with what is public, and its references with each other.
    pub overlap: Overlap,
    /// Tasks whose ids can be computed from script, faults and edits alone.
    pub computable_ids: usize,
    /// Whether the tasks are sorted by id, so that their order gives nothing away.
    pub in_order_of_ids: bool,
}

/// Audits a run, and records the result in it and on its cards.
pub fn audit(run: &Path, settings: &AuditSettings, progress: &dyn Progress) -> Result<Audit, AuditError> {
    let benchmark = Benchmark::open(run)?;
    if benchmark.tasks().is_empty() {
        return Err(AuditError::NoTask(run.to_owned()));
    }
    let material = Material::read(&settings.against)?;
    let (scripts, attacked) = (material.known(), material.attacked(benchmark.tasks()));
    let records: Vec<TaskRecord> = benchmark.tasks().iter().map(|task| task.record.clone()).collect();
    let public = Public { tasks: &records, scripts: &scripts };
    let jobs = settings.jobs;
    progress.stage("attacks", 5);
    let attack = |answers: AttackAnswers| {
        progress.step();
        answers
    };
    let near = attack(nearest(public, jobs));
    let siblings = attack(vote(public, jobs));
    let layout = |task: &TaskRecord| changed(task, restore_layout(&task.issue_sql)?);
    let layout = attack(parallel::map(jobs, &records, layout));
    let Learned { likelihood, classifier, syntax, semantic } = learned(benchmark.tasks(), jobs);
    let named = [
        ("nearest public script", near),
        ("sibling vote", siblings),
        ("restoring the layout", layout),
        ("n-gram likelihood", attack(likelihood)),
        ("classifier", attack(classifier)),
    ];
    let named = named.map(|(name, answers)| (name, kept(answers, &attacked)));
    progress.stage("judging", named.iter().flat_map(|(_, answers)| answers).flatten().count());
    let tasks: Vec<Task> = kept(benchmark.tasks().iter().cloned(), &attacked);
    let judging = Judging { judge: Judge::new(&benchmark), tasks: &tasks, jobs, progress };
    let attacks = named.map(|(name, answers)| judging.attack(name, &answers)).to_vec();
    let ids: Vec<&str> = records.iter().map(|record| record.instance_id.as_str()).collect();
    let found = Audit {
        tasks: tasks.len(),
        taught: records.len() - tasks.len(),
        public_texts: scripts.len(),
        attacks,
        syntax,
        semantic,
        overlap: overlap(&tasks, &scripts, jobs),
        computable_ids: tasks.iter().filter(|task| is_computable(task)).count(),
        in_order_of_ids: ids.is_sorted(),
    };
    let mut directory = RunDirectory::resume(run)?;
    directory.write(AUDIT, pretty(&found).as_bytes())?;
    for card in CARDS.iter().filter(|card| directory.path(card).exists()) {
        let before = directory.read_text(card)?;
        directory.write(card, found.on_card(&before).as_bytes())?;
    }
    directory.unlock();
    Ok(found)
}

/// Returns the items that belong to attacked tasks.
fn kept<T>(items: impl IntoIterator<Item = T>, attacked: &[bool]) -> Vec<T> {
    items.into_iter().zip(attacked).filter_map(|(item, attacked)| attacked.then_some(item)).collect()
}

/// Judges the answers of attacks.
struct Judging<'a> {
    judge: Judge<'a>,
    tasks: &'a [Task],
    jobs: usize,
    progress: &'a dyn Progress,
}

impl Judging<'_> {
    fn attack(&self, attack: &str, answers: &AttackAnswers) -> AttackScore {
        let answered: Vec<(&Task, &String)> =
            self.tasks.iter().zip(answers).filter_map(|(task, answer)| Some((task, answer.as_ref()?))).collect();
        let scores = parallel::map(self.jobs, &answered, |(task, answer)| {
            let score = self.judge.answer(task, answer);
            self.progress.step();
            [score.em, score.gm, score.accepted]
        });
        let share =
            |which: usize| scores.iter().filter(|marks| marks[which]).count() as f64 / self.tasks.len().max(1) as f64;
        AttackScore {
            attack: attack.to_owned(),
            answered: answered.len(),
            em: share(0),
            gm: share(1),
            accepted: share(2),
        }
    }
}

/// Whether the id of a task is computable from its script, faults and edits, so that a guess at them can be verified.
fn is_computable(task: &Task) -> bool {
    let gold = &task.gold;
    let key = gold.provenance.key();
    let faults: Vec<&str> = gold.labels.iter().map(|label| label.fault.as_str()).collect();
    let planted = gold.edits.inverse(&task.record.issue_sql);
    let guess = |fault: &str| Mutant::of_edits(&gold.provenance.script, key, fault, planted.clone()).id;
    faults.iter().any(|fault| guess(fault) == gold.instance_id) || guess(&faults.join("+")) == gold.instance_id
}

impl Audit {
    /// Returns the audit as a table and text, for a card.
    pub fn table(&self) -> String {
        let mut text = "| attack | answered | EM | GM | accepted |\n|---|---|---|---|---|\n".to_owned();
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        for AttackScore { attack, answered, em, gm, accepted } in &self.attacks {
            let (em, gm, accepted) = (percent(*em), percent(*gm), percent(*accepted));
            text.push_str(&format!("| {attack} | {answered} of {} | {em} | {gm} | {accepted} |\n", self.tasks));
        }
        if self.taught > 0 {
            text.push_str(&format!(
                "\nThe rows of a trainer hold these tasks out; the other {} are taught.\n",
                self.taught
            ));
        }
        let Overlap {
            distinct_references,
            public_issues,
            public_references,
            public_mean,
            public_greatest,
            inside_mean,
            inside_greatest,
        } = self.overlap;
        text.push_str(&format!(
            "\nA classifier trained on other scripts of the run tells broken ones from references with an area under the \
             curve of {:.2} (semantic) and {:.2} (syntax); of a pair it recognises the broken one in {} and {}.\n\n\
             {} tasks have {distinct_references} references; {public_issues} issue texts and {public_references} \
             references are among the {} public texts. \
             Shared runs of five tokens (Jaccard), mean and greatest: {public_mean:.3} and {public_greatest:.3} with the \
             nearest public text, {inside_mean:.3} and {inside_greatest:.3} between references. {} ids can be computed; the \
             order of the tasks is {}.\n",
            self.semantic.area,
            self.syntax.area,
            percent(self.semantic.paired),
            percent(self.syntax.paired),
            self.tasks,
            self.public_texts,
            self.computable_ids,
            if self.in_order_of_ids { "that of their ids" } else { "not that of their ids" },
        ));
        text
    }

    /// Returns a card with this audit in place of an older one.
    fn on_card(&self, card: &str) -> String {
        let mut lines: Vec<&str> = Vec::new();
        let mut ours = false;
        for line in card.lines() {
            ours = line == HEADING || ours && !line.starts_with("## ") && !line.starts_with("Canary: ");
            if !ours {
                lines.push(line);
            }
        }
        format!("{}\n\n{HEADING}\n\n{}", lines.join("\n").trim_end(), self.table())
    }
}
