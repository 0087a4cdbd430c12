//! Searches rows for a script that gives none on the databases made of its conditions: small changes to a whole
//! database are kept if its rows come nearer to a clause that none of them meets.
//!
//! What reads several rows at once (how many a group has, how long after the one before a row is, how many days in a row
//! there are) has no inverse; the engine tells how near rows come. After Castelein, Aniche, Soltani, Panichella and van
//! Deursen, "Search-based test data generation for SQL queries" (ICSE 2018).

mod clause_distance;
mod time_moves;
mod database_changes;

use std::collections::BTreeSet;

use clause_distance::{ClauseDistance, NearestRow};
use database_changes::{ChangedColumn, SearchChange};
use time_moves::{FORMS, rewritten};

use super::coverage::unmet_condition;
use super::data::base_columns::base_columns;
use super::data::calendar;
use super::data::evaluator::Evaluator;
use super::data::lineage::Lineage;
use super::data::row_search::LiteralValues;
use super::effort::WorkLimit;
use super::varieties::{RowBasis, day};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::corpus::Reference;
use crate::engine::sqlite::Sqlite;
use crate::engine::table::{Database, Row, Value};

/// Databases that are tried from one beginning.
const MOST_TRIALS: usize = 1_200;
/// Clauses that are met one after the other.
const MOST_CLAUSES: usize = 16;
/// Columns that are changed for one clause, those that it reads first.
const MOST_COLUMNS: usize = 14;
/// Values that a column is set to, of those that the script names; half as many are taken from all over the others.
const MOST_VALUES: usize = 20;
/// Values of other rows that a column is set to.
const MOST_PRESENT: usize = 6;

/// A search for rows on which a script gives rows.
pub(super) struct DatabaseSearch<'a> {
    reference: &'a Reference,
    /// The script with its placeholders bound.
    script: &'a Script,
    lineage: Lineage<'a>,
    /// What the script names.
    named: LiteralValues,
    /// The day around which its data lies, in all forms.
    times: Vec<Value>,
    /// How many databases may still be tried.
    trials_left: usize,
    /// The work that all beginnings may take.
    work: WorkLimit,
}

/// A change with which rows come nearer to a clause.
struct SearchStep {
    change: SearchChange,
    database: Database,
    nearest: NearestRow,
}

