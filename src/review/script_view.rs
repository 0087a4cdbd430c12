//! A script as the page shows it: lines of coloured pieces, the edit as lines removed and inserted.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::code::edit::Edits;
use crate::code::span::Span;
use crate::code::token::{TokenKind, tokenize};
use crate::repair::built_in::{is_keyword, is_type};

/// A piece of a line: its text, its class, and whether the edit changes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LinePiece {
    pub text: String,
    /// `keyword`, `name`, `quoted`, `string`, `number`, `symbol`, `comment`, `placeholder` or empty.
    pub class: &'static str,
    /// Inside an edit.
    pub changed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScriptViewLine {
    /// Its number in the issue SQL; `None` for a line that only the reference has.
    pub issue: Option<usize>,
    /// Its number in the reference; `None` for a line that only the issue SQL has.
    pub reference: Option<usize>,
    pub pieces: Vec<LinePiece>,
}

/// The lines of the issue SQL and of the reference, side by side in one list.
///
/// `edits` lead from the issue SQL to the reference.
pub fn lines(issue: &str, reference: &str, edits: &Edits) -> Vec<ScriptViewLine> {
    let changed: Vec<Span> = edits.as_slice().iter().map(|edit| edit.span()).collect();
    let put_in: Vec<Span> = edits.inverse(issue).as_slice().iter().map(|edit| edit.span()).collect();
    let issue_lines = pieces_by_line(issue, &changed);
    let reference_lines = pieces_by_line(reference, &put_in);
    let difference = TextDiff::from_lines(issue, reference);
    let line = |change: similar::Change<&str>| {
        let (old, new) = (change.old_index(), change.new_index());
        let side = if change.tag() == ChangeTag::Insert { &reference_lines } else { &issue_lines };
        let index = if change.tag() == ChangeTag::Insert { new } else { old };
        let pieces = index.and_then(|index| side.get(index)).cloned().unwrap_or_default();
        ScriptViewLine { issue: old.map(|index| index + 1), reference: new.map(|index| index + 1), pieces }
    };
    difference.iter_all_changes().map(line).collect()
}

/// The lines of a text that has no edit.
pub fn plain(text: &str) -> Vec<ScriptViewLine> {
    let number = |(index, pieces)| ScriptViewLine { issue: Some(index + 1), reference: Some(index + 1), pieces };
    pieces_by_line(text, &[]).into_iter().enumerate().map(number).collect()
}

fn pieces_by_line(text: &str, changed: &[Span]) -> Vec<Vec<LinePiece>> {
    let mut lines = vec![Vec::new()];
    for token in tokenize(text) {
        let class = class(token.kind, token.span().of(text));
        for part in parts(token.span(), changed) {
            let inside = changed.iter().any(|span| span.contains(part) && !span.is_empty());
            for (number, piece) in part.of(text).split('\n').enumerate() {
                if number > 0 {
                    lines.push(Vec::new());
                }
                push(&mut lines, piece, class, inside);
            }
        }
    }
    lines
}

/// Cuts a span where edits begin and end inside it.
fn parts(span: Span, changed: &[Span]) -> Vec<Span> {
    let mut cuts: Vec<usize> = changed.iter().flat_map(|edit| [edit.start, edit.end]).collect();
    cuts.retain(|cut| *cut > span.start && *cut < span.end);
    cuts.sort_unstable();
    cuts.dedup();
    let starts = std::iter::once(span.start).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([span.end]);
    starts.zip(ends).map(|(start, end)| Span::new(start, end)).collect()
}

/// Adds a piece to the last line; joins it to its neighbour where both look the same.
fn push(lines: &mut [Vec<LinePiece>], text: &str, class: &'static str, changed: bool) {
    let text = text.trim_end_matches('\r');
    let Some(line) = lines.last_mut().filter(|_| !text.is_empty()) else { return };
    match line.last_mut() {
        Some(last) if last.class == class && last.changed == changed => last.text.push_str(text),
        _ => line.push(LinePiece { text: text.to_owned(), class, changed }),
    }
}

fn class(kind: TokenKind, text: &str) -> &'static str {
    match kind {
        TokenKind::Word if is_keyword(text) || is_type(text) => "keyword",
        TokenKind::Word => "name",
        TokenKind::QuotedName => "quoted",
        TokenKind::Text => "string",
        TokenKind::Number => "number",
        TokenKind::Placeholder => "placeholder",
        TokenKind::Symbol => "symbol",
        TokenKind::Command | TokenKind::Hint => "placeholder",
        TokenKind::LineComment | TokenKind::BlockComment => "comment",
        TokenKind::Blank | TokenKind::Unclosed => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edit;

    fn text(line: &ScriptViewLine) -> String {
        line.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn the_edit_is_a_line_out_and_a_line_in_with_the_changed_bytes_marked() {
        let issue = "SELECT a\nFROM t\nJOIN u ON 1 = 1\n";
        let edits = Edits::new(vec![Edit::insertion(16, "LEFT ")]).unwrap();
        let reference = edits.apply(issue).unwrap();
        let lines = lines(issue, &reference, &edits);
        let numbers: Vec<_> = lines.iter().map(|line| (line.issue, line.reference)).collect();
        assert_eq!(numbers, [(Some(1), Some(1)), (Some(2), Some(2)), (Some(3), None), (None, Some(3))]);
        let marked: String = lines[3].pieces.iter().filter(|piece| piece.changed).map(|piece| &*piece.text).collect();
        assert_eq!(marked, "LEFT ");
        assert!(lines[2].pieces.iter().all(|piece| !piece.changed));
        assert_eq!(lines[0].pieces[0].class, "keyword");
    }

    #[test]
    fn lines_of_both_sides_joined_are_both_texts() {
        let issue = "SELECT '中\n文', /* a\n b */ 1 -- x\nFROM t WHERE ${d} = 1;\nSELECT 2";
        let at = issue.find("WHERE").unwrap();
        let edits = Edits::new(vec![Edit { start: at, end: at + 5, text: "GROUP\nBY".to_owned() }]).unwrap();
        let reference = edits.apply(issue).unwrap();
        let lines = lines(issue, &reference, &edits);
        let side = |mine: fn(&ScriptViewLine) -> Option<usize>| -> String {
            let texts: Vec<String> = lines.iter().filter(|line| mine(line).is_some()).map(text).collect();
            texts.join("\n")
        };
        assert_eq!(side(|line| line.issue), issue);
        assert_eq!(side(|line| line.reference), reference);
    }
}
