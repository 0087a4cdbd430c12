//! Turns a condition on a computed value into conditions on the columns that it is computed from.
//!
//! | condition | becomes |
//! |---|---|
//! | `make_date(y, m, d) >= DATE'2025-10-25'` | `y = 2025`, `m = 10`, `d = 25` |
//! | `concat_ws('-', y, m, d) = '2025-10-25'`, `concat(a, ':', b) = 'x:y'` | a condition on each argument |
//! | `lpad(m, 2, '0') = '03'` | `m = '3'` |
//! | `datediff(b, a) BETWEEN 1 AND 30`, of two columns | `b` a day after `a` |
//! | `floor(months_between(b, a) / 12) >= 18`, of two columns | `b` 216 months after `a` |
//! | `year(d) = 2024 AND month(d) = 3` | `d = '2024-03-15'` |
//! | `weekofyear(d) = 10` | `d` on one of the days of a year that meet it |
//! | `regexp_extract(u, 'id=(\\d+)', 1) = '7'`, `reverse(s) = 'abc'` | one of the texts that meet it |
//! | `unix_timestamp(b) - unix_timestamp(a) > 60`, of two columns | `b` 61 seconds after `a` |
//! | `v * 2 + 1 > 9` | `v > 4` |
//! | `sum(a) / sum(b) > 0.03`, `b` having a lower bound | `a` above that part of the bound |
//! | `row_number() OVER (PARTITION BY k …) = 2` | rows that share `k` |
//! | `substr(concat_ws('@', a, b), 4, 2) = 'xy'` | `a` of two digits, `b = 'xy'` |
//!
//! Where a function reads several columns, one value that meets the condition is chosen and taken apart.

use std::collections::BTreeMap;

use super::compare::mirrored;
use super::{ConditionRole, ConstraintCollector};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{PathStep, Predicate, ValuePath};
use crate::prove::data::pattern;
use crate::prove::data::scalar::neighbour;

/// What conditions ask of the parts of a date.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DateParts {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
}

impl DateParts {
    /// Returns a date with these parts, `yyyy-MM-dd`; 2024, June or the 15th stands for a part that is not asked for.
    fn date(self) -> Option<String> {
        let DateParts { year, month, day } = self;
        let date = format!("{:04}-{:02}-{:02}", year.unwrap_or(2024), month.unwrap_or(6), day.unwrap_or(15));
        calendar::shift(&date, 0)
    }
}

/// The parts of dates that conditions ask for, by the column that holds the date.
pub(super) type DatePartsByPath = BTreeMap<ValuePath, DateParts>;

/// A condition on the share that one expression has in another.
pub(super) struct AskedShare {
    share: NodeId,
    part: NodeId,
    whole: NodeId,
    predicate: Predicate,
}

impl ConstraintCollector<'_, '_> {
    /// Takes a condition on `node` apart; returns false if nothing is known about the function or operator.
    pub(super) fn invert(&mut self, node: NodeId, predicate: &Predicate, role: ConditionRole) -> bool {
        let tree = self.lineage.script.tree();
        match tree.kind(node) {
            Kind::Cast => {
                let value = tree.children(node)[0];
                let of_interval = self.of_interval(value, predicate);
                self.invert(value, of_interval.as_ref().unwrap_or(predicate), role)
            }
            Kind::Paren => self.invert(tree.children(node)[0], predicate, role),
            Kind::Column => match self.lineage.origins(node)[..] {
                [origin] => self.invert(origin, predicate, role),
                _ => false,
            },
            Kind::Binary(operator) => self.invert_arithmetic(node, operator, predicate, role),
            Kind::Call { .. } => self.invert_call(node, predicate, role),
            _ => false,
        }
    }

