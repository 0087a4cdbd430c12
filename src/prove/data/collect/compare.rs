//! Comparisons of two expressions: with a constant, or with each other.

use super::{Collector, Port, Use, Wish};
use crate::code::tree::{BinaryOperator, NodeId};
use crate::engine::table::Value;

impl Collector<'_, '_> {
    pub(super) fn compare(&mut self, operator: BinaryOperator, left: NodeId, right: NodeId, usage: Use) {
        if let Some(value) = self.value(right) {
            return self.wish(left, Wish::Compare(operator, value), usage);
        }
        if let Some(value) = self.value(left) {
            return self.wish(right, Wish::Compare(mirrored(operator), value), usage);
        }
        if operator == BinaryOperator::Equal {
            self.one_of_origins(left, right, usage);
            self.one_of_origins(right, left, usage);
        }
        if operator == BinaryOperator::Equal {
            self.letters(left);
            self.letters(right);
        }
        let (left, right) = (self.reach.trace(left), self.reach.trace(right));
        match operator {
            BinaryOperator::NotEqual if usage == Use::Required => {
                let pairs = left.into_iter().zip(right).filter(|(a, b)| a != b);
                self.found.unequal.extend(pairs);
            }
            BinaryOperator::Equal | BinaryOperator::NullSafeEqual => self.equal(&left, &right),
            BinaryOperator::Less | BinaryOperator::LessOrEqual if usage != Use::Wanted => self.ordered(&left, &right),
            BinaryOperator::Greater | BinaryOperator::GreaterOrEqual if usage != Use::Wanted => {
                self.ordered(&right, &left);
            }
            _ => {}
        }
    }

    /// Equality with a column that is a constant in each branch of a UNION.
    fn one_of_origins(&mut self, column: NodeId, other: NodeId, usage: Use) {
        let values = self.origin_values(other);
        if values.len() > 1 {
            self.wish(column, Wish::OneOf(values), usage);
        }
    }

    fn origin_values(&mut self, node: NodeId) -> Vec<Value> {
        self.reach.origins(node).into_iter().filter_map(|origin| (self.constant)(origin)).collect()
    }

    /// The value of an expression that reads no table, be it through a one-row table of parameters.
    pub(super) fn value(&mut self, node: NodeId) -> Option<Value> {
        let known = (self.constant)(node);
        known.or_else(|| match &self.origin_values(node)[..] {
            [only] => Some(only.clone()),
            _ => None,
        })
    }

    /// Notes in which letters a joined value is compared.
    pub(super) fn letters(&mut self, expression: NodeId) {
        for mut port in self.reach.trace_letters(expression) {
            let letters = port.wrappers.iter().rfind(|wrapper| wrapper.is_letters()).cloned();
            port.wrappers.retain(|wrapper| !wrapper.is_letters());
            self.found.letters.extend(letters.map(|letters| (port, letters)));
        }
    }

    pub(super) fn equal(&mut self, left: &[Port], right: &[Port]) {
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
        let pairs = pairs.filter(|(a, b)| a.place != b.place || a.wrappers != b.wrappers);
        self.found.equal.extend(pairs.map(|(a, b)| (a.clone(), b.clone())));
    }

    pub(super) fn ordered(&mut self, low: &[Port], high: &[Port]) {
        // A value compared with another row's, as by LAG, has a value of its own row to stand in for it.
        let pairs = low.iter().flat_map(|low| high.iter().map(move |high| (low, high)));
        if let Some((low, high)) = pairs.into_iter().find(|(low, high)| low.place != high.place) {
            self.found.ordered.push((low.clone(), high.clone()));
        }
    }
}

fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    use BinaryOperator::*;
    match operator {
        Less => Greater,
        LessOrEqual => GreaterOrEqual,
        Greater => Less,
        GreaterOrEqual => LessOrEqual,
        other => other,
    }
}
