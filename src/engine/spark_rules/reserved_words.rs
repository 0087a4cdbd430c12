//! Predicts how Spark reads words that our grammar reserves.
//!
//! With ANSI mode off Spark reserves no word: `SELECT a, FROM t` has a column called FROM with the alias t, and
//! `WHERE AND x = 1` a column called AND. Its parser fails where that reading ends, or not at all.

use crate::code::grammar::SyntaxError;
use crate::code::script::Script;
use crate::code::token::TokenKind;

/// What Spark's parser makes of a place where our grammar fails.
pub(super) enum SparkReading {
    /// Its parser reports an error at this token.
    ErrorAt(usize),
    /// It reads the token as a column that does not exist.
    Column(usize),
    /// It reads the token as a table that does not exist.
    Table(usize),
    /// It reads on and reports the comma before FROM.
    TrailingComma(usize),
}

const CLAUSES: [&str; 9] = ["WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "LATERAL", "UNION", "INTERSECT", "EXCEPT"];
const SIDES: [&str; 8] = ["LEFT", "RIGHT", "FULL", "INNER", "CROSS", "SEMI", "ANTI", "JOIN"];

/// Where our grammar failed, in tokens.
#[derive(Clone, Copy)]
pub(super) struct ErrorPlace {
    /// The first token of the statement.
    pub first: usize,
    /// The token that our grammar does not accept.
    pub at: usize,
    /// Whether Spark's parser looks ahead through the whole construct around this place before it decides.
    pub looks_ahead: bool,
}

/// Returns what Spark's parser makes of an error of our parser.
pub(super) fn reading(script: &Script, error: &SyntaxError, place: ErrorPlace) -> SparkReading {
    let at = place.at;
    let word = |index: usize| script.tokens().get(index).map_or("", |_| script.token_text(index)).to_ascii_uppercase();
    let before = |steps: usize| at.checked_sub(steps).map_or_else(String::new, word);
    let (found, previous, next) = (word(at), before(1), word(at + 1));
    if found == "FROM" && matches!(previous.as_str(), "," | "SELECT" | "DISTINCT") {
        return from_as_column(script, at, previous == ",");
    }
    if found == "WITH" && matches!(before(2).as_str(), "FROM" | "JOIN" | ".") {
        return SparkReading::ErrorAt(at + 1);
    }
    if found == "END" && next == "AS" {
        return SparkReading::ErrorAt(at + 1);
    }
    if found == "WITH" && previous == "SELECT" {
        return SparkReading::ErrorAt(at + 2);
    }
    if found == "TABLE" && previous == "INTO" && before(2) == "OVERWRITE" {
        // Spark reads a table called INTO that is filled by the query `TABLE name`, after which nothing may follow.
        let dots = (at + 2..).step_by(2).take_while(|dot| word(*dot) == ".").count();
        return SparkReading::ErrorAt(at + 2 + 2 * dots);
    }
    if let Some(at) = by_other_names(script, error, place, &word) {
        return SparkReading::ErrorAt(at);
    }
    if found == "SELECT" && matches!(previous.as_str(), "FROM" | "JOIN") {
        return SparkReading::ErrorAt(at);
    }
    if let Some(table) = partition_for_target(&before, at) {
        return SparkReading::Table(table);
    }
    let in_list = error.expected == "an expression" && matches!(previous.as_str(), "," | "SELECT");
    if found == "SELECT" && in_list && script.token_text(at + 1).starts_with(|first: char| first.is_alphabetic()) {
        return SparkReading::ErrorAt(at + 2);
    }
    let starts_query = matches!(found.as_str(), "SELECT" | "WITH" | "VALUES");
    if starts_query && previous == "TABLE" && matches!(before(2).as_str(), "INTO" | "OVERWRITE") {
        return SparkReading::Table(at - 1);
    }
    let dangles = matches!(previous.as_str(), "AND" | "OR");
    if SIDES.contains(&found.as_str()) && (dangles || previous == "ON") {
        return SparkReading::Column(at);
    }
    let operator = matches!(previous.as_str(), "IN" | "LIKE" | "RLIKE" | "IS");
    let is_word = script.tokens().get(at).is_some_and(|token| token.kind == TokenKind::Word);
    if operator && !is_word {
        let named = place.looks_ahead || before(2) == "NOT";
        return SparkReading::ErrorAt(if named { at } else { at - 1 });
    }
    let sorts = matches!(found.as_str(), "GROUP" | "ORDER" | "SORT" | "DISTRIBUTE" | "CLUSTER");
    let ends = found.is_empty() || found == ")" || found == ";";
    if dangles && (ends || sorts && next == "BY") {
        return SparkReading::ErrorAt(at - 1);
    }
    let bare = previous == "BY" && matches!(before(2).as_str(), "GROUP" | "ORDER") && before(3) != "(";
    if ends && bare {
        return SparkReading::ErrorAt(if found == ")" { at } else { at - 1 });
    }
    if found == "HAVING" && bare {
        return SparkReading::ErrorAt(at + 2);
    }
    if sorts && next != "BY" && !next.is_empty() || previous == "AS" && found == "AS" || found == "STORED" {
        return SparkReading::ErrorAt(at + 1);
    }
    let name_wanted = matches!(error.expected.as_str(), "an expression" | "a name");
    SparkReading::ErrorAt(if is_word && name_wanted && !next.is_empty() { at + 1 } else { at })
}

/// Returns the token at which Spark fails after taking keywords for names of an alias, a call or a table.
fn by_other_names(
    script: &Script,
    error: &SyntaxError,
    ErrorPlace { first, at, looks_ahead }: ErrorPlace,
    word: &impl Fn(usize) -> String,
) -> Option<usize> {
    let before = |steps: usize| at.checked_sub(steps).map_or_else(String::new, word);
    let is_word = |at: usize| script.tokens().get(at).is_some_and(|token| token.kind == TokenKind::Word);
    let (found, previous, next) = (word(at), before(1), word(at + 1));
    match (found.as_str(), previous.as_str()) {
        // `FROM t, WHERE dt = 1`: Spark reads a table WHERE with the alias dt.
        ("WHERE", ",") if is_word(at + 1) => Some(at + 2),
        // `FROM t, JOIN (SELECT a …`: Spark reads a function JOIN of a column SELECT.
        ("(", "JOIN") if before(2) == "," && looks_ahead && next == "SELECT" => Some(at + 2),
        ("*", "(") if next == "AS" => Some(at + 1),
        // `FROM t, OUTER EXPLODE (m.x)`: Spark reads a table OUTER with the alias EXPLODE and a list of column names,
        // in which there may be no point.
        (".", _) if before(2) == "(" && before(5) == "," && is_word(at - 3) && is_word(at - 4) && !looks_ahead => {
            Some(at - 2)
        }
        // `OVER (PARTITION a`: OVER may be an alias.
        _ if !looks_ahead && before(1) == "PARTITION" && before(2) == "(" && before(3) == "OVER" => Some(at - 2),
        // `COUNT(id FROM t`: FROM cannot be part of this call.
        _ if before(2) == "FROM" && error.expected.contains(')') && super::lookahead::is_in_call(script, first, at) => {
            Some(at - 2)
        }
        _ if !is_word(at) || found == "FROM" || !ends_expression(script, at) => None,
        _ if super::lookahead::is_in_plain_brackets(script, first, at) => Some(at + 1),
        _ if next == "." && super::lookahead::is_in_group_by(script, first, at) => Some(at + 1),
        _ => None,
    }
}

/// Whether the token before this one ends an expression, so that an alias may follow.
fn ends_expression(script: &Script, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| script.token_text(before)) else { return false };
    let first = before.chars().next().unwrap_or(' ');
    let operators =
        ["AND", "OR", "NOT", "BY", "IN", "IS", "LIKE", "RLIKE", "BETWEEN", "WHEN", "THEN", "ELSE", "DISTINCT"];
    (first == ')' || first == '\'' || first == '`' || first.is_alphanumeric() || first == '_')
        && !operators.iter().any(|word| before.eq_ignore_ascii_case(word))
}

