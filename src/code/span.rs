//! Byte ranges and line/column positions in a source text.

/// A half-open byte range `start..end` of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, serde::Serialize, serde::Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The empty range at `at`.
    pub fn empty(at: usize) -> Self {
        Self::new(at, at)
    }

    /// Number of bytes covered.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether no byte is covered.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether every byte of `other` lies inside this range.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two ranges share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether the two ranges share a byte or lie side by side.
    pub(crate) fn touches(self, other: Span) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// The smallest range that covers both.
    pub fn cover(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The covered slice of `text`.
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// A place for people: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl LineColumn {
    /// The place of byte `offset` in `text`; an offset past the end gives the end.
    pub fn of(text: &str, offset: usize) -> LineColumn {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        LineColumn {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start(text, end)..].chars().count() + 1,
        }
    }
}

/// Where the line that `at` lies in begins.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Where the line that `at` lies in ends, before its line break.
pub fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

impl std::fmt::Display for LineColumn {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}
