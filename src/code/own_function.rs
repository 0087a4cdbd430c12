//! Own functions: those that only the platform of a script's author has, given as expressions that replace their calls.
//!
//! A parameter whose key ends in `()` is one: `geo()` with the value `upper($1)` makes `(upper(name))` of `geo(name)`.
//! Every engine sees the expression, and whoever reads a task's parameters knows it.

use super::span::Span;
use super::token::{Token, TokenKind, tokenize};

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
}

impl<'a> OwnFunction<'a> {
    /// The function that a parameter defines; `None` if it defines none.
    pub fn new(key: &'a str, expression: &'a str) -> Option<OwnFunction<'a>> {
        Some(OwnFunction { name: key.strip_suffix("()")?, expression })
    }

    /// The expression in brackets, with arguments for `$1`, `$2`, …; NULL for an argument that the call does not have.
    pub fn with(&self, arguments: &[String]) -> String {
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
        format!("({expression}{rest})")
    }
}

/// The outermost calls of these functions, in the order of the text.
pub(super) fn calls(text: &str, functions: &[OwnFunction<'_>]) -> Vec<Call> {
    let tokens = meaningful(text, functions);
    let mut calls = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let called =
            tokens[at].kind == TokenKind::Word && tokens.get(at + 1).is_some_and(|next| next.span().of(text) == "(");
        let name = tokens[at].span().of(text);
        let function = functions.iter().position(|function| called && function.name.eq_ignore_ascii_case(name));
        let found = function.and_then(|function| Some((function, arguments(text, &tokens, at + 1)?)));
        at = match found {
            Some((function, (arguments, close))) => {
                let span = Span::new(tokens[at].span().start, tokens[close].span().end);
                calls.push(Call { span, function, arguments });
                close + 1
            }
            None => at + 1,
        };
    }
    calls
}

/// The arguments of the call whose bracket opens at token `open`, and the token that closes it; `None` if none does.
fn arguments(text: &str, tokens: &[Token], open: usize) -> Option<(Vec<Span>, usize)> {
    let mut depth = 0usize;
    let mut commas = vec![open];
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.span().of(text) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1)?,
            "," if depth == 1 => commas.push(at),
            ";" => return None,
            _ => {}
        }
        if depth == 0 {
            commas.push(at);
            let between = |pair: &[usize]| {
                (pair[0] + 1 < pair[1]).then(|| tokens[pair[0] + 1].span().cover(tokens[pair[1] - 1].span()))
            };
            return Some((commas.windows(2).filter_map(between).collect(), at));
        }
    }
    None
}

/// The statements that define one of these functions, as `CREATE TEMPORARY FUNCTION geo AS 'class'`.
pub(super) fn definitions(text: &str, functions: &[OwnFunction<'_>]) -> Vec<Span> {
    let tokens = meaningful(text, functions);
    let statements = tokens.split(|token| token.span().of(text) == ";");
    let defines = |tokens: &&[Token]| {
        let words: Vec<&str> = tokens.iter().take(7).map(|token| token.span().of(text)).collect();
        words.first().is_some_and(|word| word.eq_ignore_ascii_case("CREATE"))
            && words.iter().any(|word| word.eq_ignore_ascii_case("FUNCTION"))
            && words.iter().any(|word| functions.iter().any(|function| function.name.eq_ignore_ascii_case(word)))
    };
    statements.filter(defines).filter_map(|tokens| Some(tokens.first()?.span().cover(tokens.last()?.span()))).collect()
}

/// The functions that a text defines by an expression, as `CREATE FUNCTION f(x INT) RETURNS INT RETURN x * 2`: their
/// parameters' keys with what stands for their calls.
pub(super) fn defined_by_expressions(text: &str) -> Vec<(String, String)> {
    if !text.to_lowercase().contains("function") {
        return Vec::new();
    }
    let tokens: Vec<Token> = tokenize(text).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    tokens.split(|token| token.span().of(text) == ";").filter_map(|statement| by_expression(text, statement)).collect()
}

/// The function that a statement defines by an expression; `None` if it is another statement, or returns a query.
fn by_expression(text: &str, tokens: &[Token]) -> Option<(String, String)> {
    let words = |at: usize| tokens.get(at).map_or("", |token| token.span().of(text));
    let is = |at: usize, word: &str| words(at).eq_ignore_ascii_case(word);
    let function = (0..5).find(|at| is(*at, "FUNCTION")).filter(|_| is(0, "CREATE"))?;
    let open = (function..tokens.len()).find(|at| words(*at) == "(")?;
    let (parameters, close) = arguments(text, tokens, open)?;
    let names: Vec<&str> = parameters.iter().filter_map(|span| span.of(text).split_whitespace().next()).collect();
    let body = (close..tokens.len()).find(|at| is(*at, "RETURN"))? + 1;
    if (body..tokens.len()).any(|at| is(at, "SELECT") || is(at, "WITH")) || (close..body).any(|at| is(at, "TABLE")) {
        return None;
    }
    let mut expression = String::new();
    for (at, token) in tokens.iter().enumerate().skip(body) {
        let name = names.iter().position(|name| token.kind == TokenKind::Word && is(at, name) && words(at - 1) != ".");
        let spaced = at > body && tokens[at - 1].span().end < token.span().start;
        expression.push_str(if spaced { " " } else { "" });
        match name {
            Some(place) => expression.push_str(&format!("(${})", place + 1)),
            None => expression.push_str(words(at)),
        }
    }
    let name = words(open.checked_sub(1)?).trim_matches('`').to_lowercase();
    (!expression.is_empty()).then(|| (format!("{name}()"), expression))
}

/// The significant tokens; none if there are no own functions, as in nearly every script.
fn meaningful(text: &str, functions: &[OwnFunction<'_>]) -> Vec<Token> {
    if functions.is_empty() {
        Vec::new()
    } else {
        tokenize(text).into_iter().filter(|token| !token.kind.is_trivia()).collect()
    }
}
