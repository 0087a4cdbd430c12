//! Turns cells into keys, so that equal cells have equal keys.

use std::borrow::Cow;

use crate::code::types::Type;
use crate::engine::table::{ResultTable, UnorderedValues, Value};

/// The largest difference, absolute or relative to the larger one, at which two fractions are equal.
const TOLERANCE: f64 = 1e-9;
/// The largest scale at which decimals are rounded. Beyond it they are compared as fractions, within tolerance.
const MOST_DIGITS: u8 = 8;
/// 2^53: up to here `f64` represents every whole number exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The key of a cell. Equal cells have equal keys and equal hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CellKey<'a> {
    Null,
    Integer(i64),
    /// The bits of a number that is not whole (or is beyond `i64`).
    Fraction(u64),
    /// A group of fractions within tolerance of each other.
    Group(u32),
    Text(Cow<'a, str>),
}

/// How the cells of a column become keys.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ColumnRule {
    /// As they are. Whole numbers are equal whatever their types are.
    Plain,
    /// Rounded at this scale.
    Decimal(u8),
    /// As values whose elements stand in no order.
    Bag(UnorderedValues),
}

impl ColumnRule {
    /// Returns the rule for each column of two tables with the same number of columns.
    pub fn of_tables(left: &ResultTable, right: &ResultTable) -> Vec<ColumnRule> {
        let rule = |(left, right): (&crate::engine::table::ResultColumn, &crate::engine::table::ResultColumn)| {
            // Who joins elements in no order where the left side, the reference, sorts them, gives another text.
            let of_right = right.unordered.as_ref().filter(|unordered| **unordered == UnorderedValues::Arrays);
            if let Some(unordered) = left.unordered.as_ref().or(of_right) {
                return ColumnRule::Bag(unordered.clone());
            }
            let scale = match (&left.data_type, &right.data_type) {
                (Type::Decimal(_, left), Type::Decimal(_, right)) => *left.max(right),
                (Type::Decimal(_, scale), Type::Int | Type::BigInt | Type::Null)
                | (Type::Int | Type::BigInt | Type::Null, Type::Decimal(_, scale)) => *scale,
                _ => return ColumnRule::Plain,
            };
            if scale <= MOST_DIGITS { ColumnRule::Decimal(scale) } else { ColumnRule::Plain }
        };
        left.columns.iter().zip(&right.columns).map(rule).collect()
    }

    /// Returns the key of a cell without tolerance.
    pub fn key<'a>(&self, value: &'a Value) -> CellKey<'a> {
        match (self, value) {
            (_, Value::Null) => CellKey::Null,
            (ColumnRule::Decimal(scale), Value::Integer(whole)) => decimal(*whole as f64, *scale),
            (ColumnRule::Decimal(scale), Value::Real(number)) => decimal(*number, *scale),
            (_, Value::Integer(whole)) => CellKey::Integer(*whole),
            (_, Value::Real(number)) => number_key(*number),
            (ColumnRule::Bag(unordered), Value::Text(text)) => CellKey::Text(unordered.sorted(text)),
            (_, Value::Text(text)) => CellKey::Text(Cow::Borrowed(text)),
        }
    }
}

fn number_key(number: f64) -> CellKey<'static> {
    let whole = number as i64;
    if whole as f64 == number && number.abs() < EXACT {
        return CellKey::Integer(whole);
    }
    CellKey::Fraction(if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() })
}

/// The powers of ten up to the largest scale.
const POWERS: [f64; MOST_DIGITS as usize + 1] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

fn decimal(number: f64, scale: u8) -> CellKey<'static> {
    let scaled = number * POWERS[usize::from(scale.min(MOST_DIGITS))];
    if scaled.abs() < EXACT { CellKey::Integer(scaled.round() as i64) } else { CellKey::Fraction(number.to_bits()) }
}

/// Returns the number in a cell; `None` if tolerance does not apply to it.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_number().filter(|number| !number.is_nan())
}

