//! Guided search: continues from the databases on which a difference propagates farthest towards the results.

use super::hints::{ColumnHints, columns};
use crate::code::schema::Schema;
use crate::engine::sqlite::Sqlite;
use crate::engine::table::Database;
use crate::prove::baseline::BaselineDatabase;
use crate::prove::data_mutation::cells::{MutationInput, mutate_cells};
use crate::prove::data_mutation::column_change::BaseColumn;
use crate::prove::data_mutation::columns::mutate_columns;
use crate::prove::differential::DifferentialRun;
use crate::prove::effort::SearchBudget;
use crate::prove::verdict::{Candidate, Verdict};

/// Number of databases to continue from above which only better ones are added.
const MOST_BASES: usize = 12;
/// The most rows of a database to continue from.
const MOST_ROWS: usize = 400;

/// Orders of rows in which a difference must show after changes to whole columns: they make rows tie, and with ties a
/// few orders may agree by chance.
const MANY_ORDERS: usize = 24;

/// Makes a changed database, or `None` if nothing changes.
type DatabaseChange = fn(&Schema, &Database, &MutationInput<'_>, usize) -> Option<Database>;

impl DifferentialRun<'_> {
    /// Changes the databases on which a difference propagates farthest, until the results differ.
    pub(crate) fn search_guided(&self, hints: &ColumnHints, candidate: &Candidate<'_>) -> Option<Verdict> {
        let schema = &self.subject.reference.schema;
        let probe = self.probe();
        let query_columns: Vec<Vec<BaseColumn>> =
            probe.queries.iter().map(|query| columns(self.subject, &[query.query])).collect();
        let depth = |baseline: &BaselineDatabase| (probe.depth(&baseline.loaded), baseline.database.clone());
        let mut bases: Vec<(usize, Database)> = self.subject.baseline.iter().map(depth).collect();
        let SearchBudget { cells, guided_cells, guided_columns } = self.subject.budget();
        for number in 0..guided_cells + guided_columns {
            if self.is_work_done() {
                return None;
            }
            let best = bases.iter().map(|(depth, _)| *depth).max()?;
            self.tally.note(|seen| {
                seen.differing = seen.differing.max(best);
                seen.probed = probe.queries.len();
            });
            let highest: Vec<&Database> =
                bases.iter().filter(|(depth, _)| *depth == best).map(|(_, database)| database).collect();
            let base = highest[number % highest.len()];
            let at_fault = hints.input(candidate.text);
            // Most changes are made to the columns of the next query, where the difference is lost.
            let next_columns = query_columns.get(best).filter(|_| best > 0 && number % 3 > 0).unwrap_or(&hints.near);
            let far = if best > 0 { at_fault.near } else { at_fault.far };
            let at_next_query = MutationInput { near: next_columns, far, ..at_fault };
            let (change, input): (DatabaseChange, _) = if number < guided_cells {
                (mutate_cells, at_next_query)
            } else if number % 2 == 0 {
                (mutate_columns, at_next_query)
            } else {
                (mutate_columns, at_fault)
            };
            if number == guided_cells {
                self.orders.set(MANY_ORDERS);
            }
            let Some(database) = change(schema, base, &input, cells + number) else { continue };
            if let Some(contrast) = self.try_database(&database) {
                return Some(self.killed(&database, contrast));
            }
            let reached = Sqlite::open(schema, &database).map_or(0, |loaded| probe.depth(&loaded));
            let is_useful = reached > best || (reached == best && bases.len() < MOST_BASES);
            if is_useful && database.row_count() <= MOST_ROWS && self.subject.is_stable_on(&database) {
                bases.push((reached, database));
            }
        }
        None
    }
}
