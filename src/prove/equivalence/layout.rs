//! Texts without their layout.

/// Text in lower case with single blanks, so that layout does not count.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
