//! Finding the places of every fault and writing the mutants, unproved; and refusing a syntax mutant.

use std::hint::black_box;

use sqlfault::corpus::Reference;
use sqlfault::fault::{Taxonomy, Track};
use sqlfault::inject::{Mutant, ScriptContext, propose};
use sqlfault::prove::Subject;
use sqlfault::prove::trial::{Candidate, try_syntax};

use crate::clock::alone;
use crate::table::{each, row, shown};

/// Microseconds that compiled sqlglot takes to copy, mutate and print a script of 150 lines, noted earlier.
const SQLGLOT_EACH: f64 = 4300.0;

/// Measures proposing all faults on all references and applying the edits.
pub fn measure(references: &[Reference], taxonomy: &Taxonomy) {
    let mut count = 0;
    let time = alone(&mut || {
        count = 0;
        for reference in references {
            let scopes = reference.scopes();
            let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
            for operator in taxonomy.faults().iter().filter_map(|fault| fault.operator()) {
                for proposal in propose(&context, operator) {
                    black_box(proposal.edits.apply(reference.script.text()).ok());
                    count += 1;
                }
            }
        }
    });
    let one = each(time, count);
    let ratio = SQLGLOT_EACH / (one.as_secs_f64() * 1e6);
    let what = format!("propose and write a mutant ({count} mutants)");
    row(&what, &shown(one), "sqlglot compiled 4.3 ms (noted earlier)", ratio, (80.0, true));
}

/// Measures the trial of one syntax mutant of each fault in each script.
pub fn measure_refusals(subjects: &[Subject<'_>], taxonomy: &Taxonomy) {
    let mutants: Vec<(usize, Mutant, String)> = subjects
        .iter()
        .enumerate()
        .flat_map(|(at, subject)| {
            let reference = subject.reference;
            let scopes = reference.scopes();
            let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
            let faults = taxonomy.faults().iter().filter(|fault| fault.track == Track::Syntax);
            let mutants: Vec<_> = faults
                .filter_map(|fault| {
                    let proposal = propose(&context, fault.operator()?).into_iter().next()?;
                    let mutant = Mutant::new(&reference.id, &reference.key(), &fault.id, &proposal);
                    let text = mutant.text(reference.script.text()).ok()?;
                    Some((at, mutant, text))
                })
                .collect();
            mutants
        })
        .collect();
    let time = alone(&mut || {
        for (at, mutant, text) in &mutants {
            let subject = &subjects[*at];
            let changed = mutant.changed(subject.reference.script.text());
            black_box(try_syntax(subject, &Candidate { text, changed, about: &[] }));
        }
    });
    let one = each(time, mutants.len());
    let what = format!("refuse a syntax mutant ({} mutants)", mutants.len());
    row(&what, &shown(one), "budget 0.30 ms", one.as_secs_f64() / 300e-6, (1.0, false));
}
