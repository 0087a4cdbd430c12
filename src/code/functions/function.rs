//! A function: how it is called, what it takes and what it gives.

use super::super::tree::BinaryOperator;
use super::super::types::Type;
use super::argument::Argument;
use super::embedded::{ArgumentForm, Embedded, RowGenerator, Special, UnsupportedReason};
use super::returns::Returns;

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// One value from one row.
    Scalar,
    /// One value from many rows; also over a window.
    Aggregate,
    /// Only over a window.
    Window,
    /// Several rows from one.
    Generator,
}

/// When a function returns NULL, as far as it follows from its arguments being nullable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// Never.
    Never,
    /// If any argument from this position on is NULL.
    AnyFrom(usize),
    /// If any argument is NULL, or text that is no date or number.
    AnyOrUnreadable,
    /// If all arguments are NULL.
    All,
    /// If the first argument is NULL.
    First,
    /// It can be NULL whatever the arguments are.
    Always,
}

/// Whether a function gives other values when rows are read in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// It does not matter.
    Ignored,
    /// Values of other rows are put into an order, or numbered, or the best of them is looked for among equals.
    Seen,
    /// One value of a group is taken.
    TakesOne,
}

/// Another row of the window whose value a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOffset {
    /// One before.
    Before,
    /// One after.
    After,
}

/// One function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Lower-case name.
    pub name: &'static str,
    /// How it is called.
    pub kind: FunctionKind,
    /// Fewest arguments.
    pub minimum: usize,
    /// Most arguments; `None` if there is no limit.
    pub maximum: Option<usize>,
    /// What each argument must be; the last one stands for all that follow.
    pub arguments: &'static [Argument],
    /// The result's type.
    pub returns: Returns,
    /// When it returns NULL.
    pub nulls: Nulls,
    /// How the embedded engine runs it.
    pub embedded: Embedded,
    /// What its implementation wants of each argument; the last one stands for all that follow.
    pub wants: &'static [ArgumentForm],
    /// The argument that is a format, a field of a date, a time zone or a name of the language, if there is one.
    pub format: Option<usize>,
    /// Whether the order of rows matters.
    pub row_order: RowOrder,
    /// Whether IGNORE NULLS may follow.
    pub may_ignore_nulls: bool,
    /// Whether WITHIN GROUP may follow.
    pub of_ordered_group: bool,
    /// The function of which it is another name: arguments, types and NULLs are the same. `stddev` and `variance` have
    /// none, because Hive and Spark mean different functions by them.
    pub same_as: Option<&'static str>,
    /// Whether its name alone calls it, as `current_date` does.
    pub without_brackets: bool,
    /// Whether it looks only at the day of the dates and times that it is given.
    pub reads_day: bool,
    /// Whether a unit of time may be its first argument, as in `datediff(MONTH, a, b)`.
    pub takes_unit: bool,
    /// The arithmetic operator that it stands for, as `mod` for `%`.
    pub operator: Option<BinaryOperator>,
    /// The row from which it takes a value, as `lag` from one before.
    pub row_offset: Option<RowOffset>,
}

impl Function {
    /// The name that stands for the function and all its other names.
    pub fn canonical_name(&self) -> &'static str {
        self.same_as.unwrap_or(self.name)
    }

    /// Whether it makes several rows of one where an expression stands, as `explode` does; `range` makes them in FROM only.
    pub fn makes_rows_in_place(&self) -> bool {
        self.row_generator().is_some()
    }

    /// Which rows it gives in place of one; `None` if it makes none where an expression stands.
    pub fn row_generator(&self) -> Option<RowGenerator> {
        match self.embedded {
            Embedded::Generator(rows) => Some(rows),
            _ => None,
        }
    }

    /// Whether a generator gives a row of NULL for what is empty.
    pub fn keeps_empty(&self) -> bool {
        self.name.ends_with("_outer")
    }

    /// Whether it tells of which keys a row is a subtotal.
    pub fn tells_subtotals(&self) -> bool {
        self.name.starts_with("grouping")
    }

    /// Whether it gives other values for other rows or runs with the same arguments.
    pub fn is_nondeterministic(&self) -> bool {
        matches!(self.embedded, Embedded::Refused(UnsupportedReason::Chance | UnsupportedReason::RowOrder))
    }

    /// Whether it is named after a type and casts to it, as `int(x)` does.
    pub fn is_cast(&self) -> bool {
        self.embedded == Embedded::Rule(Special::Cast) || self.name == "binary"
    }

    /// What argument `position` must be.
    pub fn argument(&self, position: usize) -> Argument {
        self.arguments.get(position).or(self.arguments.last()).copied().unwrap_or(Argument::Any)
    }

    /// What its implementation wants of argument `position`.
    pub fn want(&self, position: usize) -> ArgumentForm {
        self.wants.get(position).or(self.wants.last()).copied().unwrap_or(ArgumentForm::AsIs)
    }

    /// Whether a call may have this many arguments.
    pub fn takes(&self, count: usize) -> bool {
        count >= self.minimum && self.maximum.is_none_or(|maximum| count <= maximum)
    }

    /// The type of a call with arguments of these types.
    pub fn return_type(&self, arguments: &[Type]) -> Type {
        self.returns.of(arguments)
    }
}
