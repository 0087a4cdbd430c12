//! Where a part stands in the text of its script, before and after a change.

use crate::code::span::Span;

/// The bytes of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// All of it.
    pub span: Span,
    /// The WITH inside, which is no part of a statement.
    pub hole: Option<Span>,
    /// It is the query of a CTE or of a sub-query, else a statement.
    pub is_query: bool,
}

impl Place {
    /// Whether a change, at these bytes of the new text, is one of this part alone.
    pub fn holds(&self, changed: Span, growth: isize) -> bool {
        let end = self.span.end.saturating_add_signed(growth);
        let inside = self.span.start <= changed.start && changed.end <= end;
        inside && self.hole.is_none_or(|hole| changed.start >= hole.end || before(hole, changed, growth))
    }

    /// The part in a changed script; none when it does not stand apart there.
    pub fn text(&self, text: &str, (changed, growth): (Span, isize)) -> Option<String> {
        let end = self.span.end.checked_add_signed(growth)?;
        let part = text.get(self.span.start..end)?;
        let apart = text[..self.span.start].chars().next_back().is_none_or(parts_words)
            && text[end..].chars().next().is_none_or(parts_words);
        let Some(hole) = self.hole else { return apart.then(|| part.to_owned()) };
        let shift = if before(hole, changed, growth) { growth } else { 0 };
        let start = hole.start.checked_add_signed(shift)?;
        let behind = text.get(hole.end.checked_add_signed(shift)?..end)?;
        let apart = apart && (start == self.span.start || behind.starts_with(parts_words));
        apart.then(|| [&text[self.span.start..start], behind].concat())
    }
}

/// Whether a change stands before the WITH.
fn before(hole: Span, changed: Span, growth: isize) -> bool {
    changed.end <= hole.start.saturating_add_signed(growth) && changed.start <= hole.start
}

/// Whether no word, name or number goes on beyond this character.
fn parts_words(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | ';')
}
