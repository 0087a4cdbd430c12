//! Own functions: those that only the platform of a script's author has, given as expressions that replace their calls.
//!
//! A parameter whose key ends in `()` is one: `geo()` with the value `upper($1)` makes `(upper(name))` of `geo(name)`.
//! Every engine sees the expression, and whoever reads a task's parameters knows it.

use std::ops::Range;

use super::span::Span;
use super::token::TokenKind;
use super::words::Words;

/// A function whose calls are replaced by an expression.
pub(super) struct OwnFunction<'a> {
    name: &'a str,
    expression: &'a str,
}

/// A call of an own function.
pub(super) struct Call {
    /// From its name to its closing bracket.
    pub span: Span,
    /// Index of the function in the list that was searched for.
    pub function: usize,
    /// Its arguments, as written.
    pub arguments: Vec<Span>,
    /// It stands behind LATERAL VIEW or gets several names, where the grammar wants a call and no brackets around it.
    pub makes_rows: bool,
}

impl<'a> OwnFunction<'a> {
    /// The function that a parameter defines; `None` if it defines none.
    pub fn new(key: &'a str, expression: &'a str) -> Option<OwnFunction<'a>> {
        Some(OwnFunction { name: key.strip_suffix("()")?, expression })
    }

    /// The expression with arguments for `$1`, `$2`, …, in brackets unless it makes rows; NULL for an argument that the call
    /// does not have.
    pub fn in_place_of(&self, call: &Call, arguments: &[String]) -> String {
        let expression = self.with(arguments);
        if call.makes_rows { expression } else { format!("({expression})") }
    }

    fn with(&self, arguments: &[String]) -> String {
        let mut expression = String::new();
        let mut rest = self.expression;
        while let Some(at) = rest.find('$') {
            expression.push_str(&rest[..at]);
            let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let number: Option<usize> = rest[at + 1..at + 1 + digits].parse().ok();
            match number.and_then(|number| arguments.get(number.checked_sub(1)?)) {
                Some(argument) => expression.push_str(argument),
                None => expression.push_str(if digits == 0 { "$" } else { "NULL" }),
            }
            rest = &rest[at + 1 + digits..];
        }
        expression.push_str(rest);
        expression
    }
}

/// The outermost calls of these functions, in the order of the text.
pub(super) fn calls(text: &str, functions: &[OwnFunction<'_>]) -> Vec<Call> {
    if functions.is_empty() {
        return Vec::new();
    }
    let words = Words::of(text);
    let mut calls = Vec::new();
    let mut at = 0;
    while at < words.count() {
        let is_called = words.kind(at) == Some(TokenKind::Word) && words.at(at + 1) == "(";
        let function = functions.iter().position(|function| is_called && words.is(at, function.name));
        let found = function.and_then(|function| Some((function, arguments(&words, at + 1)?)));
        at = match found {
            Some((function, (arguments, close))) => {
                let before = |back: usize, word: &str| at.checked_sub(back).is_some_and(|at| words.is(at, word));
                let has_names = words.is(close + 1, "AS") && words.at(close + 2) == "(";
                let makes_rows = has_names || before(1, "VIEW") || before(1, "OUTER") && before(2, "VIEW");
                calls.push(Call { span: words.cover(at..close + 1), function, arguments, makes_rows });
                close + 1
            }
            None => at + 1,
        };
    }
    calls
}

/// The arguments of the call whose bracket opens at word `open`, and the word that closes it; `None` if none does.
fn arguments(words: &Words<'_>, open: usize) -> Option<(Vec<Span>, usize)> {
    let mut depth = 0usize;
    let mut commas = vec![open];
    for at in open..words.count() {
        match words.at(at) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1)?,
            "," if depth == 1 => commas.push(at),
            ";" => return None,
            _ => {}
        }
        if depth == 0 {
            commas.push(at);
            let between = |pair: &[usize]| (pair[0] + 1 < pair[1]).then(|| words.cover(pair[0] + 1..pair[1]));
            return Some((commas.windows(2).filter_map(between).collect(), at));
        }
    }
    None
}

/// The statements that define one of these functions, as `CREATE TEMPORARY FUNCTION geo AS 'class'`.
pub(super) fn definitions(text: &str, functions: &[OwnFunction<'_>]) -> Vec<Span> {
    if functions.is_empty() {
        return Vec::new();
    }
    let words = Words::of(text);
    let defines = |statement: &Range<usize>| {
        let mut head = statement.clone().take(7);
        words.is(statement.start, "CREATE")
            && head.clone().any(|at| words.is(at, "FUNCTION"))
            && head.any(|at| functions.iter().any(|function| words.is(at, function.name)))
    };
    words.statements().filter(defines).map(|statement| words.cover(statement)).collect()
}

/// The statements that make functions of programs, as `CREATE FUNCTION geo AS 'class' USING JAR '…'`: nothing of them
/// runs.
pub(super) fn programs(text: &str) -> Vec<Span> {
    if !text.to_lowercase().contains("function") {
        return Vec::new();
    }
    let words = Words::of(text);
    let is_program = |statement: &Range<usize>| {
        let function = statement.clone().take(4).find(|at| words.is(*at, "FUNCTION"));
        let class = function.and_then(|function| (function..statement.end).find(|at| words.is(*at, "AS")));
        words.is(statement.start, "CREATE") && class.is_some_and(|at| words.kind(at + 1) == Some(TokenKind::Text))
    };
    words.statements().filter(is_program).map(|statement| words.cover(statement)).collect()
}

/// The functions that a text defines by an expression, as `CREATE FUNCTION f(x INT) RETURNS INT RETURN x * 2`: their
/// parameters' keys with what stands for their calls.
pub(super) fn defined_by_expressions(text: &str) -> Vec<(String, String)> {
    if !text.to_lowercase().contains("function") {
        return Vec::new();
    }
    let words = Words::of(text);
    words.statements().filter_map(|statement| by_expression(text, &words, statement)).collect()
}

/// The function that a statement defines by an expression; `None` if it is another statement, or returns a query.
fn by_expression(text: &str, words: &Words<'_>, statement: Range<usize>) -> Option<(String, String)> {
    let Range { start, end } = statement;
    let function = (start..end).take(5).find(|at| words.is(*at, "FUNCTION")).filter(|_| words.is(start, "CREATE"))?;
    let open = (function..end).find(|at| words.at(*at) == "(")?;
    let (parameters, close) = arguments(words, open)?;
    let names: Vec<&str> = parameters.iter().filter_map(|span| span.of(text).split_whitespace().next()).collect();
    let body = (close..end).find(|at| words.is(*at, "RETURN"))? + 1;
    let is_query = (body..end).any(|at| words.is(at, "SELECT") || words.is(at, "WITH"));
    if is_query || (close..body).any(|at| words.is(at, "TABLE")) {
        return None;
    }
    let mut expression = String::new();
    for at in body..end {
        let is_name = words.kind(at) == Some(TokenKind::Word) && words.before(at) != ".";
        let is_spaced = at > body && words.span(at - 1).end < words.span(at).start;
        expression.push_str(if is_spaced { " " } else { "" });
        match names.iter().position(|name| is_name && words.is(at, name)) {
            Some(place) => expression.push_str(&format!("(${})", place + 1)),
            None => expression.push_str(words.at(at)),
        }
    }
    let name = words.before(open).trim_matches('`').to_lowercase();
    (!expression.is_empty()).then(|| (format!("{name}()"), expression))
}
