//! Takes conditions apart into constraints on columns.

use super::super::constraint::{PathStep, Predicate, ValuePath};
use super::{ConditionRole, ConstraintCollector};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::engine::table::Value;

/// Most items of an IN list that values are drawn from and held against: any of them will do, and a run decides about the
/// rest.
const MOST_LISTED: usize = 256;

impl ConstraintCollector<'_, '_> {
    /// Takes a condition apart. `holds` is false if it is negated.
    pub(super) fn condition(&mut self, node: NodeId, role: ConditionRole, holds: bool) {
        let children = self.children(node).to_vec();
        match self.lineage.script.tree().kind(node) {
            Kind::Paren => self.condition(children[0], role, holds),
            Kind::Not => self.condition(children[0], role, !holds),
            Kind::Exists if !holds => self.exclude(children[0], node),
            Kind::And => self.each(&children, if holds { role } else { ConditionRole::Optional }, holds),
            Kind::Or if holds && role != ConditionRole::Optional => {
                if let Some((value, choices)) = self.one_value_of_several(&children) {
                    return self.constrain(value, Predicate::OneOf(choices), role);
                }
                self.each(&children, ConditionRole::Disjunct, holds)
            }
            Kind::Or => self.each(&children, if holds { ConditionRole::Optional } else { role }, holds),
            Kind::Binary(operator) if operator.is_comparison() => {
                let operator = if holds { operator } else { opposite(operator) };
                self.compare(operator, children[0], children[1], role);
            }
            Kind::IsNull { negated } => {
                let predicate = if negated == holds { Predicate::NotNull } else { Predicate::Null };
                self.constrain(children[0], predicate, role);
            }
            Kind::IsBoolean { negated, value } => {
                self.constrain(children[0], Predicate::Truth(value == (holds != negated)), role);
            }
            Kind::InList { negated } => self.in_list(&children, negated != holds, role),
            Kind::InQuery { negated } => self.in_query(&children, negated == holds, role),
            Kind::Between { negated } if negated != holds => self.between(&children, role),
            Kind::Pattern { negated, operator } if negated != holds => self.pattern(operator, &children, role),
            Kind::Call { .. } => self.predicate_call(node, role, holds),
            Kind::Column => match self.condition_behind(node) {
                Some(condition) => self.condition(condition, role, holds),
                None => self.constrain(node, Predicate::Truth(holds), role),
            },
            _ => {}
        }
    }

    /// Returns the condition whose value a column has, as that of `WITH e AS (SELECT a IS NOT NULL AS known …)`.
    fn condition_behind(&self, column: NodeId) -> Option<NodeId> {
        let [origin] = self.lineage.origins(column)[..] else { return None };
        let is_condition = match self.lineage.script.tree().kind(origin) {
            Kind::Binary(operator) => operator.is_comparison(),
            Kind::Not | Kind::And | Kind::Or | Kind::IsNull { .. } | Kind::InList { .. } | Kind::Between { .. } => true,
            Kind::Pattern { .. } => true,
            _ => false,
        };
        is_condition.then_some(origin)
    }

    pub(super) fn each(&mut self, operands: &[NodeId], role: ConditionRole, holds: bool) {
        for operand in operands {
            self.condition(*operand, role, holds);
        }
    }

    /// Reads `x = 'a' OR x = 'b'` as `x IN ('a', 'b')`.
    fn one_value_of_several(&mut self, operands: &[NodeId]) -> Option<(NodeId, Vec<Value>)> {
        let script = self.lineage.script;
        let tree = script.tree();
        let mut choices = Vec::new();
        let mut common: Option<NodeId> = None;
        for operand in operands.iter().take(MOST_LISTED) {
            let mut operand = *operand;
            while tree.kind(operand) == Kind::Paren {
                operand = tree.children(operand)[0];
            }
            let (Kind::Binary(BinaryOperator::Equal), [value, choice]) = (tree.kind(operand), tree.children(operand))
            else {
                return None;
            };
            if script.slice(*common.get_or_insert(*value)) != script.slice(*value) {
                return None;
            }
            choices.push(self.evaluator.constant(*choice)?);
        }
        Some((common?, choices))
    }

