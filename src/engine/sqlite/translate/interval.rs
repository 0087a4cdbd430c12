//! Intervals: `INTERVAL 1 DAY`, `INTERVAL '1 day 2 hours'`, `INTERVAL '1-2' YEAR TO MONTH`, `INTERVAL n DAY`.

use super::{Translated, Translator};
use crate::code::literal::text_value;
use crate::code::tree::{Kind, NodeId};

/// A part of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Amount {
    /// A constant length.
    Fixed { months: i64, days: i64, microseconds: i64 },
    /// A computed number of units.
    Scaled { count: NodeId, unit: IntervalUnit },
}

/// A unit of time: the part of an interval to which it belongs, and how many of that part it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct IntervalUnit {
    pub part: IntervalPart,
    pub factor: i64,
}

/// The three parts of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum IntervalPart {
    Months,
    Days,
    Microseconds,
}

/// Returns the unit that a word such as `DAY` or `hours` names.
pub(super) fn unit_named(word: &str) -> Option<IntervalUnit> {
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

fn fixed(count: f64, unit: IntervalUnit) -> Amount {
    let amount = (count * unit.factor as f64).round() as i64;
    match unit.part {
        IntervalPart::Months => Amount::Fixed { months: amount, days: 0, microseconds: 0 },
        IntervalPart::Days => Amount::Fixed { months: 0, days: amount, microseconds: 0 },
        IntervalPart::Microseconds => Amount::Fixed { months: 0, days: 0, microseconds: amount },
    }
}

impl Translator<'_> {
    /// Returns the parts of an `Interval` node.
    pub fn interval(&self, node: NodeId) -> Translated<Vec<Amount>> {
        let mut amounts = Vec::new();
        for value in self.children(node).iter().copied() {
            let after = self.script.token_range(value).end() + 1;
            let unit = unit_named(self.script.token_text(after));
            let range = self.script.token_text(after + 1).eq_ignore_ascii_case("TO");
            let parts = match (self.kind(value), unit) {
                (Kind::Text, _) => {
                    let text = text_value(self.script.slice(value));
                    text_amounts(&text, unit.map(|unit| (unit, range)))
                }
                (Kind::Number, Some(unit)) => {
                    self.script.slice(value).parse().ok().map(|count| vec![fixed(count, unit)])
                }
                (_, Some(unit)) => Some(vec![Amount::Scaled { count: value, unit }]),
                _ => None,
            };
            match parts {
                Some(parts) => amounts.extend(parts),
                None => return self.refuse(node, "this interval"),
            }
        }
        Ok(amounts)
    }

    /// Writes `h_add_interval(base, months, days, microseconds)` around what `base` writes.
    pub fn add_interval(
        &mut self,
        interval: NodeId,
        negative: bool,
        base: impl FnOnce(&mut Self) -> Translated,
    ) -> Translated {
        self.write("h_add_interval(");
        base(self)?;
        self.interval_parts(interval, negative)?;
        self.write(")");
        Ok(())
    }

    /// Writes `,months,days,microseconds`.
    pub fn interval_parts(&mut self, interval: NodeId, negative: bool) -> Translated {
        let amounts = self.interval(interval)?;
        for part in [IntervalPart::Months, IntervalPart::Days, IntervalPart::Microseconds] {
            self.write(if negative { ",-(" } else { ",(" });
            let constant: i64 = amounts.iter().map(|amount| constant_of(amount, part)).sum();
            self.write(&constant.to_string());
            for amount in &amounts {
                if let Amount::Scaled { count, unit } = amount
                    && unit.part == part
                {
                    self.write("+");
                    self.expression(*count)?;
                    self.write_numbered("*", unit.factor as usize);
                }
            }
            self.write(")");
        }
        Ok(())
    }
}

fn constant_of(amount: &Amount, part: IntervalPart) -> i64 {
    match (amount, part) {
        (Amount::Fixed { months, .. }, IntervalPart::Months) => *months,
        (Amount::Fixed { days, .. }, IntervalPart::Days) => *days,
        (Amount::Fixed { microseconds, .. }, IntervalPart::Microseconds) => *microseconds,
        (Amount::Scaled { .. }, _) => 0,
    }
}

/// Reads `'1'` with a unit, `'1-2'` or `'1 02:03:04'` with a range of units, or `'1 day 2 hours'` without a unit.
fn text_amounts(text: &str, unit: Option<(IntervalUnit, bool)>) -> Option<Vec<Amount>> {
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
        let months = |months| Some(vec![Amount::Fixed { months, days: 0, microseconds: 0 }]);
        assert_eq!(text_amounts("3", unit_named("MONTHS").map(|unit| (unit, false))), months(3));
        assert_eq!(text_amounts("1-2", unit_named("year").map(|unit| (unit, true))), months(14));
        assert_eq!(
            text_amounts("1 day 2 hours", None),
            Some(vec![
                Amount::Fixed { months: 0, days: 1, microseconds: 0 },
                Amount::Fixed { months: 0, days: 0, microseconds: 7_200_000_000 },
            ])
        );
        assert_eq!(text_amounts("1 daze", None), None);
        assert_eq!(text_amounts("1", None), None);
    }
}
