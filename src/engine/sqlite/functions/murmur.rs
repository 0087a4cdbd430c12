//! Spark's variant of 32-bit Murmur3, which `hash()` gives and by which Spark distributes rows. Unlike the original it
//! mixes each byte of the tail as a word of its own, so no Murmur3 crate computes it.

fn mix(hash: u32, word: u32) -> u32 {
    let mixed = word.wrapping_mul(0xCC9E_2D51).rotate_left(15).wrapping_mul(0x1B87_3593);
    (hash ^ mixed).rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64)
}

fn finish(hash: u32, length: u32) -> u32 {
    let hash = hash ^ length;
    let hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    let hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

/// Hashes an INT.
pub(super) fn of_int(value: i32, seed: u32) -> u32 {
    finish(mix(seed, value as u32), 4)
}

/// Hashes a BIGINT.
pub(super) fn of_long(value: i64, seed: u32) -> u32 {
    finish(mix(mix(seed, value as u32), (value >> 32) as u32), 8)
}

/// Hashes text.
pub(super) fn of_bytes(bytes: &[u8], seed: u32) -> u32 {
    let words = bytes.chunks_exact(4);
    let tail = words.remainder();
    let little = |word: &[u8]| word.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
    let hash = words.fold(seed, |hash, word| mix(hash, little(word)));
    let hash = tail.iter().fold(hash, |hash, byte| mix(hash, *byte as i8 as i32 as u32));
    finish(hash, bytes.len() as u32)
}
