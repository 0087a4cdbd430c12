//! Runs a translation.

use std::collections::HashMap;

use rusqlite::types::ValueRef;
use rusqlite::{Statement, StatementStatus};

use super::failures::SEVERAL_ROWS;
use super::file::value;
use super::functions::TieOrder;
use super::limits::{Limits, RunError, RunErrorKind, SEVERAL_MATCHES};
use super::load::{LoadedDatabase, insertion, removal, stored};
use super::translate::{Destination, Replaces, Source, Step, Translation, Write};
use super::work::add_reading;
use super::worker::{JoinStrategy, PooledConnection};
use crate::code::tree::NodeId;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, ResultTable, Row, ScriptResult, Value};

impl LoadedDatabase {
    /// Runs every statement on the rows of the database, which does not change.
    ///
    /// # Errors
    ///
    /// If a statement fails or exceeds a limit; the error names the first one.
    pub fn run(&self, translation: &Translation, limits: &Limits) -> Result<ScriptResult, RunError> {
        self.run_by(JoinStrategy::Indexes, translation, TieOrder::default(), limits)
    }

    /// As [`LoadedDatabase::run`], but without the indexes that SQLite builds for a query.
    ///
    /// An index puts rows in the order of their values and so hides that a result depends on the order of rows. Without
    /// indexes tables are read from end to end, and the rows of inner queries without an order are read backwards; rows of
    /// the same rank come in the order of `ties`.
    ///
    /// # Errors
    ///
    /// As [`LoadedDatabase::run`]. Limits are exceeded sooner.
    pub fn run_scanning(
        &self,
        translation: &Translation,
        ties: TieOrder,
        limits: &Limits,
    ) -> Result<ScriptResult, RunError> {
        self.run_by(JoinStrategy::Scans, translation, ties, limits)
    }

    fn run_by(
        &self,
        plan: JoinStrategy,
        translation: &Translation,
        ties: TieOrder,
        limits: &Limits,
    ) -> Result<ScriptResult, RunError> {
        let outcome = PooledConnection::with(self, &translation.scratch, plan, |worker| {
            worker.budget.start(limits);
            worker.turn.set(ties);
            let turns = plan == JoinStrategy::Scans && !translation.turned.is_empty();
            let steps = if turns { &translation.turned } else { &translation.steps };
            let outcome = ScriptRunState::new(self, worker, limits).steps(steps);
            worker.budget.stop();
            outcome
        });
        match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                let statement = translation.steps.first().map_or(NodeId(0), |step| step.statement);
                Err(RunError { statement, kind: RunErrorKind::Prepare(error.to_string()) })
            }
        }
    }
}

struct ScriptRunState<'a> {
    database: &'a LoadedDatabase,
    worker: &'a PooledConnection,
    limits: &'a Limits,
    result: ScriptResult,
    /// The position of each written table in the result.
    written: HashMap<String, usize>,
    /// Whether something has been written to the copy of the database.
    dirty: bool,
}

impl<'a> ScriptRunState<'a> {
    fn new(database: &'a LoadedDatabase, worker: &'a PooledConnection, limits: &'a Limits) -> Self {
        ScriptRunState {
            database,
            worker,
            limits,
            result: ScriptResult::default(),
            written: HashMap::new(),
            dirty: false,
        }
    }

    fn steps(mut self, steps: &[Step]) -> Result<ScriptResult, RunError> {
        let outcome = steps
            .iter()
            .try_for_each(|step| self.step(step).map_err(|kind| RunError { statement: step.statement, kind }));
        if self.dirty {
            // This restores the copy. If it failed, the statements of the next run would fail as well.
            let _ = self.worker.connection.execute_batch("ROLLBACK");
        }
        outcome.map(|()| self.result)
    }

    fn step(&mut self, step: &Step) -> Result<(), RunErrorKind> {
        match &step.destination {
            Destination::Result { ordered, sorted_by } => {
                let rows = self.rows(step)?;
                let columns = step.columns.clone();
                let (ordered, sorted_by) = (*ordered, sorted_by.clone());
                self.result.tables.push(ResultTable { target: String::new(), columns, rows, ordered, sorted_by });
                Ok(())
            }
            Destination::Table(write) => {
                let rows = self.rows(step)?;
                self.write(write, rows)
            }
            Destination::Drop(table) => {
                self.forget(table);
                Ok(())
            }
            Destination::Rename { from, to } => {
                if self.written.contains_key(from) {
                    self.forget(to);
                }
                if let Some(place) = self.written.remove(from) {
                    self.result.tables[place].target.clone_from(to);
                    self.written.insert(to.clone(), place);
                }
                Ok(())
            }
        }
    }

    /// Takes a table out of the result.
    fn forget(&mut self, table: &str) {
        if let Some(place) = self.written.remove(table) {
            self.result.tables.remove(place);
            self.written.values_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        }
    }

    /// Runs the query of a step.
    fn rows(&self, step: &Step) -> Result<Vec<Row>, RunErrorKind> {
        let rows = self.worker.query(&step.sql, |statement| self.read(statement, &step.columns));
        rows.map_err(|error| RunErrorKind::Prepare(error.to_string()))?
    }

