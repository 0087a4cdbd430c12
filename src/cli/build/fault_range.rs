//! Reads how many faults a task is to have.

use std::ops::RangeInclusive;

/// Reads `2` or `1..3`; both ends are included.
pub fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.trim().parse(), most.trim_start_matches('=').trim().parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 8 => Ok(least..=most),
        _ => Err("expected a number from 1 to 8, or two of them as in `1..3`".to_owned()),
    }
}

/// Reads the least and the most faults of a task, as [`range`] does.
pub(super) fn fault_range(text: &str) -> Result<[usize; 2], String> {
    range(text).map(|range| [*range.start(), *range.end()])
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_include_both_ends_and_never_reach_zero() {
        assert_eq!(range("2"), Ok(2..=2));
        assert_eq!(range("1..3"), Ok(1..=3));
        assert_eq!(range("1..=3"), Ok(1..=3));
        for wrong in ["0", "0..2", "3..1", "1..", "x", "1..99", ""] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
