//! Arithmetic on dates that are written as text.

use chrono::{DateTime, Days, NaiveDate};

/// Returns the date in the first ten characters of `text`; also reads `yyyyMMdd`.
pub fn date(text: &str) -> Option<NaiveDate> {
    let head = text.get(..10).unwrap_or(text);
    if let Some(date) = iso_date(head.as_bytes()) {
        return Some(date);
    }
    NaiveDate::parse_from_str(head, "%Y-%m-%d")
        .or_else(|_| NaiveDate::parse_from_str(text.get(..8).unwrap_or(text), "%Y%m%d"))
        .ok()
}

/// Reads `yyyy-MM-dd`, as nearly all dates are written; chrono's reader of patterns takes four times as long.
fn iso_date(text: &[u8]) -> Option<NaiveDate> {
    let number = |digits: &[u8]| {
        let digit = |number: u32, digit: &u8| digit.is_ascii_digit().then(|| number * 10 + u32::from(digit - b'0'));
        digits.iter().try_fold(0, digit)
    };
    let [year @ .., b'-', _, _, b'-', _, _] = text else { return None };
    if year.len() != 4 {
        return None;
    }
    NaiveDate::from_ymd_opt(number(year)? as i32, number(&text[5..7])?, number(&text[8..])?)
}

/// Returns `text`'s date moved by `days`, as `yyyy-MM-dd`.
pub fn shift(text: &str, days: i64) -> Option<String> {
    let day = date(text)?;
    let moved = if days >= 0 {
        day.checked_add_days(Days::new(days.unsigned_abs()))
    } else {
        day.checked_sub_days(Days::new(days.unsigned_abs()))
    };
    moved.map(|day| day.to_string())
}

/// Returns the seconds of the epoch at ten in the morning of `text`'s date, in UTC.
pub fn seconds(text: &str) -> Option<i64> {
    date(text)?.and_hms_opt(10, 0, 0).map(|moment| moment.and_utc().timestamp())
}

/// The least number that is read as seconds of the epoch; smaller ones are counts and amounts.
pub const LEAST_SECONDS: i64 = 100_000_000;
/// The first number that is too large for seconds of the epoch; it and larger ones are milliseconds.
pub const LEAST_MILLISECONDS: i64 = 10_000_000_000;

/// Returns the day, `yyyy-MM-dd`, of a text that is a number of seconds of the epoch; `None` for other texts, also for a
/// day with its hour such as `2024031510`.
pub fn day_of_seconds(text: &str) -> Option<String> {
    if date(text).is_some() {
        return None;
    }
    let seconds = text.parse::<i64>().ok().filter(|seconds| (LEAST_SECONDS..LEAST_MILLISECONDS).contains(seconds))?;
    Some(DateTime::from_timestamp(seconds, 0)?.date_naive().to_string())
}

/// Returns a date or time text moved by `days`, in the format in which it is written.
pub fn shift_in_place(text: &str, days: i64) -> Option<String> {
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return shift(text, days).map(|day| day.replace('-', ""));
    }
    if text.len() < 10 || !text.is_char_boundary(10) {
        return None;
    }
    shift(text, days).map(|day| format!("{day}{}", &text[10..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_chrono_reads_them() {
        for text in ["2024-02-29", "2023-02-29", "0001-01-01", "2024-3-005", "20240301", "2024-03-01 10:00", "a-b-c"] {
            let head = text.get(..10).unwrap_or(text);
            let by_pattern = NaiveDate::parse_from_str(head, "%Y-%m-%d").ok();
            assert!(iso_date(head.as_bytes()).is_none_or(|date| Some(date) == by_pattern), "{text}");
            assert_eq!(date(text).is_some(), by_pattern.is_some() || text.len() == 8, "{text}");
        }
        assert_eq!(shift("2024-02-28", 1).as_deref(), Some("2024-02-29"));
    }

    #[test]
    fn shifting_keeps_the_format() {
        assert_eq!(shift_in_place("2024-03-01 10:00:00", -1).as_deref(), Some("2024-02-29 10:00:00"));
        assert_eq!(shift_in_place("20241231", 1).as_deref(), Some("20250101"));
        assert_eq!(shift_in_place("abc", 1), None);
    }
}
