//! Functions of dates and timestamps.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveDateTime, TimeDelta, Timelike, Weekday};
use rusqlite::types::{Value, ValueRef};

use super::arguments::{Arguments, CallError};
use super::body::{Body, integer, real, text};
use super::date_pattern;
use super::moment::{TimeStep, add_months, clock, date, moment, read_moment, shown_date, shown_moment};
use super::zone::Zone;
use crate::code::MICROSECONDS_OF_DAY;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_date_add", |a| shift(a, 1)),
    ("h_date_sub", |a| shift(a, -1)),
    ("h_datediff", |a| integer(date(a, 0)?.signed_duration_since(date(a, 1)?).num_days())),
    ("h_add_months", |a| shown_date(add_months(date(a, 0)?, a.integer(1)?)?)),
    ("h_months_between", months_between),
    ("h_last_day", |a| shown_date(last_day(date(a, 0)?)?)),
    ("h_next_day", next_day),
    ("h_trunc", |a| shown_date(truncated(date(a, 0)?, &a.text(1)?)?)),
    ("h_date_trunc", date_trunc),
    ("h_to_date", to_date),
    ("h_to_timestamp", to_timestamp),
    ("h_make_date", |a| {
        shown_date(NaiveDate::from_ymd_opt(
            i32::try_from(a.integer(0)?).ok()?,
            u32::try_from(a.integer(1)?).ok()?,
            u32::try_from(a.integer(2)?).ok()?,
        )?)
    }),
    ("h_date_from_unix_date", |a| shown_date(NaiveDate::from_epoch_days(i32::try_from(a.integer(0)?).ok()?)?)),
    ("h_year", |a| integer(date(a, 0)?.year())),
    ("h_quarter", |a| integer(date(a, 0)?.month0() / 3 + 1)),
    ("h_month", |a| integer(date(a, 0)?.month())),
    ("h_day", |a| integer(date(a, 0)?.day())),
    ("h_dayofmonth", |a| integer(date(a, 0)?.day())),
    ("h_dayofweek", |a| integer(date(a, 0)?.weekday().num_days_from_sunday() + 1)),
    ("h_weekday", |a| integer(date(a, 0)?.weekday().num_days_from_monday())),
    ("h_dayofyear", |a| integer(date(a, 0)?.ordinal())),
    ("h_weekofyear", |a| integer(date(a, 0)?.iso_week().week())),
    ("h_hour", |a| integer(clock(a)?.hour())),
    ("h_minute", |a| integer(clock(a)?.minute())),
    ("h_second", |a| integer(clock(a)?.second())),
    ("h_extract", extract),
    ("h_date_format", |a| formatted(a, &moment(a, 0)?, &a.text(1)?)),
    ("h_from_unixtime", from_unixtime),
    ("h_unix_timestamp", unix_timestamp),
    ("h_to_unix_timestamp", unix_timestamp),
    ("h_dayname", |a| text(date(a, 0)?.format("%a").to_string())),
    ("h_monthname", |a| text(date(a, 0)?.format("%b").to_string())),
    ("h_make_timestamp", make_timestamp),
    ("h_unix_date", |a| integer(date(a, 0)?.to_epoch_days())),
    ("h_unix_seconds", |a| integer(moment(a, 0)?.and_utc().timestamp())),
    ("h_unix_millis", |a| integer(moment(a, 0)?.and_utc().timestamp_millis())),
    ("h_unix_micros", |a| integer(moment(a, 0)?.and_utc().timestamp_micros())),
    ("h_timestamp_seconds", |a| from_micros((a.real(0)? * 1e6) as i64)),
    ("h_timestamp_millis", |a| from_micros(a.integer(0)?.checked_mul(1000)?)),
    ("h_timestamp_micros", |a| from_micros(a.integer(0)?)),
    ("h_add_interval", add_interval),
    ("h_microseconds_between", |a| integer(moment(a, 0)?.signed_duration_since(moment(a, 1)?).num_microseconds()?)),
    ("h_multiply_interval", |a| rounded_interval(a.integer(0)? as f64 * a.real(1)?)),
    ("h_divide_interval", divided_interval),
    ("h_text_of_interval", text_of_interval),
    ("h_timestampadd", timestampadd),
    ("h_timestampdiff", timestampdiff),
    ("h_from_utc_timestamp", |a| {
        let (moment, zone) = moment_and_zone(a)?;
        shown_moment(moment.checked_add_signed(zone.offset_at(moment))?)
    }),
    ("h_to_utc_timestamp", |a| {
        let (moment, zone) = moment_and_zone(a)?;
        shown_moment(zone.to_utc(moment)?)
    }),
];

