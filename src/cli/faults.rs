//! `sqlfault faults`.

use std::path::PathBuf;

use clap::Args;

use super::{Exit, bad_input};
use crate::fault::{Fault, Planting, Taxonomy};

/// Options of `faults`.
#[derive(Debug, Args)]
pub struct Options {
    /// Explain this fault
    id: Option<String>,
    /// Check a taxonomy folder of your own
    #[arg(long, value_name = "FOLDER")]
    check: Option<PathBuf>,
}

/// Runs it.
pub fn run(options: &Options) -> Exit {
    let taxonomy = match &options.check {
        Some(folder) => Taxonomy::load(folder),
        None => Taxonomy::embedded(),
    };
    let taxonomy = match taxonomy {
        Ok(taxonomy) => taxonomy,
        Err(error) => return bad_input(&error),
    };
    match &options.id {
        None => list(&taxonomy),
        Some(id) => match taxonomy.fault(id) {
            Some(fault) => explain(fault),
            None => return bad_input(&format!("no fault is called {id}; `sqlfault faults` lists them")),
        },
    }
    Exit::Done
}

fn list(taxonomy: &Taxonomy) {
    for (fault, weight) in taxonomy.faults().iter().zip(taxonomy.prevalence()) {
        let mark = if fault.operator().is_some() { ' ' } else { '-' };
        println!(
            "{mark} {:9} {:6.1}  {:44} {}",
            format!("{:?}", fault.track).to_lowercase(),
            weight,
            fault.id,
            fault.summary
        );
    }
}

fn explain(fault: &Fault) {
    println!("{}\n\n{}\n\nWhy it is missed: {}", fault.id, fault.summary, fault.why_missed);
    for label in &fault.labels {
        println!("Label: {} / {} / {} ({})", label.level1, label.level2, label.level3, label.count);
    }
    if let Planting::NotShown(reason) = &fault.planting {
        println!("Not shown by any engine: {reason}");
    }
    println!("A database that shows it needs: {:?}", fault.needs);
    for example in &fault.examples {
        println!("\nBefore: {}\nAfter:  {}", example.before, example.after);
    }
}
