//! Other values that may stand for a placeholder, if the one that is proposed first does not serve.

use super::day::{COMPACT_DAY, COMPACT_FIRST_DAY, COMPACT_MONTH, DAY, FIRST_DAY, MOMENT, MONTH};
use crate::code::literal::quoted;

/// What else a value of a form may be: a day with the end of its month and other ways to write it, a month, a number, a
/// word.
const ALTERNATIVES: [(&str, &[&str]); 10] = [
    (DAY, &["2024-03-31", COMPACT_DAY, MONTH, MOMENT]),
    (COMPACT_DAY, &["20240331", DAY, COMPACT_MONTH]),
    (FIRST_DAY, &[COMPACT_FIRST_DAY, MONTH, "2024-01-01"]),
    (COMPACT_FIRST_DAY, &[FIRST_DAY, "202401"]),
    ("2024-03-14", &["20240314", "2024-02-29"]),
    (COMPACT_MONTH, &[MONTH, "202401", COMPACT_DAY]),
    ("3", &["03", COMPACT_MONTH, MONTH, "1"]),
    ("15", &[DAY, COMPACT_DAY]),
    ("7", &["x", "1", DAY]),
    ("x", &["7", DAY, COMPACT_DAY, MOMENT, ""]),
];

/// Returns what else may stand for a placeholder; what is a whole value may be a text with quotes of its own, or one
/// without.
pub(super) fn alternatives(first: &str, is_value: bool) -> Vec<String> {
    let inner = first.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let known = ALTERNATIVES.iter().find(|(value, _)| *value == inner.unwrap_or(first));
    let others = known.map_or(&[][..], |(_, others)| others).iter();
    let is_number = |value: &str| value.chars().all(|c| c.is_ascii_digit());
    let has_quotes = |value: &str| if is_value { !is_number(value) } else { inner.is_some() };
    let written = others.map(|value| if has_quotes(value) { quoted(value) } else { (*value).to_owned() });
    let turned = inner.map_or_else(|| quoted(first), str::to_owned);
    written.chain((is_value && known.is_some()).then_some(turned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_values_are_written_as_the_place_wants_them() {
        for (first, is_value, others) in [
            ("2024-03-14", false, vec!["20240314", "2024-02-29"]),
            ("'x'", true, vec!["7", "'2024-03-15'", "20240315", "'2024-03-15 10:00:00'", "", "x"]),
            ("7", true, vec!["'x'", "1", "'2024-03-15'", "'7'"]),
            ("prod", true, vec![]),
            ("", true, vec![]),
        ] {
            assert_eq!(alternatives(first, is_value), others, "{first}");
        }
    }
}
