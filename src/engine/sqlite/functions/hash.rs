//! Digests and encodings of text.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use rusqlite::types::Value;
use sha2::Digest as _;
use xxhash_rust::xxh64::xxh64;

use super::arguments::{Arguments, CallError};
use super::body::{Body, integer, text};
use super::{moment, murmur};
use crate::code::schema::read_type;
use crate::code::types::Type;
use crate::store::hexadecimal;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_md5", |a| text(hexadecimal(&md5::Md5::digest(a.text(0)?.as_bytes())))),
    ("h_sha1", |a| text(hexadecimal(&sha1::Sha1::digest(a.text(0)?.as_bytes())))),
    ("h_sha", |a| text(hexadecimal(&sha1::Sha1::digest(a.text(0)?.as_bytes())))),
    ("h_sha2", sha2),
    ("h_crc32", |a| integer(i64::from(crc32fast::hash(a.text(0)?.as_bytes())))),
    ("h_hash", hash),
    ("h_xxhash64", xxhash64),
    ("h_base64", |a| text(BASE64.encode(a.text(0)?.as_bytes()))),
    ("h_unbase64", |a| decoded(a, unbase64(&a.text(0)?)?)),
    ("h_unhex", |a| decoded(a, unhex(&a.text(0)?)?)),
    ("h_encode", |a| text(a.text(0)?)),
];

fn sha2(a: &Arguments<'_>) -> Option<Value> {
    let source = a.text(0)?;
    text(match a.integer(1)? {
        0 | 256 => hexadecimal(&sha2::Sha256::digest(source.as_bytes())),
        224 => hexadecimal(&sha2::Sha224::digest(source.as_bytes())),
        384 => hexadecimal(&sha2::Sha384::digest(source.as_bytes())),
        512 => hexadecimal(&sha2::Sha512::digest(source.as_bytes())),
        _ => return None,
    })
}

/// A value in the form that Spark hashes.
enum HashedValue {
    Int(i32),
    Long(i64),
    Bytes(Vec<u8>),
}

/// Returns the values after the first argument, which names their types: `h_hash('INT;STRING', 1, 'a')`. The types
/// matter because an INT and a BIGINT hash differently. NULLs do not change the hash and are left out.
fn hashed(a: &Arguments<'_>) -> Option<Vec<HashedValue>> {
    let types = a.text(0)?;
    let mut values = Vec::new();
    for (index, name) in types.split(';').enumerate() {
        if a.is_null(index + 1) {
            continue;
        }
        let value = read_type(name).ok().and_then(|data_type| one_hashed(a, index + 1, &data_type));
        values.push(value.or_else(|| a.refuse(CallError::Unhashable))?);
    }
    Some(values)
}

fn one_hashed(a: &Arguments<'_>, at: usize, data_type: &Type) -> Option<HashedValue> {
    Some(match data_type {
        Type::Boolean | Type::Int => HashedValue::Int(i32::try_from(a.integer(at)?).ok()?),
        Type::BigInt => HashedValue::Long(a.integer(at)?),
        Type::Double => {
            let number = a.real(at)?;
            HashedValue::Long(if number == 0.0 { 0 } else { number.to_bits() as i64 })
        }
        Type::Decimal(precision, scale) if *precision <= 18 => {
            HashedValue::Long((a.real(at)? * 10f64.powi(i32::from(*scale))).round() as i64)
        }
        Type::String => HashedValue::Bytes(a.text(at)?.as_bytes().to_vec()),
        Type::Date => HashedValue::Int(moment::read_date(&a.text(at)?)?.to_epoch_days()),
        Type::Timestamp => HashedValue::Long(moment::read_moment(&a.text(at)?)?.and_utc().timestamp_micros()),
        _ => return None,
    })
}

fn hash(a: &Arguments<'_>) -> Option<Value> {
    let all = hashed(a)?.into_iter().fold(42, |seed, value| match value {
        HashedValue::Int(number) => murmur::of_int(number, seed),
        HashedValue::Long(number) => murmur::of_long(number, seed),
        HashedValue::Bytes(bytes) => murmur::of_bytes(&bytes, seed),
    });
    integer(i64::from(all as i32))
}

fn xxhash64(a: &Arguments<'_>) -> Option<Value> {
    let all = hashed(a)?.into_iter().fold(42, |seed, value| match value {
        HashedValue::Int(number) => xxh64(&number.to_le_bytes(), seed),
        HashedValue::Long(number) => xxh64(&number.to_le_bytes(), seed),
        HashedValue::Bytes(bytes) => xxh64(&bytes, seed),
    });
    integer(all as i64)
}

/// Java's MIME decoder: padding is optional, and bits behind the last whole byte are dropped.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

fn unbase64(source: &str) -> Option<Vec<u8>> {
    let letters: Vec<u8> = source.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').collect();
    BASE64.decode(letters).ok()
}

fn unhex(source: &str) -> Option<Vec<u8>> {
    let digits = source.chars().map(|c| c.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    let odd = digits.len() % 2;
    let first = digits[..odd].iter().map(|digit| *digit as u8);
    Some(first.chain(digits[odd..].chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8)).collect())
}

/// Returns bytes as text; refuses the call if they are not UTF-8.
fn decoded(a: &Arguments<'_>, bytes: Vec<u8>) -> Option<Value> {
    match String::from_utf8(bytes) {
        Ok(whole) => text(whole),
        Err(_) => a.refuse(CallError::Bytes),
    }
}
