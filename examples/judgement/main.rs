//! Measures how sound the judge of a run is, on wrong answers new to it and on rewrites that keep the meaning.
//!
//! Of each fault, mutants of a reference at a few randomly drawn places are given as answers to the task of that
//! reference. If the judge accepts one, a search aimed at this mutant alone looks for a database that kills it: the
//! suite of the task was made without it. A mutant that is killed was accepted wrongly. Rewrites that keep the meaning
//! must be accepted.
//!
//! `cargo run --release --example judgement -- RUN [REFERENCES] [PLACES_OF_A_FAULT] [low|normal|high]`
#![allow(clippy::print_stdout, reason = "an example speaks")]

mod rewrites;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use sqlfault::code::tree::NodeId;
use sqlfault::corpus::{Decision, Reference};
use sqlfault::engine::child::Allowance;
use sqlfault::engine::table::Database;
use sqlfault::inject::Mutant;
use sqlfault::pipeline::{CandidateDraw, Funnel, candidates};
use sqlfault::prove::data_profile::DataProfile;
use sqlfault::prove::effort::Effort;
use sqlfault::prove::trial::{Candidate, differs_on, try_semantic};
use sqlfault::prove::{Subject, Verdict};
use sqlfault::score::{AnswerOutcome, Benchmark, Isolation, Judge, JudgeSettings, Task};
use sqlfault::{Taxonomy, Track, parallel};

/// Random seed of this measurement, independent of the run's.
const SEED: u64 = 77_003;

/// Counts of the answers of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    given: usize,
    /// Mutants that some database tells from the reference; rewrites are never wrong.
    wrong: usize,
    accepted: usize,
    by_graph: usize,
    /// Wrongly accepted mutants that differ also on data that fits the profile of the task's databases.
    in_profile: usize,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.given += other.given;
        self.wrong += other.wrong;
        self.accepted += other.accepted;
        self.by_graph += other.by_graph;
        self.in_profile += other.in_profile;
    }
}

/// The counts of one reference.
#[derive(Debug, Default)]
struct Measured {
    faults: BTreeMap<String, Counts>,
    rewrites: BTreeMap<&'static str, Counts>,
    /// Descriptions of wrong answers that were accepted and of right ones that were not.
    surprises: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let run = arguments.first().ok_or("judgement RUN [REFERENCES] [PLACES_OF_A_FAULT] [EFFORT]")?;
    let number = |at: usize, usual: usize| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    let (references, places) = (number(1, 24)?, number(2, 2)?);
    let effort: Effort = arguments.get(3).map_or("normal", String::as_str).parse()?;
    let benchmark = Benchmark::open(Path::new(run))?;
    let decisions = decisions(Path::new(run))?;
    let taxonomy = Taxonomy::embedded()?;
    // One task for each reference.
    let mut tasks: BTreeMap<&str, &Task> = BTreeMap::new();
    for task in benchmark.tasks().iter().filter(|task| !task.databases.is_empty()) {
        tasks.entry(task.gold.provenance.script.as_str()).or_insert(task);
    }
    let tasks: Vec<&Task> = tasks.into_values().take(references).collect();
    let allowance = Allowance { milliseconds: 20_000, ..Allowance::default() };
    let settings = || JudgeSettings { isolation: Isolation::InProcess, allowance, ..JudgeSettings::default() };
    let measured = parallel::map(2, &tasks, |task| {
        let judge = Judge::with(&benchmark, settings());
        let reference = reference(task, &decisions);
        match reference.map(|reference| measure(task, &reference, &judge, &taxonomy, places, effort)) {
            Ok(measured) => measured,
            Err(error) => Measured { surprises: vec![error.to_string()], ..Measured::default() },
        }
    });
    report(&measured);
    Ok(())
}

/// Reads the decisions of the composed references of a run, by script; empty if the run is not composed.
fn decisions(run: &Path) -> Result<BTreeMap<String, Vec<Decision>>, Box<dyn Error>> {
    let Ok(text) = std::fs::read_to_string(run.join("judge/specifications.jsonl")) else { return Ok(BTreeMap::new()) };
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let mut line: serde_json::Value = serde_json::from_str(line)?;
        let decisions = serde_json::from_value(line["specification"]["decisions"].take())?;
        found.insert(line["script"].as_str().unwrap_or_default().to_owned(), decisions);
    }
    Ok(found)
}

fn reference(
    task: &Task,
    decisions: &BTreeMap<String, Vec<Decision>>,
) -> Result<Reference, Box<dyn Error + Send + Sync>> {
    let own = decisions.get(&task.gold.provenance.script).cloned().unwrap_or_default();
    let mut reference = task.reference()?;
    reference.decisions = own;
    Ok(reference)
}

