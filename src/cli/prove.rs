//! `sqlfault prove`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::failure::Failure;
use super::progress::TerminalProgress;
use super::verbosity::closing;
use super::{Exit, interrupt};
use crate::agreement::{
    AgreementCount, AgreementCounts, AgreementOutcome, AgreementReport, DisagreementKind, EngineDisagreement,
    JudgingScope, KnownAgreement, UnusableAgreement, agree, certify, standing, tell,
};
use crate::engine::spark::{Spark, SparkSettings};
use crate::store::{RunDirectory, StoreError};

/// The engines that can prove a run beside the embedded one.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ProvingEngine {
    /// Apache Spark.
    Spark,
}

/// Who judges syntax.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProvingJudge {
    /// Spark alone.
    #[default]
    Spark,
    /// Spark, and Hive's own parser beside it.
    Both,
}

const EXAMPLES: &str = "\
Examples:
  sqlfault prove runs/7              how far the embedded engine agrees with Spark
  sqlfault prove runs/7 --certify    drop the tasks that Spark does not confirm";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProveOptions {
    /// The run's directory
    run: PathBuf,
    /// The engine that judges everything again
    #[arg(long, value_enum, default_value = "spark")]
    engine: ProvingEngine,
    /// Who judges syntax; `both` writes what each says to `judgements.jsonl`
    #[arg(long, value_enum, default_value_t)]
    judge: ProvingJudge,
    /// ANSI mode instead of the mode that Hive scripts expect
    #[arg(long)]
    ansi: bool,
    /// Drop the tasks that the engine disagrees with, with the reason
    #[arg(long)]
    certify: bool,
    /// Judge every mutant that was tried, not only the published tasks
    #[arg(long)]
    all: bool,
    /// Judge at most this many mutants
    #[arg(long, conflicts_with = "certify")]
    mutants: Option<usize>,
    /// Spark's master: local[N], local-cluster[N,CORES,MEMORY], spark://HOST:PORT, yarn or k8s://…
    #[arg(long, value_name = "ADDRESS", alias = "master", default_value = "local[2]")]
    spark_address: String,
    /// Spark processes that share the scripts out, each with a core and 2 GB of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    processes: u8,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(options: &ProveOptions) -> Result<Exit, Failure> {
    let ProvingEngine::Spark = options.engine;
    let directory = RunDirectory::open(&options.run)?;
    let extent = JudgingScope { hive: options.judge == ProvingJudge::Both, all: options.all, mutants: options.mutants };
    let before = match before(options, &directory, extent)? {
        KnownAgreement::Whole(report) => {
            certified(&directory, &report)?;
            return Ok(ended(&report));
        }
        KnownAgreement::Partly(report, _) => Some(*report),
        KnownAgreement::Nothing(_) => None,
    };
    let settings =
        SparkSettings { ansi: options.ansi, master: options.spark_address.clone(), ..SparkSettings::default() };
    let started: Result<Vec<Spark>, _> = (0..options.processes).map(|_| Spark::start(settings.clone())).collect();
    let mut sparks = started.map_err(Failure::no_engine)?;
    let before = before.filter(|report| same_engine(report, &sparks));
    interrupt::listen();
    let report = match agree(&directory, &mut sparks, extent, before, &TerminalProgress::new(options.json))? {
        AgreementOutcome::Whole(report) => report,
        AgreementOutcome::Stopped { scripts, of } => {
            eprintln!("stopped: {scripts} of {of} scripts are judged; the same command goes on with the others");
            return Ok(Exit::Interrupted);
        }
    };
    let times: Vec<String> = sparks.iter().map(|spark| spark.times().line()).collect();
    drop(sparks);
    if !options.json {
        println!("{}", times.join("\n"));
    }
    finish(options, &directory, &report)?;
    closing("report", options.run.display());
    Ok(ended(&report))
}

fn ended(report: &AgreementReport) -> Exit {
    if report.disagreements.is_empty() { Exit::Done } else { Exit::Short }
}

