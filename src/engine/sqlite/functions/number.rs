//! Functions of numbers.

use rusqlite::types::{Value, ValueRef};

use super::arguments::Arguments;
use super::body::{Body, boolean, integer, real, text};

/// The number of bits in a bitmap of Spark.
const BITMAP_BITS: i64 = 32_768;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_abs", |a| keep_integer(a, i64::wrapping_abs, f64::abs)),
    ("h_negative", |a| keep_integer(a, i64::wrapping_neg, |x| -x)),
    ("h_positive", |a| keep_integer(a, |x| x, |x| x)),
    ("h_round", |a| round(a, false)),
    ("h_bround", |a| round(a, true)),
    ("h_floor", |a| whole(a, f64::floor)),
    ("h_ceil", |a| whole(a, f64::ceil)),
    ("h_ceiling", |a| whole(a, f64::ceil)),
    ("h_sqrt", |a| real(a.real(0)?.sqrt())),
    ("h_cbrt", |a| real(a.real(0)?.cbrt())),
    ("h_pow", |a| real(a.real(0)?.powf(a.real(1)?))),
    ("h_power", |a| real(a.real(0)?.powf(a.real(1)?))),
    ("h_exp", |a| real(a.real(0)?.exp())),
    ("h_ln", |a| logarithm(a.real(0)?, f64::ln)),
    ("h_log", log),
    ("h_log10", |a| logarithm(a.real(0)?, f64::log10)),
    ("h_log2", |a| logarithm(a.real(0)?, f64::log2)),
    ("h_sign", |a| sign(a)),
    ("h_divide", |a| divide(a)),
    ("h_modulo", |a| remainder(a, false)),
    ("h_mod", |a| remainder(a, false)),
    ("h_pmod", |a| remainder(a, true)),
    ("h_integer_divide", integer_divide),
    ("h_greatest", |a| extreme(a, true)),
    ("h_least", |a| extreme(a, false)),
    ("h_isnan", |_| boolean(false)),
    ("h_nanvl", |a| Some(a.value(0))),
    ("h_conv", conv),
    ("h_hex", hex),
    ("h_bin", |a| text(format!("{:b}", a.integer(0)?))),
    ("h_try_add", |a| attempt(a, i64::checked_add, |x, y| Some(x + y))),
    ("h_try_subtract", |a| attempt(a, i64::checked_sub, |x, y| Some(x - y))),
    ("h_try_multiply", |a| attempt(a, i64::checked_mul, |x, y| Some(x * y))),
    ("h_try_divide", |a| attempt(a, |_, _| None, |x, y| (y != 0.0).then(|| x / y))),
    ("h_bitmap_bit_position", |a| {
        let value = a.integer(0)?;
        integer(if value > 0 { (value - 1) % BITMAP_BITS } else { value.checked_neg()? % BITMAP_BITS })
    }),
    ("h_bitmap_bucket_number", |a| {
        let value = a.integer(0)?;
        integer(if value > 0 { 1 + (value - 1) / BITMAP_BITS } else { value / BITMAP_BITS })
    }),
    ("h_shiftrightunsigned", |a| {
        // The third argument is the number of bits of the type: 32 for INT, 64 for BIGINT.
        let (value, shift) = (a.integer(0)?, a.integer(1)?);
        match a.integer(2)? {
            32 => integer((value as i32 as u32).wrapping_shr(shift as u32) as i32),
            _ => integer((value as u64).wrapping_shr(shift as u32) as i64),
        }
    }),
];

fn keep_integer(a: &Arguments<'_>, whole: fn(i64) -> i64, fraction: fn(f64) -> f64) -> Option<Value> {
    match a.raw(0) {
        ValueRef::Integer(number) => integer(whole(number)),
        _ => real(fraction(a.real(0)?)),
    }
}

/// Rounds the decimal text of a number like Java's BigDecimal: halves away from zero, or to the even digit if `even`.
fn round(a: &Arguments<'_>, even: bool) -> Option<Value> {
    let places = if a.len() > 1 { a.integer(1)? } else { 0 };
    if let (ValueRef::Integer(number), 0..) = (a.raw(0), places) {
        return integer(number);
    }
    let number = a.real(0)?;
    let rounded = round_to(number, places, even);
    match a.raw(0) {
        ValueRef::Integer(_) => integer(rounded as i64),
        _ => real(rounded),
    }
}

/// Rounds `number` to `places` decimals.
pub(super) fn round_to(number: f64, places: i64, even: bool) -> f64 {
    if !number.is_finite() || places > 15 {
        return number;
    }
    let scale = 10f64.powi(places.clamp(-300, 15) as i32);
    let scaled = number * scale;
    // Writing a number out as text takes long, and few are near a half.
    if (scaled.abs().fract() - 0.5).abs() > 1e-6 {
        return unscaled(scaled.round(), scale);
    }
    // The decimal text decides what is a half: 1.005 counts as 1.005, not as 1.00499999999999989.
    let shown: f64 = format!("{scaled:.6}").parse().unwrap_or(scaled);
    let near_half = (shown.abs().fract() - 0.5).abs() < 1e-9;
    let rounded = match (near_half, even) {
        (true, true) => (shown / 2.0).round() * 2.0,
        (true, false) => shown.abs().ceil().copysign(shown),
        (false, _) => scaled.round(),
    };
    unscaled(rounded, scale)
}