fn shift(a: &Arguments<'_>, sign: i64) -> Option<Value> {
    let days = a.integer(1)?.checked_mul(sign)?;
    let date = date(a, 0)?;
    let amount = Days::new(days.unsigned_abs());
    shown_date(if days >= 0 { date.checked_add_days(amount)? } else { date.checked_sub_days(amount)? })
}

fn last_day(date: NaiveDate) -> Option<NaiveDate> {
    date.with_day(1)?.checked_add_months(Months::new(1))?.pred_opt()
}

/// Gives whole months if both are on the same day of the month or at the end of a month. Otherwise the remaining days
/// count as 1/31 of a month each.
fn months_between(a: &Arguments<'_>) -> Option<Value> {
    let (left, right) = (moment(a, 0)?, moment(a, 1)?);
    let months = f64::from((left.year() - right.year()) * 12 + left.month() as i32 - right.month() as i32);
    let ends = last_day(left.date())? == left.date() && last_day(right.date())? == right.date();
    if left.day() == right.day() || ends {
        return real(months);
    }
    let seconds =
        |moment: &NaiveDateTime| f64::from(moment.day()) * 86_400.0 + f64::from(moment.num_seconds_from_midnight());
    let exact = months + (seconds(&left) - seconds(&right)) / (31.0 * 86_400.0);
    let rounded = a.len() < 3 || a.boolean(2)?;
    real(if rounded { (exact * 1e8).round() / 1e8 } else { exact })
}

fn weekday(name: &str) -> Option<Weekday> {
    Some(match name.to_lowercase().as_str() {
        "mo" | "mon" | "monday" => Weekday::Mon,
        "tu" | "tue" | "tuesday" => Weekday::Tue,
        "we" | "wed" | "wednesday" => Weekday::Wed,
        "th" | "thu" | "thursday" => Weekday::Thu,
        "fr" | "fri" | "friday" => Weekday::Fri,
        "sa" | "sat" | "saturday" => Weekday::Sat,
        "su" | "sun" | "sunday" => Weekday::Sun,
        _ => return None,
    })
}

fn next_day(a: &Arguments<'_>) -> Option<Value> {
    let (start, wanted) = (date(a, 0)?, weekday(&a.text(1)?)?);
    let ahead = (7 + wanted.num_days_from_monday() - start.weekday().num_days_from_monday() - 1) % 7 + 1;
    shown_date(start.checked_add_days(Days::new(u64::from(ahead)))?)
}

fn truncated(date: NaiveDate, unit: &str) -> Option<NaiveDate> {
    match unit.to_lowercase().as_str() {
        "year" | "yyyy" | "yy" => date.with_ordinal(1),
        "quarter" => date.with_day(1)?.with_month0(date.month0() / 3 * 3),
        "month" | "mon" | "mm" => date.with_day(1),
        "week" => date.checked_sub_days(Days::new(u64::from(date.weekday().num_days_from_monday()))),
        _ => None,
    }
}

fn date_trunc(a: &Arguments<'_>) -> Option<Value> {
    let (unit, moment) = (a.text(0)?.to_lowercase(), moment(a, 1)?);
    let clock = |hour, minute, second| moment.date().and_hms_opt(hour, minute, second);
    shown_moment(match unit.as_str() {
        "day" | "dd" => clock(0, 0, 0)?,
        "hour" => clock(moment.hour(), 0, 0)?,
        "minute" => clock(moment.hour(), moment.minute(), 0)?,
        "second" => clock(moment.hour(), moment.minute(), moment.second())?,
        "millisecond" => moment.with_nanosecond(moment.nanosecond() / 1_000_000 * 1_000_000)?,
        "microsecond" => moment,
        unit => truncated(moment.date(), unit)?.and_hms_opt(0, 0, 0)?,
    })
}

