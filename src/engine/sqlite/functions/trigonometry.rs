//! Trigonometry, logarithms near zero and other functions of real numbers, and bit operations on whole numbers.

use rusqlite::types::Value;

use super::arguments::Arguments;
use super::body::{Body, integer, real};

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_sin", |a| real(a.real(0)?.sin())),
    ("h_cos", |a| real(a.real(0)?.cos())),
    ("h_tan", |a| real(a.real(0)?.tan())),
    ("h_cot", |a| real(1.0 / a.real(0)?.tan())),
    ("h_sec", |a| real(1.0 / a.real(0)?.cos())),
    ("h_csc", |a| real(1.0 / a.real(0)?.sin())),
    ("h_asin", |a| real(a.real(0)?.asin())),
    ("h_acos", |a| real(a.real(0)?.acos())),
    ("h_atan", |a| real(a.real(0)?.atan())),
    ("h_atan2", |a| real(a.real(0)?.atan2(a.real(1)?))),
    ("h_sinh", |a| real(a.real(0)?.sinh())),
    ("h_cosh", |a| real(a.real(0)?.cosh())),
    ("h_tanh", |a| real(a.real(0)?.tanh())),
    ("h_asinh", |a| real(a.real(0)?.asinh())),
    ("h_acosh", |a| real(a.real(0)?.acosh())),
    ("h_atanh", |a| real(a.real(0)?.atanh())),
    ("h_degrees", |a| real(a.real(0)?.to_degrees())),
    ("h_radians", |a| real(a.real(0)?.to_radians())),
    ("h_pi", |_| real(std::f64::consts::PI)),
    ("h_e", |_| real(std::f64::consts::E)),
    ("h_hypot", |a| real(a.real(0)?.hypot(a.real(1)?))),
    ("h_expm1", |a| real(a.real(0)?.exp_m1())),
    ("h_log1p", |a| real(Some(a.real(0)?).filter(|number| *number > -1.0)?.ln_1p())),
    ("h_rint", |a| real(a.real(0)?.round_ties_even())),
    ("h_factorial", factorial),
    ("h_width_bucket", width_bucket),
    ("h_bit_count", |a| integer(i64::from(a.integer(0)?.count_ones()))),
    ("h_bit_get", |a| integer(a.integer(0)? >> a.integer(1)?.clamp(0, 63) & 1)),
    ("h_getbit", |a| integer(a.integer(0)? >> a.integer(1)?.clamp(0, 63) & 1)),
    ("h_shiftleft", |a| integer(a.integer(0)? << (a.integer(1)? & 31))),
    ("h_shiftright", |a| integer(a.integer(0)? >> (a.integer(1)? & 31))),
];

/// Gives NULL outside 0 to 20, beyond which a BIGINT does not hold the factorial.
fn factorial(a: &Arguments<'_>) -> Option<Value> {
    let number = a.integer(0)?;
    if (0..=20).contains(&number) { integer((1..=number).product::<i64>()) } else { None }
}

/// Buckets count from 1. Values outside get 0 or one more than the number of buckets.
fn width_bucket(a: &Arguments<'_>) -> Option<Value> {
    let (value, low, high, count) = (a.real(0)?, a.real(1)?, a.real(2)?, a.integer(3)?);
    if count <= 0 || low == high {
        return None;
    }
    let share = (value - low) / (high - low);
    integer(if share < 0.0 {
        0
    } else if share >= 1.0 {
        count + 1
    } else {
        (share * count as f64) as i64 + 1
    })
}
