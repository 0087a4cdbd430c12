//! Names in back quotes that are regular expressions for the names of columns, as Hive and Spark read them if a setting says
//! so.

use std::sync::LazyLock;

use regex::Regex;

use crate::code::constant_pattern;
use crate::code::edit::{Edit, with_edits};
use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::token::{TokenKind, tokenize};

/// Returns a script with `* EXCEPT (a, b)` for `` `(a|b)?+.+` ``, the usual way to leave columns out.
pub(super) fn with_exceptions(text: &str) -> String {
    static OTHERS: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"^`\((\w+(?:\|\w+)*)\)\?\+\.[+*]`$"));
    if !text.contains(")?+.") {
        return text.to_owned();
    }
    let tokens = tokenize(text);
    let names = tokens.iter().filter(|token| token.kind == TokenKind::QuotedName).map(|token| token.span());
    let edits = names.filter_map(|span| {
        let left_out = OTHERS.captures(span.of(text))?[1].replace('|', ", ");
        Some(Edit::replacement(span, format!("* EXCEPT ({left_out})")))
    });
    with_edits(text, &edits.collect::<Vec<_>>())
}

/// Returns the first name that is a regular expression for the names of columns, if the script asks that names in back
/// quotes are read so.
pub(super) fn regular_expression_for_columns(script: &Script) -> Option<(LineColumn, &str)> {
    let asks = |command: &str| {
        let words: String = command.to_lowercase().split_whitespace().collect();
        words.ends_with("hive.support.quoted.identifiers=none")
            || words.ends_with("spark.sql.parser.quotedregexcolumnnames=true")
    };
    let mut commands = script.tokens().iter().filter(|token| token.kind == TokenKind::Command);
    if !commands.any(|command| asks(command.span().of(script.text()))) {
        return None;
    }
    let names = script.tokens().iter().filter(|token| token.kind == TokenKind::QuotedName);
    let mut texts = names.map(|token| (script.place(token.span().start), token.span().of(script.text())));
    texts.find(|(_, name)| name.contains(['(', '*', '+', '?', '[', '|']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_all_other_columns_becomes_a_star_with_exceptions() {
        for (written, read) in [
            ("SELECT a.`(rn|day)?+.+`, `(k)?+.+` FROM a", "SELECT a.* EXCEPT (rn, day), * EXCEPT (k) FROM a"),
            (
                "SELECT `(rn)?+.+x`, '`(k)?+.+`' FROM a -- `(k)?+.+`",
                "SELECT `(rn)?+.+x`, '`(k)?+.+`' FROM a -- `(k)?+.+`",
            ),
        ] {
            assert_eq!(with_exceptions(written), read);
        }
    }

    #[test]
    fn a_regular_expression_for_columns_is_one_only_if_the_script_says_so() {
        let query = "SELECT `(ds)?+.+` FROM t";
        let asking = Script::new(format!("SET hive.support.quoted.identifiers = none;\n{query}"));
        let (place, name) = regular_expression_for_columns(&asking).unwrap();
        assert_eq!((place.line, name), (2, "`(ds)?+.+`"));
        assert!(regular_expression_for_columns(&Script::new(query)).is_none());
    }
}
