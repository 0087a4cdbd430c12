//! Changes to a text, as byte-range replacements: faults and repairs are made of these.

use super::span::Span;

/// Replaces the bytes of `span` by `text`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Edit {
    /// First byte replaced.
    pub start: usize,
    /// One past the last byte replaced.
    pub end: usize,
    /// What comes instead.
    pub text: String,
}

impl Edit {
    /// Replaces `span` by `text`.
    pub fn replacement(span: Span, text: impl Into<String>) -> Edit {
        Edit { start: span.start, end: span.end, text: text.into() }
    }

    /// Replaces `span` of a text by `written`, with empty lines behind it where it takes fewer lines: what follows stays in its
    /// line.
    pub(crate) fn on_as_many_lines(text: &str, span: Span, written: String) -> Edit {
        let lines = |text: &str| text.matches('\n').count();
        let lost = lines(span.of(text)).saturating_sub(lines(&written));
        Edit::replacement(span, written + &"\n".repeat(lost))
    }

    /// Removes `span`.
    pub fn deletion(span: Span) -> Edit {
        Edit::replacement(span, "")
    }

    /// Puts `text` before byte `at`.
    pub fn insertion(at: usize, text: impl Into<String>) -> Edit {
        Edit::replacement(Span::empty(at), text)
    }

    /// Puts each of two spans of a text in the place of the other.
    pub(crate) fn exchange(text: &str, first: Span, second: Span) -> Vec<Edit> {
        vec![Edit::replacement(first, second.of(text)), Edit::replacement(second, first.of(text))]
    }

    /// The bytes replaced.
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Whether the edit removes and inserts nothing but white space.
    pub(crate) fn is_blank(&self, original: &str) -> bool {
        self.text.trim().is_empty() && self.span().of(original).trim().is_empty()
    }
}

/// A set of edits of one text: sorted and disjoint. Whether they fit a text is checked when they are applied to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Edits {
    edits: Vec<Edit>,
}

/// Why edits cannot be applied to a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// Two edits replace the same bytes or start at the same place.
    #[error("edits at bytes {0} and {1} overlap")]
    Overlap(usize, usize),
    /// An edit reaches beyond the text or splits a character.
    #[error("edit {0}..{1} does not fit the text")]
    OutOfText(usize, usize),
}

impl Edits {
    /// Sorts and checks `edits`.
    ///
    /// # Errors
    ///
    /// When two overlap or start at the same place, or one ends before it starts.
    pub fn new(mut edits: Vec<Edit>) -> Result<Edits, EditError> {
        edits.sort_by_key(|edit| (edit.start, edit.end));
        for pair in edits.windows(2) {
            if pair[0].end > pair[1].start || pair[0].start == pair[1].start {
                return Err(EditError::Overlap(pair[0].start, pair[1].start));
            }
        }
        if let Some(edit) = edits.iter().find(|edit| edit.start > edit.end) {
            return Err(EditError::OutOfText(edit.start, edit.end));
        }
        Ok(Edits { edits })
    }

