//! `sqlfault faults`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use super::{Exit, bad_input};
use crate::code::scope::Scopes;
use crate::corpus;
use crate::fault::{Taxonomy, Track};
use crate::inject::{Ground, example_problems, propose};

/// Options of `faults`.
#[derive(Debug, Args)]
pub struct Options {
    /// Explain this fault
    id: Option<String>,
    /// Check a taxonomy folder of your own, with its examples
    #[arg(long, value_name = "FOLDER")]
    check: Option<PathBuf>,
    /// Count the places in the seeds where each fault can be planted
    #[arg(long)]
    sites: bool,
    /// Show what a run tried, proved and published of each fault
    #[arg(long, value_name = "RUN")]
    run: Option<PathBuf>,
}

/// Runs it.
pub fn run(options: &Options) -> Exit {
    let taxonomy = match options.check.as_deref().map_or_else(Taxonomy::embedded, Taxonomy::load) {
        Ok(taxonomy) => taxonomy,
        Err(error) => return bad_input(&error),
    };
    if options.check.is_some()
        && let Some(exit) = check_examples(&taxonomy)
    {
        return exit;
    }
    let run = match options.run.as_deref().map(read_funnel).transpose() {
        Ok(run) => run,
        Err(error) => return bad_input(&error),
    };
    match &options.id {
        None => list(&taxonomy, options.sites.then(|| sites(&taxonomy)), run),
        Some(id) => match taxonomy.faults().iter().zip(taxonomy.prevalence()).find(|(fault, _)| fault.id == *id) {
            Some((fault, prevalence)) => println!("# {}\n\n{}", fault.id, fault.explanation(prevalence)),
            None => return bad_input(&format!("no fault is called {id}; `sqlfault faults` lists them")),
        },
    }
    Exit::Done
}

/// Tells what is wrong with examples; none when nothing is.
fn check_examples(taxonomy: &Taxonomy) -> Option<Exit> {
    let mut exit = None;
    for fault in taxonomy.faults() {
        for problem in example_problems(fault) {
            let place = format!("{}:{}", fault.origin.file, fault.origin.line);
            exit = Some(bad_input(&format!("{place}: fault `{}`: {problem}", fault.id)));
        }
    }
    exit
}

/// The part of `funnel.json` that is shown.
#[derive(Deserialize)]
struct RunFunnel {
    faults: BTreeMap<String, Numbers>,
}

#[derive(Clone, Default, Deserialize)]
struct Numbers {
    tried: usize,
    proved: usize,
    published: usize,
    #[serde(default)]
    tokens_changed: BTreeMap<usize, usize>,
}

fn read_funnel(run: &Path) -> Result<RunFunnel, String> {
    let file = run.join("funnel.json");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Applicable places of each fault in the seeds carried in the binary.
fn sites(taxonomy: &Taxonomy) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for seed in corpus::embedded().into_iter().flatten() {
        let scopes = Scopes::resolve(&seed.script, &seed.schema);
        let ground = Ground::new(&seed.script, &scopes, &seed.schema);
        for fault in taxonomy.faults() {
            let found = fault.written_operator().map_or(0, |operator| propose(&ground, operator).len());
            *counts.entry(fault.id.clone()).or_default() += found;
        }
    }
    counts
}

fn list(taxonomy: &Taxonomy, sites: Option<BTreeMap<String, usize>>, run: Option<RunFunnel>) {
    let mut head = format!("{:9} {:>6} {:23}", "track", "paper", "operator");
    head += if sites.is_some() { "  sites" } else { "" };
    head += if run.is_some() { " injected proved published  tokens" } else { "" };
    println!("{head}  fault");
    for (fault, weight) in taxonomy.faults().iter().zip(taxonomy.prevalence()) {
        let track = if fault.track == Track::Syntax { "syntax" } else { "semantic" };
        let mut row = format!("{track:9} {weight:6.1} {:23}", fault.planted_by());
        if let Some(sites) = &sites {
            row += &format!(" {:6}", sites.get(&fault.id).copied().unwrap_or(0));
        }
        if let Some(run) = &run {
            let numbers = run.faults.get(&fault.id).cloned().unwrap_or_default();
            row += &format!(
                " {:8} {:6} {:9} {:>7}",
                numbers.tried,
                numbers.proved,
                numbers.published,
                spread(&numbers.tokens_changed)
            );
        }
        println!("{row}  {:44} {}", fault.id, fault.summary);
    }
}

/// Least, middle and most tokens that the edits of a fault change, such as `1/2/5`.
fn spread(tokens: &BTreeMap<usize, usize>) -> String {
    let all: Vec<usize> = tokens.iter().flat_map(|(cost, count)| std::iter::repeat_n(*cost, *count)).collect();
    match (all.first(), all.get(all.len() / 2), all.last()) {
        (Some(least), Some(middle), Some(most)) => format!("{least}/{middle}/{most}"),
        _ => "-".to_owned(),
    }
}
