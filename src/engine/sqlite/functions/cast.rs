//! Casts by target type, with ANSI mode off: what cannot be cast becomes NULL.

use rusqlite::types::{Value, ValueRef};

use super::arguments::{Arguments, double_text};
use super::body::{Body, boolean, integer, real, text};
use super::moment::{moment_text, read_date, read_moment};
use super::number::round_to;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_cast_int", |a| narrow(a, i64::from(i32::MIN), i64::from(i32::MAX))),
    ("h_cast_smallint", |a| narrow(a, i64::from(i16::MIN), i64::from(i16::MAX))),
    ("h_cast_tinyint", |a| narrow(a, i64::from(i8::MIN), i64::from(i8::MAX))),
    ("h_cast_bigint", |a| integer(whole(a)?)),
    ("h_cast_double", |a| real(number(a)?)),
    ("h_cast_decimal", decimal),
    ("h_cast_boolean", to_boolean),
    ("h_cast_date", |a| text(read_date(&a.text(0)?)?.to_string())),
    ("h_cast_timestamp", to_timestamp),
    ("h_cast_string", |a| text(a.text(0)?)),
    ("h_cast_string_from_double", |a| text(double_text(a.real(0)?))),
    ("h_cast_string_from_decimal", |a| {
        text(format!("{:.*}", usize::try_from(a.integer(1)?).ok()?.min(38), a.real(0)?))
    }),
    ("h_cast_string_from_boolean", |a| text(a.boolean(0)?.to_string())),
];

/// Returns the whole part of a number. Text may have a fraction, and blanks around it, but nothing else.
fn whole(a: &Arguments<'_>) -> Option<i64> {
    match a.raw(0) {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Real(number) => Some(number as i64),
        ValueRef::Text(_) => {
            let source = a.text(0)?;
            let trimmed = source.trim();
            let (digits, fraction) = trimmed.split_once('.').unwrap_or((trimmed, ""));
            if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            match digits {
                "" | "+" | "-" if trimmed.contains('.') => Some(0),
                digits => digits.parse().ok(),
            }
        }
        _ => None,
    }
}

/// Casts to a narrower type of whole numbers. Beyond its range text becomes NULL, a fraction becomes the nearest bound
/// and a whole number wraps around.
fn narrow(a: &Arguments<'_>, least: i64, most: i64) -> Option<Value> {
    let number = whole(a)?;
    let width = i128::from(most) - i128::from(least) + 1;
    match a.raw(0) {
        _ if (least..=most).contains(&number) => integer(number),
        ValueRef::Real(_) => integer(number.clamp(least, most)),
        ValueRef::Integer(_) => {
            let wrapped = (i128::from(number) - i128::from(least)).rem_euclid(width) + i128::from(least);
            integer(i64::try_from(wrapped).ok()?)
        }
        _ => None,
    }
}

fn number(a: &Arguments<'_>) -> Option<f64> {
    match a.raw(0) {
        ValueRef::Text(_) => {
            let source = a.text(0)?;
            let trimmed = source.trim();
            let digits = trimmed
                .strip_suffix(['d', 'D', 'f', 'F'])
                .filter(|digits| digits.ends_with(|c: char| c.is_ascii_digit() || c == '.'));
            digits.unwrap_or(trimmed).parse().ok()
        }
        _ => a.real(0),
    }
}

/// Rounds to the scale, halves away from zero. A number that does not fit the precision becomes NULL.
fn decimal(a: &Arguments<'_>) -> Option<Value> {
    real(decimal_number(number(a)?, a.integer(1)?, a.integer(2)?)?)
}

/// Returns a number as a decimal with `precision` digits holds it, `scale` of them behind the point, rounding halves
/// away from zero; `None` if it has too many digits before the point.
pub(crate) fn decimal_number(number: f64, precision: i64, scale: i64) -> Option<f64> {
    let rounded = round_to(number, scale, false);
    let largest = 10f64.powi(i32::try_from(precision - scale).ok()?);
    (rounded.abs() < largest).then_some(rounded)
}

fn to_boolean(a: &Arguments<'_>) -> Option<Value> {
    let ValueRef::Text(_) = a.raw(0) else { return boolean(a.real(0)? != 0.0) };
    match a.text(0)?.trim().to_lowercase().as_str() {
        "t" | "true" | "y" | "yes" | "1" => boolean(true),
        "f" | "false" | "n" | "no" | "0" => boolean(false),
        _ => None,
    }
}

fn to_timestamp(a: &Arguments<'_>) -> Option<Value> {
    match a.raw(0) {
        ValueRef::Text(_) => text(moment_text(&read_moment(&a.text(0)?)?)),
        ValueRef::Real(seconds) => {
            text(moment_text(&chrono::DateTime::from_timestamp_micros((seconds * 1e6) as i64)?.naive_utc()))
        }
        _ => text(moment_text(&chrono::DateTime::from_timestamp(a.integer(0)?, 0)?.naive_utc())),
    }
}
