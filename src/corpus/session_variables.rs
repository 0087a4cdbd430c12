//! Session variables with a value that no query computes: every use becomes the value, so that the script says the same
//! without them. `DECLARE` and `SET VAR` with a query are left as they are, and refused as what is not read.

use std::ops::Range;

use crate::code::token::{Token, TokenKind, tokenize};

/// The value that a statement gives a variable.
#[derive(Debug)]
struct VariableValue {
    /// Its bytes, the semicolon included.
    statement: Range<usize>,
    /// The variable, lower case.
    name: String,
    /// What stands in its place from here on.
    value: String,
}

/// Returns a script with the values of its session variables in their places; what gave them stays as a comment.
pub(super) fn with_values_of_variables(text: &str) -> String {
    if !text.to_lowercase().contains("declare") {
        return text.to_owned();
    }
    let tokens: Vec<Token> = tokenize(text).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    let words = Words { text, tokens: &tokens };
    let Some(values) = words.values() else { return text.to_owned() };
    let mut plain = String::with_capacity(text.len());
    let mut end = 0;
    let mut put = |range: Range<usize>, words: &str| {
        plain.push_str(&text[end..range.start]);
        plain.push_str(words);
        end = range.end;
    };
    let mut known: Vec<&VariableValue> = Vec::new();
    let mut rest = values.iter().peekable();
    for (at, token) in tokens.iter().enumerate() {
        let start = token.span().start;
        while let Some(value) = rest.next_if(|next| next.statement.start <= start) {
            let statement = value.statement.clone();
            put(statement.clone(), &format!("/* {} */", text[statement].trim_end_matches(';')));
            known.push(value);
        }
        let is_inside = known.last().is_some_and(|last| start < last.statement.end);
        let Some(qualifier) = words.variable_at(at).filter(|_| !is_inside) else { continue };
        let name = words.at(at).to_lowercase();
        if let Some(value) = known.iter().rfind(|value| value.name == name) {
            put(qualifier..token.span().end, &value.value);
        }
    }
    plain.push_str(&text[end..]);
    plain
}

/// The tokens of a script without blanks and comments.
struct Words<'a> {
    text: &'a str,
    tokens: &'a [Token],
}

impl Words<'_> {
    fn at(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.span().of(self.text))
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.at(at).eq_ignore_ascii_case(word)
    }

    fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.span().start)
    }

    /// Returns what gives variables their values, in order; `None` if it is more than values, or if another thing of the
    /// script has the name of a variable.
    fn values(&self) -> Option<Vec<VariableValue>> {
        let mut found = Vec::new();
        let starts = (0..self.tokens.len()).filter(|at| *at == 0 || self.at(at - 1) == ";");
        for at in starts {
            if self.is(at, "DECLARE") && !self.at(at + 1).starts_with('@') {
                found.push(self.declaration(at)?);
            } else if self.tokens[at].kind == TokenKind::Command {
                found.extend(set_variable(self.at(at), self.start(at))?);
            }
        }
        let is_clear = |value: &VariableValue| (0..self.tokens.len()).all(|at| !self.is_other(at, &value.name));
        (!found.is_empty() && found.iter().all(is_clear)).then_some(found)
    }

    /// `DECLARE [OR REPLACE] [VARIABLE] name [type] DEFAULT|= value;`
    fn declaration(&self, first: usize) -> Option<VariableValue> {
        let mut at = first + 1;
        at += if self.is(at, "OR") && self.is(at + 1, "REPLACE") { 2 } else { 0 };
        at += usize::from(self.is(at, "VARIABLE") || self.is(at, "VAR"));
        at += if self.is(at, "SESSION") && self.at(at + 1) == "." { 2 } else { 0 };
        let is_name = matches!(self.tokens.get(at)?.kind, TokenKind::Word);
        let end = (at..self.tokens.len()).find(|at| self.at(*at) == ";");
        let sign = (at..end.unwrap_or(self.tokens.len())).find(|at| self.at(*at) == "=" || self.is(*at, "DEFAULT"));
        let (start, stop) = (self.start(at + 1), end.map_or(self.text.len(), |end| self.start(end)));
        let (data_type, value) = match sign {
            Some(sign) => (&self.text[start..self.start(sign)], &self.text[self.start(sign + 1)..stop]),
            None => (&self.text[start..stop], "NULL"),
        };
        let value = constant(value)?;
        let value = if data_type.trim().is_empty() { value } else { format!("CAST({value} AS {})", data_type.trim()) };
        let statement = self.start(first)..end.map_or(self.text.len(), |end| self.start(end) + 1);
        is_name.then(|| VariableValue { statement, name: self.at(at).to_lowercase(), value })
    }

    /// Where the use of a variable begins whose name is a token, `session.` included; `None` if the token is part of
    /// another name or names a call.
    fn variable_at(&self, at: usize) -> Option<usize> {
        let is_word = self.tokens[at].kind == TokenKind::Word && !matches!(self.at(at + 1), "." | "(");
        match at.checked_sub(1).map_or("", |before| self.at(before)) {
            "." => (is_word && self.is(at.checked_sub(2)?, "SESSION")).then(|| self.start(at - 2)),
            _ => is_word.then(|| self.start(at)),
        }
    }

    /// Whether a token with a variable's name names something else: a column with a qualifier, or what AS or a type
    /// behind it defines.
    fn is_other(&self, at: usize, name: &str) -> bool {
        let is_named = self.at(at).trim_matches('`').eq_ignore_ascii_case(name);
        let before = at.checked_sub(1).map_or("", |before| self.at(before));
        let qualified = before == "." && !at.checked_sub(2).is_some_and(|at| self.is(at, "SESSION"));
        is_named && (qualified || before.eq_ignore_ascii_case("AS") || self.at(at).starts_with('`'))
    }
}

