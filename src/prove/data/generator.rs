//! Generates databases as sets of groups of rows.
//!
//! In a *group* every scan of every table has a row, the keys of all joins meet, and all
//! required predicates hold, so that every SELECT block of the script has something to work on. Groups differ in their
//! keys, in which alternative of a CASE or OR they take, and in which optional partner they lack.

mod cell;
mod rows_needed;
mod derivation;
mod relation;

use cell::ClassValueKey;
use rows_needed::rows_needed;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::classes::JoinClasses;
use super::constraint::{Constraints, ScanColumn};
use super::context::UsualValues;
use super::evaluator::Evaluator;
use super::lineage::Lineage;
use crate::code::schema::{Schema, TableDefinition};
use crate::code::types::Type;
use crate::corpus::dictionary::{ColumnValues, Dictionary};
use crate::engine::table::{Database, Row, TableRows, Value};

/// Makes the rows of a script's tables; built once per script.
pub struct Generator<'a> {
    schema: &'a Schema,
    lineage: &'a Lineage<'a>,
    constraints: &'a Constraints,
    evaluator: &'a Evaluator<'a>,
    classes: JoinClasses,
    /// How many rows each scan needs in a group.
    rows_needed: Vec<usize>,
    /// The values of classes that have been made: many columns share each.
    class_values: RefCell<HashMap<ClassValueKey, Value>>,
    day: String,
    /// The source of usual values, where a database is made for people to look at.
    usual: Option<UsualSource<'a>>,
}

/// Where usual values are taken from.
#[derive(Clone, Copy)]
pub struct UsualSource<'a> {
    /// What is known of the columns.
    pub dictionary: &'a Dictionary,
    /// Part of every draw, so that the draws of two purposes differ.
    pub key: &'a str,
}

/// A row made for a scan.
struct ScanRow {
    scan: usize,
    values: Row,
}

/// How large and how varied a generated database is.
#[derive(Clone, Copy, Debug)]
pub struct GeneratorOptions {
    /// Number of groups.
    pub groups: usize,
    /// Rows of one scan in a group: every `n`-th scan has two, the others one.
    pub two_rows_every: usize,
    /// Groups from this one on lack one optional partner each.
    pub unmatched_from: usize,
    /// Groups from this one on have a NULL in one nullable column of each row.
    pub nulls_from: usize,
    /// Shifts the choice of alternatives, so that databases of one script differ.
    pub rotation: usize,
    /// Whether several groups share the values that a HAVING clause groups by.
    pub shared_values: bool,
    /// Whether all rows that a HAVING clause groups take the same alternatives.
    pub one_alternative: bool,
    /// Whether several scans of a table share their rows where they can.
    pub merged_scans: bool,
    /// Whether sub-queries that stand for one value find one row, and so do the target rows of MERGE in its source.
    pub single_values: bool,
    /// Added to the number of a group where keys are made, so that rows of several databases can stand in one.
    pub first_group: usize,
}

