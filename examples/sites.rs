//! Prints, for every fault, how many sites the embedded scripts have and what the gates say.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sqlfault::code::scope::Scopes;
use sqlfault::corpus;
use sqlfault::fault::{Taxonomy, Track};
use sqlfault::inject::{Ground, Mutant, admit, propose};

#[derive(Default)]
struct Row {
    scripts: usize,
    sites: usize,
    admitted: usize,
    refusals: BTreeMap<String, (usize, String)>,
}

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| "taxonomy".to_owned());
    let only = std::env::args().nth(2);
    let taxonomy = match Taxonomy::load(path.as_ref()) {
        Ok(taxonomy) => taxonomy,
        Err(error) => return println!("{error}"),
    };
    let mut rows: Vec<Row> = taxonomy.faults().iter().map(|_| Row::default()).collect();
    let mut proposing = Duration::ZERO;
    let mut admitting = Duration::ZERO;
    for seed in corpus::embedded().into_iter().flatten() {
        let scopes = Scopes::resolve(&seed.script, &seed.schema);
        let start = Instant::now();
        let ground = Ground::new(&seed.script, &scopes, &seed.schema);
        let all: Vec<_> = taxonomy
            .faults()
            .iter()
            .map(|fault| fault.operator().map(|operator| propose(&ground, operator)).unwrap_or_default())
            .collect();
        proposing += start.elapsed();
        for ((fault, row), proposals) in taxonomy.faults().iter().zip(&mut rows).zip(all) {
            row.scripts += usize::from(!proposals.is_empty());
            row.sites += proposals.len();
            // A handful of each script is enough to see how the gates answer.
            let step = proposals.len().div_ceil(12).max(1);
            for proposal in proposals.iter().step_by(step) {
                let Ok(mutant) = Mutant::plant(&ground, &seed.id, fault, proposal) else { continue };
                let start = Instant::now();
                match admit(&seed.script, &seed.schema, fault, &mutant) {
                    Ok(_) => {
                        row.admitted += 1;
                        if only.as_deref() == Some(&fault.id) {
                            println!("{} `{}` -> `{}`", seed.id, mutant.facts.reference, mutant.facts.broken);
                        }
                    }
                    Err(refusal) => {
                        let words: String = refusal.to_string().chars().take(70).collect();
                        let place = format!("{}: `{}` -> `{}`", seed.id, mutant.facts.reference, mutant.facts.broken);
                        let key = words.split(':').next().unwrap_or_default().to_owned();
                        let entry = row.refusals.entry(key).or_insert((0, format!("{words} | {place}")));
                        entry.0 += 1;
                    }
                }
                admitting += start.elapsed();
            }
        }
    }
    let shares = taxonomy.prevalence();
    for track in [Track::Syntax, Track::Semantic] {
        println!("\n{track:?}\nfault, paper share, scripts, sites, admitted of sampled, refusals");
        let tracked = taxonomy.faults().iter().zip(&rows).zip(&shares).filter(|((fault, _), _)| fault.track == track);
        for ((fault, row), share) in tracked {
            let tried = row.admitted + row.refusals.values().map(|(count, _)| count).sum::<usize>();
            println!("{:45} {share:6.2} {:3} {:6} {:4}/{tried}", fault.id, row.scripts, row.sites, row.admitted);
            for (count, words) in row.refusals.values() {
                println!("      {count:4} {words}");
            }
        }
    }
    let sites: usize = rows.iter().map(|row| row.sites).sum();
    println!("\n{sites} sites; proposing {proposing:?}, gates {admitting:?}");
}
