//! SHA-1, CRC-32 and the two hashes by which Spark distributes rows, in pure functions of bytes.

/// SHA-1 (FIPS 180-4).
pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut state: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        sha1_block(&mut state, block);
    }
    let mut digest = [0; 20];
    for (target, word) in digest.chunks_exact_mut(4).zip(state) {
        target.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn sha1_block(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0u32; 80];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for at in 16..80 {
        words[at] = (words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (round, word) in words.iter().enumerate() {
        let (mixed, constant) = match round / 20 {
            0 => ((b & c) | (!b & d), 0x5A82_7999),
            1 => (b ^ c ^ d, 0x6ED9_EBA1),
            2 => ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6_u32),
        };
        let next = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e).wrapping_add(constant).wrapping_add(*word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    for (part, value) in state.iter_mut().zip([a, b, c, d, e]) {
        *part = part.wrapping_add(value);
    }
}

/// The CRC of zip and Ethernet (polynomial 0xEDB88320).
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}

fn murmur_mix(hash: u32, word: u32) -> u32 {
    let mixed = word.wrapping_mul(0xCC9E_2D51).rotate_left(15).wrapping_mul(0x1B87_3593);
    (hash ^ mixed).rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64)
}

fn murmur_finish(hash: u32, length: u32) -> u32 {
    let hash = hash ^ length;
    let hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    let hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

/// Spark's Murmur3 of an INT.
pub(super) fn murmur_int(value: i32, seed: u32) -> u32 {
    murmur_finish(murmur_mix(seed, value as u32), 4)
}

/// Spark's Murmur3 of a BIGINT.
pub(super) fn murmur_long(value: i64, seed: u32) -> u32 {
    murmur_finish(murmur_mix(murmur_mix(seed, value as u32), (value >> 32) as u32), 8)
}

/// Spark's Murmur3 of text: unlike the original it mixes each byte of the tail as a word of its own.
pub(super) fn murmur_bytes(bytes: &[u8], seed: u32) -> u32 {
    let words = bytes.chunks_exact(4);
    let tail = words.remainder();
    let little = |word: &[u8]| word.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
    let hash = words.fold(seed, |hash, word| murmur_mix(hash, little(word)));
    let hash = tail.iter().fold(hash, |hash, byte| murmur_mix(hash, *byte as i8 as i32 as u32));
    murmur_finish(hash, bytes.len() as u32)
}

const PRIME_1: u64 = 0x9E37_79B1_85EB_CA87;
const PRIME_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const PRIME_3: u64 = 0x1656_67B1_9E37_79F9;
const PRIME_4: u64 = 0x85EB_CA77_C2B2_AE63;
const PRIME_5: u64 = 0x27D4_EB2F_1656_67C5;

fn xx_finish(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 33)).wrapping_mul(PRIME_2);
    let hash = (hash ^ (hash >> 29)).wrapping_mul(PRIME_3);
    hash ^ (hash >> 32)
}

fn xx_word(hash: u64, word: u64) -> u64 {
    let mixed = word.wrapping_mul(PRIME_2).rotate_left(31).wrapping_mul(PRIME_1);
    (hash ^ mixed).rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4)
}

fn xx_half(hash: u64, half: u32) -> u64 {
    (hash ^ u64::from(half).wrapping_mul(PRIME_1)).rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3)
}

/// xxHash64 of an INT.
pub(super) fn xx_int(value: i32, seed: u64) -> u64 {
    xx_finish(xx_half(seed.wrapping_add(PRIME_5).wrapping_add(4), value as u32))
}

/// xxHash64 of a BIGINT.
pub(super) fn xx_long(value: i64, seed: u64) -> u64 {
    xx_finish(xx_word(seed.wrapping_add(PRIME_5).wrapping_add(8), value as u64))
}

/// xxHash64 of bytes.
pub(super) fn xx_bytes(bytes: &[u8], seed: u64) -> u64 {
    let little = |part: &[u8]| part.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    let stripes = bytes.chunks_exact(32);
    let mut rest = stripes.remainder();
    let start = if bytes.len() >= 32 { xx_stripes(stripes, seed) } else { seed.wrapping_add(PRIME_5) };
    let mut hash = start.wrapping_add(bytes.len() as u64);
    while rest.len() >= 8 {
        hash = xx_word(hash, little(&rest[..8]));
        rest = &rest[8..];
    }
    if rest.len() >= 4 {
        hash = xx_half(hash, little(&rest[..4]) as u32);
        rest = &rest[4..];
    }
    for byte in rest {
        hash = (hash ^ u64::from(*byte).wrapping_mul(PRIME_5)).rotate_left(11).wrapping_mul(PRIME_1);
    }
    xx_finish(hash)
}

fn xx_stripes<'a>(stripes: impl Iterator<Item = &'a [u8]>, seed: u64) -> u64 {
    let round =
        |lane: u64, word: u64| lane.wrapping_add(word.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1);
    let mut lanes = [
        seed.wrapping_add(PRIME_1).wrapping_add(PRIME_2),
        seed.wrapping_add(PRIME_2),
        seed,
        seed.wrapping_sub(PRIME_1),
    ];
    for stripe in stripes {
        for (lane, part) in lanes.iter_mut().zip(stripe.chunks_exact(8)) {
            *lane = round(*lane, part.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte)));
        }
    }
    let turned = [1, 7, 12, 18].into_iter().zip(lanes).map(|(turn, lane)| lane.rotate_left(turn));
    let merged = turned.fold(0u64, u64::wrapping_add);
    lanes.into_iter().fold(merged, |hash, lane| (hash ^ round(0, lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha1_pads_every_length_right() {
        let shown =
            |length: usize| sha1(&vec![b'a'; length]).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        for (length, expected) in [
            (0, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
            (56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
            (64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
            (119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        ] {
            assert_eq!(shown(length), expected, "{length}");
        }
    }
}
