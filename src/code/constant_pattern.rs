//! Regular expressions that are constants of this program.

use regex::Regex;

/// Compiles a pattern that does not depend on any input.
///
/// # Panics
///
/// If the pattern is wrong. It is then wrong in every run, so the first test that needs it fails, whereas a pattern that
/// is dropped finds nothing and nobody notices.
pub(crate) fn constant_pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("a constant pattern does not compile: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "a constant pattern does not compile")]
    fn a_wrong_pattern_is_not_dropped() {
        constant_pattern("a(b");
    }
}
