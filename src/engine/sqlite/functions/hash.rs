//! Digests.

use md5::Digest as _;
use rusqlite::types::Value;

use super::arguments::Arguments;
use super::{Body, integer, text};

pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("h_md5", |a| text(hexadecimal(&md5::Md5::digest(a.text(0)?.as_bytes())))),
    ("h_sha2", sha2),
    ("h_crc32", |a| integer(i64::from(crc32(a.text(0)?.as_bytes())))),
    ("h_base64", |a| text(base64(a.text(0)?.as_bytes()))),
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

/// The CRC of zip and Ethernet (polynomial 0xEDB88320).
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
