//! SQL as a sequence of tokens, spelled as the style says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::style::{LetterCase, Shift, Style};
use crate::corpus::compose::piece::{Piece, pieces};

/// A token, or the edge of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flat {
    /// A token as it is written.
    Token(String),
    /// A block in parentheses, by number.
    Block(usize),
    /// A decision begins, by number.
    Begin(usize),
    /// A decision ends, by number.
    End(usize),
}

/// Texts of a plan that have been parsed, so that each is parsed once however often the plan is written.
#[derive(Debug, Default)]
pub(super) struct ParsedTexts {
    known: RefCell<HashMap<String, Rc<[Piece]>>>,
    /// Those without decisions, flattened: they are the same whatever form decisions have.
    pub fixed: RefCell<HashMap<String, Rc<[Flat]>>>,
}

impl ParsedTexts {
    /// Returns the pieces of a text.
    pub(super) fn pieces(&self, text: &str) -> Rc<[Piece]> {
        if let Some(known) = self.known.borrow().get(text) {
            return Rc::clone(known);
        }
        let parts: Rc<[Piece]> = pieces(text).into();
        self.known.borrow_mut().insert(text.to_owned(), Rc::clone(&parts));
        parts
    }
}

/// Words that are keywords wherever they stand.
const KEYWORDS: &[&str] = &[
    "ALL", "AND", "ANTI", "AS", "ASC", "BETWEEN", "BY", "CASE", "CROSS", "CUBE", "CURRENT", "DESC", "DISTINCT", "ELSE",
    "END", "EXISTS", "FALSE", "FOLLOWING", "FROM", "FULL", "GROUP", "GROUPING", "HAVING", "IN", "INNER", "INTERVAL",
    "IS", "JOIN", "LATERAL", "LEFT", "LIKE", "LIMIT", "NOT", "NULL", "ON", "OR", "ORDER", "OUTER", "OVER", "PARTITION",
    "PRECEDING", "RANGE", "RLIKE", "ROLLUP", "ROW", "ROWS", "SELECT", "SEMI", "SETS", "THEN", "TRUE", "UNBOUNDED",
    "UNION", "USING", "VIEW", "WHEN", "WHERE", "WITH", "DAY", "EXCEPT", "INTERSECT", "FILTER",
];

/// Whether a word is a keyword.
pub(super) fn is_keyword(word: &str) -> bool {
    let upper = word.to_ascii_uppercase();
    KEYWORDS.contains(&upper.as_str())
}

/// Returns a word in the case that the style gives keywords.
pub(super) fn keyword(style: &Style, word: &str) -> String {
    cased(style.keywords, word)
}

fn cased(case: LetterCase, word: &str) -> String {
    match case {
        LetterCase::Upper => word.to_ascii_uppercase(),
        LetterCase::Lower => word.to_ascii_lowercase(),
    }
}

/// Returns a word in the case of its kind.
pub(super) fn spelled(style: &Style, word: &str, called: bool) -> String {
    if is_keyword(word) && !(called && matches!(word, "LEFT" | "DAY")) {
        return cased(style.keywords, word);
    }
    let upper = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    if word.contains(['$', '`']) || !(called || upper) {
        return word.to_owned();
    }
    if matches!(word, "STRING" | "INT" | "BIGINT" | "DOUBLE" | "DATE" | "BOOLEAN" | "TIMESTAMP" | "DECIMAL") {
        return cased(style.keywords, word);
    }
    if word == "COALESCE" && style.coalesce != "COALESCE" {
        return cased(style.functions, &style.coalesce);
    }
    cased(style.functions, word)
}

pub(super) fn date(style: &Style, offset: i64, found: &mut Vec<Flat>) {
    let quoted = format!("'{}'", style.parameter);
    if offset == 0 {
        found.push(Flat::Token(quoted));
        return;
    }
    let days = offset.unsigned_abs().to_string();
    let call = |name: &str, days: String, found: &mut Vec<Flat>| {
        for token in
            [cased(style.functions, name), "(".to_owned(), quoted.clone(), ",".to_owned(), days, ")".to_owned()]
        {
            found.push(Flat::Token(token));
        }
    };
    match style.shift {
        Shift::Parameter => {
            let sign = if offset < 0 { '-' } else { '+' };
            let inner = style.parameter.trim_end_matches('}');
            found.push(Flat::Token(format!("'{inner}{sign}{days}}}'")));
        }
        Shift::Sub if offset < 0 => call("DATE_SUB", days, found),
        Shift::Add if offset < 0 => call("DATE_ADD", format!("-{days}"), found),
        _ => call("DATE_ADD", days, found),
    }
}
