//! Intervals as written: `INTERVAL 1 DAY`, `INTERVAL '1 day 2 hours'`, `INTERVAL '1-2' YEAR TO MONTH`, `INTERVAL n DAY`.

use super::literal::text_value;
use super::script::Script;
use super::tree::{Kind, NodeId};
use super::types::IntervalUnits;

/// A part of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum IntervalAmount {
    /// A constant number of the smallest unit of a part: of months, days or microseconds.
    Fixed {
        /// How many.
        count: i64,
        /// Of what.
        part: IntervalPart,
    },
    /// A computed number of units.
    Scaled {
        /// The expression that gives the number.
        count: NodeId,
        /// Of what.
        unit: IntervalUnit,
    },
}

impl IntervalAmount {
    /// The part of the interval to which it belongs.
    pub fn part(self) -> IntervalPart {
        match self {
            IntervalAmount::Fixed { part, .. } => part,
            IntervalAmount::Scaled { unit, .. } => unit.part,
        }
    }

    /// The number of a constant part; 0 for one that is computed.
    pub fn constant(self) -> i64 {
        match self {
            IntervalAmount::Fixed { count, .. } => count,
            IntervalAmount::Scaled { .. } => 0,
        }
    }
}

/// A unit of time: the part of an interval to which it belongs, and how many of the smallest unit of that part it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntervalUnit {
    pub part: IntervalPart,
    pub factor: i64,
}

/// The three parts of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum IntervalPart {
    Months,
    Days,
    Microseconds,
}

impl IntervalPart {
    /// All, in the order in which they are added to a moment.
    pub const ALL: [IntervalPart; 3] = [IntervalPart::Months, IntervalPart::Days, IntervalPart::Microseconds];
}

/// The microseconds of a day.
pub(crate) const MICROSECONDS_OF_DAY: i64 = 86_400_000_000;

/// Returns the parts of an `Interval` node; `None` if one of them is not understood.
pub(crate) fn interval_amounts(script: &Script, node: NodeId) -> Option<Vec<IntervalAmount>> {
    let tree = script.tree();
    let mut amounts = Vec::new();
    for value in tree.children(node).iter().copied() {
        let after = script.token_range(value).end() + 1;
        let unit = unit_named(script.token_text(after));
        match (tree.kind(value), unit) {
            (Kind::Text, _) => {
                let range = script.token_text(after + 1).eq_ignore_ascii_case("TO");
                amounts.extend(of_text(&text_value(script.slice(value)), unit.map(|unit| (unit, range)))?);
            }
            (Kind::Number, Some(unit)) => amounts.push(fixed(script.slice(value).parse().ok()?, unit)),
            (_, Some(unit)) => amounts.push(IntervalAmount::Scaled { count: value, unit }),
            _ => return None,
        }
    }
    Some(amounts)
}

/// Returns the units in which an `Interval` node counts.
pub(crate) fn units(script: &Script, node: NodeId) -> IntervalUnits {
    let amounts = interval_amounts(script, node).unwrap_or_default();
    let has = |part: IntervalPart| amounts.iter().any(|amount| amount.part() == part);
    match IntervalPart::ALL.map(has) {
        [true, false, false] => IntervalUnits::Months,
        [false, true, false] => IntervalUnits::Days,
        [false, _, true] => IntervalUnits::Time,
        _ => IntervalUnits::Mixed,
    }
}

/// Returns the unit that a word such as `DAY` or `hours` names.
fn unit_named(word: &str) -> Option<IntervalUnit> {
    let lower = word.to_ascii_lowercase();
    let (part, factor) = match lower.strip_suffix('s').unwrap_or(&lower) {
        "year" => (IntervalPart::Months, 12),
        "quarter" => (IntervalPart::Months, 3),
        "month" => (IntervalPart::Months, 1),
        "week" => (IntervalPart::Days, 7),
        "day" => (IntervalPart::Days, 1),
        "hour" => (IntervalPart::Microseconds, 3_600_000_000),
        "minute" => (IntervalPart::Microseconds, 60_000_000),
        "second" => (IntervalPart::Microseconds, 1_000_000),
        "millisecond" => (IntervalPart::Microseconds, 1_000),
        "microsecond" => (IntervalPart::Microseconds, 1),
        _ => return None,
    };
    Some(IntervalUnit { part, factor })
}

fn fixed(count: f64, unit: IntervalUnit) -> IntervalAmount {
    IntervalAmount::Fixed { count: (count * unit.factor as f64).round() as i64, part: unit.part }
}

/// Reads `'1'` with a unit, `'1-2'` with a range of units (`true`), or `'1 day 2 hours'` without a unit.
fn of_text(text: &str, unit: Option<(IntervalUnit, bool)>) -> Option<Vec<IntervalAmount>> {
    let text = text.trim();
    match unit {
        Some((unit, false)) => Some(vec![fixed(text.parse().ok()?, unit)]),
        Some((unit, true)) if unit.part == IntervalPart::Months => {
            let (years, months) = text.split_once('-')?;
            let total = years.parse::<f64>().ok()? * 12.0 + months.parse::<f64>().ok()?;
            Some(vec![fixed(total, IntervalUnit { part: IntervalPart::Months, factor: 1 })])
        }
        Some((_, true)) => None,
        None => {
            let words: Vec<&str> = text.strip_prefix("interval ").unwrap_or(text).split_whitespace().collect();
            let pairs = words.chunks(2).map(|pair| match pair {
                [count, unit] => Some(fixed(count.parse().ok()?, unit_named(unit)?)),
                _ => None,
            });
            pairs.collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_texts_are_read_with_and_without_units() {
        let count = |count, part| IntervalAmount::Fixed { count, part };
        let months = |months| Some(vec![count(months, IntervalPart::Months)]);
        assert_eq!(of_text("3", unit_named("MONTHS").map(|unit| (unit, false))), months(3));
        assert_eq!(of_text("1-2", unit_named("year").map(|unit| (unit, true))), months(14));
        let both = vec![count(1, IntervalPart::Days), count(7_200_000_000, IntervalPart::Microseconds)];
        assert_eq!(of_text("1 day 2 hours", None), Some(both));
        assert_eq!(of_text("1 daze", None), None);
        assert_eq!(of_text("1", None), None);
    }

    #[test]
    fn an_interval_counts_in_the_units_that_it_names() {
        let cases = [
            ("INTERVAL 2 QUARTERS", IntervalUnits::Months),
            ("INTERVAL 1 WEEK", IntervalUnits::Days),
            ("INTERVAL v DAY", IntervalUnits::Days),
            ("INTERVAL '1 day 2 hours'", IntervalUnits::Time),
            ("INTERVAL 90 MINUTES", IntervalUnits::Time),
            ("INTERVAL '1 month 2 days'", IntervalUnits::Mixed),
        ];
        for (written, wanted) in cases {
            let script = Script::new(format!("SELECT d + {written} FROM t"));
            let node = script.tree().ids().find(|id| script.tree().kind(*id) == Kind::Interval).unwrap();
            assert_eq!(units(&script, node), wanted, "{written}");
        }
    }
}
