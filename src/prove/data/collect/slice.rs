//! Slices of texts that are put together: `substr(concat_ws('@', code, kind), 12, 4) = 'exit'`.

use super::super::constraint::Predicate;
use super::{ConditionRole, ConstraintCollector};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::engine::table::Value;

/// How many values a piece of a fixed length may have.
const VALUES: i64 = 9;
/// The longest piece that is made of digits.
const LONGEST: usize = 18;

impl ConstraintCollector<'_, '_> {
    /// Whether an expression is a slice of a text that CONCAT or CONCAT_WS puts together.
    pub(super) fn is_slice_of_concatenation(&self, node: NodeId) -> bool {
        let script = self.lineage.script;
        matches!(script.tree().kind(node), Kind::Call { .. })
            && matches!(script.canonical_function_name(node).as_str(), "substr" | "left")
            && script.arguments(node).first().is_some_and(|text| self.concatenation(*text).is_some())
    }

    /// Gives the piece that begins where the slice does this text, and the pieces before it the lengths that put it
    /// there. Returns false if no piece can begin there.
    pub(super) fn invert_slice(&mut self, slice: NodeId, text: &str, role: ConditionRole) -> bool {
        let script = self.lineage.script;
        let arguments = script.arguments(slice);
        let Some(joined) = self.concatenation(arguments[0]) else { return false };
        let start = if script.function_name(slice) == "left" { Some(1) } else { self.whole_number(arguments[1]) };
        let Some(offset) = start.map(|start| start.max(1) - 1) else { return false };
        let mut pieces = script.arguments(joined);
        let separator = if script.function_name(joined) == "concat_ws" {
            let Some(separator) = self.value(pieces.remove(0)) else { return false };
            separator.plain_text().chars().count()
        } else {
            0
        };
        for (at, piece) in pieces.iter().enumerate() {
            if self.value(*piece).is_some() {
                continue;
            }
            let Some(lengths) = self.lengths_before(&pieces[..at], separator, offset) else { continue };
            for (earlier, length) in lengths {
                self.require_length(earlier, length);
            }
            self.equate(*piece, text, role);
            return true;
        }
        false
    }

    fn whole_number(&mut self, node: NodeId) -> Option<usize> {
        self.value(node)?.plain_text().parse().ok()
    }

    /// Returns the call that puts a text together, also if it is read through a sub-query or from another row.
    fn concatenation(&self, node: NodeId) -> Option<NodeId> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let [origin] = self.lineage.origins(node)[..] else { return None };
        match tree.kind(origin) {
            Kind::Over | Kind::Cast => self.concatenation(*tree.children(origin).first()?),
            Kind::Call { .. } => match script.function_name(origin).as_str() {
                "concat" | "concat_ws" => Some(origin),
                "lag" | "lead" => self.concatenation(*script.arguments(origin).first()?),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the lengths of the pieces whose length is free, so that all pieces with their separators take up
    /// `offset` characters; `None` if they cannot.
    fn lengths_before(&mut self, pieces: &[NodeId], separator: usize, offset: usize) -> Option<Vec<(NodeId, usize)>> {
        let (mut known, mut free) = (separator * pieces.len(), Vec::new());
        for piece in pieces {
            match self.known_length(*piece) {
                Some(length) => known += length,
                None => free.push((*piece, 1)),
            }
        }
        let left = offset.checked_sub(known + free.len())?;
        match free.first_mut() {
            Some((_, length)) => *length += left,
            None if left > 0 => return None,
            None => {}
        }
        Some(free)
    }

    fn known_length(&mut self, piece: NodeId) -> Option<usize> {
        if let Some(constant) = self.value(piece) {
            return Some(constant.plain_text().chars().count());
        }
        match self.lineage.scopes.type_of(piece) {
            Type::Date => Some("yyyy-MM-dd".len()),
            Type::Timestamp => Some("yyyy-MM-dd HH:mm:ss".len()),
            _ => self.fixed_length(piece),
        }
    }

    /// Requires numbers of so many digits, of which rows can have different ones.
    fn require_length(&mut self, piece: NodeId, digits: usize) {
        let Some(zeros) = digits.checked_sub(1).filter(|_| digits <= LONGEST) else { return };
        let step = 10_i64.pow(zeros.saturating_sub(2) as u32);
        let numbers = (0..VALUES).map(|number| 10_i64.pow(zeros as u32) + number * step);
        let fitting = numbers.filter(|number| number.to_string().len() == digits);
        let is_text = *self.lineage.scopes.type_of(piece) == Type::String;
        let value = |number: i64| if is_text { Value::Text(number.to_string()) } else { Value::Integer(number) };
        self.constrain(piece, Predicate::OneOf(fitting.map(value).collect()), ConditionRole::Required);
    }
}
