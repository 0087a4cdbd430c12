//! Functions that are rarely called: likeness, check digits, quotes, places in bitmaps, members and entries.

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::arguments::{Arguments, CallError, value_of};
use super::json::{LEAST_FIELD, nested, plain};
use super::{Body, boolean, integer, real, text};

/// How many bits a bitmap of Spark's has.
const BITMAP_BITS: i64 = 32_768;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_jaro_winkler_similarity", |a| {
        let (left, right) = (a.text(0)?, a.text(1)?);
        a.affords(left.len().saturating_mul(right.len()))?;
        real(likeness(&left, &right))
    }),
    ("h_luhn_check", |a| boolean(has_check_digit(&a.text(0)?))),
    ("h_quote", |a| text(format!("'{}'", a.text(0)?.replace('\'', "\\'")))),
    ("h_is_valid_utf8", |a| a.text(0).and_then(|_| boolean(true))),
    ("h_utf8", |a| text(a.text(0)?)),
    ("h_bitmap_bit_position", |a| {
        let value = a.integer(0)?;
        integer(if value > 0 { (value - 1) % BITMAP_BITS } else { value.checked_neg()? % BITMAP_BITS })
    }),
    ("h_bitmap_bucket_number", |a| {
        let value = a.integer(0)?;
        integer(if value > 0 { 1 + (value - 1) / BITMAP_BITS } else { value / BITMAP_BITS })
    }),
    ("h_shiftrightunsigned", |a| {
        // The second argument counts the bits of the type: INT has 32, BIGINT 64.
        let (value, shift) = (a.integer(0)?, a.integer(1)?);
        match a.integer(2)? {
            32 => integer((value as i32 as u32).wrapping_shr(shift as u32) as i32),
            _ => integer((value as u64).wrapping_shr(shift as u32) as i64),
        }
    }),
    ("h_get", |a| value_of(a.array(0)?.get(usize::try_from(a.integer(1)?).ok()?)?)),
    ("h_map_from_entries", map_from_entries),
    ("h_arrays_zip_named", arrays_zip),
];

/// `name, array, name, array …` as an array of structs, as long as the longest.
fn arrays_zip(a: &Arguments<'_>) -> Option<Value> {
    let arrays: Vec<(String, Vec<Json>)> =
        (0..a.len() / 2).map(|at| Some((a.text(2 * at)?.into_owned(), a.array(2 * at + 1)?))).collect::<Option<_>>()?;
    let length = arrays.iter().map(|(_, items)| items.len()).max().unwrap_or(0);
    let fields: usize = arrays.iter().map(|(name, _)| name.len() + LEAST_FIELD).sum();
    a.fits(length.saturating_mul(fields))?;
    let row = |at: usize| {
        let field = |(name, items): &(String, Vec<Json>)| (name.clone(), items.get(at).cloned().unwrap_or(Json::Null));
        Json::Object(arrays.iter().map(field).collect())
    };
    nested((0..length).map(row).collect())
}

/// A NULL entry makes the map NULL; a key that is NULL or there twice is an error.
fn map_from_entries(a: &Arguments<'_>) -> Option<Value> {
    let mut map = Map::new();
    for entry in a.array(0)? {
        let Json::Object(entry) = entry else { return None };
        let mut parts = entry.into_iter().map(|(_, value)| value);
        let (Some(key), Some(value)) = (parts.next(), parts.next()) else { return a.refuse(CallError::Argument) };
        if key.is_null() || map.insert(plain(&key), value).is_some() {
            return a.refuse(CallError::Argument);
        }
    }
    nested(Json::Object(map))
}

/// Luhn's check of a number: every second digit from the right is doubled.
fn has_check_digit(text: &str) -> bool {
    let digits: Option<Vec<u32>> = text.chars().rev().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| !digits.is_empty()) else { return false };
    let worth = |(at, digit): (usize, &u32)| match at % 2 {
        0 => *digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    };
    digits.iter().enumerate().map(worth).sum::<u32>().is_multiple_of(10)
}

/// Jaro's likeness, nearer to 1 for a common beginning of up to four characters when it is above 0.7.
fn likeness(left: &str, right: &str) -> f64 {
    let jaro = strsim::jaro(left, right);
    let common = left.chars().zip(right.chars()).take(4).take_while(|(left, right)| left == right).count();
    if jaro > 0.7 { jaro + 0.1 * common as f64 * (1.0 - jaro) } else { jaro }
}
