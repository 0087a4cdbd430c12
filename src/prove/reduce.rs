//! The smallest witness: removes rows, then values, for as long as the database still shows the fault.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::code::schema::Schema;
use crate::engine::table::{Database, Row, Value};

/// How long the reductions of a script's witnesses took. Times differ from run to run: they are for the terminal, never
/// for a record.
#[derive(Debug, Default)]
pub struct ReductionTimes {
    times: Mutex<Vec<Duration>>,
}

impl ReductionTimes {
    /// Does the work and notes how long it took.
    pub fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        // A poisoned lock still guards whole entries.
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push(start.elapsed());
        done
    }

    /// Returns all times noted.
    pub fn times(&self) -> Vec<Duration> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The effort of a reduction, and what it achieved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReductionEffort {
    /// Databases tried.
    pub trials: usize,
    /// Rows before.
    pub rows_before: usize,
    /// Rows after.
    pub rows_after: usize,
}

/// Shrinks `database` while `shows` holds for it. No single row of the result can be removed, unless `budget` trials
/// run out first; columns that may be NULL are then emptied, many at once where that works.
///
/// Rows are removed by delta debugging (Zeller and Hildebrandt, 2002), table by table, the largest chunks first.
pub fn reduce(
    database: &Database,
    schema: &Schema,
    budget: usize,
    shows: &mut dyn FnMut(&Database) -> bool,
) -> (Database, ReductionEffort) {
    let mut reduction = Reduction { best: database.clone(), schema, trials: 0, budget, shows };
    reduction.rows();
    reduction.columns();
    let effort = ReductionEffort {
        trials: reduction.trials,
        rows_before: database.row_count(),
        rows_after: reduction.best.row_count(),
    };
    reduction.best.tables.retain(|table| !table.rows.is_empty());
    (reduction.best, effort)
}

struct Reduction<'a> {
    best: Database,
    schema: &'a Schema,
    trials: usize,
    budget: usize,
    shows: &'a mut dyn FnMut(&Database) -> bool,
}

impl Reduction<'_> {
    fn accepts(&mut self, candidate: Database) -> bool {
        if self.trials >= self.budget {
            return false;
        }
        self.trials += 1;
        let shown = (self.shows)(&candidate);
        if shown {
            self.best = candidate;
        }
        shown
    }

    /// Removes rows of all tables in turn until a whole round removes nothing.
    fn rows(&mut self) {
        let mut removed = true;
        while removed && self.trials < self.budget {
            removed = false;
            for table in 0..self.best.tables.len() {
                removed |= self.rows_of(table);
            }
        }
    }

    fn rows_of(&mut self, table: usize) -> bool {
        let before = self.best.tables[table].rows.len();
        let mut chunk = before;
        while chunk > 0 && self.trials < self.budget {
            let mut start = 0;
            while start < self.best.tables[table].rows.len() {
                if !self.without(table, start, chunk) {
                    start += chunk;
                }
            }
            chunk /= 2;
        }
        self.best.tables[table].rows.len() < before
    }

    fn without(&mut self, table: usize, start: usize, chunk: usize) -> bool {
        let mut candidate = self.best.clone();
        let rows: &mut Vec<Row> = &mut candidate.tables[table].rows;
        rows.drain(start..(start + chunk).min(rows.len()));
        self.accepts(candidate)
    }

    /// Empties columns whose values the fault does not need.
    fn columns(&mut self) {
        for table in 0..self.best.tables.len() {
            let width = self.best.tables[table].rows.first().map_or(0, |row| row.len());
            self.columns_between(table, 0, width);
        }
    }

    /// Tries to empty a range of columns at once, then its halves.
    fn columns_between(&mut self, table: usize, start: usize, end: usize) {
        let mut candidate = self.best.clone();
        let definition = self.schema.table(&candidate.tables[table].table);
        let may_be_null = |column: usize| {
            definition.is_none_or(|table| table.columns.get(column).is_none_or(|column| column.nullable))
        };
        for row in &mut candidate.tables[table].rows {
            (start..end).filter(|column| may_be_null(*column)).for_each(|column| row.set(column, Value::Null));
        }
        if start >= end || candidate == self.best || self.accepts(candidate) {
            return;
        }
        let middle = start + (end - start) / 2;
        if middle > start {
            self.columns_between(table, start, middle);
            self.columns_between(table, middle, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::TableRows;
    use proptest::prelude::*;

    fn database(rows: usize) -> Database {
        let rows = (0..rows as i64).map(|n| Row::from([Value::Integer(n), Value::Integer(n * n)])).collect();
        Database { tables: vec![TableRows { table: "t".to_owned(), rows }] }
    }

    fn keys(database: &Database) -> Vec<i64> {
        let rows = database.tables.iter().flat_map(|table| &table.rows);
        rows.filter_map(|row| if let Value::Integer(n) = row[0] { Some(n) } else { None }).collect()
    }

    proptest! {
        #[test]
        fn only_the_needed_rows_remain(size in 1usize..40, picks in prop::collection::btree_set(0usize..40, 1..4)) {
            let needed: Vec<i64> = picks.into_iter().map(|pick| (pick % size) as i64).collect();
            let mut shows = |d: &Database| { let keys = keys(d); needed.iter().all(|n| keys.contains(n)) };
            let (reduced, effort) = reduce(&database(size), &Schema::default(), 10_000, &mut shows);
            let mut expected = needed.clone();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(keys(&reduced), expected);
            prop_assert_eq!(effort.rows_after, reduced.row_count());
            prop_assert!(reduced.tables[0].rows.iter().all(|row| row[1] == Value::Null));
        }
    }

    #[test]
    fn a_column_that_must_have_a_value_keeps_it() {
        let schema = Schema::read("CREATE TABLE t (k BIGINT NOT NULL, v BIGINT)").unwrap();
        let (reduced, _) = reduce(&database(3), &schema, 100, &mut |database| database.row_count() > 0);
        let row = &reduced.tables[0].rows[0];
        assert!(row[0] != Value::Null && row[1] == Value::Null, "{row:?}");
    }
}
