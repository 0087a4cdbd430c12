//! Puts what a condition asks of an expression onto the columns that the expression reads.

use super::super::calendar;
use super::super::constraint::{PathStep, Predicate, ValuePath};
use super::super::satisfies::satisfies;
use super::invert::representative;
use super::neighbouring_row::NeighbouringRow;
use super::{ConditionRole, ConstraintCollector};
use crate::code::literal::quoted;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::engine::table::Value;

/// Days that stand for a month where a distance in months is asked for.
const DAYS_OF_MONTH: i64 = 31;

impl ConstraintCollector<'_, '_> {
    /// Requires a predicate of what an expression gives, by conditions on the columns from which it is computed.
    pub(super) fn constrain(&mut self, node: NodeId, predicate: Predicate, role: ConditionRole) {
        // Where a computed part stands is not known: it is put at the beginning, if the predicate allows that.
        if let Some((text, part)) = self.part_looked_for(node, &predicate)
            && (self.value(part).is_some() || satisfies(&predicate, &Value::Integer(1)))
        {
            return self.holds_part(text, part, role);
        }
        let paths = self.lineage.trace(node);
        let role = match role {
            ConditionRole::Required => {
                self.note_row_name(node, Some(&predicate));
                self.row_that_meets(node)
            }
            _ => role,
        };
        if paths.is_empty()
            && let Some((path, predicate)) = self.date_distance(node, &predicate)
        {
            self.add(path, predicate, role);
        }
        if self.must_be_probed(node, &predicate) && self.probe(node, &predicate, role) {
            return;
        }
        // The paths do not tell of the further pieces of a `concat`, nor how many values of a group are collected.
        let is_concatenated = self.is_concatenation(node) || self.is_slice_of_concatenation(node);
        let must_be_inverted = paths.is_empty() || is_concatenated || self.counts_collected(node);
        if must_be_inverted && self.invert(node, &predicate, role) {
            return;
        }
        for path in paths {
            // `LEFT JOIN t … WHERE t.x IS NULL` asks for no partner, not for a NULL in the partner.
            if predicate == Predicate::Null && self.is_joined_optionally(node) {
                if role == ConditionRole::Required {
                    self.found.absent.insert(path.source.scan);
                }
            } else {
                self.add(path, predicate.clone(), role);
            }
        }
    }

    /// Whether a column that holds the wanted value itself would not meet the predicate: a call changes the text, as
    /// `reverse` does, or makes a moment of a number.
    fn must_be_probed(&self, node: NodeId, predicate: &Predicate) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let type_of = |node: NodeId| self.lineage.scopes.type_of(node);
        if type_of(node).is_temporal() {
            return self.only_input(node).is_some_and(|input| type_of(input.places[0]).is_integer());
        }
        let changes = matches!(tree.kind(node), Kind::Call { .. })
            && matches!(
                &*script.function_name(node),
                "reverse" | "regexp_replace" | "replace" | "translate" | "initcap"
            );
        let Some(Value::Text(wanted)) = representative(predicate).filter(|_| changes) else { return false };
        let Some(input) = self.only_input(node) else { return false };
        let literals = input.places.iter().map(|place| (*place, quoted(&wanted))).collect();
        !self.evaluator.value_with(node, literals).is_some_and(|value| satisfies(predicate, &value))
    }

    fn is_concatenation(&self, node: NodeId) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        match tree.kind(node) {
            Kind::Paren | Kind::Cast => self.is_concatenation(tree.children(node)[0]),
            Kind::Call { .. } => script.function_name(node) == "concat",
            Kind::Column => matches!(self.lineage.origins(node)[..], [origin] if self.is_concatenation(origin)),
            _ => false,
        }
    }

    /// Whether a column belongs to the optional side of an outer join of its own block.
    fn is_joined_optionally(&self, column: NodeId) -> bool {
        let tree = self.lineage.script.tree();
        let scopes = self.lineage.scopes;
        let Some(relation) = scopes.relation_of_column(column) else { return false };
        let side = scopes.relation(relation).node;
        let join = tree.enclosing(side, |kind| matches!(kind, Kind::Join { .. } | Kind::Select { .. }));
        join.is_some_and(|join| matches!(tree.kind(join), Kind::Join { kind: JoinKind::Left | JoinKind::Full, .. }))
    }

    /// Turns `datediff('2024-03-15', d) <= 30`, or the same in months, into a date that meets it, at a typical distance from the constant.
    pub(super) fn date_distance(&mut self, node: NodeId, predicate: &Predicate) -> Option<(ValuePath, Predicate)> {
        let tree = self.lineage.script.tree();
        if !matches!(tree.kind(node), Kind::Call { .. }) {
            return None;
        }
        let days = match self.lineage.script.function_name(node).as_str() {
            "datediff" => 1,
            "months_between" => DAYS_OF_MONTH,
            _ => return None,
        };
        let arguments = self.lineage.script.arguments(node);
        let (end, start) = (*arguments.first()?, *arguments.get(1)?);
        let distance = typical_distance(predicate)?;
        let (column, constant, sign) = match (self.value(end), self.value(start)) {
            (Some(constant), None) => (start, constant, -1),
            (None, Some(constant)) => (end, constant, 1),
            _ => return None,
        };
        let Value::Text(day) = constant else { return None };
        let day = calendar::shift(&day, sign * days * distance)?;
        let path = self.lineage.trace(column).into_iter().next()?.then(PathStep::Date);
        Some((path, Predicate::Compare(BinaryOperator::Equal, Value::Text(day))))
    }

    pub(super) fn add(&mut self, path: ValuePath, predicate: Predicate, role: ConditionRole) {
        match role {
            ConditionRole::Required => self.found.require(path, predicate),
            ConditionRole::Disjunct | ConditionRole::Optional => self.found.prefer(path, predicate),
            ConditionRole::RowBefore | ConditionRole::RowAfter => {
                let is_after = role == ConditionRole::RowAfter;
                self.neighbouring_rows.push(NeighbouringRow {
                    path: path.clone(),
                    predicate: predicate.clone(),
                    is_after,
                });
                self.found.prefer(path, predicate);
            }
        }
    }
}

/// Returns a number of days that satisfies a predicate about a distance.
pub(super) fn typical_distance(predicate: &Predicate) -> Option<i64> {
    let number = |value: &Value| match value {
        Value::Integer(number) => Some(*number),
        Value::Real(number) => Some(*number as i64),
        _ => None,
    };
    match predicate {
        Predicate::Compare(operator, value) => {
            let limit = number(value)?;
            Some(match operator {
                BinaryOperator::Less => limit - 1,
                BinaryOperator::Greater => limit + 1,
                BinaryOperator::NotEqual => limit + 1,
                _ => limit,
            })
        }
        Predicate::Between(low, _) => number(low),
        Predicate::OneOf(values) => number(values.first()?),
        _ => None,
    }
}
