//! Searches for values that meet conditions which nothing inverts, such as `year * 10000 + month * 100 + day = 20240315`,
//! or several conditions on one column at once.
//!
//! Conditions are written over the base columns that they read (`conditions`); the values that are tried come from the
//! literals of the script and from rows that are there (`pool`); one query tells how near many choices come (`trial`).
//! The search changes one column at a time, and two where one is not enough.

mod conditions;
mod pool;
mod distance;
mod trial;

use conditions::{BaseConditions, GroupReading, SoughtValue};
pub use distance::{Distance, distance_apart, is_met};
pub use pool::LiteralValues;
use trial::Trial;

use super::constraint::{Constraints, Predicate, ScanColumn, ValuePath};
use super::evaluator::Evaluator;
use super::lineage::Lineage;
use crate::code::tree::NodeId;
use crate::corpus::Reference;
use crate::engine::table::{Database, Value};

/// Most rows that a search begins at.
const MOST_BEGINNINGS: usize = 3;
/// Most rounds over all columns.
const MOST_ROUNDS: usize = 8;
/// Most values of each of two columns that are tried together.
const MOST_TOGETHER: usize = 48;
/// Most values that a column may take where any of them will do.
const MOST_KEPT: usize = 24;
/// Most values of a column that are taken from the rows that are there.
const MOST_PRESENT: usize = 40;

/// Values for places in columns: with any of those of a place the conditions that read it are met.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundValues {
    places: Vec<(ValuePath, Vec<Value>)>,
}

impl FoundValues {
    /// Adds values that were found later.
    pub fn add(&mut self, later: FoundValues) {
        self.places.retain(|(path, _)| later.places.iter().all(|(other, _)| other != path));
        self.places.extend(later.places);
    }

    /// Puts the values in place of all that is asked of their places.
    pub fn apply(&self, constraints: &mut Constraints) {
        for (path, values) in &self.places {
            constraints.fix(path, Predicate::OneOf(values.clone()));
        }
    }
}

/// What values are sought with.
pub struct ValueSearch<'a> {
    /// The script.
    pub lineage: &'a Lineage<'a>,
    /// What its literals give.
    pub evaluator: &'a Evaluator<'a>,
    /// The script with its schema and parameters.
    pub reference: &'a Reference,
    /// Databases of which no row meets a condition.
    pub databases: &'a [Database],
}

impl ValueSearch<'_> {
    /// Searches for values with which a condition that no row meets holds, together with all conditions that read the same
    /// values. Aggregates are left out at first, and then taken as those of groups of one row. Returns `None` if the
    /// condition reads anything else but base columns, or none are found.
    pub fn values_for(&self, unmet: NodeId) -> Option<FoundValues> {
        [GroupReading::LeftOut, GroupReading::OneRow].into_iter().find_map(|groups| {
            self.values_of(&BaseConditions::around(self.lineage, &self.reference.schema, unmet, groups))
        })
    }

    fn values_of(&self, base: &BaseConditions) -> Option<FoundValues> {
        let sought: Vec<&SoughtValue> = base.read().into_iter().map(|number| &base.values[number]).collect();
        let trial = Trial::new(base, self.reference).filter(|_| !sought.is_empty())?;
        let named = LiteralValues::of(base.conditions.iter().map(|condition| &*condition.sql), self.evaluator);
        let pools = sought.iter().map(|SoughtValue { path, data_type }| {
            let present = if path.steps.is_empty() {
                present_values(self.lineage, path.source, self.databases)
            } else {
                Vec::new()
            };
            named.pool(data_type, present)
        });
        let pools: Vec<Vec<Value>> = pools.collect();
        if pools.iter().any(Vec::is_empty) {
            return None;
        }
        let search = RowSearch { trial, pools };
        let met = (0..MOST_BEGINNINGS).find_map(|beginning| search.from(beginning))?;
        let values = search.alternatives(met);
        Some(FoundValues { places: sought.into_iter().map(|value| value.path.clone()).zip(values).collect() })
    }
}

/// Returns the different values that a column has in some databases.
fn present_values(lineage: &Lineage<'_>, column: ScanColumn, databases: &[Database]) -> Vec<Value> {
    let name = &lineage.scans[column.scan].table;
    let tables = databases.iter().flat_map(|database| &database.tables).filter(|table| table.table == *name);
    let mut values: Vec<Value> = Vec::new();
    for value in tables.flat_map(|table| &table.rows).filter_map(|row| row.get(column.column)) {
        if values.len() < MOST_PRESENT && *value != Value::Null && !values.contains(value) {
            values.push(value.clone());
        }
    }
    values
}

