//! Reads dates and timestamps from arguments and writes them as Spark does. The time zone is UTC.

use chrono::{Months, NaiveDate, NaiveDateTime, TimeDelta, Timelike};
use rusqlite::types::{Value, ValueRef};

use super::arguments::Arguments;
use super::body::text;
use super::zone::Zone;

/// Reads a date as Spark casts text to one: `2024-3-5`, `2024-03` and `2024` are dates, and anything may follow behind
/// a blank or `T`.
pub(super) fn read_date(source: &str) -> Option<NaiveDate> {
    if let Some(date) = usual_date(source) {
        return Some(date);
    }
    let source = source.trim();
    let head = source.split([' ', 'T']).next().unwrap_or(source);
    let mut parts = head.split('-');
    let year = parts.next().filter(|year| year.len() >= 4 && year.len() <= 7)?;
    let field = |part: Option<&str>| match part {
        None => Some(1),
        Some(part) if (1..=2).contains(&part.len()) => part.parse::<u32>().ok(),
        Some(_) => None,
    };
    let date = NaiveDate::from_ymd_opt(year.parse().ok()?, field(parts.next())?, field(parts.next())?)?;
    if parts.next().is_some() { None } else { Some(date) }
}

/// Reads `yyyy-MM-dd`, the form that nearly all dates have; `None` for any other text.
fn usual_date(source: &str) -> Option<NaiveDate> {
    let bytes: &[u8; 10] = source.as_bytes().try_into().ok()?;
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let digit = |byte: &u8| char::from(*byte).to_digit(10);
    let number = |digits: &[u8]| digits.iter().try_fold(0, |number, byte| Some(number * 10 + digit(byte)?));
    NaiveDate::from_ymd_opt(number(&bytes[..4])?.cast_signed(), number(&bytes[5..7])?, number(&bytes[8..])?)
}

/// Reads a timestamp as Spark casts text to one; a date alone is midnight.
pub(super) fn read_moment(source: &str) -> Option<NaiveDateTime> {
    let source = source.trim();
    let date = read_date(source)?;
    let Some((day, clock)) = source.split_once([' ', 'T']) else { return date.and_hms_opt(0, 0, 0) };
    if day.bytes().filter(|byte| *byte == b'-').count() < 2 {
        return None;
    }
    let zone = clock.find(|c: char| c.is_ascii_alphabetic() || c == '+' || c == '-');
    let (clock, zone) = clock.split_at(zone.unwrap_or(clock.len()));
    let zone = if zone.is_empty() { None } else { Some(Zone::read(zone)?) };
    let clock = clock.trim_end();
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let mut parts = clock.split(':');
    let mut field = || match parts.next() {
        None => Some(0),
        Some(part) if (1..=2).contains(&part.len()) => part.parse::<u32>().ok(),
        Some(_) => None,
    };
    let (hour, minute, second) = (field()?, field()?, field()?);
    let digits: String = fraction.chars().chain("000000".chars()).take(6).collect();
    let moment = date.and_hms_micro_opt(hour, minute, second, digits.parse().ok()?)?;
    zone.map_or(Some(moment), |zone| zone.to_utc(moment))
}

pub(super) fn date(a: &Arguments<'_>, at: usize) -> Option<NaiveDate> {
    match a.raw(at) {
        ValueRef::Text(_) => read_date(&a.text(at)?),
        _ => None,
    }
}

pub(super) fn moment(a: &Arguments<'_>, at: usize) -> Option<NaiveDateTime> {
    match a.raw(at) {
        ValueRef::Text(_) => read_moment(&a.text(at)?),
        ValueRef::Integer(seconds) => Some(chrono::DateTime::from_timestamp(seconds, 0)?.naive_utc()),
        _ => None,
    }
}

/// Returns a timestamp; a time of day without a date is put on an arbitrary day.
pub(super) fn clock(a: &Arguments<'_>) -> Option<NaiveDateTime> {
    moment(a, 0).or_else(|| read_moment(&format!("1970-01-01 {}", a.text(0)?)))
}

pub(super) fn shown_date(date: NaiveDate) -> Option<Value> {
    // As `%Y-%m-%d`, but without reading a pattern for each value.
    text(date.to_string())
}

/// Returns a timestamp as Spark shows it, with a fraction only if there is one, and without trailing zeros.
pub(super) fn moment_text(moment: &NaiveDateTime) -> String {
    let micros = moment.nanosecond() / 1000;
    let (date, hour, minute, second) = (moment.date(), moment.hour(), moment.minute(), moment.second());
    let whole = format!("{date} {hour:02}:{minute:02}:{second:02}");
    if micros == 0 { whole } else { format!("{whole}.{}", format!("{micros:06}").trim_end_matches('0')) }
}

pub(super) fn shown_moment(moment: NaiveDateTime) -> Option<Value> {
    text(moment_text(&moment))
}

pub(super) fn add_months(date: NaiveDate, months: i64) -> Option<NaiveDate> {
    let amount = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    if months >= 0 { date.checked_add_months(amount) } else { date.checked_sub_months(amount) }
}

/// A distance in time in the parts of an interval, because a month has no fixed number of days.
pub(super) struct TimeStep {
    pub months: i64,
    pub days: i64,
    pub micros: i64,
}

impl TimeStep {
    /// Whether a part of it leads in this direction and none in the other.
    pub fn leads(&self, forwards: bool) -> bool {
        let parts =
            [self.months, self.days, self.micros].map(|part| if forwards { part } else { part.saturating_neg() });
        parts.iter().any(|part| *part != 0) && parts.iter().all(|part| *part >= 0)
    }

    /// Returns `count` times this step; `None` if that overflows.
    pub fn times(&self, count: i64) -> Option<TimeStep> {
        let times = |part: i64| part.checked_mul(count);
        Some(TimeStep { months: times(self.months)?, days: times(self.days)?, micros: times(self.micros)? })
    }

    /// Returns the moment at this distance from `start`; `None` if it is out of range.
    pub fn from(&self, start: NaiveDateTime) -> Option<NaiveDateTime> {
        let moved = add_months(start.date(), self.months)?.and_time(start.time());
        moved
            .checked_add_signed(TimeDelta::try_days(self.days)?)?
            .checked_add_signed(TimeDelta::microseconds(self.micros))
    }
}
