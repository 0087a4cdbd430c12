//! Dates as the parameters of scripts write them, and the dates before and after one.

use chrono::{Days, Months, NaiveDate};

const DAYS: [&str; 3] = ["%Y-%m-%d", "%Y%m%d", "%Y/%m/%d"];
const MONTHS: [&str; 2] = ["%Y-%m", "%Y%m"];

/// Reads a day in one of the formats of [`DAYS`]; `None` if the text has none of them.
pub(super) fn date_of(text: &str) -> Option<NaiveDate> {
    DAYS.iter().find_map(|format| NaiveDate::parse_from_str(text, format).ok())
}

/// A time before or after a date: `-6`, `+ 1`, `-1M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DateOffset {
    /// Below 0: before.
    count: i64,
    unit: TimeUnit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeUnit {
    Day,
    Week,
    Month,
    Year,
}

impl DateOffset {
    /// Reads a sign, a number and a unit (`d`, `w`, `m`, `y`; days where there is none); `None` for any other text.
    pub fn read(text: &str) -> Option<DateOffset> {
        let (sign, rest) = text.split_at_checked(1)?;
        let rest = rest.trim();
        let (digits, unit) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let unit = match unit {
            "" | "d" | "D" => TimeUnit::Day,
            "w" | "W" => TimeUnit::Week,
            "m" | "M" => TimeUnit::Month,
            "y" | "Y" => TimeUnit::Year,
            _ => return None,
        };
        let count: i64 = digits.parse().ok()?;
        Some(DateOffset { count: if sign == "-" { -count } else { count }, unit })
    }

    /// Moves the date or month that `text` holds, in the same format; for a month such as `202403` an offset in days
    /// counts months. `None` if the text is neither, or the result is out of range.
    pub fn from(self, text: &str) -> Option<String> {
        for format in DAYS {
            if let Ok(date) = NaiveDate::parse_from_str(text, format) {
                return Some(self.moved(date)?.format(format).to_string());
            }
        }
        let unit = if self.unit == TimeUnit::Day { TimeUnit::Month } else { self.unit };
        for format in MONTHS {
            if let Ok(date) = NaiveDate::parse_from_str(&format!("{text} 01"), &format!("{format} %d")) {
                return Some(DateOffset { unit, ..self }.moved(date)?.format(format).to_string());
            }
        }
        None
    }

    fn moved(self, date: NaiveDate) -> Option<NaiveDate> {
        let steps = self.count.unsigned_abs();
        let (months, days) = match self.unit {
            TimeUnit::Day => (0, steps),
            TimeUnit::Week => (0, steps.checked_mul(7)?),
            TimeUnit::Month => (steps, 0),
            TimeUnit::Year => (steps.checked_mul(12)?, 0),
        };
        let months = Months::new(u32::try_from(months).ok()?);
        if self.count < 0 {
            date.checked_sub_months(months)?.checked_sub_days(Days::new(days))
        } else {
            date.checked_add_months(months)?.checked_add_days(Days::new(days))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_before_or_after_a_date_keeps_its_format() {
        let cases = [
            ("2024-03-01", "-1", Some("2024-02-29")),
            ("2024-03-01", "+ 31", Some("2024-04-01")),
            ("20240301", "-1", Some("20240229")),
            ("2024-03-01", "-1M", Some("2024-02-01")),
            ("2024/03/01", "-1y", Some("2023/03/01")),
            ("2024-03-15", "-2w", Some("2024-03-01")),
            ("202401", "-1", Some("202312")),
            ("2024-01", "+1y", Some("2025-01")),
            ("5", "-1", None),
            ("2024-03-01", "-x", None),
            ("2024-03-01", "-99999999999999", None),
        ];
        for (text, offset, expected) in cases {
            let moved = DateOffset::read(offset).and_then(|offset| offset.from(text));
            assert_eq!(moved.as_deref(), expected, "{text}{offset}");
        }
    }
}
