//! What a script asks of the rows it reads: predicates, join keys and formats, traced back to base tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::tree::{BinaryOperator, NodeId};
use crate::engine::table::Value;

/// One column of one scan of a base table: a script that reads a table twice may ask different things of each scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScanColumn {
    /// Index of the scan in [`super::lineage::Lineage::scans`].
    pub scan: usize,
    /// Position of the column in the table.
    pub column: usize,
}

/// A value inside a column: the column itself if there are no steps, else what they make of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValuePath {
    /// The column.
    pub source: ScanColumn,
    /// From the column outwards.
    pub steps: Vec<PathStep>,
}

impl ValuePath {
    /// Returns the value that a further step makes.
    #[must_use]
    pub fn then(mut self, step: PathStep) -> ValuePath {
        self.steps.push(step);
        self
    }
}

/// What a predicate asks of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
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
    /// Is true or false as given: a boolean, or a number or text that reads as one.
    Truth(bool),
}

/// What lies between a column and the value that a predicate is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathStep {
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
    /// `str_to_map(x, '&', '=')`: what lies between pairs, and between a key and its value; a key comes next.
    Pairs(String, String),
    /// `substr(x, start, length)`, from 1.
    Slice(usize, usize),
    /// `date_format(x, p)`, `from_unixtime(x, p)`: the predicate is about the formatted text.
    Format(String),
    /// `to_date(x, p)`: the predicate is about a date or moment, the column holds it as text in this format.
    Parsed(String),
    /// `to_date(x)`, `cast(x AS date)`: the predicate is about a date, the column holds a date or a timestamp.
    Date,
    /// A cast to a number: the column holds digits.
    Number,
    /// `length(x)` or `size(x)`.
    Length,
    /// `lower(x)`. Only joins ask for it; see [`Constraints::letter_case`].
    Lower,
    /// `upper(x)`, likewise.
    Upper,
}

impl PathStep {
    /// Whether it changes only the letter case.
    pub fn is_letter_case(&self) -> bool {
        matches!(self, PathStep::Lower | PathStep::Upper)
    }
}

/// A predicate about the value that the steps, outermost last, make of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// From the column outwards.
    pub steps: Vec<PathStep>,
    /// The predicate on that value.
    pub predicate: Predicate,
}

/// A predicate, and the steps from the value being made to the value that the predicate is about.
#[derive(Clone, Copy, Debug)]
pub struct Requirement<'a> {
    /// From the inside outwards.
    pub steps: &'a [PathStep],
    /// `None` for a form without a predicate.
    pub predicate: Option<&'a Predicate>,
}

/// A column whose value is computed from columns of the same group of rows, perhaps at a distance.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The column that takes the value.
    pub target: ScanColumn,
    /// The expression, a node of the script.
    pub expression: NodeId,
    /// The columns inside it.
    pub inputs: Vec<DerivationInput>,
    /// How far the target lies from the value of the expression, a moment; `None` if it equals it.
    pub distance: Option<TimeDistance>,
}

impl Derivation {
    /// Whether the value is computed from the same column of another row of the scan, as a month from the next one.
    pub fn is_of_other_row(&self) -> bool {
        self.inputs.iter().any(|input| input.source == self.target)
    }
}

/// What stands for the column in the expressions of a [`RowRelation`].
pub const COLUMN_MARK: &str = "\u{1}";

/// Two rows of one scan that a join brings together: what one expression makes of a column in one of them must equal what
/// another makes of it in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRelation {
    /// The column that both are computed from.
    pub source: ScanColumn,
    /// SQL with [`COLUMN_MARK`] in place of the column.
    pub one: String,
    /// Likewise.
    pub other: String,
}

/// A distance between two moments.
#[derive(Clone, Debug)]
pub struct TimeDistance {
    /// How many units.
    pub number: i64,
    /// The unit, as SQL writes it.
    pub unit: String,
}

/// A column inside the expression of a [`Derivation`].
#[derive(Clone, Copy, Debug)]
pub struct DerivationInput {
    /// Where the expression names it.
    pub node: NodeId,
    /// The base column that it reads.
    pub source: ScanColumn,
}

/// How a recursive CTE gets from one level to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The column that must equal what the row before gives, such as the manager of an employee.
    pub key: ScanColumn,
    /// The column that the row itself gives, such as the employee.
    pub gives: ScanColumn,
}

