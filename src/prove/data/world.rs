//! A fake database as a set of small worlds.
//!
//! A *group* is a world of its own: in it every reading of every table has a row, the keys of all joins meet, and all
//! required predicates hold, so that every SELECT block of the script has something to work on. Groups differ in their
//! keys, in which alternative of a CASE or OR they take, and in which optional partner they lack.

use std::collections::{BTreeMap, BTreeSet};

use super::classes::Classes;
use super::constraint::{Constraint, Constraints, Place, Port, Wish, Wrapper};
use super::reach::Reach;
use super::value::{Asked, Fill, make};
use crate::code::schema::{Schema, TableColumn, TableDefinition};
use crate::code::tree::BinaryOperator;
use crate::code::types::Type;
use crate::engine::table::{Database, Row, TableRows, Value};

/// What the rows of a script's tables are made from; built once a script.
pub struct World<'a> {
    schema: &'a Schema,
    reach: &'a Reach<'a>,
    constraints: &'a Constraints,
    classes: Classes,
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
    /// Pairs of groups share the values by which a HAVING clause counts.
    pub crowds: bool,
    /// Several readings of a table share their rows where they can.
    pub tidy: bool,
}

impl<'a> World<'a> {
    /// Prepares the classes of joined values. `day` is the day around which everything happens.
    pub fn new(schema: &'a Schema, reach: &'a Reach<'a>, constraints: &'a Constraints, day: String) -> World<'a> {
        World { schema, reach, constraints, classes: Classes::new(constraints), day }
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
        let excluded = self.excluded(group, shape);
        for (index, reading) in self.reach.readings.iter().enumerate() {
            let Some(table) = self.schema.table(&reading.table) else { continue };
            if self.constraints.merged.contains(&index) || lacking == Some(index) || excluded.contains(&index) {
                continue;
            }
            let double = (index + group + shape.turn).is_multiple_of(shape.double_every.max(1));
            for row in 0..self.alternatives(index).max(1 + usize::from(double)) {
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

    /// The readings tested for absence that this group does without: all of them in two groups of each turn, else all
    /// but one.
    fn excluded(&self, group: usize, shape: Shape) -> BTreeSet<usize> {
        let mut excluded = self.constraints.excluded.clone();
        let present = (group + shape.turn) % (excluded.len() + 2);
        if let Some(reading) = present.checked_sub(2).and_then(|at| self.constraints.excluded.iter().nth(at)) {
            excluded.remove(reading);
        }
        excluded
    }

    /// The number of rows that it takes to meet what different blocks ask of one reading: one asks for the first day of a
    /// period, another for the last.
    fn alternatives(&self, reading: usize) -> usize {
        let of_reading = self.constraints.required.iter().filter(|(place, _)| place.reading == reading);
        let rivals = of_reading.map(|(_, constraints)| {
            let fixed: Vec<_> = constraints.iter().filter(|constraint| is_fixed(&constraint.wish)).collect();
            fixed.iter().filter(|one| fixed[0].wrappers == one.wrappers).count()
        });
        rivals.max().unwrap_or(1).clamp(1, 4)
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
                    && !self.classes.at.contains_key(&place)
                    && !self.constraints.required.contains_key(&place)
            })
            .collect();
        if !free.is_empty() {
            row[free[(seat.group + seat.row + shape.turn) % free.len()]] = Value::Null;
        }
    }

    fn value(&self, definition: &TableColumn, place: Place, seat: Seat, shape: Shape) -> Value {
        if let Some(class) = self.classes.of_column(place) {
            let shifted = usize::from(self.classes.is_shifted(place));
            let seat = Seat { group: (seat.group + shifted) % shape.groups, ..seat };
            return convert(self.class_value(class, seat, shape), &definition.data_type);
        }
        let crowded = shape.crowds && self.classes.is_crowded_column(place);
        let group = if crowded { seat.group - seat.group % 2 } else { seat.group };
        let row = if crowded { 0 } else { seat.row };
        let level = self.classes.level_of_column(place);
        let fill = Fill { name: &definition.name, group, row, day: &self.day, level, distinct: false };
        self.free_value(definition, place, &fill, (seat, shape))
    }