    fn predicate_call(&mut self, call: NodeId, role: ConditionRole, holds: bool) {
        let arguments = self.lineage.script.arguments(call);
        match (self.lineage.script.canonical_function_name(call).as_str(), arguments.as_slice()) {
            ("isnull", [value]) => {
                self.constrain(*value, if holds { Predicate::Null } else { Predicate::NotNull }, role)
            }
            ("isnotnull", [value]) if holds => self.constrain(*value, Predicate::NotNull, role),
            ("array_contains", [array, element]) if holds => self.contains(*array, *element, role),
            ("contains", [text, part]) if holds => self.holds_part(*text, *part, role),
            ("coalesce", [value, ..]) if self.lineage.trace(*value).is_empty() => self.condition(*value, role, holds),
            ("coalesce", [value, ..]) => self.constrain(*value, Predicate::Truth(holds), role),
            _ => {}
        }
    }

    pub(super) fn contains(&mut self, array: NodeId, element: NodeId, role: ConditionRole) {
        let elements = self.lineage.trace(array).into_iter().map(|path| path.then(PathStep::Element));
        let Some(value) = self.value(element) else {
            let elements: Vec<ValuePath> = elements.collect();
            if role != ConditionRole::Optional {
                self.equal(&elements, &self.lineage.trace(element));
            }
            return;
        };
        for path in elements {
            self.add(path, Predicate::Compare(BinaryOperator::Equal, value.clone()), role);
        }
    }

    fn in_list(&mut self, children: &[NodeId], holds: bool, role: ConditionRole) {
        let items = children[1..].iter().take(MOST_LISTED);
        let values: Vec<Value> = items.filter_map(|item| self.evaluator.constant(*item)).collect();
        if !values.is_empty() {
            self.constrain(children[0], if holds { Predicate::OneOf(values) } else { Predicate::NoneOf(values) }, role);
        }
    }

    /// `x IN (SELECT y …)` joins x and y; NOT IN also tests the inner side for absence.
    fn in_query(&mut self, children: &[NodeId], negated: bool, role: ConditionRole) {
        let output = self.lineage.scopes.outputs(children[1]).first().and_then(|output| output.expression);
        if let (Some(output), false, ConditionRole::Required) = (output, negated, role)
            && self.derive_equality(children[0], output)
        {
            return;
        }
        self.letters(children[0]);
        let outer = self.lineage.trace(children[0]);
        let inner = self.lineage.trace_output(children[1], 0);
        self.equal(&outer, &inner);
        if negated {
            self.exclude(children[1], children[0]);
        }
    }

    pub(super) fn between(&mut self, children: &[NodeId], role: ConditionRole) {
        if let Some(value) = self.value(children[0]) {
            self.constrain(children[1], Predicate::Compare(BinaryOperator::LessOrEqual, value.clone()), role);
            return self.constrain(children[2], Predicate::Compare(BinaryOperator::GreaterOrEqual, value), role);
        }
        match (self.value(children[1]), self.value(children[2])) {
            (Some(low), Some(high)) => self.constrain(children[0], Predicate::Between(low, high), role),
            (Some(low), None) => {
                self.constrain(children[0], Predicate::Compare(BinaryOperator::GreaterOrEqual, low), role)
            }
            (None, Some(high)) => {
                self.constrain(children[0], Predicate::Compare(BinaryOperator::LessOrEqual, high), role)
            }
            (None, None) if role == ConditionRole::Required => {
                let value = self.lineage.trace(children[0]);
                self.ordered(&self.lineage.trace(children[1]), &value);
                self.ordered(&value, &self.lineage.trace(children[2]));
            }
            (None, None) => {}
        }
    }
}

fn opposite(operator: BinaryOperator) -> BinaryOperator {
    use BinaryOperator::*;
    match operator {
        Equal | NullSafeEqual => NotEqual,
        NotEqual => Equal,
        Less => GreaterOrEqual,
        LessOrEqual => Greater,
        Greater => LessOrEqual,
        GreaterOrEqual => Less,
        other => other,
    }
}
