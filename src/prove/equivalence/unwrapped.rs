//! A guard, a cast or a call removed from around a value.

use super::effects::{DefaultApplied, SameDay};
use super::layout::squeezed;
use super::{EquivalenceReason, ScriptPair, flow};
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

impl ScriptPair<'_> {
    /// `f(x, …)` or `CAST(x AS t)` made `x`.
    pub(super) fn unwrapped(&self, node: NodeId) -> Option<EquivalenceReason> {
        let tree = self.reference.script.tree();
        let cast = tree.kind(node) == Kind::Cast;
        let arguments = if cast { tree.children(node).to_vec() } else { self.reference.script.arguments(node) };
        let inner = *arguments.first()?;
        let what = || squeezed(self.reference.script.slice(inner));
        let name = if cast { String::new() } else { self.reference.script.function_name(node) };
        let to_day = if cast {
            *self.reference.scopes.type_of(node) == Type::Date
        } else {
            matches!(&*name, "to_date" | "date")
        };
        if cast && self.is_written_alike(node, inner) {
            return Some(EquivalenceReason::SameConversion { what: what() });
        }
        let retyped = cast && self.mutant_type(node).is_some_and(|data_type| data_type == Type::Timestamp);
        if to_day && (retyped || self.replaced_by(node, self.reference.script.slice(inner))) {
            let dated = *self.reference.scopes.type_of(inner) == Type::Date && !retyped;
            let same = dated || self.reads_day_only(node, inner, retyped).unwrap_or(false);
            return same.then(|| EquivalenceReason::SameDay { what: what() });
        }
        if !self.replaced_by(node, self.reference.script.slice(inner)) {
            return None;
        }
        match name.as_str() {
            "coalesce" => self.guarded(node, inner, arguments.get(1).copied()),
            "substr" | "left" if self.is_first_ten(node, &arguments) => {
                Some(EquivalenceReason::SameDay { what: what() })
            }
            "" if cast => self.converted(node, inner).then(|| EquivalenceReason::SameConversion { what: what() }),
            _ => None,
        }
    }

    /// `CAST(n AS STRING)` made a cast to a whole number where text is wanted: the digits are the same.
    fn is_written_alike(&self, node: NodeId, inner: NodeId) -> bool {
        let tree = self.reference.script.tree();
        let whole =
            self.reference.scopes.type_of(inner).is_integer() && *self.reference.scopes.type_of(node) == Type::String;
        let texts = |call: NodeId| {
            matches!(tree.kind(call), Kind::Call { .. })
                && matches!(&*self.reference.script.function_name(call), "concat" | "concat_ws" | "lpad" | "rpad")
        };
        whole && tree.parent(node).is_some_and(texts) && self.mutant_type(node) == Some(Type::BigInt)
    }

    /// Returns the type that the mutant casts to, if only the type differs.
    fn mutant_type(&self, node: NodeId) -> Option<Type> {
        let span = self.replacement(node);
        let tree = self.mutant.script.tree();
        let cast = tree.ids().find(|other| tree.kind(*other) == Kind::Cast && tree.span(*other) == span)?;
        let inner = |script: &Script, cast: NodeId| {
            script.tree().children(cast).first().map(|inner| squeezed(script.slice(*inner)))
        };
        (inner(self.reference.script, node) == inner(self.mutant.script, cast))
            .then(|| self.mutant.scopes.type_of(cast).clone())
    }

    /// Whether every reader looks only at the day, where the mutant has a time in place of a date.
    fn reads_day_only(&self, node: NodeId, inner: NodeId, retyped: bool) -> Option<bool> {
        let tree = self.reference.script.tree();
        let parent = tree.parent(node)?;
        let is_call = matches!(tree.kind(parent), Kind::Call { .. });
        if is_call && self.reference.script.function(parent).is_some_and(|function| function.reads_day) {
            return Some(true);
        }
        let stamp = *self.reference.scopes.type_of(inner) == Type::Timestamp;
        if stamp && self.is_half_open(node) {
            return Some(true);
        }
        // Text that reads as a date may not read as a time.
        let is_time = stamp || (!retyped && *self.reference.scopes.type_of(inner) == Type::String);
        let time = self.reference.scopes.type_of(inner);
        let rule = SameDay { view: &self.reference, time };
        Some(is_time && flow::is_absorbed(self.reference, node, &rule))
    }

    /// Whether a node is compared as `x >= day` or `x < day`, the day being a constant of ten characters.
    fn is_half_open(&self, node: NodeId) -> bool {
        let tree = self.reference.script.tree();
        let Some(parent) = tree.parent(node) else { return false };
        let children = tree.children(parent);
        let wanted = match tree.kind(parent) {
            Kind::Binary(BinaryOperator::GreaterOrEqual | BinaryOperator::Less) => 0,
            Kind::Binary(BinaryOperator::LessOrEqual | BinaryOperator::Greater) => 1,
            _ => return false,
        };
        let day = |other: NodeId| tree.kind(other) == Kind::Text && self.reference.script.slice(other).len() == 12;
        children.get(wanted) == Some(&node) && children.get(1 - wanted).is_some_and(|other| day(*other))
    }

    fn is_first_ten(&self, node: NodeId, arguments: &[NodeId]) -> bool {
        let numbers: Vec<&str> = arguments[1..].iter().map(|argument| self.reference.script.slice(*argument)).collect();
        let text = *self.reference.scopes.type_of(arguments[0]) == Type::String;
        text && matches!(numbers[..], ["1", "10"] | ["10"]) && self.is_half_open(node)
    }

    /// `COALESCE(x, d)` made `x`.
    fn guarded(&self, node: NodeId, inner: NodeId, default: Option<NodeId>) -> Option<EquivalenceReason> {
        if self.reference.is_never_null(inner) {
            return Some(EquivalenceReason::NeverNull { what: squeezed(self.reference.script.slice(inner)) });
        }
        let default = self.reference.script.slice(default?);
        let filters = self.is_filter(self.reference.script.tree().parent(node)?);
        if filters && self.default_fails(node, default).unwrap_or(false) {
            return Some(EquivalenceReason::DefaultFails { default: default.to_owned() });
        }
        let rule = DefaultApplied { view: &self.reference, default };
        flow::is_absorbed(self.reference, node, &rule)
            .then(|| EquivalenceReason::SameDefault { default: default.to_owned() })
    }

    /// Whether the comparison of `node` is false with `default` in its place; `None` if it does not
    /// compare literal numbers.
    fn default_fails(&self, node: NodeId, default: &str) -> Option<bool> {
        let tree = self.reference.script.tree();
        let parent = tree.parent(node)?;
        let Kind::Binary(operator) = tree.kind(parent) else { return None };
        let [left, right] = tree.children(parent)[..] else { return None };
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let side = |side: NodeId| number(if side == node { default } else { self.reference.script.slice(side) });
        let (left, right) = (side(left)?, side(right)?);
        numbers_compared(operator, left, right).map(|holds| !holds)
    }

    /// Whether a comparison decides as a filter, where NULL counts as false: in WHERE, ON, HAVING, QUALIFY, FILTER,
    /// WHEN or IF, below AND and OR only.
    fn is_filter(&self, comparison: NodeId) -> bool {
        let tree = self.reference.script.tree();
        let mut below = comparison;
        for above in tree.ancestors(comparison) {
            match tree.kind(above) {
                Kind::And | Kind::Or | Kind::Paren => below = above,
                Kind::Where | Kind::On | Kind::Having | Kind::Qualify | Kind::Filter => return true,
                Kind::When => return tree.children(above).first() == Some(&below),
                Kind::Call { .. } => {
                    let first = self.reference.script.arguments(above).first() == Some(&below);
                    return first && self.reference.script.function_name(above) == "if";
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether the engine makes the cast of text to a number, or of a number to text, by itself.
    fn converted(&self, node: NodeId, inner: NodeId) -> bool {
        let tree = self.reference.script.tree();
        let (from, to) = (self.reference.scopes.type_of(inner), self.reference.scopes.type_of(node));
        let Some(parent) = tree.parent(node) else { return false };
        match tree.kind(parent) {
            Kind::Binary(operator) if *from == Type::String => {
                let other = tree.children(parent).iter().find(|child| **child != node);
                let other = other.map_or(&Type::Unknown, |other| self.reference.scopes.type_of(*other));
                converts(operator, to, other)
            }
            Kind::Call { .. } => {
                let name = self.reference.script.function_name(parent);
                let summed = matches!(&*name, "sum" | "avg") && *from == Type::String && *to == Type::Double;
                let written = matches!(&*name, "concat" | "lpad" | "rpad") && from.is_integer() && *to == Type::String;
                summed || written
            }
            _ => false,
        }
    }
}

/// Whether the engine casts a text to `to` by itself, where an operator joins it with a value of type `other`.
fn converts(operator: BinaryOperator, to: &Type, other: &Type) -> bool {
    use BinaryOperator::{Divide, Minus, Multiply, Plus};
    match (to, other) {
        // Beside a number with decimals, text is compared as a double.
        (Type::Double, _) if matches!(operator, Plus | Minus | Multiply | Divide) => other.is_numeric(),
        (Type::Double, Type::Double) => operator.is_comparison(),
        (Type::Double, Type::Decimal(_, scale)) => operator.is_comparison() && *scale > 0,
        _ => operator.is_comparison() && to.is_integer() && other == to,
    }
}

/// Returns the result of comparing two numbers; `None` if the operator is no such comparison.
fn numbers_compared(operator: BinaryOperator, left: f64, right: f64) -> Option<bool> {
    use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    Some(match operator {
        Equal => left == right,
        NotEqual => left != right,
        Less => left < right,
        LessOrEqual => left <= right,
        Greater => left > right,
        GreaterOrEqual => left >= right,
        _ => return None,
    })
}