    fn invert_call(&mut self, call: NodeId, predicate: &Predicate, role: ConditionRole) -> bool {
        let name = self.lineage.script.canonical_function_name(call);
        let arguments = self.lineage.script.arguments(call);
        if let "year" | "month" | "day" = name.as_str() {
            return role == ConditionRole::Required && self.invert_date_part(&name, arguments[0], predicate);
        }
        if let "floor" | "ceil" | "round" = name.as_str() {
            return self.invert(arguments[0], &unrounded(&name, predicate), role);
        }
        if let ("datediff", [greatest, least]) = (name.as_str(), &arguments[..])
            && role == ConditionRole::Required
            && self.extremes_apart(*greatest, *least, predicate)
        {
            return true;
        }
        if let "datediff" | "timestampdiff" | "months_between" = name.as_str() {
            if let Some((path, predicate)) = self.date_distance(call, predicate) {
                self.add(path, predicate, role);
                return true;
            }
            return role == ConditionRole::Required && self.derive_distance(call, predicate);
        }
        if let "count" | "count_if" = name.as_str() {
            return role == ConditionRole::Required && self.counted(call, predicate);
        }
        if let ("size", Some(collecting)) = (name.as_str(), arguments.first().and_then(|list| self.collecting(*list))) {
            return role == ConditionRole::Required && self.counted(collecting, predicate);
        }
        if self.is_rank(call) && role == ConditionRole::Required && self.ranked(call, predicate) {
            return true;
        }
        self.invert_text(call, predicate, role)
    }

    /// Whether a node asks how many values of a group are collected into a list.
    pub(super) fn counts_collected(&self, node: NodeId) -> bool {
        let script = self.lineage.script;
        match script.tree().kind(node) {
            Kind::Paren => self.counts_collected(script.tree().children(node)[0]),
            Kind::Call { .. } if script.canonical_function_name(node) == "size" => {
                script.arguments(node).first().is_some_and(|list| self.collecting(*list).is_some())
            }
            Kind::Column => matches!(self.lineage.origins(node)[..], [origin] if self.counts_collected(origin)),
            _ => false,
        }
    }

