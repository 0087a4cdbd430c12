//! Recursive-descent grammar of Hive and Spark SQL over tokens; every node gets its range by construction.
//!
//! The grammar accepts the union of what Hive 2.3 and Spark 4 accept; what only one of them takes is judged later.
//! Sources: Spark's `SqlBaseParser.g4`, Hive's `HiveParser.g`.
//!
//! Queries that are refused on purpose, each with a located message of [`SyntaxReason::Unsupported`]:
//!
//! | construct | message |
//! | --- | --- |
//! | `SELECT TRANSFORM (…) USING 'program'` | TRANSFORM … USING runs a program outside SQL: write what it does as expressions, … |
//! | `FROM t, u PIVOT (…)` | PIVOT behind several items of FROM is not supported; write CROSS JOIN for the comma |
//! | `FROM t, LATERAL (SELECT …)` | a LATERAL sub-query is not supported; write it as a join |
//! | `WINDOW v AS w` | a window that is another by a new name is not read; write it out again |
//! | `FROM IDENTIFIER('t')` | IDENTIFIER(…) is not supported; write the name itself |
//!
//! Other legal SQL that is not read is told by its words: `unread` has the list, and `docs/spark_sql.md` the whole of Spark's
//! reference.
//!
//! Statements without faults are kept as text: DROP, ALTER, LOAD and the like as [`Kind::Opaque`], SET, USE and other
//! commands as [`Kind::Command`].

mod change;
mod pipe_input;
mod pipe;
mod pivot;
mod predicate;
mod query;
mod relation;
mod source;
mod unread;
mod call;
mod ddl;
mod expression;
mod insert;
mod words;

pub(crate) use words::ends_an_expression;

use super::span::Span;
use super::token::{Token, TokenKind};
use super::tree::{Kind, NodeId, Tree};

/// How deeply expressions and queries may nest.
///
/// Chosen so that a test thread's 2 MiB stack holds in a debug build; real scripts nest 24 deep at most.
pub const MAX_DEPTH: usize = 100;
/// The longest chain of binary operators or set operations (`AND` and `OR` chains have no limit).
pub const MAX_CHAIN: usize = 500;

/// Why a statement does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The offending token's bytes; empty at the end of the statement.
    pub span: Span,
    /// What stands there, in quotes and cut to 40 characters; `the end` at the end of the statement.
    pub found: String,
    /// What would have been right, in words such as `')'` or `an expression`. For `Unclosed` it is what has no end; for
    /// `TooDeep` and `Unsupported`, the message itself.
    pub expected: String,
    /// The kind of the error.
    pub reason: SyntaxReason,
}

/// Kinds of syntax errors, which are told in different words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxReason {
    /// A token that cannot stand where it does.
    Unexpected,
    /// The statement ends too early.
    UnexpectedEnd,
    /// A string, quoted name or comment has no end.
    Unclosed,
    /// Nesting beyond [`MAX_DEPTH`] or a chain beyond [`MAX_CHAIN`].
    TooDeep,
    /// Legal SQL that this crate does not read.
    Unsupported,
    /// Inside a CASE that lacks THEN or END; `SyntaxError::span` is the token where it was missed.
    BrokenCase,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.reason {
            SyntaxReason::Unclosed => write!(out, "this {} is never closed", self.expected),
            SyntaxReason::Unsupported => write!(out, "{}", self.expected),
            SyntaxReason::TooDeep => write!(out, "{}; simplify the statement", self.expected),
            SyntaxReason::UnexpectedEnd => write!(out, "the statement ends where {} is expected", self.expected),
            _ => write!(out, "found {} where {} is expected", self.found, self.expected),
        }
    }
}

pub(crate) type ParseResult<T = NodeId> = Result<T, SyntaxError>;

