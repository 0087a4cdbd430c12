//! Speed against floors and budgets: `cargo bench --bench speed`, or with `-- prove` only what has that name.
//!
//! CPU time of one thread; what is compared is run in turns; medians of nine rounds after one that does not count.
//!
//! sqlglot's optimiser and pandas run after ours if `SQLGLOT_PYTHON` and `PANDAS_PYTHON` name a Python that has them.
//! Otherwise the optimiser has no row, and pandas is a constant noted earlier, as are sqlglot's proposals and the time
//! of the default build always: such ratios are a guide, not a measurement. A proof is measured up to its verdict on
//! the first database; soundness and the reduction of the witness are in the row of the whole trial.
#![allow(missing_docs, clippy::print_stdout, reason = "the table is the result")]

mod clock;
mod comparing;
mod growth;
mod peer;
mod proposing;
mod proving;
mod reading;
mod scoring;
mod table;
mod witnessing;

use sqlfault::corpus::{Reference, embedded};
use sqlfault::fault::Taxonomy;
use sqlfault::prove::Subject;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let measures = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let references: Vec<Reference> = embedded().into_iter().filter_map(Result::ok).collect();
    let taxonomy = Taxonomy::embedded().expect("the taxonomy of the project");
    println!("load average: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    table::head();
    if measures("read") {
        reading::measure(&references);
    }
    if measures("propose") {
        proposing::measure(&references, &taxonomy);
    }
    if measures("refuse") || measures("prove") {
        let subjects: Vec<Subject<'_>> =
            references.iter().filter_map(|reference| Subject::new(reference).ok()).collect();
        proposing::measure_refusals(&subjects, &taxonomy);
        proving::measure(&subjects, &taxonomy);
    }
    if measures("witness") {
        let subjects: Vec<Subject<'_>> =
            references.iter().filter_map(|reference| Subject::new(reference).ok()).collect();
        witnessing::measure(&subjects);
    }
    if measures("growth") {
        growth::measure(&taxonomy);
        growth::measure_generated();
    }
    if measures("records") {
        growth::measure_records(references[0].script.text());
    }
    if measures("compare") {
        comparing::measure();
    }
    if measures("score") {
        scoring::measure();
    }
}
