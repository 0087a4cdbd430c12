//! Computes the edits between two texts of one plan.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::code::span::Span;
use crate::code::token::{Token, TokenKind, tokenize};

/// A text with its significant tokens: neither blanks nor comments.
struct TokenisedText<'a> {
    text: &'a str,
    spans: Vec<Span>,
    /// The tokens as they compare: words in lower case, since keywords are written in either.
    words: Vec<String>,
}

impl<'a> TokenisedText<'a> {
    fn new(text: &'a str) -> TokenisedText<'a> {
        let significant: Vec<Token> = tokenize(text).into_iter().filter(|token| !token.kind.is_trivia()).collect();
        let word = |token: &Token| match token.kind {
            TokenKind::Word => token.span().of(text).to_lowercase(),
            _ => token.span().of(text).to_owned(),
        };
        let words = significant.iter().map(word).collect();
        TokenisedText { text, spans: significant.iter().map(Token::span).collect(), words }
    }

    /// Returns where the token before the one at `place` ends.
    fn end_before(&self, place: usize) -> usize {
        place.checked_sub(1).map_or(0, |before| self.spans[before].end)
    }

    /// Returns some tokens with the gaps to their neighbours; `None` unless these are nothing or blanks on one line.
    fn with_gaps(&self, tokens: Range<usize>) -> Option<Span> {
        let before = self.spans.get(tokens.start.checked_sub(1)?)?.end;
        let after = self.spans.get(tokens.end)?.start;
        let (start, end) = match self.spans.get(tokens.clone()).unwrap_or_default() {
            [] => (after, after),
            [first, ..] => (first.start, self.spans[tokens.end - 1].end),
        };
        let is_plain = |gap: Span| gap.of(self.text).chars().all(|blank| blank == ' ');
        (is_plain(Span::new(before, start)) && is_plain(Span::new(end, after))).then_some(Span::new(before, after))
    }

    /// Whether a token is the first of its line.
    fn follows_break(&self, place: usize) -> bool {
        self.text[self.end_before(place)..self.spans[place].start].contains('\n')
    }

    /// Whether the tokens from `first` on begin a line that goes on behind them.
    fn begins_line(&self, first: usize, count: usize) -> bool {
        let end = self.spans[first + count - 1].end;
        let next = self.spans.get(first + count);
        self.follows_break(first) && next.is_some_and(|next| !self.text[end..next.start].contains('\n'))
    }

    /// Returns the tokens from `first` on with the blanks that come and go with them: those behind them if they begin a
    /// line, else those before them.
    fn with_blanks(&self, first: usize, count: usize) -> Span {
        if self.begins_line(first, count) {
            return Span::new(self.spans[first].start, self.spans[first + count].start);
        }
        Span::new(self.end_before(first), self.spans[first + count - 1].end)
    }
}

/// Returns the edits of a script that change the tokens at `span` into those of `new`; other blanks stay.
pub(super) fn token_edits(script: &str, span: Span, new: &str) -> Vec<(Span, String)> {
    let edits = changed(&TokenisedText::new(span.of(script)), new);
    edits.into_iter().map(|(part, text)| (Span::new(part.start + span.start, part.end + span.start), text)).collect()
}

fn changed(old: &TokenisedText<'_>, new: &str) -> Vec<(Span, String)> {
    let tokens = TokenisedText::new(new);
    let (old_spans, new_spans) = (&old.spans, &tokens.spans);
    let (old_words, new_words) = (&old.words, &tokens.words);
    let mut edits = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old_words, new_words) {
        let op = at_line_breaks(old, &tokens, op);
        if let Some(edit) = within_line(old, &tokens, &op) {
            edits.push(edit);
            continue;
        }
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => {
                edits.push((old.with_blanks(old_index, old_len), String::new()));
            }
            DiffOp::Insert { old_index, new_index, new_len } => {
                let added = tokens.with_blanks(new_index, new_len);
                // Words at the start of a line go behind the break that stands there already.
                let at = match old_spans.get(old_index).filter(|_| tokens.begins_line(new_index, new_len)) {
                    Some(next) => next.start,
                    None => old.end_before(old_index),
                };
                edits.push((Span::new(at, at), added.of(new).to_owned()));
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

/// Returns the change one token further to the left where, of two tokens that read the same, the right one has the line
/// break before it that the token has in the other text: of `f(a, b) AS a`, a line break and `, c` the second comma stays.
fn at_line_breaks(old: &TokenisedText<'_>, new: &TokenisedText<'_>, op: DiffOp) -> DiffOp {
    // The token before the change in both texts, and the last token of the change.
    let slides = |longer: &TokenisedText<'_>, start: usize, count: usize, shorter: &TokenisedText<'_>, at: usize| {
        let (Some(before), Some(kept)) = (start.checked_sub(1), at.checked_sub(1)) else { return false };
        let last = start + count - 1;
        let breaks = longer.follows_break(before) != shorter.follows_break(kept);
        longer.words[before] == longer.words[last]
            && breaks
            && longer.follows_break(last) == shorter.follows_break(kept)
    };
    match op {
        DiffOp::Delete { old_index, old_len, new_index } if slides(old, old_index, old_len, new, new_index) => {
            DiffOp::Delete { old_index: old_index - 1, old_len, new_index: new_index - 1 }
        }
        DiffOp::Insert { old_index, new_index, new_len } if slides(new, new_index, new_len, old, old_index) => {
            DiffOp::Insert { old_index: old_index - 1, new_index: new_index - 1, new_len }
        }
        other => other,
    }
}

/// Returns the edit that also makes the blanks on both sides those of the new text; `None` for a change at the start or
/// end of a line or beside a comment, and where nothing changes.
fn within_line(old: &TokenisedText<'_>, new: &TokenisedText<'_>, op: &DiffOp) -> Option<(Span, String)> {
    if matches!(op, DiffOp::Equal { .. }) {
        return None;
    }
    let (before, after) = (old.with_gaps(op.old_range())?, new.with_gaps(op.new_range())?);
    let (written, wanted) = (before.of(old.text), after.of(new.text));
    let blanks = |one: &str, other: &str, reverse: bool| {
        let is_same = |(left, right): &(char, char)| left == right && *left == ' ';
        match reverse {
            false => one.chars().zip(other.chars()).take_while(is_same).count(),
            true => one.chars().rev().zip(other.chars().rev()).take_while(is_same).count(),
        }
    };
    let head = blanks(written, wanted, false);
    let tail = blanks(&written[head..], &wanted[head..], true);
    let span = Span::new(before.start + head, before.end - tail);
    Some((span, wanted[head..wanted.len() - tail].to_owned()))
}

/// Adds the blanks without which an edit would join words.
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

    fn applied(old: &str, new: &str) -> String {
        let edits = changed(&TokenisedText::new(old), new);
        let mut text = old.to_owned();
        for (span, new) in edits.into_iter().rev() {
            text.replace_range(span.start..span.end, &new);
        }
        text
    }

    #[test]
    fn no_blank_is_left_or_lost_where_words_come_and_go_within_a_line() {
        for (one, two) in [
            ("WHERE d <= '2024' AND a = 1", "WHERE d <= date_add('2024', -1) AND a = 1"),
            ("a\n  ,coalesce(g, 0) AS x", "a\n  ,case when s = 1 then coalesce(g, 0) else 0 end AS x"),
            ("COUNT(x)", "COUNT(DISTINCT x)"),
            ("THEN (a.x) / 2", "THEN a.x / 2"),
            ("f(a, b) = 2", "a = 2"),
            ("SUM( a ) / 2", "SUM( a + 1 ) / 2"),
        ] {
            assert_eq!((applied(one, two).as_str(), applied(two, one).as_str()), (two, one));
        }
    }

    #[test]
    fn words_at_the_start_of_a_line_leave_its_break_alone() {
        let (inner, outer) = ("FROM t AS a\n  JOIN u AS b", "FROM t AS a\n  LEFT JOIN u AS b");
        assert_eq!(applied(inner, outer), outer);
        assert_eq!(applied(outer, inner), inner);
        let (one, two) = ("WHERE a = 1\n  AND b = 2\nGROUP BY a", "WHERE a = 1\nGROUP BY a");
        assert_eq!(applied(one, two), two);
        assert_eq!(applied(two, one), one);
        let (one, two) = ("SELECT  f(a, b) AS a\n  ,c FROM t", "SELECT  a\n  ,c FROM t");
        assert_eq!((applied(one, two).as_str(), applied(two, one).as_str()), (two, one));
        let (one, two) = ("SELECT\n  a,\n  b\nFROM t", "SELECT\n  a\nFROM t");
        assert_eq!(applied(one, two), two);
        assert_eq!(applied(two, one), one);
    }
}