/// `SET VAR name = value`, if a command is that; the outer `None` if its value is no constant.
fn set_variable(command: &str, start: usize) -> Option<Option<VariableValue>> {
    let mut words = command.split_whitespace();
    let is_set = words.next().is_some_and(|word| word.eq_ignore_ascii_case("SET"));
    let sets_variable =
        words.next().is_some_and(|word| ["VAR", "VARIABLE"].iter().any(|it| word.eq_ignore_ascii_case(it)));
    if !is_set || !sets_variable {
        return Some(None);
    }
    let (head, value) = command.split_once('=')?;
    let name = head.split_whitespace().nth(2)?.to_lowercase();
    let name = name.trim_start_matches("session.").to_owned();
    Some(Some(VariableValue { statement: start..start + command.len(), name, value: constant(value)? }))
}

/// A value in brackets if it has several words; `None` if a query computes it.
fn constant(value: &str) -> Option<String> {
    let tokens: Vec<Token> = tokenize(value).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    let asks = |token: &Token| token.span().of(value).eq_ignore_ascii_case("SELECT");
    let value = value.trim();
    match tokens.len() {
        0 => None,
        _ if tokens.iter().any(asks) => None,
        1 => Some(value.to_owned()),
        _ => Some(format!("({value})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_of_variables_become_their_values() {
        for (written, read) in [
            (
                "DECLARE OR REPLACE d = current_timestamp();\nMERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET t.b = d",
                "/* DECLARE OR REPLACE d = current_timestamp() */\nMERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET t.b = (current_timestamp())",
            ),
            (
                "DECLARE VARIABLE n INT DEFAULT 5; SELECT a FROM t WHERE a > session.n; SET VAR n = 7; SELECT n + 1",
                "/* DECLARE VARIABLE n INT DEFAULT 5 */ SELECT a FROM t WHERE a > CAST(5 AS INT); /* SET VAR n = 7 */; SELECT 7 + 1",
            ),
            ("DECLARE x DATE; SELECT x, n(1)", "/* DECLARE x DATE */ SELECT CAST(NULL AS DATE), n(1)"),
        ] {
            assert_eq!(with_values_of_variables(written), read);
        }
    }

    #[test]
    fn variables_that_a_query_computes_or_a_column_hides_stay() {
        for script in [
            "DECLARE n INT DEFAULT (SELECT max(a) FROM t); SELECT n",
            "DECLARE n = 1; SET VAR n = (SELECT max(a) FROM t); SELECT n",
            "DECLARE n = 1; SELECT t.n, n FROM t",
            "DECLARE n = 1; SELECT a AS n FROM t",
            "DECLARE @n INT; SELECT @n",
            "SELECT 'declare n = 1'",
        ] {
            assert_eq!(with_values_of_variables(script), script);
        }
    }
}
