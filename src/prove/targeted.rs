//! Databases targeted at the difference between a reference and a script that should mean the same: the suite of a task
//! changed near what the script changes, within the [`DataProfile`] of that suite.
//!
//! They are made as in the search for a witness, but without looking at what the script gives on them: the script may
//! be anybody's, and runs elsewhere.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::data_mutation::cells::mutate_cells;
use super::data_mutation::column_change::apply;
use super::data_mutation::columns::mutate_columns;
use super::data_profile::DataProfile;
use super::search::hints::{ColumnHints, column_mutations, hints, script_hints};
use super::subject::Subject;
use super::verdict::Candidate;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::NodeId;
use crate::engine::table::{Database, Value};

/// Places that are targeted one by one; a script that differs at more is targeted as a whole.
const PLACES: usize = 4;
/// Databases with a fixed change to one column, for all places together.
const COLUMN_CHANGES: usize = 144;
/// Databases with random changes to cells, and as many with random changes to columns.
const RANDOM_CHANGES: usize = 168;
/// Changes made one after another before the next database of the suite is taken.
const STEPS: usize = 3;
/// A database with more rows is not changed again.
const MOST_ROWS: usize = 400;
/// Databases with scattered numbers.
const SCATTERED: usize = 48;
/// Scattered numbers reach up to this many times the greatest of their column.
const REACH: f64 = 2.5;

/// Makes the databases on which `script` is compared with the subject's reference, those that show most first. None of
/// them is in the suite.
pub fn targeted_databases(subject: &Subject<'_>, script: &Script, suite: &[Database]) -> Vec<Database> {
    if suite.is_empty() {
        return Vec::new();
    }
    let targets = targets(subject, script);
    let profile = DataProfile::of_suite(subject, suite);
    let column_share = COLUMN_CHANGES.div_ceil(targets.len().max(1));
    let random_share = RANDOM_CHANGES.div_ceil(targets.len().max(1));
    let scattered = (0..SCATTERED).zip(targets.iter().cycle().zip(suite.iter().cycle()));
    let scattered = scattered.map(|(number, (hints, base))| scattered_numbers(subject, hints, base, number));
    let columns = targets.iter().flat_map(|hints| changed_columns(subject, hints, suite, column_share));
    let fixed = scattered.chain(columns).map(|database| profile.conform(database));
    let random = targets.iter().flat_map(|hints| changed_at_random(subject, hints, suite, &profile, random_share));
    let mut made: Vec<Database> = Vec::new();
    for database in fixed.chain(random) {
        if !suite.contains(&database) && !made.contains(&database) {
            made.push(database);
        }
    }
    made
}

/// Returns the columns near each place at which the script differs from the reference.
fn targets(subject: &Subject<'_>, script: &Script) -> Vec<ColumnHints> {
    let changes = changes(&subject.reference.script, script);
    if changes.len() > PLACES {
        return vec![script_hints(subject)];
    }
    let near = |change: &ChangedWords| {
        let about = smallest_around(&subject.reference.script, change.reference);
        hints(subject, &Candidate { text: script.text(), changed: change.script, about: about.as_slice() })
    };
    changes.iter().map(near).collect()
}

/// Changed bytes of a reference, and those in their place in another script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChangedWords {
    reference: Span,
    script: Span,
}

/// Returns where two scripts differ in tokens; blanks and letter case do not count.
fn changes(reference: &Script, script: &Script) -> Vec<ChangedWords> {
    let operations = capture_diff_slices(Algorithm::Myers, &reference.lowercase_words(), &script.lowercase_words());
    let different = operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    different
        .map(|operation| ChangedWords {
            reference: bytes(reference, operation.old_range()),
            script: bytes(script, operation.new_range()),
        })
        .collect()
}

/// Returns the bytes of some tokens, or for none the gap before the next one.
fn bytes(script: &Script, tokens: std::ops::Range<usize>) -> Span {
    let spans = script.tokens().get(tokens.clone()).unwrap_or_default();
    match (spans.first(), spans.last()) {
        (Some(first), Some(last)) => first.span().cover(last.span()),
        _ => Span::empty(script.tokens().get(tokens.start).map_or(script.text().len(), |next| next.span().start)),
    }
}

