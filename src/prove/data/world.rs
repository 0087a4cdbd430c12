//! A fake database as a set of small worlds.
//!
//! A *group* is a world of its own: in it every reading of every table has a row, the keys of all joins meet, and all
//! required predicates hold, so that every SELECT block of the script has something to work on. Groups differ in their
//! keys, in which alternative of a CASE or OR they take, and in which optional partner they lack.

use std::collections::BTreeMap;

use super::constraint::{Constraint, Constraints, Place};
use super::reach::Reach;
use super::value::{Asked, Fill, make};
use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::types::Type;
use crate::engine::table::{Database, Row, TableRows, Value};

/// What the rows of a script's tables are made from; built once a script.
pub struct World<'a> {
    schema: &'a Schema,
    reach: &'a Reach<'a>,
    constraints: &'a Constraints,
    /// For each place that joins another: the class it belongs to.
    classes: BTreeMap<Place, usize>,
    members: Vec<Vec<Place>>,
    day: String,
}

/// How large and how varied a database is.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of groups.
    pub groups: usize,
    /// Rows of one reading in a group: every `n`-th reading has two, the others one.
    pub double_every: usize,
    /// Groups from this one on lack one optional partner each.
    pub orphans_from: usize,
    /// Groups from this one on have a NULL in one nullable column of each row.
    pub nulls_from: usize,
    /// Turns the alternatives, so that databases of one script differ.
    pub turn: usize,
}

impl<'a> World<'a> {
    /// Prepares the classes of joined places. `day` is the day around which everything happens.
    pub fn new(schema: &'a Schema, reach: &'a Reach<'a>, constraints: &'a Constraints, day: String) -> World<'a> {
        let (classes, members) = join_classes(&constraints.equal);
        World { schema, reach, constraints, classes, members, day }
    }

    /// The rows of a database of this shape.
    pub fn database(&self, shape: Shape) -> Database {
        let mut tables: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
        for group in 0..shape.groups {
            self.add_group(group, shape, &mut tables);
        }
        let named = |table: &TableDefinition| {
            tables.get(table.name.as_str()).map(|rows| TableRows { table: table.name.clone(), rows: rows.clone() })
        };
        Database { tables: self.schema.tables.iter().filter_map(named).collect() }
    }

    fn add_group(&self, group: usize, shape: Shape, tables: &mut BTreeMap<&'a str, Vec<Row>>) {
        let lacking = self.lacking(group, shape);
        for (index, reading) in self.reach.readings.iter().enumerate() {
            let Some(table) = self.schema.table(&reading.table) else { continue };
            if lacking == Some(index) {
                continue;
            }
            let double = (index + group + shape.turn).is_multiple_of(shape.double_every.max(1));
            for row in 0..1 + usize::from(double) {
                let made = self.row(table, Seat { reading: index, group, row }, shape);
                let rows = tables.entry(table.name.as_str()).or_default();
                if !rows.contains(&made) {
                    rows.push(made);
                }
            }
        }
    }

    /// The optional reading that this group does without.
    fn lacking(&self, group: usize, shape: Shape) -> Option<usize> {
        let optional: Vec<usize> = self.constraints.optional.iter().copied().collect();
        let turn = group.checked_sub(shape.orphans_from)?;
        optional.get((turn + shape.turn) % optional.len().max(1)).copied()
    }

    fn row(&self, table: &TableDefinition, seat: Seat, shape: Shape) -> Row {
        let mut row: Row = table
            .columns
            .iter()
            .enumerate()
            .map(|(column, definition)| self.value(definition, Place { reading: seat.reading, column }, seat, shape))
            .collect();
        if seat.group >= shape.nulls_from {
            self.plant_null(table, seat, shape, &mut row);
        }
        row
    }

    /// Sets one column that nothing requires to NULL.
    fn plant_null(&self, table: &TableDefinition, seat: Seat, shape: Shape, row: &mut Row) {
        let free: Vec<usize> = (0..row.len())
            .filter(|column| {
                let place = Place { reading: seat.reading, column: *column };
                table.columns[*column].nullable
                    && !table.columns[*column].partition
                    && !self.classes.contains_key(&place)
                    && !self.constraints.required.contains_key(&place)
            })
            .collect();
        if !free.is_empty() {
            row[free[(seat.group + seat.row + shape.turn) % free.len()]] = Value::Null;
        }
    }

    fn value(&self, definition: &TableColumn, place: Place, seat: Seat, shape: Shape) -> Value {
        let fill = Fill { name: &definition.name, group: seat.group, row: seat.row, day: &self.day };
        match self.classes.get(&place) {
            Some(class) => self.class_value(*class, definition, &fill, shape),
            None => self.free_value(definition, place, &fill, shape),
        }
    }

    /// The value that all members of a join class share in a group, made for the member with the most demands.
    fn class_value(&self, class: usize, definition: &TableColumn, fill: &Fill<'_>, shape: Shape) -> Value {
        let members = &self.members[class];
        let demanding = members.iter().max_by_key(|place| self.demands(**place));
        let mut wishes: Vec<&Constraint> = Vec::new();
        for place in members {
            wishes.extend(self.constraints.required.get(place).into_iter().flatten());
        }
        let model = demanding.and_then(|place| self.definition(*place)).unwrap_or(definition);
        let numeric =
            members.iter().filter_map(|place| self.definition(*place)).any(|column| column.data_type.is_numeric());
        let data_type = if numeric && !model.data_type.is_nested() { &Type::BigInt } else { &model.data_type };
        let fill = Fill { name: &model.name, row: 0, group: fill.group, day: fill.day };
        let mut asked: Vec<Asked<'_>> =
            wishes.iter().map(|c| Asked { wrappers: &c.wrappers, wish: Some(&c.wish) }).collect();
        let shapes: Vec<_> = members.iter().filter_map(|place| self.constraints.shapes.get(place)).flatten().collect();
        asked.extend(shapes.iter().map(|wrappers| Asked { wrappers, wish: None }));
        let wanted = members.iter().find_map(|place| self.wanted(*place, fill.group + shape.turn));
        asked.extend(wanted.map(|constraint| Asked { wrappers: &constraint.wrappers, wish: Some(&constraint.wish) }));
        convert(make(data_type, &asked, &fill), &definition.data_type)
    }

    fn demands(&self, place: Place) -> usize {
        let required = self.constraints.required.get(&place).map_or(0, Vec::len);
        required * 10 + self.constraints.shapes.get(&place).map_or(0, |shapes| shapes.len())
    }

    fn definition(&self, place: Place) -> Option<&TableColumn> {
        self.schema.table(&self.reach.readings[place.reading].table)?.columns.get(place.column)
    }

    fn free_value(&self, definition: &TableColumn, place: Place, fill: &Fill<'_>, shape: Shape) -> Value {
        let required = self.constraints.required.get(&place);
        let mut asked: Vec<Asked<'_>> = required
            .into_iter()
            .flatten()
            .map(|constraint| Asked { wrappers: &constraint.wrappers, wish: Some(&constraint.wish) })
            .collect();
        let shapes = self.constraints.shapes.get(&place);
        asked.extend(shapes.into_iter().flatten().map(|wrappers| Asked { wrappers, wish: None }));
        let wanted = self.wanted(place, fill.group + fill.row + shape.turn);
        asked.extend(wanted.map(|constraint| Asked { wrappers: &constraint.wrappers, wish: Some(&constraint.wish) }));
        make(&definition.data_type, &asked, fill)
    }

    /// The alternative that this turn takes at a place; one turn in `n + 1` takes none.
    fn wanted(&self, place: Place, turn: usize) -> Option<&Constraint> {
        let alternatives: Vec<&Constraint> =
            self.constraints.wanted.iter().filter(|(at, _)| *at == place).map(|(_, constraint)| constraint).collect();
        alternatives.get(turn % (alternatives.len() + 1)).copied()
    }
}