    /// The value that all members of a class share in a group, made for the member with the most demands.
    fn class_value(&self, class: usize, seat: Seat, shape: Shape) -> Value {
        let members = &self.classes.members[class];
        let whole = members.iter().filter(|port| port.wrappers.is_empty());
        let model = whole.max_by_key(|port| self.demands(port.place)).or(members.first());
        let model = model.and_then(|port| self.definition(port.place));
        let numeric = members
            .iter()
            .filter(|port| port.wrappers.is_empty())
            .filter_map(|port| self.definition(port.place))
            .any(|column| column.data_type.is_numeric());
        let data_type = match model {
            _ if numeric => Type::BigInt,
            Some(column) if !column.data_type.is_nested() => column.data_type.clone(),
            _ => Type::String,
        };
        let crowded = shape.crowds && self.classes.is_crowded(class);
        let group = if crowded { seat.group - seat.group % 2 } else { seat.group };
        let name = model.map_or("key", |column| &column.name);
        let level = self.classes.level(members);
        let fill = Fill { name, row: 0, group, day: &self.day, level, distinct: !shape.crowds };
        let mut asked: Vec<Asked<'_>> = members.iter().flat_map(|port| self.asked_of(port)).collect();
        let wanted = members
            .iter()
            .filter(|port| port.wrappers.is_empty())
            .find_map(|port| self.wanted(port.place, group + shape.turn))
            .filter(|constraint| constraint.wish != Wish::Null);
        asked.extend(wanted.map(|constraint| Asked { wrappers: &constraint.wrappers, wish: Some(&constraint.wish) }));
        self.in_form(make(&data_type, &asked, &fill), class, group)
    }

    /// A joined value in the letters and the length in which it is compared.
    fn in_form(&self, value: Value, class: usize, group: usize) -> Value {
        let members = &self.classes.members[class];
        let Value::Text(mut text) = value else { return value };
        let length = members.iter().filter_map(|port| match port.wrappers.last() {
            Some(Wrapper::Slice(_, length)) => Some(*length),
            _ => None,
        });
        if let Some(length) = length.min().filter(|length| *length < text.chars().count()) {
            let initial: String = text.chars().take(1).collect();
            let number = format!("{initial}{:0width$}", 10 + group, width = length.saturating_sub(1));
            text = number.chars().take(length).collect();
        }
        match members.iter().find_map(|port| self.constraints.letters.get(port)) {
            Some(Wrapper::Lower) => Value::Text(text.to_lowercase()),
            Some(_) => Value::Text(text.to_uppercase()),
            None => Value::Text(text),
        }
    }

    /// What is asked of a port: the wishes and forms of its place that lie beyond its wrappers.
    fn asked_of(&self, port: &Port) -> Vec<Asked<'_>> {
        let depth = port.wrappers.len();
        let required = self.constraints.required.get(&port.place).into_iter().flatten();
        let wishes = required
            .filter(|constraint| constraint.wrappers.starts_with(&port.wrappers))
            .map(|constraint| Asked { wrappers: &constraint.wrappers[depth..], wish: Some(&constraint.wish) });
        let shapes = self.constraints.shapes.get(&port.place).into_iter().flatten();
        let forms = shapes
            .filter(|wrappers| wrappers.len() > depth && wrappers.starts_with(&port.wrappers))
            .map(|wrappers| Asked { wrappers: &wrappers[depth..], wish: None });
        wishes.chain(forms).collect()
    }

    fn demands(&self, place: Place) -> usize {
        let required = self.constraints.required.get(&place).map_or(0, Vec::len);
        required * 10 + self.constraints.shapes.get(&place).map_or(0, |shapes| shapes.len())
    }

    fn definition(&self, place: Place) -> Option<&TableColumn> {
        self.schema.table(&self.reach.readings[place.reading].table)?.columns.get(place.column)
    }

    /// A column of its own value, with the values of classes put where they belong inside it.
    fn free_value(&self, definition: &TableColumn, place: Place, fill: &Fill<'_>, within: (Seat, Shape)) -> Value {
        let (seat, shape) = within;
        let inner = self.classes.at.get(&place).into_iter().flatten();
        let keys: Vec<(&[Wrapper], Wish)> = inner
            .map(|(wrappers, class)| (wrappers.as_slice(), self.class_value(*class, seat, shape)))
            .map(|(wrappers, value)| (wrappers, Wish::Compare(BinaryOperator::Equal, value)))
            .collect();
        let mut asked = self.asked_of(&Port { place, wrappers: Vec::new() });
        asked.retain(|ask| ask.wish.is_none() || !keys.iter().any(|(wrappers, _)| *wrappers == ask.wrappers));
        asked.extend(keys.iter().map(|(wrappers, wish)| Asked { wrappers, wish: Some(wish) }));
        let wanted = self.wanted(place, fill.group + fill.row + shape.turn);
        let wanted = wanted.filter(|constraint| !keys.iter().any(|(wrappers, _)| *wrappers == constraint.wrappers));
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

/// Whether a wish leaves one value only.
fn is_fixed(wish: &Wish) -> bool {
    matches!(wish, Wish::Compare(BinaryOperator::Equal | BinaryOperator::NullSafeEqual, _))
}