/// Returns the smallest node around some bytes. A script has the same node numbers before and after
/// its placeholders are bound.
fn smallest_around(reference: &Script, span: Span) -> Option<NodeId> {
    let tree = reference.tree();
    tree.ids().filter(|node| tree.span(*node).contains(span)).min_by_key(|node| tree.span(*node).len())
}

/// Makes fixed changes to single columns, in the order in which a search for a witness tries them.
fn changed_columns(subject: &Subject<'_>, hints: &ColumnHints, suite: &[Database], most: usize) -> Vec<Database> {
    let schema = &subject.reference.schema;
    let mutations = column_mutations(hints);
    let bases = suite.iter().cycle();
    let changed =
        mutations.iter().zip(bases).filter_map(|((column, change), base)| apply(schema, base, column, *change));
    changed.take(most).collect()
}

/// Returns the database with random numbers in most cells of the columns near a place, and without some of its rows.
/// Numbers made up for a script are round, and small changes to them leave rounded shares and averages as they are.
fn scattered_numbers(subject: &Subject<'_>, hints: &ColumnHints, base: &Database, number: usize) -> Database {
    let schema = &subject.reference.schema;
    let digest = Sha256::digest(format!("scattered\u{1f}{number}"));
    let mut chance = ChaCha8Rng::from_seed(digest.into());
    let mut database = base.clone();
    for table in &mut database.tables {
        table.rows.retain(|_| chance.random_bool(0.85));
    }
    for column in hints.near.iter().chain(&hints.far) {
        let definition = schema.table(&column.table);
        let Some(definition) = definition else { continue };
        let Some(position) = definition.position(&column.column) else { continue };
        let data_type = &definition.columns[position].data_type;
        let Some(table) = database.tables.iter_mut().find(|table| table.table == column.table) else { continue };
        let numbers = table.rows.iter().filter_map(|row| match row.get(position) {
            Some(Value::Integer(number)) => Some(*number as f64),
            Some(Value::Real(number)) => Some(*number),
            _ => None,
        });
        let greatest = numbers.fold(0.0, |greatest: f64, number| greatest.max(number.abs()));
        for cell in table.rows.iter_mut().filter_map(|row| row.get_mut(position)) {
            if chance.random_bool(0.3) {
                continue;
            }
            let scattered = chance.random_range(0.0..greatest.max(1.0) * REACH);
            match cell {
                Value::Integer(number) => *number = scattered as i64,
                Value::Real(number) => *number = data_type.at_scale(scattered),
                _ => {}
            }
        }
    }
    database
}

/// Makes random changes, each to the database after the last one, for a few steps from every database of the suite in
/// turn: the farther from the suite, the more the counts of rows differ.
fn changed_at_random(
    subject: &Subject<'_>,
    hints: &ColumnHints,
    suite: &[Database],
    profile: &DataProfile,
    most: usize,
) -> Vec<Database> {
    let schema = &subject.reference.schema;
    let input = hints.input("targeted");
    let mut made: Vec<Database> = Vec::new();
    for number in 0..2 * most {
        let first = &suite[number / STEPS % suite.len()];
        let last = made.last().filter(|last| number % STEPS > 0 && last.row_count() <= MOST_ROWS);
        let base = last.unwrap_or(first);
        let changed = match number % 2 {
            0 => mutate_cells(schema, base, &input, number),
            _ => mutate_columns(schema, base, &input, number),
        };
        made.extend(changed.map(|database| profile.conform(database)));
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found_in_tokens_and_their_smallest_node_is_what_they_are_about() {
        let reference = Script::new("SELECT a, SUM(b) FROM t WHERE c >= 2 AND d = 1 GROUP BY a");
        let script = Script::new("select a, sum(b)\nfrom t where c > 2 and d = 1 and e = 5 group by a");
        let found = changes(&reference, &script);
        let texts: Vec<(&str, &str)> = found
            .iter()
            .map(|change| (change.reference.of(reference.text()), change.script.of(script.text())))
            .collect();
        assert_eq!(texts, [(">=", ">"), ("", "and e = 5")]);
        let node = smallest_around(&reference, found[0].reference).unwrap();
        assert_eq!(reference.slice(node), "c >= 2");
    }
}
