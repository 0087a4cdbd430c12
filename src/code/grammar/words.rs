//! Which words can be names, and where.

use super::{ParseResult, Parser};
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

/// Words that end an expression or alias; never a bare alias, and never a bare column.
///
/// Spark lets nearly every word be a name; a script in which one of these is a name is not worth reading as such.
const CLAUSE_WORDS: [&str; 39] = [
    "select", "from", "where", "group", "having", "order", "union", "intersect", "except", "minus", "join", "on",
    "using", "lateral", "left", "right", "full", "inner", "cross", "semi", "anti", "natural", "limit", "distribute",
    "sort", "cluster", "window", "when", "then", "else", "end", "as", "and", "or", "insert", "with", "tablesample",
    "qualify", "set",
];
/// Words that cannot start an expression but may be a column name after a qualifier.
const OPERATOR_WORDS: [&str; 11] =
    ["in", "is", "like", "ilike", "rlike", "regexp", "between", "not", "div", "over", "asc"];

/// Those of them that real tables have as columns.
const COLUMN_WORDS: [&str; 5] = ["like", "ilike", "rlike", "regexp", "div"];

/// Words that begin a clause with BY alone: `SELECT order, id FROM t` reads a column of that name.
const BY_WORDS: [&str; 5] = ["group", "order", "distribute", "sort", "cluster"];

/// Words that begin a clause, unless a query ends after them: `SELECT a FROM t WHERE` calls the table so.
const LAST_ALIASES: [&str; 9] =
    ["where", "group", "having", "order", "limit", "qualify", "distribute", "sort", "cluster"];

/// Whether a bare name cannot be this word, because the grammar reads it as the next part of a query.
pub(crate) fn ends_an_expression(word: &str) -> bool {
    CLAUSE_WORDS.iter().any(|clause| word.eq_ignore_ascii_case(clause))
}