/// Groups the numbers of a column: two numbers are in one group if a chain of steps within tolerance connects them.
/// Equality by group is an equivalence relation, which pairwise tolerance is not.
pub(super) struct Groups {
    starts: Vec<f64>,
}

impl Groups {
    /// Groups the numbers of a column of both tables.
    pub fn of(mut numbers: Vec<f64>) -> Groups {
        numbers.sort_unstable_by(f64::total_cmp);
        let mut starts = Vec::new();
        let mut previous = f64::NEG_INFINITY;
        for number in numbers {
            let tolerance = TOLERANCE * 1f64.max(number.abs()).max(previous.abs());
            let joins = previous.is_finite() && number - previous <= tolerance;
            if !joins && (starts.is_empty() || number != previous) {
                starts.push(number);
            }
            previous = number;
        }
        Groups { starts }
    }

    pub fn key(&self, number: f64) -> CellKey<'static> {
        CellKey::Group(self.starts.partition_point(|start| *start <= number) as u32)
    }
}

/// A fast hash of 128 bits for rows: two lanes that multiply and fold.
#[derive(Clone, Copy)]
pub(super) struct RowHash([u64; 2]);

impl Default for RowHash {
    fn default() -> Self {
        RowHash([0x2D35_8DCC_AA6C_78A5, 0x8BB8_4B93_962E_ACC9])
    }
}

impl RowHash {
    const MULTIPLIERS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
    /// Eight bytes that occur in no text, as they are not UTF-8.
    const NO_TEXT: u64 = u64::MAX;

    pub fn add(&mut self, key: &CellKey<'_>) {
        match key {
            CellKey::Null => self.mix(0x51, Self::NO_TEXT),
            CellKey::Integer(whole) => self.mix(*whole as u64 ^ 0xA076_1D64_78BD_642F, Self::NO_TEXT),
            CellKey::Fraction(bits) => self.mix(*bits, Self::NO_TEXT),
            CellKey::Group(group) => self.mix(u64::from(*group) | 1 << 40, Self::NO_TEXT),
            CellKey::Text(text) => self.text(text.as_bytes()),
        }
    }

    pub fn finish(self) -> [u64; 2] {
        self.0
    }

    /// Adds a text sixteen bytes at a time, then the rest together with its length.
    fn text(&mut self, bytes: &[u8]) {
        let (pairs, rest) = bytes.as_chunks::<16>();
        pairs.iter().for_each(|pair| self.mix(first_word(pair), last_word(pair)));
        let (first, last) = match rest.len() {
            0..4 => (rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
            length @ 4..8 => (first_half(rest) | last_half(rest) >> (8 * (8 - length)) << 32, 0),
            length => (first_word(rest), last_word(rest).checked_shr(8 * (16 - length as u32)).unwrap_or(0)),
        };
        self.mix(first ^ 0xE703_7ED1_A0B4_28DB, last | (rest.len() as u64 | 0x80) << 56);
    }

    /// `other` never equals a multiplier, which would make the product zero, because the multipliers are not UTF-8.
    fn mix(&mut self, word: u64, other: u64) {
        for (lane, multiplier) in self.0.iter_mut().zip(Self::MULTIPLIERS) {
            let product = u128::from(*lane ^ word).wrapping_mul(u128::from(multiplier ^ other));
            *lane = (product as u64 ^ (product >> 64) as u64).wrapping_add(multiplier);
        }
    }
}

/// Returns a hash of a row that is the same for rows of equal values.
pub(crate) fn row_hash(row: &[Value]) -> [u64; 2] {
    let mut hash = RowHash::default();
    row.iter().for_each(|value| hash.add(&ColumnRule::Plain.key(value)));
    hash.finish()
}

fn first_word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

fn last_word(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

fn first_half(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |half| u64::from(u32::from_le_bytes(*half)))
}

fn last_half(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |half| u64::from(u32::from_le_bytes(*half)))
}
