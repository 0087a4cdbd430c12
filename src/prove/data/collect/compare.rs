//! Comparisons of two expressions: with a constant, or with each other.

use super::{ConditionRole, ConstraintCollector};
use crate::code::scope::RelationSource;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::engine::table::Value;
use crate::prove::data::constraint::{Predicate, ValuePath};

impl ConstraintCollector<'_, '_> {
    pub(super) fn compare(&mut self, operator: BinaryOperator, left: NodeId, right: NodeId, role: ConditionRole) {
        if let Some(value) = self.value(right) {
            return self.constrain(left, Predicate::Compare(operator, value), role);
        }
        if let Some(value) = self.value(left) {
            return self.constrain(right, Predicate::Compare(mirrored(operator), value), role);
        }
        if role == ConditionRole::Required {
            self.note_row_name(left, None);
            self.note_row_name(right, None);
        }
        if operator == BinaryOperator::Equal {
            self.position_in_list(left, right, role);
            self.position_in_list(right, left, role);
            self.chain(left, right);
            self.chain(right, left);
            if role == ConditionRole::Required {
                self.ranks_of_two_rows(left, right);
            }
            if role != ConditionRole::Optional && self.derive_equality(left, right) {
                return;
            }
            self.one_of_origins(left, right, role);
            self.one_of_origins(right, left, role);
            self.letters(left);
            self.letters(right);
        }
        if role == ConditionRole::Required && operator != BinaryOperator::Equal {
            // What LAG or LEAD computes needs a row before or after; a value that must equal another has its own.
            self.row_that_meets(left);
            self.row_that_meets(right);
        }
        let includes_limit = matches!(operator, BinaryOperator::LessOrEqual | BinaryOperator::GreaterOrEqual);
        let is_required = role == ConditionRole::Required;
        if includes_limit && is_required && (self.derive_limit(left, right) || self.derive_limit(right, left)) {
            return;
        }
        let (left, right) = (self.paths_of(left), self.paths_of(right));
        match operator {
            BinaryOperator::NotEqual if role == ConditionRole::Required => {
                let pairs = left.into_iter().zip(right).filter(|(a, b)| a != b);
                self.found.unequal.extend(pairs);
            }
            BinaryOperator::Equal | BinaryOperator::NullSafeEqual => self.equal(&left, &right),
            BinaryOperator::Less | BinaryOperator::LessOrEqual if role != ConditionRole::Optional => {
                self.ordered(&left, &right)
            }
            BinaryOperator::Greater | BinaryOperator::GreaterOrEqual if role != ConditionRole::Optional => {
                self.ordered(&right, &left);
            }
            _ => {}
        }
    }

    /// What must equal the position that `posexplode` gives is one of the first: a list has few values.
    fn position_in_list(&mut self, position: NodeId, other: NodeId, role: ConditionRole) {
        if self.lineage.is_position_in_list(position) {
            self.constrain(other, Predicate::OneOf(vec![Value::Integer(0), Value::Integer(1)]), role);
        }
    }

    /// `p.place = c.place - 1` over ranks: a partition has two rows.
    fn ranks_of_two_rows(&mut self, left: NodeId, right: NodeId) {
        let tree = self.lineage.script.tree();
        let rank = |side: NodeId| {
            let columns = tree.descendants(side).filter(|node| tree.kind(*node) == Kind::Column);
            let origins: Vec<NodeId> = columns.flat_map(|column| self.lineage.origins(column)).collect();
            origins.into_iter().find(|origin| self.is_rank(*origin))
        };
        if let (Some(call), Some(_)) = (rank(left), rank(right)) {
            self.ranked(call, &Predicate::Compare(BinaryOperator::Equal, Value::Integer(2)));
        }
    }