/// Returns a rounded number in its own unit; never a negative zero.
fn unscaled(rounded: f64, scale: f64) -> f64 {
    if rounded == 0.0 { 0.0 } else { rounded / scale }
}

fn whole(a: &Arguments<'_>, round: fn(f64) -> f64) -> Option<Value> {
    match a.raw(0) {
        ValueRef::Integer(number) => integer(number),
        _ => integer(round(a.real(0)?) as i64),
    }
}

fn logarithm(number: f64, function: fn(f64) -> f64) -> Option<Value> {
    if number <= 0.0 { None } else { real(function(number)) }
}

fn log(a: &Arguments<'_>) -> Option<Value> {
    if a.len() == 1 {
        return logarithm(a.real(0)?, f64::ln);
    }
    let (base, number) = (a.real(0)?, a.real(1)?);
    if base <= 0.0 || number <= 0.0 { None } else { real(number.ln() / base.ln()) }
}

fn sign(a: &Arguments<'_>) -> Option<Value> {
    let number = a.real(0)?;
    real(if number == 0.0 { 0.0 } else { number.signum() })
}

/// `/` is floating-point division whatever the operands are. Division by zero gives NULL.
fn divide(a: &Arguments<'_>) -> Option<Value> {
    let divisor = a.real(1)?;
    if divisor == 0.0 { None } else { real(a.real(0)? / divisor) }
}

fn remainder(a: &Arguments<'_>, positive: bool) -> Option<Value> {
    if let (ValueRef::Integer(left), ValueRef::Integer(right)) = (a.raw(0), a.raw(1)) {
        if right == 0 {
            return None;
        }
        let rest = left.wrapping_rem(right);
        return integer(if positive && rest < 0 { rest.wrapping_add(right).wrapping_rem(right) } else { rest });
    }
    let (left, right) = (a.real(0)?, a.real(1)?);
    if right == 0.0 {
        return None;
    }
    let rest = left % right;
    real(if positive && rest < 0.0 { (rest + right) % right } else { rest })
}

fn integer_divide(a: &Arguments<'_>) -> Option<Value> {
    if let (ValueRef::Integer(left), ValueRef::Integer(right)) = (a.raw(0), a.raw(1)) {
        return if right == 0 { None } else { integer(left.wrapping_div(right)) };
    }
    let (left, right) = (a.real(0)?, a.real(1)?);
    if right == 0.0 { None } else { integer((left / right).trunc() as i64) }
}

/// NULLs are ignored. Numbers compare as numbers, everything else as text.
fn extreme(a: &Arguments<'_>, greatest: bool) -> Option<Value> {
    let mut best: Option<usize> = None;
    for at in (0..a.len()).filter(|at| !a.is_null(*at)) {
        let better = best.is_none_or(|best| {
            let ordering = order(a, at, best);
            if greatest { ordering.is_gt() } else { ordering.is_lt() }
        });
        if better {
            best = Some(at);
        }
    }
    best.map(|at| a.value(at))
}

fn order(a: &Arguments<'_>, left: usize, right: usize) -> std::cmp::Ordering {
    let number = |at: usize| match a.raw(at) {
        ValueRef::Integer(number) => Some(number as f64),
        ValueRef::Real(number) => Some(number),
        _ => None,
    };
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        _ => a.text(left).cmp(&a.text(right)),
    }
}

/// Reads as many valid digits of the old base as there are, as Hive does. Negative bases give signed results.
fn conv(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?.trim().to_owned();
    let (from, to) = (u32::try_from(a.integer(1)?).ok()?, a.integer(2)?);
    let target = to.unsigned_abs();
    if !(2..=36).contains(&from) || !(2..=36).contains(&target) || source.is_empty() {
        return None;
    }
    let (negative, digits) = source.strip_prefix('-').map_or((false, source.as_str()), |rest| (true, rest));
    let mut number = 0u64;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(from) else { break };
        let next = number.checked_mul(u64::from(from)).and_then(|n| n.checked_add(u64::from(digit)));
        number = next.unwrap_or(u64::MAX);
    }
    let bits = if negative { (number as i64).wrapping_neg() as u64 } else { number };
    let (sign, mut rest) = if to < 0 && (bits as i64) < 0 { ("-", (bits as i64).unsigned_abs()) } else { ("", bits) };
    let mut shown = Vec::new();
    loop {
        shown.push(char::from_digit((rest % target) as u32, target as u32)?.to_ascii_uppercase());
        rest /= target;
        if rest == 0 {
            break;
        }
    }
    text(format!("{sign}{}", shown.iter().rev().collect::<String>()))
}

fn hex(a: &Arguments<'_>) -> Option<Value> {
    match a.raw(0) {
        ValueRef::Integer(number) => text(format!("{number:X}")),
        ValueRef::Text(bytes) => text(bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>()),
        _ => None,
    }
}

/// Does arithmetic on whole numbers, giving NULL if the result exceeds the third argument, or on doubles if that is 0.
fn attempt(
    a: &Arguments<'_>,
    whole: impl Fn(i64, i64) -> Option<i64>,
    double: impl Fn(f64, f64) -> Option<f64>,
) -> Option<Value> {
    match a.integer(2)? {
        0 => real(double(a.real(0)?, a.real(1)?)?),
        most => integer(whole(a.integer(0)?, a.integer(1)?).filter(|it| (-most - 1..=most).contains(it))?),
    }
}
