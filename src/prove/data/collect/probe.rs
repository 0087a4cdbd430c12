//! Conditions on a function of one column that nothing inverts, such as `weekofyear(d) = 10`: values that meet them are
//! found by trying days, as dates and as seconds of the epoch, or texts made of what the condition names.

use super::invert::representative;
use super::{ConditionRole, ConstraintCollector};
use crate::code::literal::quoted;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;
use crate::engine::table::Value;
use crate::prove::data::calendar;
use crate::prove::data::constraint::{PathStep, Predicate, ValuePath};
use crate::prove::data::regexp_text::matching;
use crate::prove::data::satisfies::satisfies;

/// Most days that are tried: those of a leap year.
const MOST_DAYS: i64 = 366;
/// Most values that are kept to draw from: some days, and each hour of one of them, so that two conditions on the hour have
/// some in common.
const MOST_KEPT: usize = 32;
/// How many days are tried before the hours of one.
const FIRST_DAYS: usize = 8;
/// Seconds of an hour.
const HOUR: i64 = 3600;

/// The value that an expression reads.
pub(super) struct ProbedInput {
    path: ValuePath,
    /// Where it stands in the expression.
    pub places: Vec<NodeId>,
}

impl ConstraintCollector<'_, '_> {
    /// Requires a column to be one of the values for which an expression meets a predicate. Returns false if none is
    /// found, or the expression reads anything but one column.
    pub(super) fn probe(&mut self, expression: NodeId, predicate: &Predicate, role: ConditionRole) -> bool {
        // What one row gives says nothing of a group.
        if role != ConditionRole::Required || self.lineage.script.aggregates_rows(expression) {
            return false;
        }
        let Some(input) = self.only_input(expression) else { return false };
        let data_type = self.lineage.scopes.type_of(input.places[0]);
        let tried = self.values_to_try(expression, data_type, predicate);
        let literal: fn(&str) -> String = match data_type {
            Type::Date => |day| format!("DATE'{day}'"),
            Type::Timestamp => |moment| format!("TIMESTAMP'{moment}'"),
            Type::String => quoted,
            _ => str::to_owned,
        };
        let meets = |value: &String| {
            let inputs = input.places.iter().map(|place| (*place, self.value_at(*place, &literal(value)))).collect();
            self.evaluator.value_with(expression, inputs).is_some_and(|value| satisfies(predicate, &value))
        };
        let is_number = data_type.is_numeric();
        let value = |text: String| match text.parse() {
            Ok(number) if is_number => Value::Integer(number),
            _ => Value::Text(text),
        };
        let found: Vec<Value> = tried.into_iter().filter(meets).take(MOST_KEPT).map(value).collect();
        if found.is_empty() {
            return false;
        }
        self.found.require(input.path, Predicate::OneOf(found));
        true
    }