/// `INSERT OVERWRITE TABLE PARTITION (dt = …)`: Spark takes TABLE for the name of the table, which is missing.
fn partition_for_target(before: &impl Fn(usize) -> String, at: usize) -> Option<usize> {
    let clause = before(2) == "(" && before(3) == "PARTITION" && before(4) == "TABLE";
    (clause && matches!(before(5).as_str(), "INTO" | "OVERWRITE")).then(|| at - 4)
}

/// Returns what follows if FROM is read as a column with an alias, or as a call.
fn from_as_column(script: &Script, from: usize, after_comma: bool) -> SparkReading {
    let text = |index: usize| script.tokens().get(index).map_or("", |_| script.token_text(index)).to_ascii_uppercase();
    let alias = text(from + 1);
    if alias == "(" {
        return SparkReading::ErrorAt(from + 3);
    }
    let after = text(from + 2);
    let ends = after.is_empty() || matches!(after.as_str(), ")" | ";" | ",") || CLAUSES.contains(&after.as_str());
    match (ends, after_comma) {
        (false, _) => SparkReading::ErrorAt(from + 2),
        (true, true) => SparkReading::TrailingComma(from),
        (true, false) if after == "WHERE" && is_plain_column(script, from + 3) => SparkReading::Column(from + 3),
        (true, false) => SparkReading::Column(from),
    }
}

/// Whether a token is a plain column name that Spark looks up before the SELECT list, not a word that begins a
/// predicate.
fn is_plain_column(script: &Script, at: usize) -> bool {
    const WORDS: [&str; 6] = ["NOT", "EXISTS", "CASE", "NULL", "TRUE", "FALSE"];
    let token = script.tokens().get(at);
    let follows = script.tokens().get(at + 1).map_or("", |_| script.token_text(at + 1));
    token.is_some_and(|token| token.kind == TokenKind::Word)
        && !WORDS.iter().any(|word| script.token_text(at).eq_ignore_ascii_case(word))
        && !matches!(follows, "(" | ".")
}