    /// Returns the base columns behind an expression, or behind the value of a sub-query that finds one row.
    fn paths_of(&self, node: NodeId) -> Vec<ValuePath> {
        let tree = self.lineage.script.tree();
        match tree.kind(node) {
            Kind::ScalarQuery if !self.lineage.script.finds_one_row(tree.children(node)[0]) => {
                self.lineage.trace_output(tree.children(node)[0], 0)
            }
            _ => self.lineage.trace(node),
        }
    }

    /// Constrains `column` to the constants that `other` takes in the operands of a UNION.
    fn one_of_origins(&mut self, column: NodeId, other: NodeId, role: ConditionRole) {
        let values = self.origin_values(other);
        if values.len() > 1 {
            self.constrain(column, Predicate::OneOf(values), role);
        }
    }

    fn origin_values(&mut self, node: NodeId) -> Vec<Value> {
        self.lineage.origins(node).into_iter().filter_map(|origin| self.evaluator.constant(origin)).collect()
    }

    /// Returns the value of an expression that reads no table, or nothing but a one-row table of parameters or lists
    /// that are written out.
    pub(super) fn value(&mut self, node: NodeId) -> Option<Value> {
        let known = self.evaluator.constant(node);
        if known.is_some() && self.lineage.scopes.type_of(node).is_interval() {
            return self.microseconds(node);
        }
        known.or_else(|| match &self.origin_values(node)[..] {
            [only] => Some(only.clone()),
            _ => self.value_for_first_items(node),
        })
    }

    /// Returns the value of an expression whose columns all come from lists such as `EXPLODE(array(7, 30))`, for the
    /// first item of each.
    fn value_for_first_items(&self, node: NodeId) -> Option<Value> {
        let tree = self.lineage.script.tree();
        let columns = tree.descendants(node).filter(|id| tree.kind(*id) == Kind::Column);
        let items: Option<Vec<(NodeId, String)>> =
            columns.map(|column| Some((column, self.first_item(column)?))).collect();
        self.evaluator.value_with(node, items.filter(|items| !items.is_empty())?)
    }

    /// Returns the text of the first item of the list that a column goes through; `None` if it comes from elsewhere.
    fn first_item(&self, column: NodeId) -> Option<String> {
        let (script, scopes) = (self.lineage.script, self.lineage.scopes);
        let RelationSource::Function(generator) = scopes.relation(scopes.relation_of_column(column)?).source else {
            return None;
        };
        let [list] = script.arguments(generator)[..] else { return None };
        let is_written_out = matches!(script.function_name(list).as_str(), "array" | "sequence");
        let first = script.arguments(list).first().copied().filter(|_| is_written_out)?;
        self.evaluator.constant(first).map(|_| script.slice(first).to_owned())
    }

    /// Notes in which letter case a joined value is compared.
    pub(super) fn letters(&mut self, expression: NodeId) {
        for mut path in self.lineage.trace_with_letter_case(expression) {
            let letters = path.steps.iter().rfind(|step| step.is_letter_case()).cloned();
            path.steps.retain(|step| !step.is_letter_case());
            self.found.letter_case.extend(letters.map(|letters| (path, letters)));
        }
    }

    pub(super) fn equal(&mut self, left: &[ValuePath], right: &[ValuePath]) {
        for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
            if a == b {
                self.found.within_scan.insert(a.source);
            } else {
                self.found.equal.push((a.clone(), b.clone()));
            }
        }
    }

    pub(super) fn ordered(&mut self, low: &[ValuePath], high: &[ValuePath]) {
        // A column compared with itself in another row, as by LAG, gives no order; a pair of two columns stands in.
        let pairs = low.iter().flat_map(|low| high.iter().map(move |high| (low, high)));
        if let Some((low, high)) = pairs.into_iter().find(|(low, high)| low.source != high.source) {
            self.found.ordered.push((low.clone(), high.clone()));
        }
    }
}

pub(super) fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    use BinaryOperator::*;
    match operator {
        Less => Greater,
        LessOrEqual => GreaterOrEqual,
        Greater => Less,
        GreaterOrEqual => LessOrEqual,
        other => other,
    }
}
