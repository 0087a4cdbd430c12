//! Legal SQL that is not read, told by the words at the place where reading stops.

use super::Parser;
use crate::code::token::TokenKind;

/// Words of legal SQL that is not read.
struct UnreadPhrase {
    /// The words of which one stands before the phrase; none if anything may.
    behind: &'static [&'static str],
    /// Words and symbols that follow each other; `'` stands for any text, `name` for any name.
    words: &'static [&'static str],
    /// What it is, and what to write instead.
    message: &'static str,
}

const fn phrase(words: &'static [&'static str], message: &'static str) -> UnreadPhrase {
    UnreadPhrase { behind: &[], words, message }
}

const AN_EARLIER_VERSION: &str = "an earlier version of a table is not read; write the table alone";
const A_SAMPLE: &str = "a sampling method is not read; leave it out, or write TABLESAMPLE (… PERCENT)";
const TABLE_OPTIONS: &str = "options of a table that is read are not read; leave them out";
const A_TIME_ZONE: &str = "a time zone of a type is not read; write TIMESTAMP";
const SCHEMA_BINDING: &str = "WITH SCHEMA is not read; leave it out";

const UNREAD_PHRASES: [UnreadPhrase; 26] = [
    phrase(&["COLLATE"], "COLLATE is not read; compare lower(…) of both sides, or leave it out"),
    UnreadPhrase {
        behind: &["SELECT", ",", "BY", "WHERE", "HAVING"],
        words: &["WINDOW"],
        message: "a column called WINDOW is not read; write the call window(…) again, or give it an alias",
    },
    phrase(&["DEFAULT", "COLLATION"], "DEFAULT COLLATION is not read; leave it out"),
    phrase(&["VERSION", "AS", "OF"], AN_EARLIER_VERSION),
    phrase(&["TIMESTAMP", "AS", "OF"], AN_EARLIER_VERSION),
    phrase(&["FOR", "SYSTEM_TIME"], AN_EARLIER_VERSION),
    phrase(&["FOR", "SYSTEM_VERSION"], AN_EARLIER_VERSION),
    phrase(&["TABLESAMPLE", "BERNOULLI"], A_SAMPLE),
    phrase(&["TABLESAMPLE", "SYSTEM"], A_SAMPLE),
    phrase(&["REPEATABLE", "("], A_SAMPLE),
    phrase(&["WITH", "(", "'"], TABLE_OPTIONS),
    phrase(&["WITH", "(", "name", "="], TABLE_OPTIONS),
    phrase(&["WITH", "ORDINALITY"], "WITH ORDINALITY is not read; write LATERAL VIEW posexplode(…)"),
    phrase(&["WITH", "SCHEMA", "name"], SCHEMA_BINDING),
    phrase(&["WITHOUT", "TIME", "ZONE"], A_TIME_ZONE),
    phrase(&["WITH", "LOCAL", "TIME", "ZONE"], A_TIME_ZONE),
    phrase(&["STRUCT", "<>"], "a STRUCT without fields is not read; give it one"),
    phrase(&["REDUCE", "name"], RUNS_A_PROGRAM),
    phrase(&["MAP", "name"], RUNS_A_PROGRAM),
    phrase(&["ROW", "FORMAT"], RUNS_A_PROGRAM),
    phrase(&["IDENTIFIER", "("], IDENTIFIER_CLAUSE),
    phrase(&["EXCEPT", "(", "name", "."], "a field in * EXCEPT is not read; write the columns that stay"),
    phrase(&["?"], "? stands for a value that a program gives; write the value"),
    phrase(&["LATERAL", "name", "("], LATERAL_FUNCTION),
    phrase(
        &["OR", "REFRESH"],
        "a table of a pipeline without a query of its own is not read; write CREATE TABLE … AS with the query that fills it",
    ),
    phrase(&["APPLY", "CHANGES", "INTO"], "APPLY CHANGES is not read; write a MERGE into the table that it fills"),
];

/// What is said of TRANSFORM and its kin.
pub(super) const RUNS_A_PROGRAM: &str = "TRANSFORM … USING runs a program outside SQL: write what it does as expressions, \
                                         or read a table that holds its rows";