fn to_date(a: &Arguments<'_>) -> Option<Value> {
    if a.len() > 1 {
        return shown_date(parsed(a, &a.text(0)?, &a.text(1)?)?.date());
    }
    shown_date(date(a, 0)?)
}

fn to_timestamp(a: &Arguments<'_>) -> Option<Value> {
    if a.len() > 1 {
        return shown_moment(parsed(a, &a.text(0)?, &a.text(1)?)?);
    }
    shown_moment(moment(a, 0)?)
}

fn extract(a: &Arguments<'_>) -> Option<Value> {
    let moment = moment(a, 1)?;
    integer(match a.text(0)?.to_lowercase().trim_end_matches('s') {
        "year" => i64::from(moment.year()),
        "quarter" => i64::from(moment.month0() / 3 + 1),
        "month" => i64::from(moment.month()),
        "week" => i64::from(moment.iso_week().week()),
        "day" => i64::from(moment.day()),
        "dayofweek" | "dow" => i64::from(moment.weekday().num_days_from_sunday() + 1),
        "doy" => i64::from(moment.ordinal()),
        "hour" => i64::from(moment.hour()),
        "minute" => i64::from(moment.minute()),
        "second" => return real(f64::from(moment.second()) + f64::from(moment.nanosecond()) / 1e9),
        "yearofweek" => i64::from(moment.iso_week().year()),
        "dayofweek_iso" | "dow_iso" => i64::from(moment.weekday().number_from_monday()),
        _ => return a.refuse(CallError::Argument),
    })
}

const DEFAULT_PATTERN: &str = "yyyy-MM-dd HH:mm:ss";

fn from_unixtime(a: &Arguments<'_>) -> Option<Value> {
    let moment = chrono::DateTime::from_timestamp(a.integer(0)?, 0)?.naive_utc();
    let pattern = if a.len() > 1 { a.text(1)?.into_owned() } else { DEFAULT_PATTERN.to_owned() };
    formatted(a, &moment, &pattern)
}

/// Text is read by the pattern; without one it must be a complete `yyyy-MM-dd HH:mm:ss`, as in Spark. A date or
/// timestamp argument comes as text too and is read in its own form if the pattern does not fit.
fn unix_timestamp(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let pattern = if a.len() > 1 { a.text(1)?.into_owned() } else { DEFAULT_PATTERN.to_owned() };
    integer(parsed(a, &source, &pattern)?.and_utc().timestamp())
}

fn formatted(a: &Arguments<'_>, moment: &NaiveDateTime, pattern: &str) -> Option<Value> {
    match date_pattern::format(moment, pattern) {
        Some(shown) => text(shown),
        None => a.refuse(CallError::DatePattern),
    }
}

fn parsed(a: &Arguments<'_>, source: &str, pattern: &str) -> Option<NaiveDateTime> {
    if date_pattern::is_readable(pattern) {
        date_pattern::parse(source, pattern)
    } else {
        a.refuse(CallError::DatePattern)
    }
}

fn from_micros(micros: i64) -> Option<Value> {
    shown_moment(chrono::DateTime::from_timestamp_micros(micros)?.naive_utc())
}

fn make_timestamp(a: &Arguments<'_>) -> Option<Value> {
    let part = |at: usize| u32::try_from(a.integer(at)?).ok();
    let date = NaiveDate::from_ymd_opt(i32::try_from(a.integer(0)?).ok()?, part(1)?, part(2)?)?;
    let micros = (a.real(5)? * 1e6).round() as i64;
    let (second, micros) = (u32::try_from(micros.div_euclid(1_000_000)).ok()?, micros.rem_euclid(1_000_000) as u32);
    // Second 60 without a fraction is the start of the next minute.
    if (second, micros) == (60, 0) {
        return shown_moment(date.and_hms_opt(part(3)?, part(4)?, 0)?.checked_add_signed(TimeDelta::minutes(1))?);
    }
    shown_moment(date.and_hms_micro_opt(part(3)?, part(4)?, second, micros)?)
}

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Returns the months and microseconds of a unit of time.
fn unit_of_time(name: &str) -> Option<(i64, i64)> {
    Some(match name {
        "microsecond" => (0, 1),
        "millisecond" => (0, 1_000),
        "second" => (0, 1_000_000),
        "minute" => (0, 60_000_000),
        "hour" => (0, 3_600_000_000),
        "day" | "dayofyear" => (0, MICROS_PER_DAY),
        "week" => (0, 7 * MICROS_PER_DAY),
        "month" => (1, 0),
        "quarter" => (3, 0),
        "year" => (12, 0),
        _ => return None,
    })
}