impl<'a> DatabaseSearch<'a> {
    /// Prepares the search; `work` is what it may take for all beginnings.
    pub fn new(reference: &'a Reference, basis: RowBasis<'a>, work: WorkLimit) -> DatabaseSearch<'a> {
        let RowBasis { script, scopes, .. } = basis;
        DatabaseSearch {
            reference,
            script,
            lineage: Lineage::new(script, scopes),
            named: LiteralValues::of([script.text()], &Evaluator::new(reference, script)),
            times: usual_times(&day(reference)),
            trials_left: 0,
            work,
        }
    }

    /// Changes a database until each clause of the script has rows that meet it; `None` if the search gets no nearer.
    pub fn from(&mut self, database: Database) -> Option<Database> {
        self.trials_left = MOST_TRIALS;
        let mut database = database;
        for _ in 0..MOST_CLAUSES {
            let loaded = Sqlite::open(&self.reference.schema, &database).ok()?;
            let Some(unmet) = unmet_condition(self.script, &self.reference.schema, &[loaded]) else {
                return Some(database);
            };
            database = self.meeting(database, unmet.node)?;
        }
        None
    }

    /// Changes a database until rows meet the clause of a condition.
    fn meeting(&mut self, mut database: Database, condition: NodeId) -> Option<Database> {
        let clause = clause_of(self.script, condition)?;
        let probe = ClauseDistance::of(self.script, &self.reference.schema, clause)?;
        let columns = self.columns(clause);
        let mut nearest = self.nearest(&probe, &database)?;
        loop {
            let before = nearest.distance;
            for column in &columns {
                let mut last: Option<SearchChange> = None;
                while let Some(step) = self.step(&probe, &database, column, &nearest, last.as_ref()) {
                    (database, nearest, last) = (step.database, step.nearest, Some(step.change));
                    if nearest.distance == 0.0 {
                        return Some(database);
                    }
                }
            }
            if nearest.distance == before || self.trials_left == 0 {
                return None;
            }
        }
    }

    /// Returns the first change of a column with which a row comes nearer than `nearest`; what served last is tried first.
    fn step(
        &mut self,
        probe: &ClauseDistance,
        database: &Database,
        column: &ChangedColumn,
        nearest: &NearestRow,
        last: Option<&SearchChange>,
    ) -> Option<SearchStep> {
        let rows = &database.tables.iter().find(|table| table.table == column.table)?.rows;
        let values = self.values(column, nearest, rows);
        let again = last.map(SearchChange::again);
        for change in again.into_iter().chain(SearchChange::each(rows, column.position, &values)) {
            let Some(other) = change.apply(database, column, &self.reference.schema) else { continue };
            self.trials_left = self.trials_left.checked_sub(1).filter(|_| !self.work.is_done())?;
            let Some(row) = self.nearest(probe, &other) else { continue };
            if row.distance < nearest.distance {
                return Some(SearchStep { change, database: other, nearest: row });
            }
        }
        None
    }

    fn nearest(&self, probe: &ClauseDistance, database: &Database) -> Option<NearestRow> {
        probe.nearest(&Sqlite::open(&self.reference.schema, database).ok()?)
    }

    /// Returns values worth setting in a column: what the clause compares, times in all forms, then what the script names and
    /// other rows have.
    fn values(&self, column: &ChangedColumn, nearest: &NearestRow, rows: &[Row]) -> Vec<Value> {
        let as_type = |value: &Value| as_type(value, &column.data_type);
        let compared = nearest.compared.iter().filter_map(as_type);
        let times = self.times.iter().filter_map(as_type);
        let present = rows.iter().map(|row| row[column.position].clone()).take(MOST_PRESENT);
        let pool = self.named.pool(&column.data_type, present.collect());
        let step = pool.len().div_ceil(MOST_VALUES / 2).max(1);
        let (first, spread) = (pool.iter().take(MOST_VALUES), pool.iter().step_by(step));
        let mut values: Vec<Value> = Vec::new();
        for value in compared.chain(times).chain(first.chain(spread).cloned()) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// Returns the columns behind a clause: those that it reads, then those that its block reads, then those that the script
    /// reads of the same tables.
    fn columns(&self, clause: NodeId) -> Vec<ChangedColumn> {
        let tree = self.script.tree();
        let block = tree.enclosing(clause, |kind| matches!(kind, Kind::Select { .. }));
        let scans: BTreeSet<usize> = block.map(|block| self.lineage.scans_under(block)).unwrap_or_default();
        let around = [Some(clause), block, Some(tree.root())].into_iter().flatten();
        let sources = around.flat_map(|node| base_columns(&self.lineage, node));
        let mut columns = Vec::new();
        for source in sources.filter(|source| scans.contains(&source.scan)) {
            let table = &self.lineage.scans[source.scan].table;
            let Some(definition) = self.reference.schema.table(table) else { continue };
            let Some(column) = definition.columns.get(source.column) else { continue };
            let data_type = column.data_type.clone();
            let column = ChangedColumn { table: definition.name.clone(), position: source.column, data_type };
            if columns.len() < MOST_COLUMNS && !columns.contains(&column) {
                columns.push(column);
            }
        }
        columns
    }
}

/// Returns the clause of conditions that a node is, or stands in.
fn clause_of(script: &Script, node: NodeId) -> Option<NodeId> {
    let tree = script.tree();
    let is_clause = |kind| matches!(kind, Kind::Where | Kind::On | Kind::Having | Kind::Qualify);
    if is_clause(tree.kind(node)) { Some(node) } else { tree.enclosing(node, is_clause) }
}

/// Returns a day and its month as texts and numbers hold them.
fn usual_times(day: &str) -> Vec<Value> {
    let day = Value::Text(day.to_owned());
    let texts = FORMS.into_iter().filter_map(|form| rewritten(&day, form));
    let seconds = calendar::seconds(&day.plain_text()).into_iter();
    let numbers = seconds.flat_map(|seconds| [seconds, seconds * 1_000]).map(Value::Integer);
    std::iter::once(day.clone()).chain(texts).chain(numbers).collect()
}

