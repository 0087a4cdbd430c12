//! Whether the functions and operators around a value pass on a difference in it.

use super::flow::{DifferenceRule, Effect};
use super::view::ScriptView;
use crate::code::schema::TableColumn;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

/// A value and the expression right above it.
#[derive(Clone, Copy)]
struct Operand {
    above: NodeId,
    value: NodeId,
}

/// A NULL where the reference has a default: absorbed where the same default is put in again.
pub struct DefaultApplied<'a> {
    pub view: &'a ScriptView<'a>,
    /// The default, as written.
    pub default: &'a str,
}

impl DifferenceRule for DefaultApplied<'_> {
    fn effect(&self, above: NodeId, value: NodeId) -> Effect {
        default_again(self.view, self.default, Operand { above, value })
    }
}

/// A time where the reference has its day: absorbed where only the day is looked at.
pub struct SameDay<'a> {
    pub view: &'a ScriptView<'a>,
    /// The type that the value has in the mutant.
    pub time: &'a Type,
}

impl DifferenceRule for SameDay<'_> {
    fn effect(&self, above: NodeId, value: NodeId) -> Effect {
        same_day(self.view, self.time, Operand { above, value })
    }

    /// A time written to a column of days leaves its day there.
    fn is_absorbed_by(&self, column: &TableColumn) -> bool {
        *self.time == Type::Timestamp && column.data_type == Type::Date
    }
}

/// Any difference: nothing absorbs it, but each expression passes it on in its own value only, so that a value which
/// nothing reads shows nothing.
pub struct NeverRead<'a> {
    pub view: &'a ScriptView<'a>,
}

impl DifferenceRule for NeverRead<'_> {
    fn effect(&self, above: NodeId, _: NodeId) -> Effect {
        unread(self.view, above)
    }
}

fn default_again(view: &ScriptView<'_>, default: &str, operand: Operand) -> Effect {
    let Operand { above, value } = operand;
    let tree = view.script.tree();
    let zero = number(default) == Some(0.0);
    match tree.kind(above) {
        Kind::Call { distinct: false } => {
            let arguments = view.script.arguments(above);
            let first = arguments.first() == Some(&value);
            let windowed = view.script.is_windowed(above);
            match &*view.script.canonical_function_name(above) {
                "coalesce" if first && arguments.len() == 2 => {
                    let same = is_same_literal(view.script.slice(arguments[1]), default);
                    if same { Effect::Absorbed } else { Effect::Visible }
                }
                // Like 0, NULL adds nothing to a sum.
                "sum" if zero && !windowed => Effect::PassedOn,
                "round" | "abs" | "floor" | "ceil" if zero && first => Effect::PassedOn,
                _ => Effect::Visible,
            }
        }
        Kind::Cast if zero && view.scopes.type_of(above).is_numeric() => Effect::PassedOn,
        _ => Effect::Visible,
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

fn same_day(view: &ScriptView<'_>, time: &Type, operand: Operand) -> Effect {
    let Operand { above, value } = operand;
    let tree = view.script.tree();
    let kind = tree.kind(above);
    let is_time = *time == Type::Timestamp;
    match kind {
        Kind::Cast if *view.scopes.type_of(above) == Type::Date => Effect::Absorbed,
        Kind::Call { .. } => called(view, is_time, operand),
        Kind::Binary(operator) if operator.is_comparison() => compared(view, operand, operator, is_time),
        Kind::Between { .. } if !is_time && tree.children(above).first() == Some(&value) => {
            let dated = |bound: &NodeId| *view.scopes.type_of(*bound) == Type::Date;
            if tree.children(above)[1..].iter().all(dated) { Effect::Absorbed } else { Effect::Visible }
        }
        Kind::IsNull { .. } if is_time => Effect::Absorbed,
        _ => Effect::Visible,
    }
}

fn called(view: &ScriptView<'_>, is_time: bool, operand: Operand) -> Effect {
    let Operand { above: call, value } = operand;
    let arguments = view.script.arguments(call);
    let name = view.script.canonical_function_name(call);
    let reads_day = view.script.function(call).is_some_and(|function| function.reads_day);
    let first = arguments.first() == Some(&value);
    let dated = |node: &NodeId| matches!(view.scopes.type_of(*node), Type::Date | Type::Timestamp);
    match &*name {
        _ if reads_day => Effect::Absorbed,
        "date_format" if first => {
            let format = arguments.get(1).map_or("", |format| view.script.slice(*format));
            let of_day = format.len() > 2 && format.chars().all(|letter| "'yMd-/ ".contains(letter));
            if of_day { Effect::Absorbed } else { Effect::Visible }
        }
        "count" if is_time && view.script.tree().kind(call) == (Kind::Call { distinct: false }) => Effect::Absorbed,
        // The latest time falls on the latest day.
        "max" | "min" if is_time => Effect::PassedOn,
        "coalesce" | "greatest" | "least" if is_time && arguments.iter().all(dated) => Effect::PassedOn,
        _ => Effect::Visible,
    }
}

fn compared(view: &ScriptView<'_>, operand: Operand, operator: BinaryOperator, is_time: bool) -> Effect {
    let Operand { above, value } = operand;
    let tree = view.script.tree();
    let [left, right] = tree.children(above)[..] else { return Effect::Visible };
    let other = if left == value { right } else { left };
    let is_date = *view.scopes.type_of(other) == Type::Date;
    if !is_time {
        // Beside a date, text is read as a date.
        return if is_date { Effect::Absorbed } else { Effect::Visible };
    }
    let day = is_date || (tree.kind(other) == Kind::Text && view.script.slice(other).len() == 12);
    let half_open = match operator {
        BinaryOperator::GreaterOrEqual | BinaryOperator::Less => left == value,
        BinaryOperator::LessOrEqual | BinaryOperator::Greater => right == value,
        _ => false,
    };
    // A time is at or after midnight of a day exactly if its own day is that day or a later one.
    if day && half_open { Effect::Absorbed } else { Effect::Visible }
}

fn unread(view: &ScriptView<'_>, above: NodeId) -> Effect {
    let tree = view.script.tree();
    let in_window = |node: NodeId| {
        let window = tree.enclosing(node, |kind| matches!(kind, Kind::WindowSpec | Kind::Query));
        window.is_some_and(|window| tree.kind(window) == Kind::WindowSpec)
    };
    let passes = match tree.kind(above) {
        Kind::Call { .. } => !generates(view, above),
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
    if passes { Effect::PassedOn } else { Effect::Visible }
}

/// Whether a call makes rows, so that a difference in its argument may change their number.
fn generates(view: &ScriptView<'_>, call: NodeId) -> bool {
    let tree = view.script.tree();
    let views = |kind| matches!(kind, Kind::LateralView { .. } | Kind::TableFunction);
    tree.parent(call).is_some_and(|parent| views(tree.kind(parent))) || view.script.is_generator(call)
}
