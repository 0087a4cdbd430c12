//! Columns that must equal a value computed from other columns: `md5(b.code) = a.hash`.
//!
//! A function that cannot be inverted is computed forwards: the generator first makes the columns inside it, lets the
//! engine compute it, and writes the value into the column on the other side.

use super::ConstraintCollector;
use super::constrain::typical_distance;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::prove::data::constraint::{Derivation, DerivationInput, PathStep, Predicate, ScanColumn, TimeDistance};

impl ConstraintCollector<'_, '_> {
    /// Notes `left = right` where one side is computed. Returns false if neither side is, or nothing can be derived.
    pub(super) fn derive_equality(&mut self, left: NodeId, right: NodeId) -> bool {
        let (left_made, right_made) = (self.computed(left), self.computed(right));
        match (left_made, right_made) {
            (None, None) => self.relate_rows(left, right),
            (Some(left_made), Some(right_made)) => {
                self.relate_rows(left, right) || self.equate_arguments(left_made, right_made)
            }
            (Some(made), None) => self.derive(right, made) || self.relate_rows(left, right),
            (None, Some(made)) => self.derive(left, made) || self.relate_rows(left, right),
        }
    }

    /// Returns the call or operator that computes an expression, also in the sub-query that a column comes from.
    fn computed(&self, node: NodeId) -> Option<NodeId> {
        let [origin] = self.lineage.origins(node)[..] else { return None };
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let computes = match tree.kind(origin) {
            Kind::Cast => return self.computed(tree.children(origin)[0]),
            Kind::Call { .. } => {
                let name = script.function_name(origin);
                let known = script.function(origin).is_some() && !script.is_aggregate(origin);
                known && (self.lineage.trace(origin).is_empty() || CHANGES_VALUE.contains(&name.as_str()))
            }
            Kind::Binary(operator) => !operator.is_comparison(),
            _ => false,
        };
        (computes && self.is_computed_by_row(origin) && self.inputs(origin).is_some()).then_some(origin)
    }

    /// Returns the columns inside an expression, each a whole base column; `None` if there is none or one is not.
    pub(super) fn inputs(&self, expression: NodeId) -> Option<Vec<DerivationInput>> {
        let tree = self.lineage.script.tree();
        let columns = tree.descendants(expression).filter(|node| tree.kind(*node) == Kind::Column);
        let inputs: Option<Vec<DerivationInput>> =
            columns.map(|node| Some(DerivationInput { node, source: self.whole_column(node)? })).collect();
        inputs.filter(|inputs| !inputs.is_empty())
    }

    pub(super) fn whole_column(&self, node: NodeId) -> Option<ScanColumn> {
        match &self.lineage.trace(node)[..] {
            [path] if path.steps.is_empty() => Some(path.source),
            _ => None,
        }
    }

    /// Returns the column that `COALESCE(a, b)` gives unless it is empty.
    fn first_of_coalesce(&self, node: NodeId) -> Option<ScanColumn> {
        let script = self.lineage.script;
        let is_coalesce = matches!(script.tree().kind(node), Kind::Call { .. })
            && matches!(&*script.canonical_function_name(node), "coalesce" | "nvl" | "ifnull");
        self.whole_column(*script.arguments(node).first().filter(|_| is_coalesce)?)
    }

    pub(super) fn derive(&mut self, column: NodeId, expression: NodeId) -> bool {
        let target = self.whole_column(column).or_else(|| self.first_of_coalesce(column));
        let (Some(target), Some(inputs)) = (target, self.inputs(expression)) else { return false };
        let relation = |node: NodeId| self.lineage.scopes.relation_of_column(node);
        let is_same_row = |input: &DerivationInput| relation(input.node) == relation(column);
        if inputs.iter().any(|input| input.source == target && is_same_row(input)) {
            return false;
        }
        self.found.derivations.push(Derivation { target, expression, inputs, distance: None });
        true
    }

    /// Notes that two moments lie as far apart as `datediff(a, b) < 30` asks. Returns false if neither can be moved.
    pub(super) fn derive_distance(&mut self, call: NodeId, predicate: &Predicate) -> bool {
        let script = self.lineage.script;
        let (unit, start, end) = match script.arguments(call)[..] {
            [end, start, ..] if script.function_name(call) == "months_between" => ("MONTH", start, end),
            [end, start] => ("DAY", start, end),
            [unit, start, end] => (script.slice(unit), start, end),
            _ => return false,
        };
        let Some(number) = typical_distance(predicate) else { return false };
        self.derive_either_moment(end, start, number, unit).is_some()
    }

    /// Moves the later of two moments so many units behind the earlier, or else the earlier before the later. Returns the
    /// one that stays; `None` if neither can be moved.
    pub(super) fn derive_either_moment(
        &mut self,
        later: NodeId,
        earlier: NodeId,
        number: i64,
        unit: &str,
    ) -> Option<NodeId> {
        let distance = |number: i64| TimeDistance { number, unit: unit.to_owned() };
        if self.derive_moment(later, earlier, distance(number)) {
            return Some(earlier);
        }
        self.derive_moment(earlier, later, distance(-number)).then_some(later)
    }

    fn derive_moment(&mut self, moved: NodeId, from: NodeId, distance: TimeDistance) -> bool {
        let (Some(target), Some(inputs)) = (self.moment(moved), self.inputs(from)) else { return false };
        if inputs.iter().any(|input| input.source == target) || self.found.required.contains_key(&target) {
            return false;
        }
        self.found.derivations.push(Derivation { target, expression: from, inputs, distance: Some(distance) });
        true
    }

    /// Returns the base column of a date or time, which may be cast.
    fn moment(&self, node: NodeId) -> Option<ScanColumn> {
        match &self.lineage.trace(node)[..] {
            [path] if path.steps.iter().all(|step| *step == PathStep::Date) => Some(path.source),
            _ => None,
        }
    }

    /// `f(a, b) = f(c, d)` holds where `a = c` and `b = d`.
    fn equate_arguments(&mut self, left: NodeId, right: NodeId) -> bool {
        let script = self.lineage.script;
        let parts = |node: NodeId| match script.tree().kind(node) {
            Kind::Call { .. } => script.arguments(node),
            _ => script.tree().children(node).to_vec(),
        };
        let (ones, others) = (parts(left), parts(right));
        let alike = script.tree().kind(left) == script.tree().kind(right)
            && script.function_name(left) == script.function_name(right)
            && ones.len() == others.len();
        for (one, other) in ones.into_iter().zip(others).filter(|_| alike) {
            self.compare(BinaryOperator::Equal, one, other, super::ConditionRole::Required);
        }
        alike
    }
}

/// Functions that [`crate::prove::data::lineage::Lineage::trace`] looks through although they change the value.
const CHANGES_VALUE: [&str; 12] = [
    "concat", "regexp_replace", "replace", "translate", "reverse", "abs", "date_add", "date_sub", "initcap", "trunc",
    "last_day", "date_format",
];
