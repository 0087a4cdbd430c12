//! What a script asks of the rows it reads: predicates, join keys and formats, traced back to base tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::tree::BinaryOperator;
use crate::engine::table::Value;

/// One column of one reading of a base table: a script that reads a table twice may ask different things of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Index of the reading in [`super::reach::Reach::readings`].
    pub reading: usize,
    /// Position of the column in the table.
    pub column: usize,
}

/// A value inside a place: the column itself when there are no wrappers, else what they make of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Port {
    /// The column.
    pub place: Place,
    /// From the column outwards.
    pub wrappers: Vec<Wrapper>,
}

impl Port {
    /// The value that a further wrapper makes.
    #[must_use]
    pub fn wrapped(mut self, wrapper: Wrapper) -> Port {
        self.wrappers.push(wrapper);
        self
    }
}

/// What a predicate asks of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Compares with a constant.
    Compare(BinaryOperator, Value),
    /// One of these.
    OneOf(Vec<Value>),
    /// None of these.
    NoneOf(Vec<Value>),
    /// Between two constants, both included.
    Between(Value, Value),
    /// Matches a LIKE pattern.
    Like(String),
    /// Matches a regular expression.
    Matches(String),
    /// Is not NULL.
    NotNull,
    /// Is NULL.
    Null,
    /// Is a true boolean, or a number or text that reads as one.
    Truth(bool),
}

/// What lies between a column and the value that a wish is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wrapper {
    /// `get_json_object(x, '$.a.b')`: the path without `$.`.
    Json(String),
    /// `x['key']` on a map, or `str_to_map`.
    MapKey(String),
    /// `x.field`.
    Field(String),
    /// Some element: `explode(x)`.
    Element,
    /// The element at a position, from 0: `x[0]`.
    Item(usize),
    /// The key of an exploded map.
    Key,
    /// The value of an exploded map.
    MapValue,
    /// `split(x, separator)`: an element of it comes next.
    Split(String),
    /// `substr(x, start, length)`, from 1.
    Slice(usize, usize),
    /// `date_format(x, p)`, `from_unixtime(x, p)`: the wish is about the formatted text.
    Format(String),
    /// `to_date(x)`, `cast(x AS date)`: the wish is about a date, the column holds a date or a timestamp.
    Date,
    /// A cast to a number: the column holds digits.
    Number,
    /// `length(x)` or `size(x)`.
    Length,
    /// `lower(x)`. Only joins ask for it; see [`Constraints::letters`].
    Lower,
    /// `upper(x)`, likewise.
    Upper,
}

impl Wrapper {
    /// Whether it changes letters only.
    pub fn is_letters(&self) -> bool {
        matches!(self, Wrapper::Lower | Wrapper::Upper)
    }
}

/// A wish about the value that the wrappers, outermost last, make of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// From the column outwards.
    pub wrappers: Vec<Wrapper>,
    /// What is asked.
    pub wish: Wish,
}

/// All that is known about the values of the places of a script.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Must hold for a row to get through.
    pub required: BTreeMap<Place, Vec<Constraint>>,
    /// Alternatives met in CASE branches, IF and OR: each wants some row that meets it.
    pub wanted: Vec<(Place, Constraint)>,
    /// Forms in which a column is read, without a wish about the value.
    pub shapes: BTreeMap<Place, BTreeSet<Vec<Wrapper>>>,
    /// Values that must meet for rows to join.
    pub equal: Vec<(Port, Port)>,
    /// In which letters a joined value is compared: [`Wrapper::Lower`] or [`Wrapper::Upper`].
    pub letters: BTreeMap<Port, Wrapper>,
    /// Values that must differ from each other.
    pub unequal: Vec<(Port, Port)>,
    /// Values of which the first must not exceed the second.
    pub ordered: Vec<(Port, Port)>,
    /// Readings on the optional side of an outer join: some groups leave them without a partner.
    pub optional: BTreeSet<usize>,
    /// Readings tested for absence, as by NOT EXISTS: most groups leave them out.
    pub excluded: BTreeSet<usize>,
    /// Readings that need no rows of their own, for the rows of another reading of the table serve them too.
    pub merged: BTreeSet<usize>,
    /// Values by which a HAVING clause wants several rows to be grouped.
    pub crowded: BTreeSet<Port>,
}

impl Constraints {
    /// Adds a required constraint.
    pub fn require(&mut self, port: Port, wish: Wish) {
        let constraint = Constraint { wrappers: port.wrappers, wish };
        let list = self.required.entry(port.place).or_default();
        if !list.contains(&constraint) {
            list.push(constraint);
        }
    }

    /// Adds a form; a column that is read as it is has none.
    pub fn shape(&mut self, port: Port) {
        if !port.wrappers.is_empty() {
            self.shapes.entry(port.place).or_default().insert(port.wrappers);
        }
    }

    /// Adds an alternative.
    pub fn want(&mut self, port: Port, wish: Wish) {
        let alternative = (port.place, Constraint { wrappers: port.wrappers, wish });
        if !self.wanted.contains(&alternative) {
            self.wanted.push(alternative);
        }
    }
}