    fn read(&self, statement: &mut Statement<'_>, columns: &[ResultColumn]) -> Result<Vec<Row>, RunErrorKind> {
        let mut rows = Vec::new();
        // The work of a prepared statement is counted on from its last run: how soon a limit is checked would hang on that.
        statement.reset_status(StatementStatus::VmStep);
        let mut cursor = statement.raw_query();
        loop {
            let row = match cursor.next() {
                Ok(Some(row)) => row,
                Ok(None) => {
                    add_reading(rows.len(), columns.len());
                    return Ok(rows);
                }
                Err(error) => return Err(self.failure(&error)),
            };
            if rows.len() >= self.limits.rows {
                return Err(RunErrorKind::Rows);
            }
            let cell = |(index, column): (usize, &ResultColumn)| {
                row.get_ref(index).map(|value| cell(value, &column.data_type)).unwrap_or(Value::Null)
            };
            rows.push(columns.iter().enumerate().map(cell).collect());
        }
    }

    fn failure(&self, error: &rusqlite::Error) -> RunErrorKind {
        if let Some(exceeded) = self.worker.budget.exceeded() {
            return exceeded;
        }
        let message = error.to_string();
        match &message {
            message if message.contains(SEVERAL_ROWS) => RunErrorKind::SeveralRows,
            message if message.contains(SEVERAL_MATCHES) => RunErrorKind::SeveralMatches,
            _ => RunErrorKind::Value(message),
        }
    }

    /// Writes rows to a table of the result, and to the copy if a later statement reads them.
    fn write(&mut self, write: &Write, rows: Vec<Row>) -> Result<(), RunErrorKind> {
        let rows = assembled(rows, &write.sources);
        let place = self.place_of(write);
        let table = &mut self.result.tables[place];
        for (column, written) in table.columns.iter_mut().zip(&write.columns) {
            column.take_order_of(written);
        }
        // A table that was dropped and created again may still have rows in the copy.
        let rewritten =
            remove_replaced(&mut table.rows, &rows, &write.replaces) || write.replaces == Replaces::Everything;
        let kept = table.rows.len();
        table.rows.extend(rows);
        match &write.kept_as {
            Some(name) => self.keep(name, place, if rewritten { None } else { Some(kept) }),
            None => Ok(()),
        }
    }

    /// Returns the position of a table in the result. At its first write it starts with the rows of the database.
    fn place_of(&mut self, write: &Write) -> usize {
        if let Some(place) = self.written.get(&write.table) {
            return *place;
        }
        let rows = self.database.rows(&write.table).unwrap_or_default().to_vec();
        let columns = write.columns.clone();
        self.result.tables.push(ResultTable::unordered(write.table.clone(), columns, rows));
        let place = self.result.tables.len() - 1;
        self.written.insert(write.table.clone(), place);
        place
    }

    /// Copies a written table into the connection: its rows from `first` on, or all of them anew if that is `None`.
    fn keep(&mut self, name: &str, place: usize, first: Option<usize>) -> Result<(), RunErrorKind> {
        let failed = |error: rusqlite::Error| RunErrorKind::Value(error.to_string());
        let connection = &self.worker.connection;
        if !self.dirty {
            connection.execute_batch("BEGIN").map_err(failed)?;
            self.dirty = true;
        }
        if first.is_none() {
            connection.prepare_cached(&removal(name)).and_then(|mut all| all.execute([])).map_err(failed)?;
        }
        let table = &self.result.tables[place];
        let mut statement = connection.prepare_cached(&insertion(name, table.columns.len())).map_err(failed)?;
        for row in table.rows.iter().skip(first.unwrap_or(0)) {
            let values = row.iter().zip(&table.columns).map(|(value, column)| stored(value, &column.data_type));
            statement.execute(rusqlite::params_from_iter(values)).map_err(failed)?;
        }
        Ok(())
    }
}

/// Assembles the rows of a table from the rows of its query.
fn assembled(rows: Vec<Row>, sources: &[Source]) -> Vec<Row> {
    if sources.iter().enumerate().all(|(index, source)| *source == Source::Query(index)) {
        return rows;
    }
    let value = |row: &Row, source: &Source| match source {
        Source::Query(index) => row[*index].clone(),
        Source::Constant(value) => value.clone(),
    };
    rows.iter().map(|row| sources.iter().map(|source| value(row, source)).collect()).collect()
}

fn remove_replaced(rows: &mut Vec<Row>, written: &[Row], replaces: &Replaces) -> bool {
    let before = rows.len();
    match replaces {
        Replaces::Nothing => {}
        Replaces::Everything => rows.clear(),
        Replaces::Partitions { fixed, dynamic } => {
            let mut partitions: Vec<Vec<&Value>> = Vec::new();
            for row in written {
                let partition: Vec<&Value> = dynamic.iter().map(|column| &row[*column]).collect();
                if !partitions.contains(&partition) {
                    partitions.push(partition);
                }
            }
            let is_replaced = |row: &Row| {
                let same = fixed.iter().all(|(column, value)| row[*column] == *value);
                let partition: Vec<&Value> = dynamic.iter().map(|column| &row[*column]).collect();
                same && (dynamic.is_empty() || partitions.contains(&partition))
            };
            rows.retain(|row| !is_replaced(row));
        }
    }
    rows.len() != before
}

/// Returns a value as results hold it: doubles and decimals are `Real` even if they are whole.
fn cell(cell: ValueRef<'_>, data_type: &Type) -> Value {
    match (cell, data_type) {
        (ValueRef::Integer(whole), Type::Double | Type::Decimal(..)) => Value::Real(whole as f64),
        _ => value(cell),
    }
}
