//! `sqlfault faults`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use super::Exit;
use super::failure::Failure;
use super::nearest_name::nearest;
use super::verbosity::closing;
use crate::corpus;
use crate::fault::{Fault, Taxonomy, Track};
use crate::inject::{ScriptContext, example_problems, load_taxonomy, propose};
use crate::store::locate;

const EXAMPLES: &str = "\
Examples:
  sqlfault faults                          every fault with its share of the paper's tasks
  sqlfault faults left-join-made-inner     one fault, with examples
  sqlfault faults --check my-taxonomy      is a taxonomy of your own sound?
  sqlfault faults --run runs/7             what a run tried, proved and published";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FaultsOptions {
    /// Explain this fault
    id: Option<String>,
    /// Check a taxonomy folder of your own, with its examples
    #[arg(long, value_name = "FOLDER")]
    check: Option<PathBuf>,
    /// Count the places in the references where each fault can be planted
    #[arg(long)]
    sites: bool,
    /// One line for each row of the paper's tables instead of each fault
    #[arg(long)]
    rows: bool,
    /// Show what a run tried, proved and published of each fault
    #[arg(long, value_name = "RUN")]
    run: Option<PathBuf>,
}

pub fn run(options: &FaultsOptions) -> Result<Exit, Failure> {
    let taxonomy = load_taxonomy(options.check.as_deref())?;
    if options.check.is_some() && !has_sound_examples(&taxonomy) {
        return Ok(Exit::BadInput);
    }
    let run = options.run.as_deref().map(read_funnel).transpose()?;
    let Some(id) = &options.id else {
        let counts = Counts { sites: options.sites.then(|| sites(&taxonomy)), run };
        if options.rows {
            rows(&taxonomy, &counts)
        } else {
            list(&taxonomy, &counts)
        }
        return Ok(Exit::Done);
    };
    let mut known = taxonomy.faults().iter().zip(taxonomy.prevalence());
    let (fault, prevalence) = known.find(|(fault, _)| fault.id == *id).ok_or_else(|| {
        let near = nearest(id, taxonomy.faults().iter().map(|fault| fault.id.as_str()));
        format!("no fault is called {id}{near}; `sqlfault faults` lists them")
    })?;
    println!("# {}\n\n{}", fault.id, fault.explanation(prevalence));
    closing("inject --fault", format_args!("{} script.sql", fault.id));
    Ok(Exit::Done)
}

/// Reports what is wrong with the examples of faults; returns whether nothing is.
fn has_sound_examples(taxonomy: &Taxonomy) -> bool {
    let mut sound = true;
    for fault in taxonomy.faults() {
        for problem in example_problems(fault) {
            let place = format!("{}:{}", fault.origin.file, fault.origin.line);
            Failure::from(format!("{place}: fault `{}`: {problem}", fault.id)).report();
            sound = false;
        }
    }
    sound
}

/// The part of `funnel.json` that is shown.
#[derive(Deserialize)]
struct RunFunnel {
    faults: BTreeMap<String, FaultNumbers>,
}

#[derive(Clone, Default, Deserialize)]
struct FaultNumbers {
    tried: usize,
    proved: usize,
    published: usize,
    #[serde(default)]
    tokens_changed: BTreeMap<usize, usize>,
}

fn read_funnel(run: &Path) -> Result<RunFunnel, String> {
    let file = locate(run, "funnel.json");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

/// The number of places of each fault in the references in the binary.
fn sites(taxonomy: &Taxonomy) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for reference in corpus::embedded().into_iter().flatten() {
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        for fault in taxonomy.faults() {
            let found = fault.written_operator().map_or(0, |operator| propose(&context, operator).len());
            *counts.entry(fault.id.clone()).or_default() += found;
        }
    }
    counts
}

/// The numbers shown beside the faults.
struct Counts {
    sites: Option<BTreeMap<String, usize>>,
    run: Option<RunFunnel>,
}

impl Counts {
    fn head(&self) -> String {
        let sites = if self.sites.is_some() { "  sites" } else { "" };
        let run = if self.run.is_some() { " injected proved published  tokens" } else { "" };
        format!("{sites}{run}")
    }

    /// The numbers of several faults together, as cells of a row.
    fn of(&self, faults: &[&Fault]) -> String {
        let mut row = String::new();
        if let Some(sites) = &self.sites {
            let sum: usize = faults.iter().filter_map(|fault| sites.get(&fault.id)).sum();
            row += &format!(" {sum:6}");
        }
        if let Some(run) = &self.run {
            let of_each = faults.iter().filter_map(|fault| run.faults.get(&fault.id));
            let all = of_each.fold(FaultNumbers::default(), FaultNumbers::and);
            let FaultNumbers { tried, proved, published, tokens_changed } = &all;
            row += &format!(" {tried:8} {proved:6} {published:9} {:>7}", spread(tokens_changed));
        }
        row
    }
}

impl FaultNumbers {
    fn and(mut self, other: &FaultNumbers) -> FaultNumbers {
        self.tried += other.tried;
        self.proved += other.proved;
        self.published += other.published;
        for (cost, count) in &other.tokens_changed {
            *self.tokens_changed.entry(*cost).or_default() += count;
        }
        self
    }
}

fn list(taxonomy: &Taxonomy, counts: &Counts) {
    println!("{:9} {:>6} {:23}{}  fault", "track", "paper", "operator", counts.head());
    for (fault, weight) in taxonomy.faults().iter().zip(taxonomy.prevalence()) {
        let track = track_name(fault.track);
        println!(
            "{track:9} {weight:6.1} {:23}{}  {:44} {}",
            fault.planted_by(),
            counts.of(&[fault]),
            fault.id,
            fault.summary
        );
    }
}

/// Prints the rows of the paper's tables, each with its faults. A fault of several rows counts in each.
fn rows(taxonomy: &Taxonomy, counts: &Counts) {
    let mut rows: BTreeMap<(Track, &str, &str, &str, u32), Vec<&Fault>> = BTreeMap::new();
    for fault in taxonomy.faults() {
        for leaf in fault.counted_leaves().iter().filter(|leaf| leaf.count > 0) {
            let key = (fault.track, &*leaf.level1, &*leaf.level2, &*leaf.level3, leaf.count);
            rows.entry(key).or_default().push(fault);
        }
    }
    println!("{:9} {:>5}{}  row and operators of its faults", "track", "paper", counts.head());
    for ((track, level1, level2, level3, count), faults) in rows {
        let operators: BTreeSet<String> = faults.iter().map(|fault| fault.planted_by()).collect();
        let operators = operators.into_iter().collect::<Vec<_>>().join(", ");
        let track = track_name(track);
        println!("{track:9} {count:5}{}  {level1} / {level2} / {level3} [{operators}]", counts.of(&faults));
    }
}

fn track_name(track: Track) -> &'static str {
    if track == Track::Syntax { "syntax" } else { "semantic" }
}

/// Least, median and most tokens that the edits of a fault change, such as `1/2/5`; `-` if there are none.
fn spread(tokens: &BTreeMap<usize, usize>) -> String {
    let all: Vec<usize> = tokens.iter().flat_map(|(cost, count)| std::iter::repeat_n(*cost, *count)).collect();
    match (all.first(), all.get(all.len() / 2), all.last()) {
        (Some(least), Some(middle), Some(most)) => format!("{least}/{middle}/{most}"),
        _ => "-".to_owned(),
    }
}