    /// The edits in text order.
    pub fn as_slice(&self) -> &[Edit] {
        &self.edits
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The smallest range that covers all edits.
    pub fn span(&self) -> Span {
        let first = self.edits.first().map_or(Span::default(), Edit::span);
        self.edits.iter().fold(first, |all, edit| all.cover(edit.span()))
    }

    /// The edits that change more of `original` than blanks.
    #[must_use]
    pub fn without_blanks(&self, original: &str) -> Edits {
        Edits { edits: self.edits.iter().filter(|edit| !edit.is_blank(original)).cloned().collect() }
    }

    /// Returns the changed text.
    ///
    /// # Errors
    ///
    /// When an edit reaches beyond `text` or splits a character.
    pub fn apply(&self, text: &str) -> Result<String, EditError> {
        match self.edits.iter().find(|edit| text.get(edit.start..edit.end).is_none()) {
            Some(edit) => Err(EditError::OutOfText(edit.start, edit.end)),
            None => Ok(with_edits(text, &self.edits)),
        }
    }

    /// The edits that lead from the changed text back to `text`.
    pub fn inverse(&self, text: &str) -> Edits {
        let mut shift = 0isize;
        let invert = |edit: &Edit| {
            let start = (edit.start as isize + shift) as usize;
            shift += edit.text.len() as isize - (edit.end - edit.start) as isize;
            Edit { start, end: start + edit.text.len(), text: edit.span().of(text).to_owned() }
        };
        Edits { edits: self.edits.iter().map(invert).collect() }
    }
}

/// Returns `text` with edits that were found in it from its start to its end. One that does not fit the text or starts
/// inside an earlier one is left out.
pub(crate) fn with_edits(text: &str, edits: &[Edit]) -> String {
    part_with_edits(text, Span::new(0, text.len()), edits)
}

/// Returns a part of `text` with edits that were found in that part from its start to its end, as [`with_edits`] does.
pub(crate) fn part_with_edits(text: &str, part: Span, edits: &[Edit]) -> String {
    let text = text.get(..part.end).unwrap_or(text);
    let mut changed = String::with_capacity(part.len() + 64);
    let mut at = part.start;
    for edit in edits {
        if let (Some(kept), Some(_)) = (text.get(at..edit.start), text.get(edit.start..edit.end)) {
            changed.push_str(kept);
            changed.push_str(&edit.text);
            at = edit.end;
        }
    }
    changed + text.get(at..).unwrap_or_default()
}

impl<'de> serde::Deserialize<'de> for Edits {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let edits = Vec::<Edit>::deserialize(deserializer)?;
        Edits::new(edits).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn overlapping_edits_and_twin_insertions_are_refused() {
        let edit = |start, end| Edit::replacement(Span::new(start, end), "x");
        assert_eq!(Edits::new(vec![edit(3, 6), edit(0, 4)]), Err(EditError::Overlap(0, 3)));
        assert_eq!(Edits::new(vec![edit(2, 2), edit(2, 2)]), Err(EditError::Overlap(2, 2)));
        assert!(Edits::new(vec![edit(4, 6), edit(0, 4)]).is_ok());
    }

    #[test]
    fn an_edit_outside_the_text_is_an_error() {
        let edits = Edits::new(vec![Edit::deletion(Span::new(2, 9))]).unwrap();
        assert_eq!(edits.apply("abc"), Err(EditError::OutOfText(2, 9)));
    }

    #[test]
    fn an_edit_that_fits_no_text_or_an_earlier_edit_is_left_out() {
        let edit = |start, end| Edit::replacement(Span::new(start, end), "x");
        assert_eq!(with_edits("abcdé", &[edit(1, 3), edit(2, 4), edit(3, 3), edit(5, 5), edit(4, 9)]), "axxdé");
        assert_eq!(part_with_edits("abcde", Span::new(1, 4), &[edit(0, 2), edit(2, 3), edit(4, 5)]), "bxd");
    }

    fn text_and_edits() -> impl Strategy<Value = (String, Vec<Edit>)> {
        ("[ -~é中]{0,60}", prop::collection::vec((0usize..60, 0usize..9, "[a-z]{0,5}"), 0..5)).prop_map(
            |(text, raw)| {
                let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                let edits = raw.into_iter().map(|(at, length, new)| {
                    let first = at % bounds.len();
                    let last = (first + length).min(bounds.len() - 1);
                    Edit::replacement(Span::new(bounds[first], bounds[last]), new)
                });
                let edits = edits.collect();
                (text, edits)
            },
        )
    }

    proptest! {
        #[test]
        fn apply_then_invert_is_the_identity((text, raw) in text_and_edits()) {
            if let Ok(edits) = Edits::new(raw) {
                let changed = edits.apply(&text).unwrap();
                prop_assert_eq!(edits.inverse(&text).apply(&changed).unwrap(), text);
            }
        }
    }
}
