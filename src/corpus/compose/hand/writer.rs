//! Text as it is written, with the ranges of decisions and blocks.

use crate::code::span::Span;

/// What a range belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeOwner {
    /// A decision, by number.
    Decision(usize),
    /// A block, by number.
    Block(usize),
}

/// Text under way.
#[derive(Clone, Debug, Default)]
pub struct TextWriter {
    text: String,
    open: Vec<(RangeOwner, Option<usize>)>,
    /// Finished ranges.
    pub ranges: Vec<(RangeOwner, Span)>,
    at_space: bool,
}

impl TextWriter {
    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text.
    pub fn into_text(self) -> (String, Vec<(RangeOwner, Span)>) {
        (self.text, self.ranges)
    }

    /// The place in the line, from 0.
    pub fn place(&self) -> usize {
        self.text.chars().rev().take_while(|c| *c != '\n').count()
    }

    /// A range begins with the next token.
    pub fn begin(&mut self, mark: RangeOwner) {
        self.open.push((mark, None));
    }

    /// The innermost range of a mark ends with the last token; it is empty if there was none.
    pub fn end(&mut self, mark: RangeOwner) {
        let Some(place) = self.open.iter().rposition(|(open, _)| *open == mark) else { return };
        let (_, start) = self.open.remove(place);
        let end = self.text.trim_end().len();
        let span = start.map_or_else(|| Span::new(end, end), |start| Span::new(start, end.max(start)));
        self.ranges.push((mark, span));
    }

    /// Text that is part of the statement.
    pub fn put(&mut self, text: &str) {
        let start = self.text.len();
        for (_, open) in &mut self.open {
            open.get_or_insert(start);
        }
        self.text.push_str(text);
        self.at_space = false;
    }

    /// A blank, unless one is there.
    pub fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n', '\t']) {
            self.text.push(' ');
        }
    }

    /// Blanks up to a place in the line; at least one.
    pub fn pad(&mut self, place: usize) {
        self.space();
        while self.place() < place {
            self.text.push(' ');
        }
    }

    /// A new line that begins with these blanks; blanks at the end of the last one go.
    pub fn line(&mut self, indent: &str) {
        let kept = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(kept);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(indent);
    }

    /// A comment; it is in no range that has not begun.
    pub fn comment(&mut self, text: &str) {
        self.text.push_str(text);
    }
}
