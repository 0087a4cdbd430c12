//! Functions of a database, as `db.rate(x)`: they are called by their names alone.

use super::usual_placeholders::BEFORE_TABLES;
use crate::code::Words;
use crate::code::edit::{Edit, with_edits};
use crate::code::span::Span;
use crate::code::token::TokenKind;

/// Returns a script whose calls name no database.
pub(super) fn without_databases_of_functions(text: &str) -> String {
    let words = Words::of(text);
    let is_name = |at: usize| matches!(words.kind(at), Some(TokenKind::Word | TokenKind::QuotedName));
    let mut edits = Vec::new();
    let mut at = 0;
    while at < words.count() {
        let start = at;
        while is_name(at) && words.at(at + 1) == "." {
            at += 2;
        }
        let is_call = at > start && is_name(at) && words.at(at + 1) == "(";
        let before = words.before(start).to_uppercase();
        let touches = is_call && words.span(at).end == words.span(at + 1).start;
        if touches && before != "." && !BEFORE_TABLES.contains(&before.as_str()) {
            edits.push(Edit::deletion(Span::new(words.span(start).start, words.span(at).start)));
        }
        at += 1;
    }
    with_edits(text, &edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_lose_their_databases_and_tables_keep_them() {
        for (written, read) in [
            ("SELECT db.rate(x), a.b FROM db.t WHERE `Db`.f(1) > 2", "SELECT rate(x), a.b FROM db.t WHERE f(1) > 2"),
            ("SELECT cat.db.f(g.h(x)) FROM t", "SELECT f(h(x)) FROM t"),
            ("INSERT INTO db.t(a, b) SELECT a, b FROM db.u", "INSERT INTO db.t(a, b) SELECT a, b FROM db.u"),
            ("CREATE TABLE IF NOT EXISTS db.t(a INT)", "CREATE TABLE IF NOT EXISTS db.t(a INT)"),
            ("SELECT a FROM t WHERE t.a IN (1)", "SELECT a FROM t WHERE t.a IN (1)"),
        ] {
            assert_eq!(without_databases_of_functions(written), read);
        }
    }
}
