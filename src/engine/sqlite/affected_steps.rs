//! The steps of two translations in which a difference between them can show.
//!
//! Of a script that fills ten tables, a changed statement reaches one or two: the others need not run to see whether the
//! results differ.

use super::load::quoted;
use super::translate::{Destination, Step, Translation, Write};

/// The steps of a reference and of a mutant in which their results can differ, and those that these read.
#[derive(Debug)]
pub struct AffectedSteps {
    /// Those of the reference.
    pub reference: Translation,
    /// Those of the mutant.
    pub mutant: Translation,
    /// Whether they are less than half of all steps, so that both scripts' take less than the whole of one.
    pub is_minor: bool,
}

impl AffectedSteps {
    /// Returns the steps that a change affects or needs; `None` if these are all, or the scripts write different tables.
    /// Where the results of these steps are equal, so are those of the whole scripts.
    pub fn of(reference: &Translation, mutant: &Translation) -> Option<AffectedSteps> {
        let is_one_script = reference.steps.len() == mutant.steps.len()
            && reference.scratch == mutant.scratch
            && reference.steps.iter().zip(&mutant.steps).all(|(one, other)| write_alike(one, other));
        if !is_one_script {
            return None;
        }
        let needed = needed(reference, mutant);
        let only = |translation: &Translation| Translation {
            steps: kept(&translation.steps, &needed),
            scratch: translation.scratch.clone(),
            turned: kept(&translation.turned, &needed),
        };
        // Dropping a table costs nothing.
        let queries = |steps: &[Step]| steps.iter().filter(|step| !step.sql.is_empty()).count();
        let affected = only(reference);
        let (some, all) = (queries(&affected.steps), queries(&reference.steps));
        (some < all).then(|| AffectedSteps { reference: affected, mutant: only(mutant), is_minor: some * 2 < all })
    }
}

fn kept(steps: &[Step], needed: &[bool]) -> Vec<Step> {
    steps.iter().zip(needed).filter(|(_, needed)| **needed).map(|(step, _)| step.clone()).collect()
}

/// Returns which steps differ, or read what differs, or are read by one of these, or write the same table as one.
fn needed(reference: &Translation, mutant: &Translation) -> Vec<bool> {
    let is_changed = |(one, other): (&Step, &Step)| {
        one.sql != other.sql || one.columns != other.columns || one.destination != other.destination
    };
    let changed: Vec<bool> = reference.steps.iter().zip(&mutant.steps).map(is_changed).collect();
    let read_by = |reader: usize| -> Vec<usize> {
        let is_read =
            |writer: &usize| reads(reference, reader, *writer) || changed[reader] && reads(mutant, reader, *writer);
        (0..reader).filter(is_read).collect()
    };
    let read: Vec<Vec<usize>> = (0..changed.len()).map(read_by).collect();
    let mut needed = changed.clone();
    for at in 0..needed.len() {
        needed[at] |= read[at].iter().any(|before| needed[*before]);
    }
    let tables = |at: usize| tables(&reference.steps[at].destination);
    let shares_a_table = |at: usize, other: usize| tables(at).iter().any(|table| tables(other).contains(table));
    let is_missing = |needed: &[bool], at: usize| {
        let mut others = (0..needed.len()).filter(|other| needed[*other]);
        !needed[at] && others.any(|other| read[other].contains(&at) || shares_a_table(at, other))
    };
    while let Some(further) = (0..needed.len()).find(|at| is_missing(&needed, *at)) {
        needed[further] = true;
    }
    needed
}

/// Whether two steps do the same with their rows: give them, or write, drop or rename the same tables.
fn write_alike(one: &Step, other: &Step) -> bool {
    let (left, right) = (&one.destination, &other.destination);
    std::mem::discriminant(left) == std::mem::discriminant(right) && tables(left) == tables(right)
}

/// The tables that a step writes, drops or renames.
fn tables(destination: &Destination) -> Vec<&str> {
    match destination {
        Destination::Result { .. } => Vec::new(),
        Destination::Table(Write { table, .. }) | Destination::Drop(table) => vec![table],
        Destination::Rename { from, to } => vec![from, to],
    }
}

/// Whether a step may read the rows of an earlier one: its query holds the name under which they are kept.
fn reads(translation: &Translation, reader: usize, writer: usize) -> bool {
    match &translation.steps[writer].destination {
        Destination::Table(Write { kept_as: Some(name), .. }) => translation.steps[reader].sql.contains(&quoted(name)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::parameters::Parameters;
    use crate::code::schema::Schema;
    use crate::code::scope::ResolvedScript;
    use crate::engine::sqlite::Sqlite;

    const SCHEMA: &str = "CREATE TABLE a (k INT, v INT); CREATE TABLE b (k INT, v INT); CREATE TABLE out1 (k INT, v INT); \
                          CREATE TABLE out2 (k INT, v INT); CREATE TABLE out3 (k INT, v INT);";

    fn translated(text: &str) -> Translation {
        let schema = Schema::read(SCHEMA).unwrap();
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, &schema);
        Sqlite::translate(&script, &scopes, &schema, &Parameters::default()).unwrap()
    }

    #[test]
    fn what_a_change_neither_reaches_nor_needs_does_not_run() {
        let stage = "CREATE TEMPORARY TABLE stage AS SELECT k, v FROM a WHERE v > 1;";
        let first = "INSERT OVERWRITE TABLE out1 SELECT k, v FROM stage;";
        let second = "INSERT OVERWRITE TABLE out2 SELECT k, v FROM b;";
        let third = "INSERT OVERWRITE TABLE out3 SELECT k, v FROM out2;";
        let again = "INSERT INTO TABLE out2 SELECT k, v FROM a;";
        for (statements, changed, kept) in [
            (vec![stage, first, second, third], 0, Some(vec![0, 1])),
            (vec![stage, first, second, third], 1, Some(vec![0, 1])),
            (vec![stage, first, second, third], 2, Some(vec![2, 3])),
            (vec![stage, first, second, third], 3, Some(vec![2, 3])),
            (vec![stage, second, first, again, third], 1, Some(vec![1, 3, 4])),
            (vec![stage, first], 0, None),
            (vec![second], 0, None),
        ] {
            let reference = statements.join("\n");
            let mut other: Vec<String> = statements.iter().map(|statement| (*statement).to_owned()).collect();
            other[changed] = other[changed].replacen("k, v", "k, v + 1 AS v", 1);
            let (reference, mutant) = (translated(&reference), translated(&other.join("\n")));
            let affected = AffectedSteps::of(&reference, &mutant);
            let positions = affected.map(|affected| {
                let is_kept = |at: &usize| affected.reference.steps.contains(&reference.steps[*at]);
                let has_query = |at: &usize| !reference.steps[*at].sql.is_empty();
                (0..reference.steps.len()).filter(is_kept).filter(has_query).collect::<Vec<_>>()
            });
            assert_eq!(positions, kept, "{statements:?}, {changed}");
        }
    }

    #[test]
    fn a_script_that_writes_another_table_runs_as_a_whole() {
        let one = translated(
            "INSERT OVERWRITE TABLE out1 SELECT k, v FROM a; INSERT OVERWRITE TABLE out2 SELECT k, v FROM b",
        );
        let other = translated(
            "INSERT OVERWRITE TABLE out3 SELECT k, v FROM a; INSERT OVERWRITE TABLE out2 SELECT k, v FROM b",
        );
        assert!(AffectedSteps::of(&one, &other).is_none());
    }
}