/// Where a row stands: which reading it is made for, in which group, and which of the reading's rows it is.
#[derive(Clone, Copy)]
struct Seat {
    reading: usize,
    group: usize,
    row: usize,
}

/// A key made for one member of a join class, in the form of another member's column.
fn convert(value: Value, data_type: &Type) -> Value {
    match (value, data_type) {
        (Value::Integer(number), Type::String) => Value::Text(number.to_string()),
        (Value::Real(number), Type::String) => Value::Text(number.to_string()),
        (Value::Text(text), target) if target.is_integer() => text.parse().map_or(Value::Text(text), Value::Integer),
        (Value::Integer(number), Type::Double | Type::Decimal(..)) => Value::Real(number as f64),
        (Value::Text(text), Type::Date) if text.len() > 10 => Value::Text(text[..10].to_owned()),
        (value, _) => value,
    }
}

/// Joins pairs into classes.
fn join_classes(pairs: &[(Place, Place)]) -> (BTreeMap<Place, usize>, Vec<Vec<Place>>) {
    let mut classes: BTreeMap<Place, usize> = BTreeMap::new();
    let mut members: Vec<Vec<Place>> = Vec::new();
    for (a, b) in pairs {
        match (classes.get(a).copied(), classes.get(b).copied()) {
            (Some(left), Some(right)) if left != right => {
                let moved = std::mem::take(&mut members[right]);
                for place in &moved {
                    classes.insert(*place, left);
                }
                members[left].extend(moved);
            }
            (Some(class), None) => add(&mut classes, &mut members, class, *b),
            (None, Some(class)) => add(&mut classes, &mut members, class, *a),
            (None, None) => {
                members.push(Vec::new());
                let class = members.len() - 1;
                add(&mut classes, &mut members, class, *a);
                add(&mut classes, &mut members, class, *b);
            }
            _ => {}
        }
    }
    (classes, members)
}

fn add(classes: &mut BTreeMap<Place, usize>, members: &mut [Vec<Place>], class: usize, place: Place) {
    if classes.insert(place, class).is_none() {
        members[class].push(place);
    }
}
