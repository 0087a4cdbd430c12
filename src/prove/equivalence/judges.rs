//! What the functions and operators around a value make of a difference in it.

use super::flow::{Judge, Step};
use super::nullness::Nullness;
use crate::code::schema::TableColumn;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

/// Functions that look at the day of a date or time only.
pub const DAYS: [&str; 12] = [
    "datediff",
    "date_add",
    "date_sub",
    "to_date",
    "last_day",
    "year",
    "month",
    "day",
    "dayofweek",
    "weekofyear",
    "quarter",
    "trunc",
];

/// NULL where the reference has a default: gone where the same default is put in again.
pub struct DefaultAgain<'a> {
    /// The script.
    pub names: &'a Nullness<'a>,
    /// The default, as written.
    pub default: &'a str,
}

impl Judge for DefaultAgain<'_> {
    fn step(&self, above: NodeId, value: NodeId) -> Step {
        default_again(self.names, self.default, (above, value))
    }
}

/// A time where the reference has its day: gone where only the day is looked at.
pub struct SameDay<'a> {
    /// The script.
    pub names: &'a Nullness<'a>,
    /// The type that the value has in the mutant.
    pub time: &'a Type,
}

impl Judge for SameDay<'_> {
    fn step(&self, above: NodeId, value: NodeId) -> Step {
        same_day(self.names, self.time, (above, value))
    }

    /// A time written to a column of days leaves its day there.
    fn is_gone_in(&self, column: &TableColumn) -> bool {
        *self.time == Type::Timestamp && column.data_type == Type::Date
    }
}

/// Any difference: gone nowhere, but it stays inside the expression around it, so that a value which no one reads shows
/// nothing.
pub struct Unread<'a> {
    /// The script.
    pub names: &'a Nullness<'a>,
}

impl Judge for Unread<'_> {
    fn step(&self, above: NodeId, _: NodeId) -> Step {
        unread(self.names, above)
    }
}

fn default_again(names: &Nullness<'_>, default: &str, (above, value): (NodeId, NodeId)) -> Step {
    let tree = names.script.tree();
    let zero = number(default) == Some(0.0);
    match tree.kind(above) {
        Kind::Call { distinct: false } => {
            let arguments = names.script.arguments(above);
            let first = arguments.first() == Some(&value);
            let windowed = tree.child(above, |kind| kind == Kind::Over).is_some();
            match &*names.script.function_name(above) {
                "coalesce" | "nvl" | "ifnull" if first && arguments.len() == 2 => {
                    let same = is_same_literal(names.script.slice(arguments[1]), default);
                    if same { Step::Gone } else { Step::Observation }
                }
                // NULL adds as little as 0 does.
                "sum" if zero && !windowed => Step::Passes,
                "round" | "abs" | "floor" | "ceil" if zero && first => Step::Passes,
                _ => Step::Observation,
            }
        }
        Kind::Cast if zero && names.scopes.type_of(above).is_numeric() => Step::Passes,
        _ => Step::Observation,
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

fn is_same_literal(one: &str, other: &str) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one.trim().starts_with('\'') && one.trim() == other.trim(),
    }
}

fn same_day(names: &Nullness<'_>, time: &Type, (above, value): (NodeId, NodeId)) -> Step {
    let tree = names.script.tree();
    let kind = tree.kind(above);
    let is_time = *time == Type::Timestamp;
    match kind {
        Kind::Cast if *names.scopes.type_of(above) == Type::Date => Step::Gone,
        Kind::Call { .. } => called(names, is_time, (above, value)),
        Kind::Binary(operator) if operator.is_comparison() => compared(names, (above, value), operator, is_time),
        Kind::Between { .. } if !is_time && tree.children(above).first() == Some(&value) => {
            let dated = |bound: &NodeId| *names.scopes.type_of(*bound) == Type::Date;
            if tree.children(above)[1..].iter().all(dated) { Step::Gone } else { Step::Observation }
        }
        Kind::IsNull { .. } if is_time => Step::Gone,
        _ => Step::Observation,
    }
}

fn called(names: &Nullness<'_>, is_time: bool, (call, value): (NodeId, NodeId)) -> Step {
    let arguments = names.script.arguments(call);
    let name = names.script.function_name(call);
    let first = arguments.first() == Some(&value);
    let dated = |node: &NodeId| matches!(names.scopes.type_of(*node), Type::Date | Type::Timestamp);
    match &*name {
        name if DAYS.contains(&name) => Step::Gone,
        "date_format" if first => {
            let format = arguments.get(1).map_or("", |format| names.script.slice(*format));
            let of_day = format.len() > 2 && format.chars().all(|letter| "'yMd-/ ".contains(letter));
            if of_day { Step::Gone } else { Step::Observation }
        }
        "count" if is_time && names.script.tree().kind(call) == (Kind::Call { distinct: false }) => Step::Gone,
        // The latest time falls on the latest day.
        "max" | "min" if is_time => Step::Passes,
        "coalesce" | "nvl" | "ifnull" | "greatest" | "least" if is_time && arguments.iter().all(dated) => Step::Passes,
        _ => Step::Observation,
    }
}

fn compared(names: &Nullness<'_>, (above, value): (NodeId, NodeId), operator: BinaryOperator, is_time: bool) -> Step {
    let tree = names.script.tree();
    let [left, right] = tree.children(above)[..] else { return Step::Observation };
    let other = if left == value { right } else { left };
    let is_date = *names.scopes.type_of(other) == Type::Date;
    if !is_time {
        // Beside a date, text is read as a date.
        return if is_date { Step::Gone } else { Step::Observation };
    }
    let day = is_date || (tree.kind(other) == Kind::Text && names.script.slice(other).len() == 12);
    let half_open = match operator {
        BinaryOperator::GreaterOrEqual | BinaryOperator::Less => left == value,
        BinaryOperator::LessOrEqual | BinaryOperator::Greater => right == value,
        _ => false,
    };
    // A time is at or after midnight of a day when its own day is.
    if day && half_open { Step::Gone } else { Step::Observation }
}

fn unread(names: &Nullness<'_>, above: NodeId) -> Step {
    let tree = names.script.tree();
    let in_window = |node: NodeId| {
        let window = tree.enclosing(node, |kind| matches!(kind, Kind::WindowSpec | Kind::Query));
        window.is_some_and(|window| tree.kind(window) == Kind::WindowSpec)
    };
    let passes = match tree.kind(above) {
        Kind::Call { .. } => !generates(names, above),
        Kind::Cast
        | Kind::Case { .. }
        | Kind::When
        | Kind::Else
        | Kind::Binary(_)
        | Kind::Unary
        | Kind::And
        | Kind::Or
        | Kind::Not
        | Kind::IsNull { .. }
        | Kind::InList { .. }
        | Kind::Between { .. }
        | Kind::Pattern { .. }
        | Kind::Index
        | Kind::Field
        | Kind::Filter
        | Kind::Over
        | Kind::WithinGroup
        | Kind::WindowSpec
        | Kind::PartitionBy => true,
        Kind::SortItem { .. } | Kind::OrderBy => in_window(above),
        _ => false,
    };
    if passes { Step::Passes } else { Step::Observation }
}

/// Whether a call makes rows, so that a difference in its argument is one in their number.
fn generates(names: &Nullness<'_>, call: NodeId) -> bool {
    let tree = names.script.tree();
    let views = |kind| matches!(kind, Kind::LateralView { .. } | Kind::TableFunction);
    tree.parent(call).is_some_and(|parent| views(tree.kind(parent))) || names.script.is_generator(call)
}
