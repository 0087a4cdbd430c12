//! The place of a part in the text of its script, before and after a change.

use crate::code::edit::{Edit, part_with_edits};
use crate::code::span::Span;

/// The place of a part.
#[derive(Clone, Debug)]
pub(super) struct SectionPlace {
    /// Its bytes, holes included.
    pub span: Span,
    /// Spans inside that do not belong to the part, in order, each with the name that replaces it: the WITH of a
    /// statement, and sub-queries.
    pub holes: Vec<(Span, String)>,
    /// Whether it is the query of a CTE or of a sub-query; otherwise it is a statement.
    pub is_query: bool,
}

/// A change of a script.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextChange {
    /// The bytes of the old text that were replaced.
    old: Span,
    /// By how many bytes the text has grown.
    growth: isize,
}

impl TextChange {
    /// Returns the change that produced the bytes `new` of the new text; `None` if no text can have grown by `growth`.
    pub fn new(new: Span, growth: isize) -> Option<TextChange> {
        let end = new.end.checked_add_signed(growth.checked_neg()?)?;
        (new.start <= end).then(|| TextChange { old: Span::new(new.start, end), growth })
    }

    pub fn none() -> TextChange {
        TextChange { old: Span::empty(0), growth: 0 }
    }

    /// Returns where text outside the change that was at `span` in the old text is in the new text.
    fn moved(self, span: Span) -> Option<Span> {
        if span.end <= self.old.start || self.growth == 0 {
            return Some(span);
        }
        let moved = |at: usize| at.checked_add_signed(self.growth);
        Some(Span::new(moved(span.start)?, moved(span.end)?))
    }
}

impl SectionPlace {
    /// Returns the length of the part without its holes, in bytes.
    pub fn length(&self) -> usize {
        self.span.len() - self.holes.iter().map(|(hole, _)| hole.len()).sum::<usize>()
    }

    /// Whether a change lies in this part and overlaps none of its holes.
    pub fn holds(&self, change: TextChange) -> bool {
        let apart = |hole: Span| change.old.end <= hole.start || change.old.start >= hole.end;
        self.span.contains(change.old) && self.holes.iter().all(|(hole, _)| apart(*hole))
    }

    /// Returns the text of the part in a changed script; `None` if a word continues across its bounds there.
    pub fn text(&self, text: &str, change: TextChange) -> Option<String> {
        let span = Span::new(self.span.start, self.span.end.checked_add_signed(change.growth)?);
        text.get(span.start..span.end)?;
        let mut edits = Vec::with_capacity(self.holes.len());
        let apart = |at: usize| {
            text.split_at_checked(at).is_some_and(|(before, behind)| {
                before.chars().next_back().is_none_or(parts_words) || behind.chars().next().is_none_or(parts_words)
            })
        };
        for (hole, name) in &self.holes {
            let hole = change.moved(*hole)?;
            edits.push(Edit::replacement(hole, name));
            if !apart(hole.start) || !apart(hole.end) {
                return None;
            }
        }
        (apart(span.start) && apart(span.end)).then(|| part_with_edits(text, span, &edits))
    }
}

/// Whether no word, name or number continues across this character.
fn parts_words(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | ';')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "SELECT x.é FROM (SELECT é FROM t) x";

    fn outer() -> SectionPlace {
        let inner = TEXT.find('(').unwrap();
        let hole = Span::new(inner, TEXT.find(')').unwrap() + 1);
        SectionPlace { span: Span::new(0, TEXT.len()), holes: vec![(hole, " part ".to_owned())], is_query: false }
    }

    #[test]
    fn a_part_is_read_with_names_for_its_holes_before_and_behind_a_change() {
        for (from, to, part) in [
            ("SELECT x", "SELECT DISTINCT x", Some("SELECT DISTINCT x.é FROM  part  x")),
            (") x", ") x WHERE 1 > 0", Some("SELECT x.é FROM  part  x WHERE 1 > 0")),
            ("é FROM t", "é, 1 FROM t", None),
        ] {
            let start = TEXT.find(from).unwrap();
            let changed = TEXT.replacen(from, to, 1);
            let (start, end) = if from == ") x" { (start + 3, start + to.len()) } else { (start, start + to.len()) };
            let change = TextChange::new(Span::new(start, end), changed.len() as isize - TEXT.len() as isize).unwrap();
            let found = outer().holds(change).then(|| outer().text(&changed, change)).flatten();
            assert_eq!(found.as_deref(), part, "{changed}");
        }
    }

    #[test]
    fn a_place_that_does_not_fit_its_text_has_no_part() {
        let middle = TEXT.find('é').unwrap() + 1;
        for span in [Span::new(middle, TEXT.len()), Span::new(0, middle), Span::new(0, TEXT.len() + 1)] {
            let place = SectionPlace { span, holes: Vec::new(), is_query: true };
            assert_eq!(place.text(TEXT, TextChange::none()), None);
        }
        assert!(TextChange::new(Span::new(5, 6), 9).is_none());
    }
}