/// Parses all statements of `text`; a statement that fails becomes a [`Kind::Broken`] node and an error.
pub(crate) fn parse(text: &str, tokens: &[Token]) -> (Tree, Vec<(NodeId, SyntaxError)>) {
    let mut parser = Parser::new(text, tokens);
    let mut statements = Vec::new();
    let mut errors = Vec::new();
    while parser.position < tokens.len() {
        if parser.eat_symbol(";") {
            continue;
        }
        let (statement, error) = parser.statement_or_broken();
        statements.push(statement);
        errors.extend(error.map(|error| (statement, error)));
    }
    parser.finish(statements);
    (parser.tree, errors)
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// For each token that is a bracket the index of its partner; `u32::MAX` for other tokens and lone brackets.
    partners: Vec<u32>,
    position: usize,
    /// One past the last token of the current statement.
    end: usize,
    tree: Tree,
    depth: usize,
    /// The deepest level that the part of a query read so far has in the tree, with the levels that pipes add.
    deepest: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: &'a [Token]) -> Self {
        let partners = partners(text, tokens);
        let tree = Tree::with_room(tokens.len());
        Self { text, tokens, partners, position: 0, end: tokens.len(), tree, depth: 0, deepest: 0 }
    }

    fn statement_or_broken(&mut self) -> (NodeId, Option<SyntaxError>) {
        let first = self.position;
        self.end = (first..self.tokens.len()).find(|at| self.symbol_at(*at) == ";").unwrap_or(self.tokens.len());
        let nodes_before = self.tree.len();
        (self.depth, self.deepest) = (0, 0);
        match self.statement().and_then(|id| self.expect_end().map(|()| id)) {
            Ok(id) => (id, None),
            Err(error) => {
                self.tree.truncate(nodes_before);
                self.position = self.end;
                (self.node(Kind::Broken, first, Vec::new()), Some(error))
            }
        }
    }

    fn expect_end(&self) -> ParseResult<()> {
        if self.position < self.end { Err(self.unexpected("the end of the statement")) } else { Ok(()) }
    }

    fn finish(&mut self, statements: Vec<NodeId>) {
        let last = self.tokens.len().saturating_sub(1);
        self.tree.push(Kind::Script, Span::new(0, self.text.len()), 0..=last, &statements);
    }

    // ---- nodes -----------------------------------------------------------------------------------------------

    /// Makes a node from token `first` to the last token read.
    fn node(&mut self, kind: Kind, first: usize, children: Vec<NodeId>) -> NodeId {
        let last = self.position.max(first + 1) - 1;
        let span = Span::new(self.tokens[first].span().start, self.tokens[last].span().end);
        self.tree.push(kind, span, first..=last, &children)
    }

    /// Takes the current token as a node without children.
    fn leaf(&mut self, kind: Kind) -> NodeId {
        let first = self.position;
        self.position += 1;
        self.node(kind, first, Vec::new())
    }

    // ---- looking ---------------------------------------------------------------------------------------------

    fn token_at(&self, at: usize) -> Option<&Token> {
        if at < self.end { self.tokens.get(at) } else { None }
    }

    fn kind_at(&self, at: usize) -> Option<TokenKind> {
        self.token_at(at).map(|token| token.kind)
    }

    fn text_at(&self, at: usize) -> &'a str {
        self.token_at(at).map_or("", |token| token.span().of(self.text))
    }

    fn symbol_at(&self, at: usize) -> &'a str {
        match self.tokens.get(at) {
            Some(token) if token.kind == TokenKind::Symbol => token.span().of(self.text),
            _ => "",
        }
    }

    fn word_is(&self, at: usize, word: &str) -> bool {
        self.kind_at(at) == Some(TokenKind::Word) && self.text_at(at).eq_ignore_ascii_case(word)
    }

    fn at_word(&self, word: &str) -> bool {
        self.word_is(self.position, word)
    }

    fn at_words(&self, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.word_is(self.position + offset, word))
    }

    fn at_symbol(&self, symbol: &str) -> bool {
        self.position < self.end && self.symbol_at(self.position) == symbol
    }

    /// Index of the closing bracket of the opening one at `at`.
    fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().filter(|partner| *partner != u32::MAX).map(|partner| partner as usize)
    }

    // ---- taking ----------------------------------------------------------------------------------------------

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.position += usize::from(found);
        found
    }

    fn eat_words(&mut self, words: &[&str]) -> bool {
        let found = self.at_words(words);
        self.position += if found { words.len() } else { 0 };
        found
    }

    fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.position < self.tokens.len() && self.symbol_at(self.position) == symbol;
        self.position += usize::from(found);
        found
    }

    fn expect_word(&mut self, word: &str) -> ParseResult<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    fn expect_symbol(&mut self, symbol: &str) -> ParseResult<()> {
        if self.at_symbol(symbol) {
            self.position += 1;
            return Ok(());
        }
        Err(self.unexpected(&format!("'{symbol}'")))
    }

    fn unexpected(&self, expected: &str) -> SyntaxError {
        let (expected, reason) = match self.legal_but_unread() {
            Some(message) => (message, SyntaxReason::Unsupported),
            None => (expected, SyntaxReason::Unexpected),
        };
        let Some(token) = self.token_at(self.position) else {
            let end = self.tokens.get(self.end.wrapping_sub(1)).map_or(0, |token| token.span().end);
            return SyntaxError {
                span: Span::empty(end),
                found: "the end".to_owned(),
                expected: expected.to_owned(),
                reason: SyntaxReason::UnexpectedEnd,
            };
        };
        let unclosed = token.kind == TokenKind::Unclosed;
        SyntaxError {
            span: token.span(),
            found: format!("'{}'", shortened(token.span().of(self.text))),
            expected: if unclosed { "string or comment".to_owned() } else { expected.to_owned() },
            reason: if unclosed { SyntaxReason::Unclosed } else { reason },
        }
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep(format!("nesting is deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&self, expected: String) -> SyntaxError {
        SyntaxError { expected, reason: SyntaxReason::TooDeep, ..self.unexpected("less nesting") }
    }

    /// The error for legal SQL that this crate does not read; `message` says what it is and what to write instead.
    fn unsupported(&self, message: &str) -> SyntaxError {
        SyntaxError {
            expected: message.to_owned(),
            reason: SyntaxReason::Unsupported,
            ..self.unexpected("supported SQL")
        }
    }

    /// `item (, item)*`.
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> ParseResult) -> ParseResult<Vec<NodeId>> {
        let mut items = vec![item(self)?];
        while self.at_symbol(",") {
            self.position += 1;
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `(item (, item)*)`.
    fn bracketed_list(&mut self, item: impl FnMut(&mut Self) -> ParseResult) -> ParseResult<Vec<NodeId>> {
        self.expect_symbol("(")?;
        let items = self.list(item)?;
        self.expect_symbol(")")?;
        Ok(items)
    }

    /// A list in brackets, or one item without.
    fn one_or_list(&mut self, mut item: impl FnMut(&mut Self) -> ParseResult) -> ParseResult<Vec<NodeId>> {
        if self.at_symbol("(") { self.bracketed_list(item) } else { Ok(vec![item(self)?]) }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn partners(text: &str, tokens: &[Token]) -> Vec<u32> {
    let mut partners = vec![u32::MAX; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Symbol {
            continue;
        }
        match token.span().of(text) {
            "(" | "[" => open.push(at),
            ")" | "]" => {
                if let Some(start) = open.pop() {
                    partners[start] = at as u32;
                    partners[at] = start as u32;
                }
            }
            ";" => open.clear(),
            _ => {}
        }
    }
    partners
}
