//! The edits between two writings of one plan.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::code::span::Span;
use crate::code::token::tokenize;

/// A text with its significant tokens.
struct TokenisedText<'a> {
    text: &'a str,
    spans: Vec<Span>,
    words: Vec<&'a str>,
}

impl<'a> TokenisedText<'a> {
    fn new(text: &'a str) -> TokenisedText<'a> {
        let significant = tokenize(text).into_iter().filter(|token| !token.kind.is_trivia());
        let spans: Vec<Span> = significant.map(|token| token.span()).collect();
        let words = spans.iter().map(|span| span.of(text)).collect();
        TokenisedText { text, spans, words }
    }
}

/// The edits of a script that change the tokens of the part at `span` into those of `new`; blanks that differ elsewhere
/// stay as they are.
pub(super) fn turned(script: &str, span: Span, new: &str) -> Vec<(Span, String)> {
    let edits = changed(&TokenisedText::new(span.of(script)), new);
    edits.into_iter().map(|(part, text)| (Span::new(part.start + span.start, part.end + span.start), text)).collect()
}

fn changed(old: &TokenisedText<'_>, new: &str) -> Vec<(Span, String)> {
    let tokens = TokenisedText::new(new);
    let (old_spans, new_spans) = (&old.spans, &tokens.spans);
    let (old_words, new_words) = (&old.words, &tokens.words);
    let end_before = |spans: &[Span], place: usize| place.checked_sub(1).map_or(0, |before| spans[before].end);
    let mut edits = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old_words, new_words) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => {
                let start = end_before(old_spans, old_index);
                edits.push((Span::new(start, old_spans[old_index + old_len - 1].end), String::new()));
            }
            DiffOp::Insert { old_index, new_index, new_len } => {
                let at = end_before(old_spans, old_index);
                let from = end_before(new_spans, new_index);
                let to = new_spans[new_index + new_len - 1].end;
                let text = new[from..to].to_owned();
                edits.push((Span::new(at, at), text));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let span = Span::new(old_spans[old_index].start, old_spans[old_index + old_len - 1].end);
                let text = &new[new_spans[new_index].start..new_spans[new_index + new_len - 1].end];
                edits.push((span, text.to_owned()));
            }
        }
    }
    for (span, text) in &mut edits {
        apart(old.text, *span, text);
    }
    edits
}

/// Adds the blanks without which the words around an edit would grow together.
fn apart(old: &str, span: Span, text: &mut String) {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'');
    let (before, after) = (old[..span.start].ends_with(name), old[span.end..].starts_with(name));
    if before && text.starts_with(name) {
        text.insert(0, ' ');
    }
    if after && (text.ends_with(name) || (text.is_empty() && before)) {
        text.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenisedText, changed};

    #[test]
    fn a_word_added_after_a_parenthesis_stays_a_word() {
        let edits = changed(&TokenisedText::new("COUNT(a.x)"), "COUNT(DISTINCT a.x)");
        assert_eq!(edits.len(), 1);
        assert_eq!(edits[0].1, "DISTINCT ");
        let edits = changed(&TokenisedText::new("THEN (a.x) / 2"), "THEN a.x / 2");
        assert_eq!(edits[0].1, " ");
    }
}