impl Parser<'_> {
    fn word_in(&self, at: usize, words: &[&str]) -> bool {
        if self.kind_at(at) != Some(TokenKind::Word) {
            return false;
        }
        let text = self.text_at(at);
        words.iter().any(|word| text.eq_ignore_ascii_case(word))
    }

    /// Whether token `at` can be a name: a quoted name, a placeholder, or any word but a clause word.
    pub(super) fn is_name(&self, at: usize) -> bool {
        match self.kind_at(at) {
            Some(TokenKind::QuotedName | TokenKind::Placeholder) => true,
            Some(TokenKind::Word) => !self.word_in(at, &CLAUSE_WORDS),
            _ => false,
        }
    }

    /// Whether token `at` can be a column at the start of an expression.
    pub(super) fn is_column_name(&self, at: usize) -> bool {
        self.is_name(at) && (!self.word_in(at, &OPERATOR_WORDS) || self.is_without_operand(at) || self.is_qualifier(at))
            || self.is_without_by(at)
            || self.word_is(at, "AS") && self.word_is(at + 1, "AS")
    }

    /// Whether token `at` would be an operator, but the name of a column follows behind a dot: `in.amount` of `sales AS in`.
    pub(super) fn is_qualifier(&self, at: usize) -> bool {
        self.symbol_at(at + 1) == "." && self.kind_at(at + 2) == Some(TokenKind::Word)
    }

    /// Whether token `at` would be an operator, but no operand can follow: `WHERE like = 1` reads a column of that name.
    fn is_without_operand(&self, at: usize) -> bool {
        let follows = [",", ")", "=", "==", "<>", "!=", "<", ">", "<=", ">=", "<=>"].contains(&self.symbol_at(at + 1));
        let goes_on = ["IS", "ASC", "DESC", "UNION"].iter().any(|word| self.word_is(at + 1, word));
        let ends = at + 1 >= self.end || goes_on || self.word_in(at + 1, &CLAUSE_WORDS);
        self.word_in(at, &COLUMN_WORDS) && (follows || ends)
    }

    /// Whether token `at` would begin a clause, but neither BY nor a bracket follows.
    fn is_without_by(&self, at: usize) -> bool {
        self.word_in(at, &BY_WORDS) && !self.word_is(at + 1, "BY") && self.symbol_at(at + 1) != "("
    }

    /// Whether token `at` can be an alias without AS.
    pub(super) fn is_bare_alias(&self, at: usize) -> bool {
        self.is_name(at)
            && !self.word_in(at, &OPERATOR_WORDS)
            && !self.unpivots(at)
            && !self.word_in(at, &["desc", "nulls", "rows", "range", "escape", "offset", "pivot", "ignore", "respect"])
    }

    /// Takes a name: any word but a clause word.
    pub(super) fn identifier(&mut self) -> ParseResult {
        if self.is_name(self.position) { Ok(self.leaf(Kind::Identifier)) } else { Err(self.unexpected("a name")) }
    }

    /// Takes a name where any word may be one: after a dot, in a column list, as a column that is defined.
    pub(super) fn member(&mut self) -> ParseResult {
        match self.kind_at(self.position) {
            Some(TokenKind::Word | TokenKind::QuotedName | TokenKind::Placeholder) => Ok(self.leaf(Kind::Identifier)),
            _ => Err(self.unexpected("a name")),
        }
    }

    /// `a.b.c` as identifiers.
    pub(super) fn path(&mut self) -> ParseResult<Vec<NodeId>> {
        let mut parts = vec![self.identifier()?];
        while self.at_symbol(".") {
            self.position += 1;
            parts.push(self.member()?);
        }
        Ok(parts)
    }

    /// `(a, b)`.
    pub(super) fn column_list(&mut self) -> ParseResult {
        let first = self.position;
        let names = self.bracketed_list(Self::member)?;
        Ok(self.node(Kind::ColumnList, first, names))
    }

    /// `[AS] name`, `AS 'name'`, `AS (a, b)`; nothing when no alias follows.
    pub(super) fn select_alias(&mut self) -> ParseResult<Option<NodeId>> {
        let first = self.position;
        if self.at_word("AS") && self.ends_item(first + 1) || self.at_word("END") && self.ends_item(first + 1) {
            // No word is reserved: `SELECT a AS FROM t` names the column "as", a second END is an alias.
            let name = self.leaf(Kind::Identifier);
            return Ok(Some(self.node(Kind::Alias, first, vec![name])));
        }
        if self.at_word("FROM") && (self.ends_clause(first + 1) || self.word_is(first + 1, "FROM")) {
            let name = self.leaf(Kind::Identifier);
            return Ok(Some(self.node(Kind::Alias, first, vec![name])));
        }
        if self.eat_word("AS") {
            if self.at_symbol("(") {
                return self.column_list().map(Some);
            }
            let name = match self.kind_at(self.position) {
                Some(TokenKind::Text) => self.leaf(Kind::Identifier),
                Some(TokenKind::Word) if !self.at_word("FROM") && !self.is_as_before_alias() => {
                    self.leaf(Kind::Identifier)
                }
                _ => self.identifier()?,
            };
            return Ok(Some(self.node(Kind::Alias, first, vec![name])));
        }
        if !self.is_bare_alias(self.position) {
            return Ok(None);
        }
        let name = self.identifier()?;
        Ok(Some(self.node(Kind::Alias, first, vec![name])))
    }

    /// Whether AS stands here as the word before an alias, and not as an alias itself.
    fn is_as_before_alias(&self) -> bool {
        self.at_word("AS") && !self.ends_item(self.position + 1)
    }

    /// Whether an item of a SELECT list ends before token `at`.
    fn ends_item(&self, at: usize) -> bool {
        let from = self.word_is(at, "FROM") && !self.word_is(at + 1, "FROM") && self.symbol_at(at + 1) != ",";
        at >= self.end || from || matches!(self.symbol_at(at), "," | ")")
    }

    /// Whether the query ends before token `at`.
    fn ends_clause(&self, at: usize) -> bool {
        at >= self.end || self.symbol_at(at) == ")"
    }

    /// `[AS] name [(columns)]` of a relation.
    pub(super) fn table_alias(&mut self) -> ParseResult<Option<NodeId>> {
        let first = self.position;
        if self.word_in(first, &LAST_ALIASES) && self.ends_clause(first + 1) {
            let name = self.leaf(Kind::Identifier);
            return Ok(Some(self.node(Kind::Alias, first, vec![name])));
        }
        let written = self.eat_word("AS");
        if !written && !self.is_bare_alias(self.position) {
            return Ok(None);
        }
        let mut children = vec![self.identifier()?];
        if self.at_symbol("(") {
            children.push(self.column_list()?);
        }
        Ok(Some(self.node(Kind::Alias, first, children)))
    }
}
