//! Dates as text: the little arithmetic that data generation needs.

use chrono::{Days, NaiveDate};

/// The date in the first ten characters of `text`; also reads `yyyyMMdd`.
pub fn date(text: &str) -> Option<NaiveDate> {
    let head = text.get(..10).unwrap_or(text);
    NaiveDate::parse_from_str(head, "%Y-%m-%d")
        .or_else(|_| NaiveDate::parse_from_str(text.get(..8).unwrap_or(text), "%Y%m%d"))
        .ok()
}

/// `text`'s date moved by `days`, as `yyyy-MM-dd`.
pub fn shift(text: &str, days: i64) -> Option<String> {
    let day = date(text)?;
    let moved = if days >= 0 {
        day.checked_add_days(Days::new(days.unsigned_abs()))
    } else {
        day.checked_sub_days(Days::new(days.unsigned_abs()))
    };
    moved.map(|day| day.format("%Y-%m-%d").to_string())
}

/// A date or time text moved by `days`, in the format it is written in.
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
    fn shifting_keeps_the_format() {
        assert_eq!(shift_in_place("2024-03-01 10:00:00", -1).as_deref(), Some("2024-02-29 10:00:00"));
        assert_eq!(shift_in_place("20241231", 1).as_deref(), Some("20250101"));
        assert_eq!(shift_in_place("abc", 1), None);
    }
}
