//! A text whose placeholders are replaced by their values.

use super::span::Span;

/// A text after binding, and the way back to the original bytes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BoundText {
    /// The bound text.
    pub text: String,
    /// For each replacement, in order: the bytes replaced in the original, and the value's bytes in the bound text.
    pub replaced: Vec<(Span, Span)>,
}

impl BoundText {
    /// The text with the spans replaced by their values. Of two spans of which one holds the other, the outer one counts.
    pub(super) fn replacing(text: &str, mut values: Vec<(Span, String)>) -> BoundText {
        values.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        let mut bound = BoundText { text: String::with_capacity(text.len() + 64), replaced: Vec::new() };
        let mut kept = 0;
        for (span, value) in values {
            if span.start < kept {
                continue;
            }
            bound.text.push_str(&text[kept..span.start]);
            let start = bound.text.len();
            bound.text.push_str(&value);
            bound.replaced.push((span, Span::new(start, bound.text.len())));
            kept = span.end;
        }
        bound.text.push_str(&text[kept..]);
        bound
    }

    /// The byte of the original text that byte `offset` of the bound text comes from; for a byte inside a value, the
    /// start of the bytes that it replaced.
    pub fn original(&self, offset: usize) -> usize {
        let after = self.replaced.partition_point(|(_, bound)| bound.start <= offset);
        match self.replaced[..after].last() {
            Some((original, bound)) if offset < bound.end => original.start,
            Some((original, bound)) => offset - bound.end + original.end,
            None => offset,
        }
    }
}
