//! Kinds of business to which scripts are carried over.

use crate::store::yaml::{YamlError, read_yaml};

/// Reads the list carried in the binary.
pub(super) fn businesses() -> Result<Vec<String>, YamlError> {
    read_yaml(include_str!("../../templates/prompt/author_businesses.yaml"))
}

/// Returns the domain of a business: its words after the article, in lower case, with `_` between them.
pub(super) fn domain(business: &str) -> String {
    let words = business.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.map(str::to_lowercase).skip_while(|word| word == "a" || word == "an");
    words.take(4).collect::<Vec<_>>().join("_")
}
