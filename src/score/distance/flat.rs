//! Trees of depth one: lists of tokens.

use super::forest::LabelNumbers;
use crate::code::script::Script;
use crate::code::token::TokenKind;

/// Returns the labels of the significant tokens of a script, with words in lower case and names unquoted.
pub(super) fn tokens(script: &Script, labels: &mut LabelNumbers) -> Vec<u32> {
    let number = |token: &crate::code::token::Token| {
        let text = token.span().of(script.text());
        match token.kind {
            TokenKind::Text | TokenKind::Command => labels.number(text),
            TokenKind::QuotedName => labels.number(&text.trim_matches('`').to_lowercase()),
            _ => labels.number(&text.to_lowercase()),
        }
    };
    script.tokens().iter().map(number).collect()
}

/// Returns the edit distance with unit costs; `None` if it is larger than `bound`.
///
/// Only a band of width 2 × bound + 1 is computed: E. Ukkonen, "Algorithms for approximate string matching",
/// Information and Control 64 (1985).
pub(super) fn distance_within(left: &[u32], right: &[u32], bound: usize) -> Option<usize> {
    let front = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[front..], &right[front..]);
    let back = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - back], &right[..right.len() - back]);
    if left.len().abs_diff(right.len()) > bound {
        return None;
    }
    let over = bound + 1;
    let mut row: Vec<usize> = (0..=right.len()).map(|cost| cost.min(over)).collect();
    for (place, token) in left.iter().enumerate() {
        let (low, high) = (place.saturating_sub(bound), (place + 1 + bound).min(right.len()));
        let mut diagonal = row[low];
        row[low] = if low == 0 { (place + 1).min(over) } else { over };
        for column in low + 1..=high {
            // The cell above lies outside the band at its right end.
            let above = if column == place + 1 + bound { over } else { row[column] };
            let change = diagonal + usize::from(*token != right[column - 1]);
            diagonal = row[column];
            row[column] = change.min(above + 1).min(row[column - 1] + 1).min(over);
        }
        if low > 0 {
            row[low] = row[low].min(over);
        }
    }
    Some(row[right.len()]).filter(|distance| *distance <= bound)
}