impl<'a> Generator<'a> {
    /// Prepares the classes of joined values. `day` is the day around which everything happens.
    pub fn new(
        schema: &'a Schema,
        lineage: &'a Lineage<'a>,
        constraints: &'a Constraints,
        evaluator: &'a Evaluator<'a>,
        day: String,
    ) -> Generator<'a> {
        let classes = JoinClasses::new(constraints);
        let rows_needed = (0..lineage.scans.len()).map(|scan| rows_needed(constraints, scan)).collect();
        Generator {
            schema,
            lineage,
            constraints,
            evaluator,
            classes,
            rows_needed,
            class_values: RefCell::default(),
            day,
            usual: None,
        }
    }

    /// The same generator, using the values that people expect to see.
    #[must_use]
    pub fn with_usual(mut self, usual: UsualSource<'a>) -> Generator<'a> {
        self.usual = Some(usual);
        self
    }

    /// Returns the usual values of a column, if they are wanted.
    fn usual(&self, source: ScanColumn) -> Option<UsualValues<'a>> {
        let UsualSource { dictionary, key } = self.usual?;
        let table = &self.lineage.scans[source.scan].table;
        let entry = dictionary.column(table, &self.schema.table(table)?.columns.get(source.column)?.name);
        Some(UsualValues { values: entry.map_or(&ColumnValues::ByName, |entry| &entry.values), key })
    }

    /// Generates a database.
    pub fn database(&self, options: GeneratorOptions) -> Database {
        let mut tables: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
        let enough = if options.shared_values { 2 * self.group_size() } else { 0 };
        for group in 0..options.groups.max(enough) {
            self.add_group(group, options, &mut tables);
        }
        if options.single_values {
            self.keep_first_of_merge_keys(&mut tables);
        }
        let named = |table: &TableDefinition| {
            tables.get(table.name.as_str()).map(|rows| TableRows { table: table.name.clone(), rows: rows.clone() })
        };
        Database { tables: self.schema.tables.iter().filter_map(named).collect() }
    }

    /// Removes the rows of the sources of MERGE that match by the same values as an earlier row.
    fn keep_first_of_merge_keys(&self, tables: &mut BTreeMap<&'a str, Vec<Row>>) {
        for (scan, key) in &self.constraints.merge_keys {
            let table = self.schema.table(&self.lineage.scans[*scan].table);
            let Some(rows) = table.and_then(|table| tables.get_mut(table.name.as_str())) else { continue };
            let mut known: Vec<Vec<Value>> = Vec::new();
            rows.retain(|row| {
                let values: Vec<Value> = key.iter().map(|column| row[*column].clone()).collect();
                let is_new = !known.contains(&values);
                if is_new {
                    known.push(values);
                }
                is_new
            });
        }
    }

    fn add_group(&self, group: usize, options: GeneratorOptions, tables: &mut BTreeMap<&'a str, Vec<Row>>) {
        let left_out = self.left_out(group, options);
        let absent = self.absent(group, options);
        let mut made: Vec<ScanRow> = Vec::new();
        for (index, scan) in self.lineage.scans.iter().enumerate() {
            let Some(table) = self.schema.table(&scan.table) else { continue };
            if self.constraints.merged.contains(&index) || left_out == Some(index) || absent.contains(&index) {
                continue;
            }
            let single = options.single_values && self.constraints.single.contains(&index);
            if single && group > 0 {
                continue;
            }
            let double = (index + group + options.rotation).is_multiple_of(options.two_rows_every.max(1));
            let count = if single { 1 } else { self.rows_needed[index].max(1 + usize::from(double)) };
            for row in 0..count {
                let values = self.row(table, RowPosition { scan: index, group, row }, options);
                made.push(ScanRow { scan: index, values });
            }
        }
        for (number, relation) in self.constraints.row_relations.iter().enumerate() {
            self.relate(relation, number, &mut made);
        }
        for derivation in &self.constraints.derivations {
            self.derive(derivation, &mut made);
        }
        made.extend(self.under_other_names(&made));
        for row in made {
            self.add_row(row, options, tables);
        }
    }

    /// Adds a row to its table, unless the table has an equal one and no HAVING clause counts them.
    fn add_row(&self, row: ScanRow, options: GeneratorOptions, tables: &mut BTreeMap<&'a str, Vec<Row>>) {
        let ScanRow { scan, mut values } = row;
        let Some(table) = self.schema.table(&self.lineage.scans[scan].table) else { return };
        for (at, column) in table.columns.iter().enumerate() {
            // What an expression asks for may be of another type than the column.
            if !values[at].fits(&column.data_type) {
                values.set(at, Value::Null);
            }
        }
        let rows = tables.entry(table.name.as_str()).or_default();
        if self.is_counted_alone(scan, options) || !rows.contains(&values) {
            rows.push(values);
        }
    }

    /// Whether a HAVING clause counts the rows of a scan with which nothing is joined, so that equal ones count as well.
    fn is_counted_alone(&self, scan: usize, options: GeneratorOptions) -> bool {
        let is_joined = self.classes.paths_by_column.keys().any(|source| source.scan == scan);
        options.shared_values && self.constraints.group_size > 1 && !is_joined
    }

    /// Returns copies of the rows that say something under one of several names, each with another name under which an
    /// entity needs a row.
    fn under_other_names(&self, rows: &[ScanRow]) -> Vec<ScanRow> {
        let mut copies = Vec::new();
        for (source, names) in self.constraints.row_names.iter().filter(|(_, names)| names.len() > 1) {
            let Some(definition) = self.definition(*source) else { continue };
            let names: Vec<Value> = names.iter().map(|name| convert(name.clone(), &definition.data_type)).collect();
            for row in rows.iter().filter(|row| row.scan == source.scan) {
                for name in names.iter().filter(|name| **name != row.values[source.column]) {
                    let mut values = row.values.clone();
                    values[source.column] = name.clone();
                    copies.push(ScanRow { scan: row.scan, values });
                }
            }
        }
        copies
    }

    /// Returns how many groups share the values that a HAVING clause groups by.
    fn group_size(&self) -> usize {
        self.constraints.group_size.max(2)
    }

    /// Returns the first of the groups that share these values with a group.
    fn first_sharing(&self, group: usize) -> usize {
        group - group % self.group_size()
    }

    /// Returns the optional scan that this group does without.
    fn left_out(&self, group: usize, options: GeneratorOptions) -> Option<usize> {
        let optional: Vec<usize> = self.constraints.optional.iter().copied().collect();
        let rotation = group.checked_sub(options.unmatched_from)?;
        optional.get((rotation + options.rotation) % optional.len().max(1)).copied()
    }

    /// Returns the scans tested for absence that this group does without: all of them in two groups of each
    /// rotation, else all but one.
    fn absent(&self, group: usize, options: GeneratorOptions) -> BTreeSet<usize> {
        let mut absent = self.constraints.absent.clone();
        // What is there for one row of a group that HAVING counts is there for all of them.
        let counted = options.shared_values && self.constraints.group_size > 1;
        let group = if counted { group / self.group_size() } else { group };
        let present = (group + options.rotation) % (absent.len() + 2);
        if let Some(scan) = present.checked_sub(2).and_then(|at| self.constraints.absent.iter().nth(at)) {
            absent.remove(scan);
        }
        absent
    }

    fn row(&self, table: &TableDefinition, position: RowPosition, options: GeneratorOptions) -> Row {
        let mut row: Row = table
            .columns
            .iter()
            .enumerate()
            .map(|(column, definition)| {
                self.value(definition, ScanColumn { scan: position.scan, column }, position, options)
            })
            .collect();
        if position.group >= options.nulls_from {
            self.plant_null(table, position, options, &mut row);
        }
        row
    }

    /// Sets one column to NULL that nothing requires and no row is joined by.
    fn plant_null(&self, table: &TableDefinition, position: RowPosition, options: GeneratorOptions, row: &mut Row) {
        let free: Vec<usize> = (0..row.len())
            .filter(|column| {
                let source = ScanColumn { scan: position.scan, column: *column };
                table.columns[*column].nullable
                    && !table.columns[*column].partition
                    && !self.classes.paths_by_column.contains_key(&source)
                    && !self.constraints.required.contains_key(&source)
            })
            .collect();
        if !free.is_empty() {
            row[free[(position.group + position.row + options.rotation) % free.len()]] = Value::Null;
        }
    }
}

/// Where a row stands: which scan it is made for, in which group, and which of the scan's rows it is.
#[derive(Clone, Copy)]
struct RowPosition {
    scan: usize,
    group: usize,
    row: usize,
}

/// Returns the positions of the rows that are made for a scan.
fn positions_of(rows: &[ScanRow], scan: usize) -> Vec<usize> {
    rows.iter().enumerate().filter(|(_, row)| row.scan == scan).map(|(at, _)| at).collect()
}

/// Converts a key made for one member of a join class to the type of another member's column.
fn convert(value: Value, data_type: &Type) -> Value {
    match (value, data_type) {
        (Value::Integer(number), Type::String) => Value::Text(number.to_string()),
        (Value::Real(number), Type::String) => Value::Text(number.to_string()),
        (Value::Text(text), target) if target.is_integer() => text.parse().map_or(Value::Text(text), Value::Integer),
        (Value::Integer(number), Type::Double | Type::Decimal(..)) => Value::Real(number as f64),
        // A text that is no date may be shorter, or have no character boundary there.
        (Value::Text(text), Type::Date) => Value::Text(text.get(..10).map_or(text.clone(), str::to_owned)),
        (value, _) => value,
    }
}