/// What is said of `IDENTIFIER('t')`.
pub(super) const IDENTIFIER_CLAUSE: &str = "IDENTIFIER(…) is not supported; write the name itself";
/// What is said of `FROM t, LATERAL explode(a)`.
const LATERAL_FUNCTION: &str = "LATERAL before a function is not read; write LATERAL VIEW explode(…)";

impl Parser<'_> {
    /// Returns what to write instead of what stands here, if it is legal in Spark and this crate does not read it.
    pub(super) fn legal_but_unread(&self) -> Option<&'static str> {
        if let Some(message) = self.unread_colon() {
            return Some(message);
        }
        // The first words may have been taken for a column or an alias.
        let covers = |unread: &&UnreadPhrase| {
            (0..=unread.words.len())
                .any(|taken| self.position.checked_sub(taken).is_some_and(|at| self.begins(unread, at)))
        };
        UNREAD_PHRASES.iter().find(covers).map(|unread| unread.message)
    }

    /// Whether a phrase begins at a token.
    fn begins(&self, unread: &UnreadPhrase, at: usize) -> bool {
        let is_behind = |word: &&str| at > 0 && (self.symbol_at(at - 1) == *word || self.word_is(at - 1, word));
        (unread.behind.is_empty() || unread.behind.iter().any(is_behind))
            && unread.words.iter().enumerate().all(|(offset, word)| self.is_phrase_word(at + offset, word))
    }

    fn is_phrase_word(&self, at: usize, word: &str) -> bool {
        match word {
            "'" => self.kind_at(at) == Some(TokenKind::Text),
            "name" => matches!(self.kind_at(at), Some(TokenKind::Word | TokenKind::QuotedName)),
            word => self.word_is(at, word) || self.token_at(at).is_some() && self.symbol_at(at) == word,
        }
    }

    /// Returns what to write instead of a word that is read as a column and means something else in Spark.
    pub(super) fn unread_column(&self) -> Option<&'static str> {
        let at = self.position;
        let before = at.checked_sub(1).map_or("", |before| self.symbol_at(before));
        let ends = at + 1 >= self.end || matches!(self.symbol_at(at + 1), "," | ")");
        let is_value = match before {
            "=" => self.is_assigned(),
            "(" | "," => self.is_in_values(),
            _ => false,
        };
        if self.at_word("DEFAULT") && ends && is_value {
            return Some("DEFAULT as a value is not read; write the value");
        }
        if self.at_word("SESSION_WINDOW") && self.symbol_at(at + 1) == "." {
            return Some("a column called SESSION_WINDOW is not read; write the call again, or give it an alias");
        }
        self.at_word("CURRENT_PATH").then_some("CURRENT_PATH is not read; write the path as a text")
    }

    /// Whether what stands here is in a row of VALUES: elsewhere `DEFAULT` is a column of that name.
    fn is_in_values(&self) -> bool {
        let mut depth = 0;
        for at in (0..self.position).rev() {
            match self.symbol_at(at) {
                ")" => depth += 1,
                "(" if depth > 0 => depth -= 1,
                "(" => {
                    return at
                        .checked_sub(1)
                        .is_some_and(|before| self.symbol_at(before) == "," || self.word_is(before, "VALUES"));
                }
                ";" => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether this statement assigns values to columns.
    fn is_assigned(&self) -> bool {
        let mut statement = (0..self.position).rev().take_while(|at| self.symbol_at(*at) != ";");
        statement.any(|at| self.word_is(at, "UPDATE"))
    }

    /// `js:a.b` goes into a VARIANT, `:day` is a placeholder.
    fn unread_colon(&self) -> Option<&'static str> {
        let here = self.token_at(self.position).filter(|_| self.symbol_at(self.position) == ":")?;
        let next = self.token_at(self.position + 1)?.span().start;
        let touches_before = self.position > 0 && self.tokens[self.position - 1].span().end == here.span().start;
        match (touches_before, here.span().end == next) {
            (true, _) => Some("a path into a VARIANT is not read; write get_json_object(…) of the text"),
            (false, true) => Some("a word behind a colon stands for a value; bind it by --parameter name=value"),
            (false, false) => None,
        }
    }
}
