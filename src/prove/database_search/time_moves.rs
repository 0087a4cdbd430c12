//! Days, months and moments, however they are written, moved by a step.

use std::ops::Range;

use chrono::{DateTime, Duration, Months, NaiveDate, NaiveDateTime};

use super::super::data::calendar::{LEAST_MILLISECONDS, LEAST_SECONDS};
use crate::engine::table::Value;

/// How far a time is moved at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeMove {
    Months(i32),
    Days(i64),
    Seconds(i64),
}

/// Numbers of this size are seconds or milliseconds of the epoch.
const SECONDS: Range<i64> = LEAST_SECONDS..LEAST_MILLISECONDS;
const MILLISECONDS: Range<i64> = LEAST_SECONDS * 1_000..LEAST_MILLISECONDS * 1_000;

/// Returns a time a number of steps later, in the form in which it is written; `None` if the value is no time, or its form
/// cannot tell the difference.
pub(super) fn moved(value: &Value, step: TimeMove, count: i32) -> Option<Value> {
    let moved = match value {
        Value::Text(text) => Value::Text(moved_text(text, step, count)?),
        Value::Integer(number) if SECONDS.contains(number) => {
            Value::Integer(later(DateTime::from_timestamp(*number, 0)?.naive_utc(), step, count)?.and_utc().timestamp())
        }
        Value::Integer(number) if MILLISECONDS.contains(number) => {
            let moment = DateTime::from_timestamp_millis(*number)?.naive_utc();
            Value::Integer(later(moment, step, count)?.and_utc().timestamp_millis())
        }
        Value::Integer(number) => Value::Integer(moved_text(&number.to_string(), step, count)?.parse().ok()?),
        _ => return None,
    };
    (moved != *value).then_some(moved)
}

fn moved_text(text: &str, step: TimeMove, count: i32) -> Option<String> {
    let WrittenTime { moment, form, rest } = WrittenTime::read(text)?;
    let later = later(moment, step, count)?;
    // A day alone gets a time of day where only that can tell the difference.
    let form = match (form, step) {
        ("%Y-%m-%d", TimeMove::Seconds(_)) => FORMS[0],
        _ => form,
    };
    Some(later.format(form).to_string() + rest)
}

/// The forms in which texts hold a time, those with a time of day first; a text is read in the first that fits.
pub(super) const FORMS: [&str; 10] = [
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y%m%d%H%M%S", "%Y-%m-%d", "%Y%m%d", "%Y-%m",
    "%Y%m", "%d/%m/%Y", "%m/%d/%Y",
];

/// A time as a text holds it.
struct WrittenTime<'a> {
    moment: NaiveDateTime,
    form: &'static str,
    /// What stands behind it, as a zone does.
    rest: &'a str,
}

impl WrittenTime<'_> {
    fn read(text: &str) -> Option<WrittenTime<'_>> {
        let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let whole =
            |form: &'static str, moment: Option<NaiveDateTime>| Some(WrittenTime { moment: moment?, form, rest: "" });
        let day = |text: &str, form: &str| NaiveDate::parse_from_str(text, form).ok()?.and_hms_opt(0, 0, 0);
        match text.len() {
            6 if all_digits => whole("%Y%m", day(&format!("{text}01"), "%Y%m%d")),
            7 => whole("%Y-%m", day(&format!("{text}-01"), "%Y-%m-%d")),
            8 if all_digits => whole("%Y%m%d", day(text, "%Y%m%d")),
            10 => ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y"].into_iter().find_map(|form| whole(form, day(text, form))),
            14 if all_digits => whole(FORMS[3], NaiveDateTime::parse_from_str(text, FORMS[3]).ok()),
            _ => {
                let (moment, rest) = (text.get(..19)?, text.get(19..)?);
                let read = |form: &'static str| {
                    Some(WrittenTime { moment: NaiveDateTime::parse_from_str(moment, form).ok()?, form, rest })
                };
                [FORMS[0], FORMS[2]].into_iter().find_map(read)
            }
        }
    }
}

/// Returns a text with its time in another form; `None` if it holds none, or has that form.
pub(super) fn rewritten(value: &Value, form: &str) -> Option<Value> {
    let Value::Text(text) = value else { return None };
    let other = WrittenTime::read(text)?.moment.format(form).to_string();
    (other != *text).then_some(Value::Text(other))
}

fn later(moment: NaiveDateTime, step: TimeMove, count: i32) -> Option<NaiveDateTime> {
    match step {
        TimeMove::Months(months) => {
            let months = months * count;
            let by = Months::new(months.unsigned_abs());
            if months >= 0 { moment.checked_add_months(by) } else { moment.checked_sub_months(by) }
        }
        TimeMove::Days(days) => moment.checked_add_signed(Duration::days(days * i64::from(count))),
        TimeMove::Seconds(seconds) => moment.checked_add_signed(Duration::seconds(seconds * i64::from(count))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_the_form_in_which_they_are_written() {
        let text = |text: &str| Value::Text(text.to_owned());
        for (value, step, count, expected) in [
            (text("2024-01-31"), TimeMove::Months(1), 1, Some(text("2024-02-29"))),
            (text("20240315"), TimeMove::Days(1), -15, Some(text("20240229"))),
            (text("202412"), TimeMove::Months(1), 1, Some(text("202501"))),
            (text("2024-12"), TimeMove::Days(1), 1, None),
            (text("2024-03-15T23:59:00Z"), TimeMove::Seconds(60), 1, Some(text("2024-03-16T00:00:00Z"))),
            (text("2024-03-15 10:00:00"), TimeMove::Days(1), 2, Some(text("2024-03-17 10:00:00"))),
            (Value::Integer(202_403), TimeMove::Months(1), -3, Some(Value::Integer(202_312))),
            (Value::Integer(1_710_496_800), TimeMove::Seconds(60), 2, Some(Value::Integer(1_710_496_920))),
            (text("2024-03-15"), TimeMove::Seconds(60), 1, Some(text("2024-03-15 00:01:00"))),
            (text("31/12/2024"), TimeMove::Days(1), 1, Some(text("01/01/2025"))),
            (text("abcdefgh"), TimeMove::Days(1), 1, None),
            (Value::Integer(7), TimeMove::Days(1), 1, None),
            (Value::Null, TimeMove::Days(1), 1, None),
        ] {
            assert_eq!(moved(&value, step, count), expected, "{value:?}");
        }
    }

    #[test]
    fn a_time_is_the_same_in_another_form() {
        let text = |text: &str| Value::Text(text.to_owned());
        assert_eq!(rewritten(&text("2024-03-15"), FORMS[1]), Some(text("2024-03-15T00:00:00Z")));
        assert_eq!(rewritten(&text("2024-03-15 10:00:00"), "%Y%m%d"), Some(text("20240315")));
        assert_eq!(rewritten(&text("20240315"), "%Y%m%d"), None);
        assert_eq!(rewritten(&text("abc"), "%Y%m%d"), None);
    }
}
