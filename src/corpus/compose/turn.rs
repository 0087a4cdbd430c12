//! The edits between two writings of one plan.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::code::span::Span;
use crate::code::token::tokenize;

/// The edits that change the tokens of `old` into those of `new`; blanks that differ elsewhere stay as they are.
pub(super) fn turned(old: &str, new: &str) -> Vec<(Span, String)> {
    let spans = |text: &str| -> Vec<Span> {
        tokenize(text).into_iter().filter(|token| !token.kind.is_trivia()).map(|token| token.span()).collect()
    };
    let (old_spans, new_spans) = (spans(old), spans(new));
    let words = |text: &'static str| text;
    let _ = words;
    let old_words: Vec<&str> = old_spans.iter().map(|span| span.of(old)).collect();
    let new_words: Vec<&str> = new_spans.iter().map(|span| span.of(new)).collect();
    let end_before = |spans: &[Span], place: usize| place.checked_sub(1).map_or(0, |before| spans[before].end);
    let mut edits = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old_words, &new_words) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => {
                let start = end_before(&old_spans, old_index);
                edits.push((Span::new(start, old_spans[old_index + old_len - 1].end), String::new()));
            }
            DiffOp::Insert { old_index, new_index, new_len } => {
                let at = end_before(&old_spans, old_index);
                let from = end_before(&new_spans, new_index);
                let to = new_spans[new_index + new_len - 1].end;
                edits.push((Span::new(at, at), new[from..to].to_owned()));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let span = Span::new(old_spans[old_index].start, old_spans[old_index + old_len - 1].end);
                let text = &new[new_spans[new_index].start..new_spans[new_index + new_len - 1].end];
                edits.push((span, text.to_owned()));
            }
        }
    }
    edits
}