    /// Returns the call that collects the values of a group into a list, also where a sub-query around it passes the list
    /// on; `None` if an expression is no such list.
    fn collecting(&self, list: NodeId) -> Option<NodeId> {
        let script = self.lineage.script;
        match script.tree().kind(list) {
            Kind::Paren => self.collecting(script.tree().children(list)[0]),
            Kind::Call { .. } => {
                matches!(script.canonical_function_name(list).as_str(), "collect_set" | "collect_list").then_some(list)
            }
            Kind::Column => match self.lineage.origins(list)[..] {
                [origin] => self.collecting(origin),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a call numbers the rows of a partition.
    pub(super) fn is_rank(&self, node: NodeId) -> bool {
        let script = self.lineage.script;
        matches!(script.tree().kind(node), Kind::Call { .. })
            && matches!(script.canonical_function_name(node).as_str(), "row_number" | "rank" | "dense_rank")
    }

    /// Asks of the arguments of a call what makes it give a text that meets the predicate.
    fn invert_text(&mut self, call: NodeId, predicate: &Predicate, role: ConditionRole) -> bool {
        let name = self.lineage.script.canonical_function_name(call);
        let arguments = self.lineage.script.arguments(call);
        let Some(value) = representative(predicate) else {
            return matches!(predicate, Predicate::NotNull | Predicate::NoneOf(_)) && self.probe(call, predicate, role);
        };
        let text = value.plain_text().into_owned();
        match (name.as_str(), arguments.as_slice()) {
            ("make_date", [year, month, day]) => {
                let Some(date) = calendar::shift(&text, 0) else { return false };
                for (argument, part) in [year, month, day].into_iter().zip(date.split('-')) {
                    self.equate(*argument, part.trim_start_matches('0'), role);
                }
                true
            }
            ("concat_ws", [separator, pieces @ ..]) => {
                let Some(separator) = self.value(*separator) else { return false };
                let parts: Vec<&str> = text.split(&*separator.plain_text()).collect();
                let fits = parts.len() == pieces.len();
                for (piece, part) in pieces.iter().zip(parts).filter(|_| fits) {
                    self.equate(*piece, part, role);
                }
                fits
            }
            ("concat", pieces) => self.invert_concat(pieces, &text, role),
            ("lpad", [padded, _, fill]) => {
                let Some(fill) = self.value(*fill) else { return false };
                let fill = fill.plain_text().into_owned();
                let rest = text.trim_start_matches(fill.as_str());
                self.equate(*padded, if rest.is_empty() { &fill } else { rest }, role);
                true
            }
            ("substr" | "left", _) if self.is_slice_of_concatenation(call) => self.invert_slice(call, &text, role),
            _ => self.probe(call, predicate, role),
        }
    }

    /// Moves the constants of `v * 2 + 1 > 9` to the other side.
    fn invert_arithmetic(
        &mut self,
        node: NodeId,
        operator: BinaryOperator,
        predicate: &Predicate,
        role: ConditionRole,
    ) -> bool {
        let [left, right] = self.children(node)[..] else { return false };
        let required = role == ConditionRole::Required;
        if operator == BinaryOperator::Minus
            && required
            && (self.derive_seconds(left, right, predicate)
                || self.derive_duration(node, predicate)
                || self.extremes_apart(left, right, predicate))
        {
            return true;
        }
        let number = |value: Option<Value>| value.and_then(|value| value.plain_text().parse::<f64>().ok());
        let (left_number, right_number) = (number(self.value(left)), number(self.value(right)));
        if operator == BinaryOperator::Divide && required && left_number.is_none() && right_number.is_none() {
            let predicate = predicate.clone();
            self.shares.push(AskedShare { share: node, part: left, whole: right, predicate });
            return true;
        }
        let Some(inverse) = InverseOperation::of(operator, left_number, right_number) else {
            return self.probe(node, predicate, role);
        };
        let solved = |bound: &Value| {
            let solved = (inverse.solve)(number(Some(bound.clone()))?, inverse.constant);
            let whole = solved.fract() == 0.0 && solved.abs() < 1e15;
            Some(if whole { Value::Integer(solved as i64) } else { Value::Real(solved) })
        };
        let Some(predicate) = moved_over(predicate, inverse.turned, solved) else { return false };
        self.constrain(if inverse.is_right { right } else { left }, predicate, role);
        true
    }

    /// Turns conditions on shares into conditions on their numerators, once all that is asked of the denominators is known.
    pub(super) fn finish_shares(&mut self) {
        use BinaryOperator::{Greater, GreaterOrEqual};
        for AskedShare { share, part, whole, predicate } in std::mem::take(&mut self.shares) {
            let Some(bound) = self.lower_bound(whole) else {
                self.probe(share, &predicate, ConditionRole::Required);
                continue;
            };
            // The denominator may be greater than its bound, but hardly twice as great.
            let is_least = matches!(predicate, Predicate::Compare(Greater | GreaterOrEqual, _));
            let room = if is_least { 2.0 } else { 1.0 };
            let of_bound = |share: &Value| Some(Value::Real(share.plain_text().parse::<f64>().ok()? * bound * room));
            if let Some(predicate) = moved_over(&predicate, false, of_bound) {
                self.constrain(part, predicate, ConditionRole::Required);
            }
        }
    }

    /// The number below which the column of an expression does not fall by what is asked of it so far; `None` if nothing
    /// is.
    fn lower_bound(&self, node: NodeId) -> Option<f64> {
        use BinaryOperator::{Equal, Greater, GreaterOrEqual};
        let tree = self.lineage.script.tree();
        let columns = tree.descendants(node).filter(|inner| tree.kind(*inner) == Kind::Column);
        let paths = columns.flat_map(|column| self.lineage.trace(column));
        let constraints = paths.filter_map(|path| self.found.required.get(&path.source)).flatten();
        let bounds = constraints.filter_map(|constraint| match &constraint.predicate {
            Predicate::Compare(Equal | Greater | GreaterOrEqual, bound) | Predicate::Between(bound, _) => {
                bound.plain_text().parse::<f64>().ok().filter(|bound| *bound > 0.0)
            }
            _ => None,
        });
        bounds.reduce(f64::max)
    }

    fn invert_date_part(&mut self, part: &str, date: NodeId, predicate: &Predicate) -> bool {
        let number = representative(predicate).and_then(|value| value.plain_text().parse::<i64>().ok());
        let Some(number) = number else { return false };
        for path in self.lineage.trace(date) {
            let parts = self.date_parts.entry(path.then(PathStep::Date)).or_default();
            let slot = match part {
                "year" => &mut parts.year,
                "month" => &mut parts.month,
                _ => &mut parts.day,
            };
            slot.get_or_insert(number);
        }
        true
    }

    /// Turns the parts of dates into dates, once all conditions are known.
    pub(super) fn finish_date_parts(&mut self) {
        for (path, parts) in std::mem::take(&mut self.date_parts) {
            if let Some(date) = parts.date() {
                self.found.require(path, Predicate::Compare(BinaryOperator::Equal, Value::Text(date)));
            }
        }
    }

    pub(super) fn equate(&mut self, node: NodeId, text: &str, role: ConditionRole) {
        let numeric = self.lineage.scopes.type_of(node).is_numeric();
        let number = text.parse().ok().filter(|_| numeric).map(Value::Integer);
        let value = number.unwrap_or_else(|| Value::Text(text.to_owned()));
        self.constrain(node, Predicate::Compare(BinaryOperator::Equal, value), role);
    }
}

/// How an operator with one constant side is undone.
struct InverseOperation {
    /// Whether the unknown side is the right one.
    is_right: bool,
    /// Whether a comparison turns round.
    turned: bool,
    constant: f64,
    /// Computes the unknown side from the result and the constant.
    solve: fn(f64, f64) -> f64,
}

impl InverseOperation {
    /// Returns how the operator is undone; `None` if not exactly one side is known, or it cannot be undone.
    fn of(operator: BinaryOperator, left: Option<f64>, right: Option<f64>) -> Option<InverseOperation> {
        use BinaryOperator::{Divide, Minus, Multiply, Plus};
        let (is_right, constant) = match (left, right) {
            (Some(constant), None) => (true, constant),
            (None, Some(constant)) => (false, constant),
            _ => return None,
        };
        let (turned, solve): (bool, fn(f64, f64) -> f64) = match (operator, is_right) {
            (Plus, _) => (false, |result, constant| result - constant),
            (Minus, false) => (false, |result, constant| result + constant),
            (Minus, true) => (true, |result, constant| constant - result),
            (Multiply, _) if constant != 0.0 => (constant < 0.0, |result, constant| result / constant),
            (Divide, false) if constant != 0.0 => (constant < 0.0, |result, constant| result * constant),
            _ => return None,
        };
        Some(InverseOperation { is_right, turned, constant, solve })
    }
}

/// What `floor(x) > 17` asks of `x`: a whole step more than the bound.
fn unrounded(function: &str, predicate: &Predicate) -> Predicate {
    use BinaryOperator::{Greater, GreaterOrEqual};
    match predicate {
        Predicate::Compare(Greater, bound) if function == "floor" => match neighbour(bound, 1) {
            Some(next) => Predicate::Compare(GreaterOrEqual, next),
            None => predicate.clone(),
        },
        other => other.clone(),
    }
}

/// A predicate with its bounds solved for the unknown; `turned` if a greater value of one is a smaller one of the other.
pub(super) fn moved_over(
    predicate: &Predicate,
    turned: bool,
    solved: impl Fn(&Value) -> Option<Value>,
) -> Option<Predicate> {
    Some(match predicate {
        Predicate::Compare(comparison, bound) => {
            Predicate::Compare(if turned { mirrored(*comparison) } else { *comparison }, solved(bound)?)
        }
        Predicate::Between(low, high) if turned => Predicate::Between(solved(high)?, solved(low)?),
        Predicate::Between(low, high) => Predicate::Between(solved(low)?, solved(high)?),
        _ => return None,
    })
}

/// Returns a value that meets a predicate; `None` if the predicate suggests none.
pub(super) fn representative(predicate: &Predicate) -> Option<Value> {
    use BinaryOperator::{Greater, Less, NotEqual};
    match predicate {
        Predicate::Compare(Greater | NotEqual, value) => neighbour(value, 1),
        Predicate::Compare(Less, value) => neighbour(value, -1),
        Predicate::Compare(_, value) | Predicate::Between(value, _) => Some(value.clone()),
        Predicate::OneOf(values) => values.first().cloned(),
        Predicate::Like(like) => Some(Value::Text(pattern::like_example(like, 0))),
        Predicate::Matches(expression) => Some(Value::Text(pattern::regexp_example(expression))),
        Predicate::NoneOf(_) | Predicate::NotNull | Predicate::Null | Predicate::Truth(_) => None,
    }
}
