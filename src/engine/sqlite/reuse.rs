//! Rows that need not be queried again: a mutant shares most of its steps with its reference.
//!
//! The first run on a database records its steps. A later run takes the rows of a recorded step with the same query if
//! the same steps have written every table that the query may read. A step that fails is not recorded and so fails again.

use super::load::quoted;
use super::translate::Step;
use crate::engine::table::Row;

/// The steps of the first run on a database, up to one that failed.
#[derive(Debug, Default)]
pub(super) struct RecordedRun {
    steps: Vec<RecordedStep>,
}

/// A step that ran.
#[derive(Debug)]
struct RecordedStep {
    step: Step,
    /// How tables had been written before it.
    history: WriteHistory,
    /// The rows of its query.
    rows: Vec<Row>,
}

/// Which step wrote or dropped each table last.
#[derive(Clone, Debug, Default)]
pub(super) struct WriteHistory {
    tables: Vec<(TableEnding, LastWriter)>,
}

/// How the name of a table ends in queries: a script's own tables have a prefix there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableEnding(String);

/// The last step that wrote or dropped a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastWriter {
    /// The recorded step at this position, on a table that the same recorded steps had written.
    Recorded(usize),
    /// A step that the recorded run does not have.
    Other,
}

impl TableEnding {
    fn of(table: &str) -> TableEnding {
        TableEnding(quoted(table).split_off(1))
    }
}

impl WriteHistory {
    /// Notes the last step that wrote or dropped a table.
    pub fn note(&mut self, table: &str, writer: LastWriter) {
        let ending = TableEnding::of(table);
        match self.tables.iter_mut().find(|(known, _)| *known == ending) {
            Some((_, last)) => *last = writer,
            None => self.tables.push((ending, writer)),
        }
    }

    fn writer(&self, ending: &TableEnding) -> Option<LastWriter> {
        self.tables.iter().find(|(known, _)| known == ending).map(|(_, writer)| *writer)
    }

    fn agrees_on(&self, other: &WriteHistory, ending: &TableEnding) -> bool {
        let writer = self.writer(ending);
        writer == other.writer(ending) && writer != Some(LastWriter::Other)
    }

    /// Whether the same steps wrote every table that a query may read: one whose name stands in its text.
    fn agrees_for(&self, other: &WriteHistory, sql: &str) -> bool {
        let mut tables = self.tables.iter().chain(&other.tables);
        tables.all(|(ending, _)| !sql.contains(&ending.0) || self.agrees_on(other, ending))
    }
}

impl RecordedStep {
    /// Whether another step, after this history, gives the rows of this one.
    fn gives_rows_of(&self, step: &Step, history: &WriteHistory) -> bool {
        self.step.sql == step.sql && self.step.columns == step.columns && self.history.agrees_for(history, &step.sql)
    }
}

impl RecordedRun {
    /// Records the next step of the first run; returns it as the last writer of its table.
    pub fn record(&mut self, step: &Step, history: &WriteHistory, rows: &[Row]) -> LastWriter {
        self.steps.push(RecordedStep { step: step.clone(), history: history.clone(), rows: rows.to_vec() });
        LastWriter::Recorded(self.steps.len() - 1)
    }

    /// Returns the rows that a step gives after this history; `None` if they have to be queried.
    pub fn rows(&self, step: &Step, history: &WriteHistory) -> Option<&[Row]> {
        self.steps.iter().find(|known| known.gives_rows_of(step, history)).map(|known| known.rows.as_slice())
    }

    /// Returns who has written or dropped a table once this step has.
    pub fn writer(&self, step: &Step, history: &WriteHistory) -> LastWriter {
        let is_same = |known: &RecordedStep| {
            known.gives_rows_of(step, history)
                && known.step.destination == step.destination
                && step
                    .destination
                    .table()
                    .is_none_or(|table| known.history.agrees_on(history, &TableEnding::of(table)))
        };
        self.steps.iter().position(is_same).map_or(LastWriter::Other, LastWriter::Recorded)
    }
}
