//! Functions of dates and timestamps. The time zone is UTC.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, TimeDelta, Timelike, Weekday};
use rusqlite::types::{Value, ValueRef};

use serde_json::Value as Json;

use super::arguments::{Arguments, CallError};
use super::collection::BYTES_OF_MEMBER;
use super::json::nested;
use super::zone::Zone;
use super::{Body, date_pattern, integer, real, text};

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
    ("h_timestampadd", timestampadd),
    ("h_timestampdiff", timestampdiff),
];

/// Reads a date as Spark casts text to one: `2024-3-5`, `2024-03`, `2024` and what follows a blank or `T` count.
pub(super) fn read_date(source: &str) -> Option<NaiveDate> {
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

fn date(a: &Arguments<'_>, at: usize) -> Option<NaiveDate> {
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

/// A timestamp, or a time of day alone, whose date does not matter.
fn clock(a: &Arguments<'_>) -> Option<NaiveDateTime> {
    moment(a, 0).or_else(|| read_moment(&format!("1970-01-01 {}", a.text(0)?)))
}

fn shown_date(date: NaiveDate) -> Option<Value> {
    text(date.format("%Y-%m-%d").to_string())
}

/// A timestamp as Spark shows it: the fraction only when there is one, without trailing zeros.
pub(super) fn moment_text(moment: &NaiveDateTime) -> String {
    let micros = moment.nanosecond() / 1000;
    let whole = moment.format("%Y-%m-%d %H:%M:%S").to_string();
    if micros == 0 { whole } else { format!("{whole}.{}", format!("{micros:06}").trim_end_matches('0')) }
}

fn shown_moment(moment: NaiveDateTime) -> Option<Value> {
    text(moment_text(&moment))
}

fn shift(a: &Arguments<'_>, sign: i64) -> Option<Value> {
    let days = a.integer(1)?.checked_mul(sign)?;
    let date = date(a, 0)?;
    let amount = Days::new(days.unsigned_abs());
    shown_date(if days >= 0 { date.checked_add_days(amount)? } else { date.checked_sub_days(amount)? })
}

fn add_months(date: NaiveDate, months: i64) -> Option<NaiveDate> {
    let amount = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    if months >= 0 { date.checked_add_months(amount) } else { date.checked_sub_months(amount) }
}

fn last_day(date: NaiveDate) -> Option<NaiveDate> {
    date.with_day(1)?.checked_add_months(Months::new(1))?.pred_opt()
}

/// Whole months when both are the same day or both month ends, else with a fraction of a month of 31 days.
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

/// Text is read by the pattern; without one it must be `yyyy-MM-dd HH:mm:ss` in full, as Spark wants it. A date or
/// timestamp argument comes as text too and is read in its own form when the pattern does not fit.
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
    // Second 60 is the first of the next minute, if it is a whole one.
    if (second, micros) == (60, 0) {
        return shown_moment(date.and_hms_opt(part(3)?, part(4)?, 0)?.checked_add_signed(TimeDelta::minutes(1))?);
    }
    shown_moment(date.and_hms_micro_opt(part(3)?, part(4)?, second, micros)?)
}

/// Dates or timestamps from the first to the second by a step of months, days and microseconds; one day without a step,
/// backwards when the second lies before.
pub(super) fn sequence(a: &Arguments<'_>) -> Option<Value> {
    let (first, last) = (moment(a, 0)?, moment(a, 1)?);
    let dates = a.text(0)?.trim().len() <= 10;
    let amount = |at: usize| if at < a.len() { a.integer(at) } else { Some(0) };
    let step =
        if a.len() > 2 { (amount(2)?, amount(3)?, amount(4)?) } else { (0, if first <= last { 1 } else { -1 }, 0) };
    let ahead = if first <= last { 1 } else { -1 };
    if (step.0.signum(), step.1.signum(), step.2.signum()) == (0, 0, 0)
        || [step.0, step.1, step.2].iter().any(|part| part.signum() * ahead < 0)
    {
        return if first == last {
            nested(Json::from(vec![a.text(0)?.into_owned()]))
        } else {
            a.refuse(CallError::Argument)
        };
    }
    let mut items = Vec::new();
    for index in 0.. {
        let moved = moved(first, (step.0.checked_mul(index)?, step.1.checked_mul(index)?, step.2.checked_mul(index)?))?;
        if moved != last && (moved > last) == (ahead > 0) {
            break;
        }
        a.fits((items.len() + 1) * BYTES_OF_MEMBER)?;
        items.push(Json::from(if dates { moved.format("%Y-%m-%d").to_string() } else { moment_text(&moved) }));
    }
    nested(Json::Array(items))
}

/// A moment moved by months, days and microseconds.
fn moved(start: NaiveDateTime, (months, days, micros): (i64, i64, i64)) -> Option<NaiveDateTime> {
    let moved = add_months(start.date(), months)?.and_time(start.time());
    moved.checked_add_signed(TimeDelta::try_days(days)?)?.checked_add_signed(TimeDelta::microseconds(micros))
}

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Months and microseconds of one unit of time.
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

/// `(unit, count, moment)`: months end with the month at the latest.
fn timestampadd(a: &Arguments<'_>) -> Option<Value> {
    let (count, start) = (a.integer(1)?, moment(a, 2)?);
    let Some((months, micros)) = unit_of_time(&a.text(0)?) else { return a.refuse(CallError::Argument) };
    let micros = micros.checked_mul(count)?;
    let (days, rest) = (micros.div_euclid(MICROS_PER_DAY), micros.rem_euclid(MICROS_PER_DAY));
    shown_moment(moved(start, (months.checked_mul(count)?, days, rest))?)
}

/// `(unit, start, end)`: how many whole units lie between, less than 0 when the end comes first.
fn timestampdiff(a: &Arguments<'_>) -> Option<Value> {
    let (start, end) = (moment(a, 1)?, moment(a, 2)?);
    match unit_of_time(&a.text(0)?) {
        Some((0, micros)) => integer(end.signed_duration_since(start).num_microseconds()? / micros),
        Some((months, _)) => integer(whole_months(start, end)? / months),
        None => a.refuse(CallError::Argument),
    }
}

/// Whole months between two moments, as Java counts them.
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

/// `(value, months, days, microseconds)`: a date stays a date while no time is added.
fn add_interval(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    let (months, days, micros) = (a.integer(1)?, a.integer(2)?, a.integer(3)?);
    let start = read_moment(&source)?;
    let moved = moved(start, (months, days, micros))?;
    if source.trim().len() <= 10 && micros == 0 { shown_date(moved.date()) } else { shown_moment(moved) }
}
