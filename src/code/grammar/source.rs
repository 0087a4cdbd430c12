//! What a query begins with: SELECT, FROM, TABLE, VALUES, or a query in brackets.

use super::pipe_input::PipeInput;
use super::{ParseResult, Parser};
use crate::code::tree::Kind;

impl Parser<'_> {
    /// A side of a set operation.
    pub(super) fn set_operand(&mut self) -> ParseResult {
        let first = self.position;
        let source = self.source()?;
        self.body_of(first, source)
    }

    /// What a query begins with, before any `|>` and set operator.
    pub(super) fn source(&mut self) -> ParseResult<PipeInput> {
        let first = self.position;
        if self.at_word("FROM") {
            let from = self.leading_from()?;
            return self.select_behind(first, from);
        }
        if self.is_table_query(first) {
            self.position += 1;
            let at = self.position;
            let path = self.path()?;
            let table = self.node(Kind::Table, at, path);
            return Ok(PipeInput::Relation { first: at, children: vec![table] });
        }
        Ok(PipeInput::Body(vec![self.query_primary()?]))
    }

    /// `SELECT …` behind a FROM, if it stands there.
    pub(super) fn select_behind(&mut self, first: usize, from: PipeInput) -> ParseResult<PipeInput> {
        match from {
            PipeInput::Block(children) if self.at_word("SELECT") => {
                Ok(PipeInput::Body(vec![self.select(first, children)?]))
            }
            other => Ok(other),
        }
    }

    fn query_primary(&mut self) -> ParseResult {
        let first = self.position;
        if self.at_symbol("(") {
            self.position += 1;
            let query = self.query()?;
            self.expect_symbol(")")?;
            return Ok(self.node(Kind::Parenthesized, first, vec![query]));
        }
        if self.at_word("VALUES") {
            return self.values_query();
        }
        self.select(first, Vec::new())
    }

    pub(super) fn values(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("VALUES")?;
        let rows = self.list(Self::expression)?;
        Ok(self.node(Kind::Values, first, rows))
    }

    /// Whether `TABLE t` stands at a token as a whole query, and no column or table called TABLE.
    pub(super) fn is_table_query(&self, at: usize) -> bool {
        const BEHIND: [&str; 10] =
            ["UNION", "EXCEPT", "MINUS", "INTERSECT", "ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET"];
        let mut name = at + 1;
        while self.is_name(name) && self.symbol_at(name + 1) == "." {
            name += 2;
        }
        let behind = name + 1;
        let ends = behind >= self.end || matches!(self.symbol_at(behind), "|>" | ")");
        self.word_is(at, "TABLE")
            && self.is_name(name)
            && (ends || BEHIND.iter().any(|word| self.word_is(behind, word)))
    }

    /// `VALUES …` as a query, whose columns may be named: `VALUES (1, 2) AS t(a, b)`.
    fn values_query(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("VALUES")?;
        let mut children = self.list(Self::expression)?;
        children.extend(self.table_alias()?);
        Ok(self.node(Kind::Values, first, children))
    }
}
