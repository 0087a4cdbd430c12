//! A writer of text that notes the ranges of decisions and blocks.

use crate::code::span::Span;

/// What a range belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeOwner {
    /// A decision, by number.
    Decision(usize),
    /// A block, by number.
    Block(usize),
}

/// The text so far, and its ranges.
#[derive(Clone, Debug, Default)]
pub struct TextWriter {
    text: String,
    open: Vec<(RangeOwner, Option<usize>)>,
    /// Where the file that is being written begins.
    file: usize,
    /// Finished ranges.
    pub ranges: Vec<(RangeOwner, Span)>,
}

impl TextWriter {
    /// Returns the text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text and its finished ranges.
    pub fn into_text(self) -> (String, Vec<(RangeOwner, Span)>) {
        (self.text, self.ranges)
    }

    /// Returns the number of characters in the current line so far.
    pub fn place(&self) -> usize {
        self.text.chars().rev().take_while(|c| *c != '\n').count()
    }

    /// Begins a range with the next token.
    pub fn begin(&mut self, mark: RangeOwner) {
        self.open.push((mark, None));
    }

    /// Ends the innermost range of a mark with the last token; it is empty if there was none.
    pub fn end(&mut self, mark: RangeOwner) {
        let Some(place) = self.open.iter().rposition(|(open, _)| *open == mark) else { return };
        let (_, start) = self.open.remove(place);
        let end = self.text.trim_end().len();
        let span = start.map_or_else(|| Span::new(end, end), |start| Span::new(start, end.max(start)));
        self.ranges.push((mark, span));
    }

    /// Writes text that is part of a statement.
    pub fn put(&mut self, text: &str) {
        let start = self.text.len();
        for (_, open) in &mut self.open {
            open.get_or_insert(start);
        }
        self.text.push_str(text);
    }

    /// Writes a blank unless one is there.
    pub fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n', '\t']) {
            self.text.push(' ');
        }
    }

    /// Writes blanks up to a place in the line, at least one.
    pub fn pad(&mut self, place: usize) {
        self.space();
        while self.place() < place {
            self.text.push(' ');
        }
    }

    /// Begins a new line with these blanks and removes those at the end of the last one; behind an empty line no other.
    pub fn line(&mut self, indent: &str) {
        let kept = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(kept);
        if !self.at_start() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        self.text.push_str(indent);
    }

    /// Whether nothing of the file that is being written stands yet.
    pub fn at_start(&self) -> bool {
        self.text.len() == self.file
    }

    /// Ends the file that is being written and begins the next one, of which it returns the first byte.
    pub fn next_file(&mut self) -> usize {
        if !self.text.is_empty() {
            self.line("");
        }
        self.file = self.text.len();
        self.file
    }

    /// Writes text with which no range begins: comments, settings, indentation.
    pub fn comment(&mut self, text: &str) {
        self.text.push_str(text);
    }
}