/// What an earlier call judged already. Only `--certify` uses it: `prove` without it is a request to judge anew.
fn before(
    options: &ProveOptions,
    directory: &RunDirectory,
    extent: JudgingScope,
) -> Result<KnownAgreement, StoreError> {
    if !options.certify {
        return Ok(KnownAgreement::Nothing(UnusableAgreement::Absent));
    }
    let standing = standing(directory, options.ansi, extent)?;
    match &standing {
        KnownAgreement::Whole(report) => eprintln!("agreement.json judges every task already: {}", report.engine),
        KnownAgreement::Partly(_, tasks) => {
            eprintln!("agreement.json judges all but {tasks} tasks: these are judged now")
        }
        KnownAgreement::Nothing(UnusableAgreement::Absent) => {}
        KnownAgreement::Nothing(unusable) => eprintln!("{unusable}: every task is judged again"),
    }
    Ok(standing)
}

/// Whether the Spark that runs now is the one that judged before; reports if it is not.
fn same_engine(before: &AgreementReport, sparks: &[Spark]) -> bool {
    let here = sparks.first().map(Spark::name).unwrap_or_default();
    let same = before.engine == here;
    if !same {
        eprintln!("agreement.json is of {}, here is {here}: every task is judged again", before.engine);
    }
    same
}

/// Drops the tasks that the report disagrees with, and prints which.
fn certified(directory: &RunDirectory, report: &AgreementReport) -> Result<(), StoreError> {
    let certified = certify(directory, report)?;
    println!("certified: {} tasks stand, {} are dropped now", certified.kept, certified.dropped.len());
    for line in &certified.dropped {
        println!("    {}: {}", line.instance_id, line.reason.lines().next().unwrap_or_default());
    }
    Ok(())
}

fn finish(options: &ProveOptions, directory: &RunDirectory, report: &AgreementReport) -> Result<(), StoreError> {
    // Writing to memory fails only for maps whose keys are not text, and the report holds none.
    let text = serde_json::to_string_pretty(report).unwrap_or_default() + "\n";
    directory.write("agreement.json", text.as_bytes())?;
    if options.judge == ProvingJudge::Both {
        directory.write_records("judgements.jsonl", &report.judgements)?;
    }
    if options.json {
        print!("{text}");
    } else {
        show(report);
    }
    if options.certify {
        certified(directory, report)?;
    } else if options.mutants.is_none() {
        tell(directory, report)?;
    }
    Ok(())
}

fn show(report: &AgreementReport) {
    println!("{}: {} references, {} mutants", report.engine, report.references, report.mutants);
    println!("{:44} {:>15} {:>13} {:>13} {:>15} {:>15}", "", "accept/reject", "class", "place", "results", "kills");
    row("all", &report.total);
    for (fault, agreement) in report.faults.iter().filter(|(_, agreement)| !is_full(agreement)) {
        row(fault, agreement);
    }
    let differing = report.functions.iter().filter(|(_, tally)| tally.same < tally.of);
    for (function, tally) in differing {
        println!("references that call {function}: {}/{} give the same rows", tally.same, tally.of);
    }
    println!("{} functions called, by how many references in agreement.json", report.functions.len());
    let mut kinds: BTreeMap<DisagreementKind, Vec<&EngineDisagreement>> = BTreeMap::new();
    report.disagreements.iter().for_each(|it| kinds.entry(it.about).or_default().push(it));
    for (about, found) in kinds {
        println!("{} disagreements: {about:?}", found.len());
        if about.is_open() {
            let references = found.iter().filter(|it| it.mutant.is_empty()).count();
            println!("    {references} of them in references, on databases that certify takes out");
        }
    }
    if report.restarts > 0 {
        println!("the engine was started again {} times", report.restarts);
    }
    println!("agreement.json lists every disagreement");
}

fn is_full(agreement: &AgreementCounts) -> bool {
    [agreement.accepted, agreement.class, agreement.place, agreement.results, agreement.kills]
        .iter()
        .all(|tally| tally.same == tally.of)
}

fn row(name: &str, agreement: &AgreementCounts) {
    let cell = |tally: AgreementCount| match tally.of {
        0 => "-".to_owned(),
        of => format!("{}/{of} {:.1}%", tally.same, tally.share() * 100.0),
    };
    println!(
        "{name:44} {:>15} {:>13} {:>13} {:>15} {:>15}",
        cell(agreement.accepted),
        cell(agreement.class),
        cell(agreement.place),
        cell(agreement.results),
        cell(agreement.kills)
    );
}
