//! Which possible repairs leave a text that does not parse: an edit changes one statement, and mostly one query in
//! parentheses, and each is read alone.

use crate::code::Words;
use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::span::Span;

/// What parentheses, strings, comments and statements begin or end with.
const BOUNDARIES: [&str; 9] = ["(", ")", ";", "'", "\"", "`", "--", "/*", "*/"];

/// The parts of a text that can be read alone.
pub struct IssueParts<'a> {
    text: &'a str,
    /// The statements without their semicolons; empty if they are not read alone.
    statements: Vec<Span>,
    /// The queries in parentheses, the innermost first.
    queries: Vec<ParenthesizedQuery>,
}

impl<'a> IssueParts<'a> {
    /// Splits a text at its semicolons, and finds the queries in parentheses. Where more than one statement does not
    /// parse, as in a block of several, statements are not read alone; nor in a text of one, where nothing would be
    /// gained.
    pub fn of(text: &'a str) -> IssueParts<'a> {
        let words = Words::of(text);
        let statements: Vec<Span> = words.statement_spans().collect();
        let broken = statements.iter().filter(|span| !parses(span.of(text)));
        let is_split = statements.len() > 1 && broken.take(2).count() < 2;
        IssueParts { text, statements: if is_split { statements } else { Vec::new() }, queries: queries(&words) }
    }

    /// Whether the text may parse after these edits: false if the part that they change does not.
    pub fn may_parse(&self, edits: &[Edit]) -> bool {
        let mut queries = self.queries.iter();
        let query =
            queries.find(|query| edits.iter().all(|edit| self.stays_inside(edit, query))).map(|query| &query.span);
        let holds = |part: &Span, edit: &Edit| part.contains(edit.span()) && !edit.text.contains(';');
        let statement = || self.statements.iter().find(|span| edits.iter().all(|edit| holds(span, edit)));
        query.or_else(statement).is_none_or(|part| self.parses_after(edits, part))
    }

    /// Whether an edit changes nothing but words and signs behind the first word of a query, so that its parentheses are
    /// what they were and it is a query still.
    fn stays_inside(&self, edit: &Edit, query: &ParenthesizedQuery) -> bool {
        let is_plain = |text: &str| !BOUNDARIES.iter().any(|boundary| text.contains(boundary));
        query.span.contains(edit.span())
            && query.first_word.end < edit.span().start
            && is_plain(&edit.text)
            && is_plain(edit.span().of(self.text))
    }

    fn parses_after(&self, edits: &[Edit], part: &Span) -> bool {
        let moved = |edit: &Edit| {
            let span = Span::new(edit.span().start - part.start, edit.span().end - part.start);
            Edit::replacement(span, edit.text.clone())
        };
        let edits = Edits::new(edits.iter().map(moved).collect());
        edits.ok().and_then(|edits| edits.apply(part.of(self.text)).ok()).is_none_or(|text| parses(&text))
    }
}

/// What stands between parentheses and begins with SELECT or WITH.
struct ParenthesizedQuery {
    span: Span,
    first_word: Span,
}

/// Returns the queries in parentheses, each before those around it.
fn queries(words: &Words<'_>) -> Vec<ParenthesizedQuery> {
    let begins =
        |open: &usize| words.at(*open) == "(" && ["SELECT", "WITH"].iter().any(|word| words.are(open + 1, word));
    let query = |open: usize| {
        let span = Span::new(words.span(open).end, words.span(words.closing(open)?).start);
        Some(ParenthesizedQuery { span, first_word: words.span(open + 1) })
    };
    (0..words.count()).rev().filter(begins).filter_map(query).collect()
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
        let parts = IssueParts::of(text);
        let word = text.find("FRM").unwrap();
        for (change, may_parse) in [
            (repair(word, word + 3, "FROM"), true),
            (repair(word, word + 3, "FROM WHERE"), false),
            (repair(word, word, "; SELECT"), true),
            (repair(text.len() - 1, text.len(), "(2"), false),
        ] {
            let whole = Edits::new(change.to_vec()).unwrap().apply(text).unwrap();
            assert_eq!(parts.may_parse(&change), may_parse, "{whole}");
            assert!(may_parse || !parses(&whole), "{whole}");
        }
    }

    #[test]
    fn a_query_in_parentheses_is_read_alone_unless_its_parentheses_change() {
        let text = "SELECT a FROM (SELECT x FRM t WHERE x IN (SELECT y FROM u)) AS q";
        let parts = IssueParts::of(text);
        let word = text.find("FRM").unwrap();
        for (change, may_parse) in [
            (repair(word, word + 3, "FROM"), true),
            (repair(word, word + 3, "FROM WHERE"), false),
            (repair(word, word + 3, ")"), true),
            (repair(text.find("u)").unwrap(), text.find("u)").unwrap() + 1, "AND"), false),
            (repair(text.find("AS q").unwrap(), text.len(), "AND"), true),
        ] {
            assert_eq!(parts.may_parse(&change), may_parse, "{change:?}");
        }
    }

    #[test]
    fn what_is_a_query_no_more_is_not_read_as_one() {
        for (text, removed) in
            [("SELECT COUNT(SELECT x) FROM t", "SELECT x"), ("SELECT a IN (SELECT 1, 2)", "SELECT 1")]
        {
            let start = text.find(removed).unwrap();
            let change = repair(start, start + "SELECT ".len(), "");
            assert!(IssueParts::of(text).may_parse(&change), "{text}");
            assert!(parses(&Edits::new(change.to_vec()).unwrap().apply(text).unwrap()), "{text}");
        }
    }

    #[test]
    fn every_query_in_parentheses_of_a_script_parses_alone() {
        let mut count = 0;
        for reference in crate::corpus::embedded() {
            let reference = reference.expect("the hand-written scripts read");
            for query in queries(&Words::of(reference.script.text())) {
                let text = query.span.of(reference.script.text());
                assert!(parses(text), "{}: {text}", reference.id);
                count += 1;
            }
        }
        assert!(count > 200, "{count}");
    }

    #[test]
    fn nothing_is_known_of_parts_that_are_no_statements() {
        let wrong = repair(0, 6, "SELECT FROM");
        assert!(!IssueParts::of("SELECT 1; SELECT 2").may_parse(&wrong));
        assert!(IssueParts::of("SELECT 1").may_parse(&wrong));
        assert!(IssueParts::of("SELECT 1; SELECT FROM FROM; SELECT (").may_parse(&wrong));
    }
}
