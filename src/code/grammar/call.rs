//! Calls: arguments, FILTER, windows, CAST, intervals and the functions with words between their arguments.

use super::unread::{IDENTIFIER_CLAUSE, RUNS_A_PROGRAM};
use super::{ParseResult, Parser};
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

/// Whether `word` is a unit of time such as DAY or MONTHS.
pub(super) fn is_time_unit(word: &str) -> bool {
    const UNITS: [&str; 10] =
        ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"];
    let lower = word.to_ascii_lowercase();
    UNITS.contains(&lower.strip_suffix('s').unwrap_or(&lower))
}

impl Parser<'_> {
    pub(super) fn call(&mut self) -> ParseResult {
        let first = self.position;
        if self.at_word("IDENTIFIER") {
            return Err(self.unsupported(IDENTIFIER_CLAUSE));
        }
        let mut children = vec![self.leaf(Kind::FunctionName)];
        self.expect_symbol("(")?;
        let distinct = self.eat_word("DISTINCT");
        if !distinct && self.at_word("ALL") && self.symbol_at(self.position + 1) != ")" {
            self.position += 1;
        }
        if self.at_symbol("*") && self.symbol_at(self.position + 1) == ")" {
            children.push(self.leaf(Kind::Star));
        } else if !self.at_symbol(")") {
            self.arguments(&mut children, first)?;
        }
        self.expect_symbol(")")?;
        if self.at_word("USING") && self.word_is(first, "TRANSFORM") {
            return Err(self.unsupported(RUNS_A_PROGRAM));
        }
        self.call_tail(&mut children)?;
        Ok(self.node(Kind::Call { distinct }, first, children))
    }

    /// Comma-separated arguments; also `substring(x FROM 1 FOR 2)`, `trim(BOTH 'x' FROM y)`, `extract(DAY FROM d)`,
    /// `position(x IN y)` and `overlay(x PLACING y FROM 1)`. The arguments of `struct` may have names.
    fn arguments(&mut self, children: &mut Vec<NodeId>, name: usize) -> ParseResult<()> {
        let sided = ["BOTH", "LEADING", "TRAILING"].iter().any(|word| self.at_word(word));
        self.position += usize::from(sided);
        // `trim(LEADING FROM x)` has no characters before FROM.
        if !(sided && self.at_word("FROM")) {
            self.separated_arguments(children, name)?;
        }
        if self.eat_word("FROM") || self.at_word("IN") && self.eat_word("IN") {
            children.push(self.expression()?);
            if self.eat_word("FOR") {
                children.push(self.expression()?);
            }
        }
        Ok(())
    }

    fn separated_arguments(&mut self, children: &mut Vec<NodeId>, name: usize) -> ParseResult<()> {
        loop {
            children.push(self.argument(name)?);
            if self.at_symbol("=>") || self.at_symbol("=") && self.symbol_at(self.position + 1) == ">" {
                return Err(
                    self.unsupported("named arguments (name => value) are not read; write the values in their order")
                );
            }
            if self.word_is(name, "STRUCT") {
                children.extend(self.select_alias()?);
            }
            let placing = self.at_word("PLACING") && self.word_is(name, "OVERLAY");
            if !placing && !self.at_symbol(",") {
                return Ok(());
            }
            self.position += 1;
        }
    }

    /// One argument. That of `position` ends before IN, and a star may stand for all columns.
    fn argument(&mut self, name: usize) -> ParseResult {
        if let Some(wildcard) = self.wildcard()? {
            return Ok(wildcard);
        }
        if self.at_word("TABLE") && self.symbol_at(self.position + 1) == "(" {
            return Err(self.unsupported("a table as an argument is not read; write what the function does as a query"));
        }
        let (first, nodes) = (self.position, self.tree.len());
        if self.word_is(name, "POSITION") {
            let text = self.arithmetic(0)?;
            if self.at_word("IN") && !self.opens_query(self.position + 1) {
                return Ok(text);
            }
            self.tree.truncate(nodes);
            self.position = first;
        }
        self.expression()
    }

    fn call_tail(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        if self.at_words(&["WITHIN", "GROUP"]) && self.symbol_at(self.position + 2) == "(" {
            children.push(self.within_group()?);
        }
        if self.at_word("FILTER") && self.symbol_at(self.position + 1) == "(" {
            children.push(self.filter()?);
        }
        if self.at_words(&["IGNORE", "NULLS"]) || self.at_words(&["RESPECT", "NULLS"]) {
            self.position += 2;
        }
        if self.at_word("OVER") {
            let first = self.position;
            self.position += 1;
            let window = if self.at_symbol("(") { self.window_spec()? } else { self.identifier()? };
            children.push(self.node(Kind::Over, first, vec![window]));
        }
        Ok(())
    }

    fn within_group(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 3;
        if !self.at_words(&["ORDER", "BY"]) {
            return Err(self.unexpected("'ORDER BY'"));
        }
        let order = self.ordering(Kind::OrderBy)?;
        self.expect_symbol(")")?;
        Ok(self.node(Kind::WithinGroup, first, vec![order]))
    }

    fn filter(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 2;
        self.expect_word("WHERE")?;
        let condition = self.expression()?;
        self.expect_symbol(")")?;
        Ok(self.node(Kind::Filter, first, vec![condition]))
    }

    pub(super) fn window_spec(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_symbol("(")?;
        let mut children = Vec::new();
        let clause = ["PARTITION", "DISTRIBUTE", "ORDER", "SORT", "CLUSTER"]
            .iter()
            .any(|w| self.at_word(w) && self.word_is(self.position + 1, "BY"));
        if !clause && !self.at_word("ROWS") && !self.at_word("RANGE") && self.is_name(self.position) {
            children.push(self.identifier()?);
        }
        if ["PARTITION", "DISTRIBUTE", "CLUSTER"].iter().any(|word| self.at_words(&[word, "BY"])) {
            children.push(self.keys(Kind::PartitionBy)?);
        }
        if self.at_words(&["ORDER", "BY"]) || self.at_words(&["SORT", "BY"]) {
            children.push(self.ordering(Kind::OrderBy)?);
        }
        if self.at_word("ROWS") || self.at_word("RANGE") {
            children.push(self.frame()?);
        }
        self.expect_symbol(")")?;
        Ok(self.node(Kind::WindowSpec, first, children))
    }

    fn frame(&mut self) -> ParseResult {
        let first = self.position;
        let rows = self.at_word("ROWS");
        self.position += 1;
        let between = self.eat_word("BETWEEN");
        let mut bounds = vec![self.frame_bound()?];
        if between {
            self.expect_word("AND")?;
            bounds.push(self.frame_bound()?);
        }
        Ok(self.node(Kind::Frame { rows }, first, bounds))
    }

    fn frame_bound(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = Vec::new();
        if self.eat_words(&["CURRENT", "ROW"]) {
            return Ok(self.node(Kind::FrameBound, first, children));
        }
        if !self.eat_word("UNBOUNDED") {
            children.push(self.expression()?);
        }
        if !self.eat_word("PRECEDING") && !self.eat_word("FOLLOWING") {
            return Err(self.unexpected("PRECEDING or FOLLOWING"));
        }
        Ok(self.node(Kind::FrameBound, first, children))
    }

    pub(super) fn cast(&mut self) -> ParseResult {
        let (first, nodes) = (self.position, self.tree.len());
        if self.symbol_at(first + 2) == ")" {
            return self.call();
        }
        self.position += 2;
        let value = self.expression()?;
        if self.at_symbol(")") || self.at_symbol(",") {
            // Without AS it is a call like any other.
            self.tree.truncate(nodes);
            self.position = first;
            return self.call();
        }
        self.expect_word("AS")?;
        let target = self.type_name()?;
        self.expect_symbol(")")?;
        Ok(self.node(Kind::Cast, first, vec![value, target]))
    }

    /// `INTERVAL 1 DAY 2 HOURS`, `INTERVAL '1' DAY`, `INTERVAL '1 day'`.
    pub(super) fn interval(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let mut values = Vec::new();
        loop {
            values.push(self.interval_value()?);
            let unit =
                self.kind_at(self.position) == Some(TokenKind::Word) && is_time_unit(self.text_at(self.position));
            self.position += usize::from(unit);
            if unit && self.at_word("TO") {
                self.position += 2;
            }
            if !unit || !self.goes_on_with_interval() {
                break;
            }
        }
        Ok(self.node(Kind::Interval, first, values))
    }

    /// Whether another number with its unit follows, perhaps with a sign.
    fn goes_on_with_interval(&self) -> bool {
        let sign = usize::from(matches!(self.symbol_at(self.position), "+" | "-"));
        let number = self.position + sign;
        let has_unit = self.kind_at(number + 1) == Some(TokenKind::Word) && is_time_unit(self.text_at(number + 1));
        self.kind_at(number) == Some(TokenKind::Number) && (sign == 0 || has_unit)
    }

    fn interval_value(&mut self) -> ParseResult {
        self.eat_symbol("+");
        let first = self.position;
        if self.eat_symbol("-") {
            let value = self.interval_value()?;
            return Ok(self.node(Kind::Unary, first, vec![value]));
        }
        match self.kind_at(first) {
            Some(TokenKind::Number) => Ok(self.leaf(Kind::Number)),
            Some(TokenKind::Text) => Ok(self.leaf(Kind::Text)),
            Some(TokenKind::Placeholder) => Ok(self.leaf(Kind::Placeholder)),
            _ if self.at_symbol("(") => self.expression(),
            _ => {
                let name = self.identifier()?;
                Ok(self.node(Kind::Column, first, vec![name]))
            }
        }
    }
}