    /// Returns the values of a type that are worth trying in an expression; none for types of which none are found so.
    fn values_to_try(&self, expression: NodeId, data_type: &Type, predicate: &Predicate) -> Vec<String> {
        match data_type {
            Type::Date => days(predicate).collect(),
            Type::Timestamp => days(predicate).map(|day| format!("{day} 10:00:00")).collect(),
            Type::String => self.texts(expression, predicate),
            // A predicate that only rules out values is met by nearly any number. As seconds, though, all small numbers
            // are moments of one day.
            Type::Int | Type::BigInt if !self.tells_time(expression) => {
                if names_values(predicate) {
                    numbers().collect()
                } else {
                    Vec::new()
                }
            }
            Type::Int => seconds(predicate).collect(),
            Type::BigInt => {
                let milliseconds = seconds(predicate).map(|seconds| format!("{seconds}000"));
                seconds(predicate).chain(milliseconds).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the SQL of a column's value if the base column behind it holds `literal`: the literal itself, or what a
    /// sub-query computes from it.
    fn value_at(&self, place: NodeId, literal: &str) -> String {
        let Some(origin) = self.computation_behind(place) else { return literal.to_owned() };
        let inputs = self.columns_behind(place).into_iter().map(|column| (column, literal.to_owned())).collect();
        format!("({})", self.evaluator.text_with(origin, inputs))
    }

    /// Returns the columns from which a sub-query computes a column; the column itself if it is only passed on.
    fn columns_behind(&self, place: NodeId) -> Vec<NodeId> {
        let tree = self.lineage.script.tree();
        let Some(computation) = self.computation_behind(place) else { return vec![place] };
        tree.descendants(computation).filter(|node| tree.kind(*node) == Kind::Column).collect()
    }

    /// Returns the call or operator with which a sub-query computes a column from one row; `None` if the column is only
    /// passed on, or computed in another way.
    fn computation_behind(&self, place: NodeId) -> Option<NodeId> {
        let tree = self.lineage.script.tree();
        match self.lineage.origins(place)[..] {
            [origin] if self.lineage.trace(place).is_empty() && self.is_computed_by_row(origin) => {
                matches!(tree.kind(origin), Kind::Call { .. } | Kind::Binary(_)).then_some(origin)
            }
            _ => None,
        }
    }

    /// Returns the only column, or field of a struct, that an expression reads; `None` if it reads others or none.
    pub(super) fn only_input(&self, expression: NodeId) -> Option<ProbedInput> {
        let tree = self.lineage.script.tree();
        let places: Vec<NodeId> =
            tree.descendants(expression).filter(|node| tree.kind(*node) == Kind::Column).collect();
        let behind = |place: &NodeId| self.columns_behind(*place).into_iter();
        let paths: Vec<Vec<ValuePath>> = places.iter().flat_map(behind).map(|it| self.lineage.trace(it)).collect();
        let [path] = paths.first()?.as_slice() else { return None };
        let is_whole = path.steps.iter().all(|step| matches!(step, PathStep::Field(_)));
        let is_only = paths.iter().all(|other| other == &paths[0]);
        (is_whole && is_only).then(|| ProbedInput { path: path.clone(), places })
    }

    /// Whether an expression computes a date or moment, or the text of one.
    fn tells_time(&self, expression: NodeId) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let tells = |node: NodeId| {
            let is_call = matches!(tree.kind(node), Kind::Call { .. });
            self.lineage.scopes.type_of(node).is_temporal() || is_call && script.function_name(node) == "from_unixtime"
        };
        tree.descendants(expression).any(tells)
    }

    /// Returns texts worth trying: the one that is asked for, also reversed, texts around each literal of the expression,
    /// texts for each regular expression in it, and days in the forms in which texts hold them.
    fn texts(&self, expression: NodeId, predicate: &Predicate) -> Vec<String> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let wanted = representative(predicate).map(|value| value.plain_text().into_owned()).unwrap_or_default();
        let mut texts =
            vec![wanted.clone(), wanted.chars().rev().collect(), wanted.to_uppercase(), wanted.to_lowercase()];
        texts.extend(self.addresses(expression, predicate));
        for node in tree.descendants(expression) {
            match tree.kind(node) {
                Kind::Call { .. } if script.function_name(node).starts_with("regexp") => {
                    let arguments = script.arguments(node);
                    let pattern = arguments.get(1).and_then(|pattern| self.evaluator.constant(*pattern));
                    let group = arguments.get(2).and_then(|group| script.slice(*group).parse().ok()).unwrap_or(1);
                    let pattern = pattern.map(|pattern| pattern.plain_text().into_owned()).unwrap_or_default();
                    let parts = [Some((group, wanted.as_str())), None];
                    texts.extend(parts.into_iter().filter_map(|part| matching(&pattern, part)));
                }
                Kind::Call { .. } => texts.extend(self.days_as_read(node, predicate)),
                Kind::Text => texts.extend(self.evaluator.constant(node).into_iter().flat_map(|text| around(&text))),
                _ => {}
            }
        }
        let forms = |day: String| {
            let seconds = calendar::seconds(&day).map(|seconds| (seconds.to_string(), format!("{seconds}000")));
            let (seconds, milliseconds) = seconds.unwrap_or_default();
            [format!("{day} 10:00:00"), day.replace('-', ""), day, seconds, milliseconds]
        };
        texts.extend(some_days(predicate).flat_map(forms));
        texts
    }

    /// Days in the format in which a call reads them, as in `to_date(x, 'dd-MMM-yyyy')`; none for other calls.
    fn days_as_read(&self, call: NodeId, predicate: &Predicate) -> Vec<String> {
        let script = self.lineage.script;
        let name = script.canonical_function_name(call);
        let reads = matches!(&*name, "to_date" | "to_timestamp" | "unix_timestamp" | "to_unix_timestamp");
        let arguments = script.arguments(call);
        let Some(format) = arguments.get(1).filter(|_| reads) else { return Vec::new() };
        let written = |day: String| {
            let text = self.evaluator.value(&format!("date_format(DATE'{day}', {})", script.slice(*format)))?;
            Some(text.plain_text().into_owned())
        };
        some_days(predicate).take(DAYS_AS_READ).filter_map(written).collect()
    }
}

/// How many days are tried in the format of a call.
const DAYS_AS_READ: usize = 24;

/// A literal with letters before and after it.
fn around(literal: &Value) -> Vec<String> {
    let literal = literal.plain_text();
    let letters = "abcdefgh";
    (0..=letters.len()).map(|count| format!("{}{literal}{}", &letters[..count], &letters[..count / 2 + 1])).collect()
}

/// Whether a predicate says which values it takes, and not only which it does not.
fn names_values(predicate: &Predicate) -> bool {
    !matches!(
        predicate,
        Predicate::NotNull | Predicate::Null | Predicate::NoneOf(_) | Predicate::Compare(BinaryOperator::NotEqual, _)
    )
}

/// Numbers worth trying: enough small ones for the remainder of a division by any usual number, then larger ones.
fn numbers() -> impl Iterator<Item = String> {
    let larger = [100, 128, 256, 512, 1_000, 5_000, 10_000, 100_000, 1_000_000];
    (0..=64).chain(larger).map(|number| number.to_string())
}

/// Moments in seconds of the epoch: some days, the hours of the one that is asked for, then other days.
fn seconds(predicate: &Predicate) -> impl Iterator<Item = String> + use<> {
    let days: Vec<i64> = some_days(predicate).filter_map(|day| calendar::seconds(&day)).collect();
    let (first, others) = days.split_at(days.len().min(FIRST_DAYS));
    // The day before the one that is asked for comes first.
    let asked = first.get(1).or(first.first()).copied();
    let hours = asked.into_iter().flat_map(|day| (1..24).map(move |hour| day + hour * HOUR));
    let moments: Vec<i64> = first.iter().copied().chain(hours).chain(others.iter().copied()).collect();
    moments.into_iter().map(|seconds| seconds.to_string())
}

/// The days around the one that a predicate asks for, then days of its year in steps: each try is a query.
fn some_days(predicate: &Predicate) -> impl Iterator<Item = String> + use<> {
    let wanted = representative(predicate).map(|value| day_or_text(&value)).unwrap_or_default();
    (-1..=1).filter_map(move |distance| calendar::shift(&wanted, distance)).chain(days(predicate).step_by(5))
}

/// The days of the year that a predicate names, or else of a usual one.
fn days(predicate: &Predicate) -> impl Iterator<Item = String> + use<> {
    let first = format!("{}-01-01", year_of(predicate).unwrap_or(2024));
    (0..MOST_DAYS).filter_map(move |number| calendar::shift(&first, number))
}

/// Returns the year that a predicate names, as in `= '2021-03'`.
fn year_of(predicate: &Predicate) -> Option<i32> {
    let value = match predicate {
        Predicate::Compare(_, value) | Predicate::Between(value, _) => value,
        Predicate::OneOf(values) => values.first()?,
        _ => return None,
    };
    day_or_text(value).get(..4)?.parse().ok().filter(|year| (1900..2200).contains(year))
}

/// The day of a value that reads as seconds of the epoch; any other value as text.
fn day_or_text(value: &Value) -> String {
    let text = value.plain_text();
    calendar::day_of_seconds(&text).unwrap_or_else(|| text.into_owned())
}
