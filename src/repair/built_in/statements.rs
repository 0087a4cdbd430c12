//! Which possible repairs leave a text that does not parse: an edit changes one statement, which is read alone.

use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::span::Span;

/// The statements of a text, where each can be read alone.
pub struct IssueStatements<'a> {
    text: &'a str,
    /// What stands between semicolons; empty if a part is no statement of its own.
    spans: Vec<Span>,
}

impl<'a> IssueStatements<'a> {
    /// Splits a text at its semicolons. Where more than one part does not parse, as in a block of several statements,
    /// parts are not read alone; nor in a text of one statement, where nothing would be gained.
    pub fn of(text: &'a str) -> IssueStatements<'a> {
        let script = Script::new(text);
        let ends = script.tokens().iter().map(|token| token.span()).filter(|span| span.of(text) == ";");
        let ends: Vec<Span> = ends.chain([Span::empty(text.len())]).collect();
        let starts = std::iter::once(0).chain(ends.iter().map(|end| end.end));
        let spans: Vec<Span> = starts.zip(&ends).map(|(start, end)| Span::new(start, end.start)).collect();
        let broken = spans.iter().filter(|span| !parses(span.of(text)));
        let is_split = spans.len() > 1 && broken.take(2).count() < 2;
        IssueStatements { text, spans: if is_split { spans } else { Vec::new() } }
    }

    /// Whether the text may parse after these edits: false if the statement that it changes does not.
    pub fn may_parse(&self, edits: &[Edit]) -> bool {
        let Some(first) = edits.first() else { return true };
        let holds = |span: &&Span, edit: &Edit| span.start <= edit.span().start && edit.span().end <= span.end;
        let Some(statement) = self.spans.iter().find(|span| holds(span, first)) else { return true };
        let is_inside = |edit: &Edit| holds(&statement, edit) && !edit.text.contains(';');
        if !edits.iter().all(is_inside) {
            return true;
        }
        let moved = |edit: &Edit| {
            let span = Span::new(edit.span().start - statement.start, edit.span().end - statement.start);
            Edit::replacement(span, edit.text.clone())
        };
        let edits = Edits::new(edits.iter().map(moved).collect());
        edits.ok().and_then(|edits| edits.apply(statement.of(self.text)).ok()).is_none_or(|text| parses(&text))
    }
}

fn parses(text: &str) -> bool {
    Script::new(text).errors().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repair(start: usize, end: usize, text: &str) -> [Edit; 1] {
        [Edit::replacement(Span::new(start, end), text)]
    }

    #[test]
    fn what_does_not_parse_alone_does_not_parse_in_the_text() {
        let text = "SET a=b; SELECT x FRM t WHERE x = 1; SELECT 2";
        let statements = IssueStatements::of(text);
        let word = text.find("FRM").unwrap();
        for (change, may_parse) in [
            (repair(word, word + 3, "FROM"), true),
            (repair(word, word + 3, "FROM FROM"), false),
            (repair(word, word, "; SELECT"), true),
            (repair(text.len() - 1, text.len(), "(2"), false),
        ] {
            let whole = Edits::new(change.to_vec()).unwrap().apply(text).unwrap();
            assert_eq!(statements.may_parse(&change), may_parse, "{whole}");
            assert!(may_parse || !parses(&whole), "{whole}");
        }
    }

    #[test]
    fn nothing_is_known_of_parts_that_are_no_statements() {
        let wrong = repair(0, 6, "SELECT FROM");
        assert!(!IssueStatements::of("SELECT 1; SELECT 2").may_parse(&wrong));
        assert!(IssueStatements::of("SELECT 1").may_parse(&wrong));
        assert!(IssueStatements::of("SELECT 1; SELECT FROM FROM; SELECT (").may_parse(&wrong));
    }
}