fn measure(
    task: &Task,
    reference: &Reference,
    judge: &Judge<'_>,
    taxonomy: &Taxonomy,
    places: usize,
    effort: Effort,
) -> Measured {
    let mut measured = Measured::default();
    let draw = CandidateDraw { seed: SEED, jobs: 1, taxonomy };
    let subject = Subject::new(reference).ok().map(|subject| subject.with_effort(effort));
    let suite: Vec<Database> = task.databases.iter().skip(1).filter_map(|path| Database::read(path).ok()).collect();
    let profile = subject.as_ref().map(|subject| DataProfile::of_suite(subject, &suite)).unwrap_or_default();
    for (fault, mutants) in candidates(&draw, &[reference], &mut Funnel::default()) {
        if taxonomy.fault(&fault).is_none_or(|fault| fault.track != Track::Semantic) {
            continue;
        }
        let counts = measured.faults.entry(fault.clone()).or_default();
        for mutant in mutants.iter().take(places) {
            let Ok(text) = mutant.text(reference.script.text()) else { continue };
            let score = judge.answer(task, &text);
            let differs = matches!(
                score.outcome,
                AnswerOutcome::OtherRows
                    | AnswerOutcome::OtherOrder
                    | AnswerOutcome::OtherColumns
                    | AnswerOutcome::OtherTables
            );
            let told = score.findings.is_some_and(|found| [found.held_out, found.targeted].contains(&Some(false)));
            let wrong = subject.as_ref().filter(|_| score.accepted);
            let witness = wrong.and_then(|subject| witness(subject, mutant, &text));
            let in_profile = witness.as_ref().is_some_and(|witness| {
                let fitted = profile.conform(witness.clone());
                wrong.is_some_and(|subject| shows(subject, mutant, &text, &fitted))
            });
            let killed = witness.is_some();
            counts.given += 1;
            counts.in_profile += usize::from(in_profile);
            counts.wrong += usize::from(differs || told || killed);
            counts.accepted += usize::from(killed);
            counts.by_graph += usize::from(killed && score.gm);
            if killed {
                let change = &mutant.edits.as_slice()[0];
                let old = &reference.script.text()[change.start..change.end];
                measured.surprises.push(format!(
                    "{} {} {fault}: {old:?} -> {:?}{}",
                    task.record.instance_id,
                    reference.id,
                    change.text,
                    if in_profile { ", on data that fits" } else { "" }
                ));
            }
        }
    }
    for (kind, text) in rewrites::all(&reference.script) {
        let score = judge.answer(task, &text);
        let counts = measured.rewrites.entry(kind).or_default();
        let (accepted, by_graph) = (usize::from(score.accepted), usize::from(score.gm));
        counts.add(Counts { given: 1, accepted, by_graph, ..Counts::default() });
        if !score.accepted {
            measured.surprises.push(format!(
                "{} {} {kind}: {:?} {:?} {:?}",
                task.record.instance_id, reference.id, score.outcome, score.findings, score.detail
            ));
        }
    }
    measured
}

/// Searches for a database that tells this mutant from the reference.
fn witness(subject: &Subject<'_>, mutant: &Mutant, text: &str) -> Option<Database> {
    match try_semantic(subject, &Candidate { about: &nodes(subject, mutant), ..candidate(subject, mutant, text) }) {
        Verdict::Killed { witness, .. } => Some(witness),
        _ => None,
    }
}

/// Whether a database tells a mutant from the reference.
fn shows(subject: &Subject<'_>, mutant: &Mutant, text: &str, database: &Database) -> bool {
    differs_on(subject, &candidate(subject, mutant, text), database)
}

fn candidate<'a>(subject: &Subject<'_>, mutant: &Mutant, text: &'a str) -> Candidate<'a> {
    Candidate { text, changed: mutant.changed(subject.reference.script.text()), about: &[] }
}

fn nodes(subject: &Subject<'_>, mutant: &Mutant) -> Vec<NodeId> {
    mutant.nodes().into_iter().filter(|node| node.index() < subject.bound.tree().len()).collect()
}

fn print_counts(name: &str, counts: &Counts) {
    let Counts { given, wrong, accepted, by_graph, in_profile } = counts;
    println!("{name:<44}{given:>7}{wrong:>7}{accepted:>10}{by_graph:>6}{in_profile:>12}");
}

fn report(measured: &[Measured]) {
    let (mut faults, mut rewrites) = (BTreeMap::<&str, Counts>::new(), BTreeMap::<&str, Counts>::new());
    for one in measured {
        one.faults.iter().for_each(|(fault, counts)| faults.entry(fault).or_default().add(*counts));
        one.rewrites.iter().for_each(|(kind, counts)| rewrites.entry(kind).or_default().add(*counts));
        one.surprises.iter().for_each(|surprise| println!("{surprise}"));
    }
    let total = |of: &BTreeMap<&str, Counts>| {
        let mut all = Counts::default();
        of.values().for_each(|counts| all.add(*counts));
        all
    };
    println!(
        "\n{:<44}{:>7}{:>7}{:>10}{:>6}{:>12}",
        "wrong answers accepted, by fault", "given", "wrong", "accepted", "GM", "in profile"
    );
    for (fault, counts) in faults.iter().filter(|(_, counts)| counts.accepted > 0) {
        print_counts(fault, counts);
    }
    let wrong = total(&faults);
    print_counts("all faults", &wrong);
    println!("\n{:<44}{:>7}{:>17}{:>6}", "rewrites accepted, by kind", "given", "accepted", "GM");
    for (kind, counts) in rewrites.iter().chain([(&"all rewrites", &total(&rewrites))]) {
        println!("{kind:<44}{:>7}{:>17}{:>6}", counts.given, counts.accepted, counts.by_graph);
    }
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    let right = total(&rewrites);
    println!(
        "\n{} references: wrong answers accepted {:.2} % ({:.2} % on data that fits the profile), by GM {:.2} %; rewrites accepted {:.1} %, by GM {:.1} %",
        measured.len(),
        share(wrong.accepted, wrong.wrong),
        share(wrong.in_profile, wrong.wrong),
        share(wrong.by_graph, wrong.wrong),
        share(right.accepted, right.given),
        share(right.by_graph, right.given)
    );
}
