//! Distances in seconds: `unix_timestamp(b) - unix_timestamp(a) > 3600`.

use super::super::constraint::{Predicate, ValuePath};
use super::constrain::typical_distance;
use super::invert::moved_over;
use super::{ConditionRole, ConstraintCollector};
use crate::code::MICROSECONDS_OF_DAY;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::{IntervalUnits, Type};
use crate::engine::table::Value;

/// Moments for a text that is read as one: a day alone would be read as nothing.
const MOMENTS: [&str; 3] = ["2024-03-14 09:15:00", "2024-03-15 10:30:00", "2024-03-16 08:05:00"];

/// The microseconds of a second.
const MICROSECONDS: f64 = 1e6;

/// Functions that give the seconds of the epoch at a moment.
const GIVING_SECONDS: [&str; 3] = ["unix_timestamp", "to_unix_timestamp", "unix_seconds"];

impl ConstraintCollector<'_, '_> {
    /// Lets two moments lie as far apart as the difference of their seconds asks. Returns false if the sides are no
    /// seconds of moments, or neither can be moved.
    pub(super) fn derive_seconds(&mut self, later: NodeId, earlier: NodeId, predicate: &Predicate) -> bool {
        let (Some(later), Some(earlier)) = (self.moment_of(later), self.moment_of(earlier)) else { return false };
        let Some(number) = typical_distance(predicate) else { return false };
        let stays = self.derive_either_moment(later, earlier, number, "SECOND");
        stays.into_iter().for_each(|moment| self.written_out(moment));
        stays.is_some()
    }

    /// Lets two moments lie as far apart as their difference asks, which counts in microseconds. Returns false if `node` is
    /// no such difference, or neither can be moved.
    pub(super) fn derive_duration(&mut self, node: NodeId, predicate: &Predicate) -> bool {
        let [later, earlier] = self.children(node)[..] else { return false };
        let is_difference = self.lineage.scopes.type_of(node).is_interval();
        let in_seconds = moved_over(predicate, false, |bound| {
            let seconds = bound.plain_text().parse::<f64>().ok()? / MICROSECONDS;
            Some(Value::Integer(seconds as i64))
        });
        let Some(number) = in_seconds.filter(|_| is_difference).as_ref().and_then(typical_distance) else {
            return false;
        };
        self.derive_either_moment(later, earlier, number, "SECOND").is_some()
    }

    /// The microseconds of an interval that reads no table; `None` for one of months.
    pub(super) fn microseconds(&self, interval: NodeId) -> Option<Value> {
        let seconds = format!("CAST(({}) * 1 AS BIGINT)", self.lineage.script.slice(interval));
        match self.evaluator.value(&seconds)? {
            Value::Integer(seconds) => Some(Value::Integer(seconds.saturating_mul(MICROSECONDS as i64))),
            _ => None,
        }
    }

    /// What a condition on the number of an interval asks of the interval itself; `None` if it is none.
    pub(super) fn of_interval(&self, interval: NodeId, predicate: &Predicate) -> Option<Predicate> {
        let unit = match self.lineage.scopes.type_of(interval) {
            Type::Interval(IntervalUnits::Days) => MICROSECONDS_OF_DAY as f64,
            Type::Interval(IntervalUnits::Time) => MICROSECONDS,
            _ => return None,
        };
        moved_over(predicate, false, |bound| {
            Some(Value::Integer((bound.plain_text().parse::<f64>().ok()? * unit) as i64))
        })
    }

    /// Lets a number be the seconds of the epoch that it may be at most or at least, as `t.begun <= unix_timestamp(d.day,
    /// 'yyyy-MM-dd')` asks: no other number comes near them. Returns false if the limit is no such call.
    pub(super) fn derive_limit(&mut self, column: NodeId, limit: NodeId) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let gives_seconds =
            matches!(tree.kind(limit), Kind::Call { .. }) && GIVING_SECONDS.contains(&&*script.function_name(limit));
        let is_number = tree.kind(column) == Kind::Column && self.lineage.scopes.type_of(column).is_integer();
        gives_seconds && is_number && self.derive(column, limit)
    }

    /// The moment whose seconds an expression gives.
    fn moment_of(&self, node: NodeId) -> Option<NodeId> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        match tree.kind(node) {
            Kind::Paren => self.moment_of(*tree.children(node).first()?),
            Kind::Cast => {
                let moment = *tree.children(node).first()?;
                let is_moment = *self.lineage.scopes.type_of(moment) == Type::Timestamp;
                let to_number = self.lineage.scopes.type_of(node).is_numeric();
                if is_moment && to_number { Some(moment) } else { self.moment_of(moment) }
            }
            Kind::Call { .. } => {
                let name = script.function_name(node);
                let arguments = script.arguments(node);
                let reads = GIVING_SECONDS.contains(&&*name);
                let usual = arguments.get(1).is_none_or(|format| {
                    self.lineage.constant_text(*format).is_some_and(|format| format == "yyyy-MM-dd HH:mm:ss")
                });
                arguments.first().copied().filter(|_| reads && usual)
            }
            _ => None,
        }
    }

    /// Lets a text column hold whole moments.
    fn written_out(&mut self, moment: NodeId) {
        for input in self.inputs(moment).into_iter().flatten() {
            if *self.lineage.scopes.type_of(input.node) == Type::String {
                let moments = MOMENTS.map(|moment| Value::Text(moment.to_owned())).to_vec();
                let path = ValuePath { source: input.source, steps: Vec::new() };
                self.add(path, Predicate::OneOf(moments), ConditionRole::Required);
            }
        }
    }
}
