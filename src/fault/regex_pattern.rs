//! A regular expression of a taxonomy file.

use regex::Regex;
use serde::Deserialize;

/// A regular expression.
#[derive(Clone, Debug)]
pub struct RegexPattern(Regex);

impl std::ops::Deref for RegexPattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.0
    }
}

impl<'de> Deserialize<'de> for RegexPattern {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        Regex::new(&source).map(RegexPattern).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attack | regular expressions that explode, `(a+)+b` or a thousand million states, in a taxonomy | – | linear time; the large one is refused
    #[test]
    fn expressions_neither_backtrack_nor_grow_without_end() {
        let read = |source: &str| serde_json::from_value::<RegexPattern>(serde_json::json!(source));
        assert!(!read("^(a+)+(a+)+b$").unwrap().is_match(&"a".repeat(100_000)));
        let error = read("(((a{1000}){1000}){1000})").unwrap_err().to_string();
        assert!(error.contains("size limit"), "{error}");
    }
}
