//! The work before and after a kill: making databases, and reducing the one that kills.

use std::hint::black_box;

use sqlfault::engine::sqlite::{Limits, Sqlite};
use sqlfault::engine::table::Database;
use sqlfault::prove::Subject;
use sqlfault::prove::reduce::reduce;
use sqlfault::prove::varieties::databases;

use crate::clock::in_turns;
use crate::table::{each, row, shown};

/// Most databases that one reduction tries, as in a trial.
const BUDGET: usize = 600;

/// Measures making databases, against loading them and running the reference on them, and reducing them, against the
/// runs that a reduction asks for.
pub fn measure(subjects: &[Subject<'_>]) {
    generation(subjects);
    reduction(subjects);
}

fn generation(subjects: &[Subject<'_>]) {
    let made: usize =
        subjects.iter().map(|subject| databases(subject.reference, &subject.bound, &subject.scopes).len()).sum();
    let [ours, floor] = in_turns([
        &mut || {
            for subject in subjects {
                black_box(databases(subject.reference, &subject.bound, &subject.scopes));
            }
        },
        &mut || {
            for subject in subjects {
                for baseline in &subject.baseline {
                    run(subject, &baseline.database);
                }
            }
        },
    ]);
    let (ours, floor) = (each(ours, made), each(floor, made));
    let ratio = ours.as_secs_f64() / floor.as_secs_f64();
    row(
        &format!("make a database ({made} made)"),
        &shown(ours),
        &format!("load and run it: {}", shown(floor)),
        ratio,
        (1.0, false),
    );
}

/// Reduces databases to what still gives a row. A reduction without runs measures our own part of the time.
fn reduction(subjects: &[Subject<'_>]) {
    let mut trials = 0;
    let sample: Vec<&Subject<'_>> = subjects.iter().step_by(4).collect();
    let mut ours_only = || {
        for subject in &sample {
            let half = subject.baseline[0].database.row_count() / 2;
            black_box(reduce(&subject.baseline[0].database, &subject.reference.schema, BUDGET, &mut |candidate| {
                candidate.row_count() >= half
            }));
        }
    };
    let mut with_runs = || {
        trials = 0;
        for subject in &sample {
            let (_, effort) =
                reduce(&subject.baseline[0].database, &subject.reference.schema, BUDGET, &mut |candidate| {
                    run(subject, candidate) > 0
                });
            trials += effort.trials;
        }
    };
    let [own, whole] = in_turns([&mut ours_only, &mut with_runs]);
    let what = format!("reduce a database ({} trials each)", trials / sample.len().max(1));
    let ratio = whole.as_secs_f64() / (whole.as_secs_f64() - own.as_secs_f64()).max(f64::MIN_POSITIVE);
    let whole = each(whole, sample.len());
    row(&what, &shown(whole), &format!("{} without its runs", shown(each(own, sample.len()))), ratio, (1.25, false));
}

/// Loads a database and returns the number of rows that the reference gives on it; 0 if it fails.
fn run(subject: &Subject<'_>, database: &Database) -> usize {
    let Ok(loaded) = Sqlite::open(&subject.reference.schema, database) else { return 0 };
    let result = loaded.run(&subject.translation, &Limits::default());
    result.map_or(0, |result| result.tables.iter().map(|table| table.rows.len()).sum())
}
