//! A search for what shows a fault, upwards from the databases on which the fault shows inside.

use super::hints::{Hints, columns};
use super::propagation::PropagationProbe;
use crate::code::schema::Schema;
use crate::engine::sqlite::{Limits, Sqlite};
use crate::engine::table::Database;
use crate::prove::data_mutation::cells::{MutationInput, mutate_cells};
use crate::prove::data_mutation::column_change::BaseColumn;
use crate::prove::data_mutation::columns::mutate_columns;
use crate::prove::subject::{BaselineDatabase, ORDERS, is_stable_in};
use crate::prove::trial::{CELL_CHANGES, Candidate, DifferentialRun, Verdict};

/// How many databases are tried that start from those on which the two differ inside.
const GUIDED_CELL_CHANGES: usize = 320;
/// How many more, with changes of whole columns.
const GUIDED_COLUMN_CHANGES: usize = 480;
/// So many databases of one depth are kept as starts.
const BASES: usize = 12;
/// A database with more rows is no start.
const MOST_ROWS: usize = 400;

/// Drills make many rows alike: where rows tie, few orders of them give the same by chance.
const MANY_ORDERS: usize = 24;

/// A changed database; none when nothing changes.
type Change = fn(&Schema, &Database, &MutationInput<'_>, usize) -> Option<Database>;

impl DifferentialRun<'_> {
    /// Goes on from the databases on which the two differ inside, to those on which they differ higher up.
    pub(in crate::prove) fn search_guided(&self, hints: &Hints, candidate: &Candidate<'_>) -> Option<Verdict> {
        let schema = &self.subject.reference.schema;
        let probe = PropagationProbe::new(self.subject, &self.mutant.whole().script);
        let column_mutations: Vec<Vec<BaseColumn>> =
            probe.queries.iter().map(|query| columns(self.subject, &[query.query])).collect();
        let depth = |baseline: &BaselineDatabase| (probe.depth(&baseline.loaded), baseline.database.clone());
        let mut bases: Vec<(usize, Database)> = self.subject.baseline.iter().map(depth).collect();
        for number in 0..GUIDED_CELL_CHANGES + GUIDED_COLUMN_CHANGES {
            let best = bases.iter().map(|(depth, _)| *depth).max()?;
            self.tally.note(|seen| (seen.inside, seen.of) = (seen.inside.max(best), probe.queries.len()));
            let highest: Vec<&Database> =
                bases.iter().filter(|(depth, _)| *depth == best).map(|(_, database)| database).collect();
            let base = highest[number % highest.len()];
            let plain = hints.input(candidate.text);
            let ahead = column_mutations.get(best).filter(|_| best > 0 && number % 3 > 0).unwrap_or(&hints.near);
            let upwards = MutationInput { near: ahead, far: if best > 0 { plain.near } else { plain.far }, ..plain };
            let (change, input): (Change, _) = match number {
                _ if number < GUIDED_CELL_CHANGES => (mutate_cells, upwards),
                _ if number % 2 == 0 => (mutate_columns, upwards),
                _ => (mutate_columns, plain),
            };
            if number == GUIDED_CELL_CHANGES {
                self.orders.set(MANY_ORDERS);
            }
            let Some(database) = change(schema, base, &input, CELL_CHANGES + number) else { continue };
            self.tally.try_one();
            if let Some(contrast) = self.sound_difference(&database) {
                return Some(self.killed(&database, contrast));
            }
            let reached = Sqlite::open(schema, &database).map_or(0, |loaded| probe.depth(&loaded));
            let small = database.row_count() <= MOST_ROWS;
            if small && (reached > best || (reached == best && bases.len() < BASES)) && self.is_quiet(&database) {
                bases.push((reached, database));
            }
        }
        None
    }

    /// Whether the reference gives one result whatever the order of the rows.
    fn is_quiet(&self, database: &Database) -> bool {
        let schema = &self.subject.reference.schema;
        let Ok(loaded) = Sqlite::open(schema, database) else { return false };
        let result = loaded.run(&self.subject.translation, &Limits::default());
        result.is_ok_and(|result| is_stable_in(ORDERS, schema, (&self.subject.translation, database), &result))
    }
}