/// All that is known about the values of the columns of a script.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Constraints that a row must meet to get through.
    pub required: BTreeMap<ScanColumn, Vec<Constraint>>,
    /// Alternatives met in arms of CASE, IF and OR: each wants some row that satisfies it.
    pub alternatives: Vec<(ScanColumn, Constraint)>,
    /// Forms in which a column is read, without a predicate about the value.
    pub forms: BTreeMap<ScanColumn, BTreeSet<Vec<PathStep>>>,
    /// Values that must be equal for rows to join.
    pub equal: Vec<(ValuePath, ValuePath)>,
    /// Columns in which rows of one scan must agree, because what is made of it is joined with itself.
    pub within_scan: BTreeSet<ScanColumn>,
    /// In which letter case a joined value is compared: [`PathStep::Lower`] or [`PathStep::Upper`].
    pub letter_case: BTreeMap<ValuePath, PathStep>,
    /// Values that must differ from each other.
    pub unequal: Vec<(ValuePath, ValuePath)>,
    /// Values of which the first must not exceed the second.
    pub ordered: Vec<(ValuePath, ValuePath)>,
    /// Scans on the optional side of an outer join: some groups leave them without a partner.
    pub optional: BTreeSet<usize>,
    /// Scans tested for absence, as by NOT EXISTS: most groups leave them out.
    pub absent: BTreeSet<usize>,
    /// Scans that need no rows of their own, because the rows of another scan of the table serve them too.
    pub merged: BTreeSet<usize>,
    /// Scans of sub-queries that stand for one value and do not aggregate: one row at most may meet their conditions.
    pub single: BTreeSet<usize>,
    /// Columns by which the source rows of a MERGE match, by scan: one row at most may have the same values in them.
    pub merge_keys: BTreeMap<usize, BTreeSet<usize>>,
    /// Columns that must equal a value computed from others.
    pub derivations: Vec<Derivation>,
    /// What relates two rows of one scan.
    pub row_relations: Vec<RowRelation>,
    /// The columns by which rows of a hierarchy are found from those before them.
    pub chains: Vec<Chain>,
    /// The most rows that a HAVING clause wants in a group; 0 if none says.
    pub group_size: usize,
    /// Values by which a HAVING clause wants several rows to be grouped.
    pub shared: BTreeSet<ValuePath>,
    /// Columns of which a HAVING clause counts the distinct values.
    pub varied: BTreeSet<ScanColumn>,
    /// Columns that name what a row is about, each with the names under which an entity needs rows.
    pub row_names: BTreeMap<ScanColumn, Vec<Value>>,
}

/// Most constraints on one column that values are made from and held against: each value is held against each.
const MOST_ASKED: usize = 256;
/// Most alternatives of a script: a few rows can take no more.
const MOST_ALTERNATIVES: usize = 4_096;

/// Adds what is asked of a value to a list of at most `MOST_ASKED`; in a full list it takes the place of something
/// weaker, or is left out if there is nothing weaker.
pub fn add_asked<T>(list: &mut Vec<T>, asked: T, is_weaker: impl Fn(&T, &T) -> bool) {
    if list.len() < MOST_ASKED {
        list.push(asked);
    } else if let Some(weaker) = list.iter_mut().find(|known| is_weaker(known, &asked)) {
        *weaker = asked;
    }
}

impl Constraints {
    /// Adds a required constraint.
    pub fn require(&mut self, path: ValuePath, predicate: Predicate) {
        let constraint = Constraint { steps: path.steps, predicate };
        let list = self.required.entry(path.source).or_default();
        if !list.contains(&constraint) {
            add_asked(list, constraint, |known, new| {
                known.steps == new.steps && new.predicate.is_stronger_than(&known.predicate)
            });
        }
    }

    /// Requires nothing of a column, or of what stands at a place inside it, but this.
    pub fn fix(&mut self, path: &ValuePath, predicate: Predicate) {
        let ValuePath { source, steps } = path;
        let required = self.required.entry(*source).or_default();
        required.retain(|constraint| !steps.is_empty() && constraint.steps != *steps);
        required.push(Constraint { steps: steps.clone(), predicate });
        self.alternatives
            .retain(|(other, constraint)| other != source || !steps.is_empty() && constraint.steps != *steps);
        self.ordered.retain(|(low, high)| low != path && high != path);
        if steps.is_empty() {
            self.derivations.retain(|derivation| derivation.target != *source);
            self.row_relations.retain(|relation| relation.source != *source);
        }
    }

    /// Returns what is required of the columns of one scan.
    pub fn required_of(&self, scan: usize) -> impl Iterator<Item = (&ScanColumn, &Vec<Constraint>)> {
        self.required.range(ScanColumn { scan, column: 0 }..ScanColumn { scan: scan + 1, column: 0 })
    }

    /// Adds a form; a column that is read as it is has none.
    pub fn add_form(&mut self, path: ValuePath) {
        if !path.steps.is_empty() {
            self.forms.entry(path.source).or_default().insert(path.steps);
        }
    }

    /// Adds an alternative.
    pub fn prefer(&mut self, path: ValuePath, predicate: Predicate) {
        let alternative = (path.source, Constraint { steps: path.steps, predicate });
        if self.alternatives.len() < MOST_ALTERNATIVES && !self.alternatives.contains(&alternative) {
            self.alternatives.push(alternative);
        }
    }
}