/// A choice of one value for each column, and how far it is from what is wanted.
#[derive(Clone)]
struct ValueChoice {
    values: Vec<Value>,
    distance: Distance,
}

struct RowSearch {
    trial: Trial,
    /// The values that are tried for each column.
    pools: Vec<Vec<Value>>,
}

impl RowSearch {
    /// Returns a choice that meets all conditions, sought from the given number of values and the column of this number on;
    /// `None` if none is found.
    fn from(&self, beginning: usize) -> Option<Vec<Value>> {
        let values: Vec<Value> = self.pools.iter().map(|pool| pool[beginning % pool.len()].clone()).collect();
        let distance = *self.trial.distances(std::slice::from_ref(&values))?.first()?;
        let mut best = ValueChoice { values, distance };
        for _ in 0..MOST_ROUNDS {
            let before = best.distance;
            for turn in 0..self.pools.len() {
                let column = (turn + beginning) % self.pools.len();
                let choices = self.choices(&best.values, column);
                self.improve(&mut best, choices);
            }
            if best.distance == before && best.distance > 0.0 {
                self.improve_by_two(&mut best);
            }
            if best.distance == 0.0 {
                return Some(best.values);
            }
            if best.distance == before {
                return None;
            }
        }
        None
    }

    /// Returns a choice with each value of a column that is tried.
    fn choices(&self, values: &[Value], column: usize) -> Vec<Vec<Value>> {
        self.pools[column].iter().map(|value| with(values, column, value)).collect()
    }

    fn improve_by_two(&self, best: &mut ValueChoice) {
        let pairs = (0..self.pools.len()).flat_map(|one| (one + 1..self.pools.len()).map(move |other| (one, other)));
        for (one, other) in pairs {
            let of_one = spread(&self.pools[one]).map(|value| with(&best.values, one, value)).collect::<Vec<_>>();
            let both = of_one
                .iter()
                .flat_map(|choice| spread(&self.pools[other]).map(move |value| with(choice, other, value)));
            self.improve(best, both.collect());
            if best.distance == 0.0 {
                return;
            }
        }
    }

    fn improve(&self, best: &mut ValueChoice, choices: Vec<Vec<Value>>) {
        let Some(distances) = self.trial.distances(&choices) else { return };
        let nearest = choices.into_iter().zip(distances).min_by(|one, other| one.1.total_cmp(&other.1));
        if let Some((values, distance)) = nearest.filter(|(_, distance)| *distance < best.distance) {
            *best = ValueChoice { values, distance };
        }
    }

    /// Returns the values of each column: of the one with most values that meet all conditions beside those of the others,
    /// these; of the others the one that is known.
    fn alternatives(&self, met: Vec<Value>) -> Vec<Vec<Value>> {
        let of_column = |column: usize| {
            let distances = self.trial.distances(&self.choices(&met, column)).unwrap_or_default();
            let meets = self.pools[column].iter().zip(distances).filter(|(_, distance)| *distance == 0.0);
            meets.map(|(value, _)| value.clone()).take(MOST_KEPT).collect::<Vec<Value>>()
        };
        let all: Vec<Vec<Value>> = (0..self.pools.len()).map(of_column).collect();
        let freest = (0..all.len()).max_by_key(|column| (all[*column].len(), std::cmp::Reverse(*column)));
        let values = all.into_iter().zip(met).enumerate();
        values.map(|(at, (values, value))| if Some(at) == freest { values } else { vec![value] }).collect()
    }
}

/// Returns a choice with another value of one column.
fn with(values: &[Value], column: usize, value: &Value) -> Vec<Value> {
    let mut changed = values.to_vec();
    changed[column] = value.clone();
    changed
}

/// Returns at most [`MOST_TOGETHER`] values, the first half of them as they come, the others from all over the rest.
fn spread(pool: &[Value]) -> impl Iterator<Item = &Value> {
    let (first, rest) = pool.split_at(pool.len().min(MOST_TOGETHER / 2));
    let step = rest.len().div_ceil(MOST_TOGETHER / 2).max(1);
    first.iter().chain(rest.iter().step_by(step))
}
