//! Digests and encodings of text.

use md5::Digest as _;
use rusqlite::types::Value;

use super::arguments::{Arguments, Refusal};
use super::{Body, date, digest, integer, text};
use crate::code::schema::read_type;
use crate::code::types::Type;

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_md5", |a| text(hexadecimal(&md5::Md5::digest(a.text(0)?.as_bytes())))),
    ("h_sha1", |a| text(hexadecimal(&digest::sha1(a.text(0)?.as_bytes())))),
    ("h_sha", |a| text(hexadecimal(&digest::sha1(a.text(0)?.as_bytes())))),
    ("h_sha2", sha2),
    ("h_crc32", |a| integer(i64::from(digest::crc32(a.text(0)?.as_bytes())))),
    ("h_hash", hash),
    ("h_xxhash64", xxhash64),
    ("h_base64", |a| text(base64(a.text(0)?.as_bytes()))),
    ("h_unbase64", |a| decoded(a, unbase64(&a.text(0)?)?)),
    ("h_unhex", |a| decoded(a, unhex(&a.text(0)?)?)),
    ("h_encode", |a| text(a.text(0)?)),
    ("h_decode", |a| text(a.text(0)?)),
];

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

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

/// A value in the form in which Spark hashes it.
enum Hashed {
    Int(i32),
    Long(i64),
    Bytes(Vec<u8>),
}

/// The values after the first argument, which names their types: `h_hash('INT;STRING', 1, 'a')`. The types decide: an
/// INT hashes otherwise than a BIGINT. NULLs change nothing.
fn hashed(a: &Arguments<'_>) -> Option<Vec<Hashed>> {
    let types = a.text(0)?;
    let mut values = Vec::new();
    for (index, name) in types.split(';').enumerate() {
        if a.is_null(index + 1) {
            continue;
        }
        let value = read_type(name).ok().and_then(|data_type| one_hashed(a, index + 1, &data_type));
        values.push(value.or_else(|| a.refuse(Refusal::Unhashable))?);
    }
    Some(values)
}

fn one_hashed(a: &Arguments<'_>, at: usize, data_type: &Type) -> Option<Hashed> {
    Some(match data_type {
        Type::Boolean | Type::Int => Hashed::Int(i32::try_from(a.integer(at)?).ok()?),
        Type::BigInt => Hashed::Long(a.integer(at)?),
        Type::Double => {
            let number = a.real(at)?;
            Hashed::Long(if number == 0.0 { 0 } else { number.to_bits() as i64 })
        }
        Type::Decimal(precision, scale) if *precision <= 18 => {
            Hashed::Long((a.real(at)? * 10f64.powi(i32::from(*scale))).round() as i64)
        }
        Type::String => Hashed::Bytes(a.text(at)?.as_bytes().to_vec()),
        Type::Date => Hashed::Int(date::read_date(&a.text(at)?)?.to_epoch_days()),
        Type::Timestamp => Hashed::Long(date::read_moment(&a.text(at)?)?.and_utc().timestamp_micros()),
        _ => return None,
    })
}

fn hash(a: &Arguments<'_>) -> Option<Value> {
    let all = hashed(a)?.into_iter().fold(42, |seed, value| match value {
        Hashed::Int(number) => digest::murmur_int(number, seed),
        Hashed::Long(number) => digest::murmur_long(number, seed),
        Hashed::Bytes(bytes) => digest::murmur_bytes(&bytes, seed),
    });
    integer(i64::from(all as i32))
}

fn xxhash64(a: &Arguments<'_>) -> Option<Value> {
    let all = hashed(a)?.into_iter().fold(42, |seed, value| match value {
        Hashed::Int(number) => digest::xx_int(number, seed),
        Hashed::Long(number) => digest::xx_long(number, seed),
        Hashed::Bytes(bytes) => digest::xx_bytes(&bytes, seed),
    });
    integer(all as i64)
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            shown.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    shown
}

fn unbase64(source: &str) -> Option<Vec<u8>> {
    let letters: Vec<u8> = source.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').collect();
    let mut bytes = Vec::new();
    for group in letters.chunks(4) {
        let mut bits = 0u32;
        for letter in group {
            bits = bits << 6 | LETTERS.iter().position(|candidate| candidate == letter)? as u32;
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend(bits.to_be_bytes()[1..].iter().take(group.len() - 1));
    }
    Some(bytes)
}

fn unhex(source: &str) -> Option<Vec<u8>> {
    let digits = source.chars().map(|c| c.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    let odd = digits.len() % 2;
    let first = digits[..odd].iter().map(|digit| *digit as u8);
    Some(first.chain(digits[odd..].chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8)).collect())
}

/// Bytes are kept as text; what is no text is refused.
fn decoded(a: &Arguments<'_>, bytes: Vec<u8>) -> Option<Value> {
    match String::from_utf8(bytes) {
        Ok(whole) => text(whole),
        Err(_) => a.refuse(Refusal::Bytes),
    }
}