/// Returns a value as a column of a type holds it; `None` if it cannot.
fn as_type(value: &Value, data_type: &Type) -> Option<Value> {
    let converted = match (value, data_type) {
        (Value::Integer(_) | Value::Real(_), Type::String) => Value::Text(value.plain_text().into_owned()),
        (Value::Text(text), data_type) if data_type.is_integer() => Value::Integer(text.parse().ok()?),
        (Value::Text(text), Type::Double | Type::Decimal(..)) => Value::Real(text.parse().ok()?),
        (Value::Text(text), Type::Date) => Value::Text(text.get(..10)?.to_owned()),
        (Value::Real(number), data_type) if data_type.is_integer() => Value::Integer(*number as i64),
        (value, _) => value.clone(),
    };
    converted.fits(data_type).then_some(converted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::Subject;

    #[test]
    fn rows_are_found_for_conditions_over_several_rows() {
        for (what, definitions, script) in [
            (
                "a value for each day of a month",
                "CREATE TABLE t (site STRING, dt STRING, v DOUBLE)",
                "SELECT site, substr(dt, 1, 7) AS m, avg(v) AS v FROM t GROUP BY site, substr(dt, 1, 7)
                 HAVING count(DISTINCT dt) = day(last_day(concat(substr(dt, 1, 7), '-01')))",
            ),
            (
                "seven days in a row",
                "CREATE TABLE t (id STRING, dt STRING)",
                "SELECT id, min(dt) AS dt, count(*) AS days FROM
                 (SELECT id, dt, row_number() OVER (PARTITION BY id ORDER BY dt) AS rn FROM (SELECT DISTINCT id, dt FROM t) q) w
                 GROUP BY id, date_sub(dt, rn) HAVING count(*) >= 7",
            ),
            (
                "a session of some length",
                "CREATE TABLE t (id STRING, ts TIMESTAMP)",
                "WITH p AS (SELECT id, ts, lag(ts) OVER (PARTITION BY id ORDER BY ts) AS earlier FROM t),
                 s AS (SELECT id, ts, sum(CASE WHEN earlier IS NULL OR unix_timestamp(ts) - unix_timestamp(earlier) > 1800
                 THEN 1 ELSE 0 END) OVER (PARTITION BY id ORDER BY ts) AS session FROM p)
                 SELECT id, session, count(*) AS n FROM s GROUP BY id, session
                 HAVING count(*) > 2 AND max(unix_timestamp(ts)) - min(unix_timestamp(ts)) > 600",
            ),
            (
                "many patients with one illness after the other",
                "CREATE TABLE t (patient STRING, icd STRING, dt STRING)",
                "SELECT a, b, n FROM (SELECT x.icd AS a, y.icd AS b, count(DISTINCT x.patient) AS n FROM t x JOIN t y
                 ON x.patient = y.patient AND x.icd <> y.icd AND datediff(y.dt, x.dt) > 0 GROUP BY x.icd, y.icd) p
                 WHERE n > 40",
            ),
            (
                "the month before, as a number",
                "CREATE TABLE t (id STRING, ym INT, v DOUBLE)",
                "SELECT a.id, a.v - b.v AS v FROM t a JOIN t b ON a.id = b.id AND a.ym =
                 cast(date_format(add_months(to_date(cast(b.ym AS STRING), 'yyyyMM'), 1), 'yyyyMM') AS INT)
                 WHERE a.ym % 100 = 12",
            ),
            (
                "a key inside another, and a week between",
                "CREATE TABLE a (k STRING, d STRING, x INT); CREATE TABLE b (k2 STRING, d STRING, y INT)",
                "SELECT a.k, sum(a.x) AS x, sum(b.y) AS y FROM a JOIN b ON regexp_replace(a.k, '[^0-9]', '') = lpad(b.k2, 8, '0')
                 AND to_date(from_unixtime(unix_timestamp(a.d, 'yyyyMMdd'))) = date_sub(to_date(b.d), 7) GROUP BY a.k",
            ),
        ] {
            let reference = Reference::of_test(script, definitions);
            if let Err(refusal) = Subject::new(&reference) {
                panic!("{what}: {refusal}");
            }
        }
    }

    #[test]
    fn what_no_rows_meet_is_still_said() {
        let script = "SELECT id FROM t GROUP BY id HAVING max(v) < min(v) AND count(*) > 2";
        let reference = Reference::of_test(script, "CREATE TABLE t (id STRING, v INT)");
        let refusal = Subject::new(&reference).unwrap_err().to_string();
        assert!(refusal.contains("no row meets `max(v) < min(v) AND count(*) > 2`"), "{refusal}");
    }
}