/// Arguments: `(unit, count, moment)`. A day beyond the end of the resulting month becomes its last day.
fn timestampadd(a: &Arguments<'_>) -> Option<Value> {
    let (count, start) = (a.integer(1)?, moment(a, 2)?);
    let Some((months, micros)) = unit_of_time(&a.text(0)?) else { return a.refuse(CallError::Argument) };
    let micros = micros.checked_mul(count)?;
    let (days, rest) = (micros.div_euclid(MICROS_PER_DAY), micros.rem_euclid(MICROS_PER_DAY));
    shown_moment(TimeStep { months: months.checked_mul(count)?, days, micros: rest }.from(start)?)
}

/// Arguments: `(unit, start, end)`. Gives the number of whole units between them, negative if the end comes first.
fn timestampdiff(a: &Arguments<'_>) -> Option<Value> {
    let (start, end) = (moment(a, 1)?, moment(a, 2)?);
    match unit_of_time(&a.text(0)?) {
        Some((0, micros)) => integer(end.signed_duration_since(start).num_microseconds()? / micros),
        Some((months, _)) => integer(whole_months(start, end)? / months),
        None => a.refuse(CallError::Argument),
    }
}

/// Returns the whole months between two moments, as Java counts them.
fn whole_months(start: NaiveDateTime, end: NaiveDateTime) -> Option<i64> {
    let last = match end.date().cmp(&start.date()) {
        std::cmp::Ordering::Greater if end.time() < start.time() => end.date().pred_opt()?,
        std::cmp::Ordering::Less if end.time() > start.time() => end.date().succ_opt()?,
        _ => end.date(),
    };
    let packed =
        |date: NaiveDate| (i64::from(date.year()) * 12 + i64::from(date.month0())) * 32 + i64::from(date.day());
    Some((packed(last) - packed(start.date())) / 32)
}

/// Arguments: `(value, months, days, microseconds)`. A date stays a date unless microseconds are added.
fn add_interval(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let (months, days, micros) = (a.integer(1)?, a.integer(2)?, a.integer(3)?);
    let start = read_moment(&source)?;
    let moved = TimeStep { months, days, micros }.from(start)?;
    if source.trim().len() <= 10 && micros == 0 { shown_date(moved.date()) } else { shown_moment(moved) }
}

/// Rounds half away from zero, as Spark does.
fn rounded_interval(interval: f64) -> Option<Value> {
    integer(interval.round() as i64)
}

fn divided_interval(a: &Arguments<'_>) -> Option<Value> {
    let (interval, by) = (a.integer(0)?, a.real(1)?);
    if by == 0.0 { a.refuse(CallError::Argument) } else { rounded_interval(interval as f64 / by) }
}

/// Arguments: `(number, units)`. Gives the text to which Spark casts the interval.
fn text_of_interval(a: &Arguments<'_>) -> Option<Value> {
    const SECOND: u64 = 1_000_000;
    const DAY: u64 = MICROSECONDS_OF_DAY.unsigned_abs();
    let number = a.integer(0)?;
    let (sign, size) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
    let (days, seconds) = (size / DAY, size % DAY / SECOND);
    let fraction = format!("{:06}", size % SECOND);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    let clock = format!("{:02}:{:02}:{:02}{point}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match &*a.text(1)? {
        "Days" => text(format!("INTERVAL '{sign}{days}' DAY")),
        "Time" => text(format!("INTERVAL '{sign}{days} {clock}' DAY TO SECOND")),
        _ => a.refuse(CallError::Argument),
    }
}

fn moment_and_zone(a: &Arguments<'_>) -> Option<(NaiveDateTime, Zone)> {
    let moment = match a.raw(0) {
        ValueRef::Integer(millis) => DateTime::from_timestamp_millis(millis)?.naive_utc(),
        _ => moment(a, 0)?,
    };
    let name = a.text(1)?;
    Some((moment, Zone::read(&name).or_else(|| a.refuse(CallError::Zone))?))
}
