//! Expressions by precedence climbing.
//!
//! Precedence, loosest first (Spark's `booleanExpression` and `valueExpression`, with Hive's order of the bit
//! operators): OR, AND, NOT, comparison and predicates, `|`, `^`, `&`, shifts, `+ - ||`, `* / % DIV`, unary, postfix.

use super::{MAX_CHAIN, ParseResult, Parser, SyntaxReason};
use crate::code::token::{Token, TokenKind};
use crate::code::tree::{BinaryOperator, Kind, NodeId};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> ParseResult {
        self.nested(Self::disjunction)
    }

    fn disjunction(&mut self) -> ParseResult {
        self.chain("OR", Kind::Or, Self::conjunction)
    }

    fn conjunction(&mut self) -> ParseResult {
        self.chain("AND", Kind::And, Self::negation)
    }

    fn chain(&mut self, word: &str, kind: Kind, mut operand: impl FnMut(&mut Self) -> ParseResult) -> ParseResult {
        let first = self.position;
        let single = operand(self)?;
        if !self.at_word(word) {
            return Ok(single);
        }
        let mut operands = vec![single];
        while self.eat_word(word) {
            operands.push(operand(self)?);
        }
        Ok(self.node(kind, first, operands))
    }

    fn negation(&mut self) -> ParseResult {
        let first = self.position;
        let is_operator = !self.word_is(first + 1, "IN") && !self.is_qualifier(first);
        let negates = self.at_word("NOT") && is_operator || self.at_symbol("!");
        if !negates {
            return self.predicate();
        }
        self.position += 1;
        let operand = self.nested(Self::negation)?;
        Ok(self.node(Kind::Not, first, vec![operand]))
    }

    pub(super) fn arithmetic(&mut self, minimum: u8) -> ParseResult {
        let first = self.position;
        let mut left = self.unary()?;
        for length in 0.. {
            let Some((operator, precedence)) = self.arithmetic_operator().filter(|(_, p)| *p >= minimum) else {
                break;
            };
            if length >= MAX_CHAIN {
                return Err(self.too_deep(format!("more than {MAX_CHAIN} operators in a chain")));
            }
            self.position += match operator {
                BinaryOperator::ShiftRight => 2,
                BinaryOperator::ShiftRightUnsigned => 3,
                _ => 1,
            };
            let right = self.arithmetic(precedence + 1)?;
            left = self.node(Kind::Binary(operator), first, vec![left, right]);
        }
        Ok(left)
    }

    fn arithmetic_operator(&self) -> Option<(BinaryOperator, u8)> {
        if self.at_word("DIV") {
            return Some((BinaryOperator::IntegerDivide, 5));
        }
        if self.position >= self.end {
            return None;
        }
        Some(match self.symbol_at(self.position) {
            "|" => (BinaryOperator::BitOr, 0),
            "^" => (BinaryOperator::BitXor, 1),
            "&" => (BinaryOperator::BitAnd, 2),
            "<<" => (BinaryOperator::ShiftLeft, 3),
            ">" => (self.shift_right()?, 3),
            "+" => (BinaryOperator::Plus, 4),
            "-" => (BinaryOperator::Minus, 4),
            "||" => (BinaryOperator::Concat, 4),
            "*" => (BinaryOperator::Multiply, 5),
            "/" => (BinaryOperator::Divide, 5),
            "%" => (BinaryOperator::Modulo, 5),
            _ => return None,
        })
    }

    /// The shift that `>>` or `>>>` writes; its signs are tokens of their own, because they also end nested types.
    fn shift_right(&self) -> Option<BinaryOperator> {
        let follows = |at: usize| {
            let touches = |before: &Token, after: &Token| before.span().end == after.span().start;
            let tokens = self.token_at(at - 1).zip(self.token_at(at));
            self.symbol_at(at) == ">" && tokens.is_some_and(|(before, after)| touches(before, after))
        };
        match (follows(self.position + 1), follows(self.position + 2)) {
            (true, true) => Some(BinaryOperator::ShiftRightUnsigned),
            (true, false) => Some(BinaryOperator::ShiftRight),
            _ => None,
        }
    }

    fn unary(&mut self) -> ParseResult {
        let first = self.position;
        if !["-", "+", "~"].iter().any(|sign| self.at_symbol(sign)) {
            return self.postfix();
        }
        self.position += 1;
        let operand = self.nested(Self::unary)?;
        Ok(self.node(Kind::Unary, first, vec![operand]))
    }

    fn postfix(&mut self) -> ParseResult {
        let first = self.position;
        let mut left = self.primary()?;
        for length in 0.. {
            if length >= MAX_CHAIN {
                return Err(self.too_deep(format!("more than {MAX_CHAIN} operators in a chain")));
            }
            if self.at_symbol("[") {
                self.position += 1;
                let index = self.expression()?;
                self.expect_symbol("]")?;
                left = self.node(Kind::Index, first, vec![left, index]);
            } else if self.at_symbol(".") {
                self.position += 1;
                let field = self.member()?;
                left = self.node(Kind::Field, first, vec![left, field]);
            } else if self.at_symbol("::") {
                self.position += 1;
                let target = self.type_name()?;
                left = self.node(Kind::Cast, first, vec![left, target]);
            } else {
                break;
            }
        }
        Ok(left)
    }

    pub(super) fn primary(&mut self) -> ParseResult {
        match self.kind_at(self.position) {
            Some(TokenKind::Number) => Ok(self.leaf(Kind::Number)),
            Some(TokenKind::Text) => Ok(self.text()),
            Some(TokenKind::Symbol) if self.at_symbol("(") => self.bracketed(),
            Some(TokenKind::Placeholder) if !matches!(self.symbol_at(self.position + 1), "." | "(") => {
                Ok(self.leaf(Kind::Placeholder))
            }
            Some(TokenKind::Word | TokenKind::QuotedName | TokenKind::Placeholder) => self.word_expression(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// A string; strings that follow each other are one value in Hive and Spark.
    fn text(&mut self) -> NodeId {
        let first = self.position;
        while self.kind_at(self.position) == Some(TokenKind::Text) {
            self.position += 1;
        }
        self.node(Kind::Text, first, Vec::new())
    }

    fn bracketed(&mut self) -> ParseResult {
        let first = self.position;
        if self.starts_lambda() {
            return self.lambda();
        }
        if self.opens_query(first) && !self.brackets_go_on() {
            self.position += 1;
            let query = self.query()?;
            self.expect_symbol(")")?;
            return Ok(self.node(Kind::ScalarQuery, first, vec![query]));
        }
        self.position += 1;
        let items = self.list(Self::expression)?;
        self.expect_symbol(")")?;
        let kind = if items.len() == 1 { Kind::Paren } else { Kind::Tuple };
        Ok(self.node(kind, first, items))
    }

    /// Whether the brackets hold more than a query, as in `((SELECT …) + 1)`, where the inner brackets are an operand.
    fn brackets_go_on(&self) -> bool {
        if self.symbol_at(self.position + 1) != "(" {
            return false;
        }
        let after = self.partner(self.position + 1).map_or(self.end, |close| close + 1);
        let set_word = ["UNION", "INTERSECT", "EXCEPT", "MINUS"].iter().any(|word| self.word_is(after, word));
        !set_word && self.partner(self.position) != Some(after)
    }

    fn starts_lambda(&self) -> bool {
        let Some(close) = self.partner(self.position) else { return false };
        self.symbol_at(close + 1) == "->" && close + 1 < self.end
    }

    fn lambda(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = self.one_or_list(Self::identifier)?;
        self.expect_symbol("->")?;
        children.push(self.expression()?);
        Ok(self.node(Kind::Lambda, first, children))
    }

    fn word_expression(&mut self) -> ParseResult {
        let at = self.position;
        let opens = self.symbol_at(at + 1) == "(" && at + 1 < self.end;
        let quoted = self.kind_at(at) != Some(TokenKind::Word);
        if quoted {
            return if opens { self.call() } else { self.column() };
        }
        if self.symbol_at(at + 1) == "->" {
            return self.lambda();
        }
        if self.at_word("CASE") {
            return self.case();
        }
        if self.at_word("EXISTS") && self.opens_query(at + 1) {
            return self.exists();
        }
        if opens && (self.at_word("CAST") || self.at_word("TRY_CAST")) {
            return self.cast();
        }
        if opens && !self.is_clause_before_bracket() {
            return self.call();
        }
        self.word_or_column()
    }

    /// Whether the word before a bracket is a keyword: `LEFT(x, 2)` is a call, `IN (…)` and `AND (…)` are not.
    fn is_clause_before_bracket(&self) -> bool {
        const CALLABLE: [&str; 8] = ["left", "right", "set", "like", "ilike", "rlike", "regexp", "window"];
        !self.is_column_name(self.position) && !CALLABLE.iter().any(|word| self.at_word(word))
    }

    fn word_or_column(&mut self) -> ParseResult {
        let at = self.position;
        let text_follows = self.kind_at(at + 1) == Some(TokenKind::Text) && self.is_column_name(at);
        if self.at_word("NULL") {
            Ok(self.leaf(Kind::Null))
        } else if self.at_word("TRUE") {
            Ok(self.leaf(Kind::Boolean(true)))
        } else if self.at_word("FALSE") {
            Ok(self.leaf(Kind::Boolean(false)))
        } else if self.at_word("INTERVAL") && self.starts_interval() {
            self.interval()
        } else if text_follows && !self.at_word("EXISTS") {
            // Any word before a string says its type; which of them exist is judged later.
            self.position += 1;
            let text = self.leaf(Kind::Text);
            Ok(self.node(Kind::TypedText, at, vec![text]))
        } else {
            self.column()
        }
    }

    fn starts_interval(&self) -> bool {
        let next = self.position + 1;
        matches!(self.kind_at(next), Some(TokenKind::Number | TokenKind::Text | TokenKind::Placeholder))
            || matches!(self.symbol_at(next), "-" | "+" | "(")
            || self.is_name(next) && super::call::is_time_unit(self.text_at(next + 1))
    }

    fn column(&mut self) -> ParseResult {
        let first = self.position;
        if !self.is_column_name(first) {
            return Err(self.unexpected("an expression"));
        }
        if let Some(message) = self.unread_column() {
            return Err(self.unsupported(message));
        }
        let path = if self.is_name(first) { self.path()? } else { vec![self.member()?] };
        if path.len() > 1 && self.at_symbol("(") {
            let message = "a function of a database is not read; write its name alone, and what it stands for by \
                           --function NAME='EXPRESSION'";
            return Err(self.unsupported(message));
        }
        Ok(self.node(Kind::Column, first, path))
    }

    fn case(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let operand = !self.at_word("WHEN");
        let mut children = if operand { vec![self.expression()?] } else { Vec::new() };
        loop {
            children.push(self.when().map_err(broken_case)?);
            if !self.at_word("WHEN") {
                break;
            }
        }
        if self.at_word("ELSE") {
            let at = self.position;
            self.position += 1;
            let value = self.expression()?;
            children.push(self.node(Kind::Else, at, vec![value]));
        }
        self.expect_word("END").map_err(broken_case)?;
        Ok(self.node(Kind::Case { operand }, first, children))
    }

    fn when(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("WHEN")?;
        let condition = self.expression()?;
        self.expect_word("THEN")?;
        let value = self.expression()?;
        Ok(self.node(Kind::When, first, vec![condition, value]))
    }

    fn exists(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        self.expect_symbol("(")?;
        let query = self.query()?;
        self.expect_symbol(")")?;
        Ok(self.node(Kind::Exists, first, vec![query]))
    }
}

fn broken_case(mut error: super::SyntaxError) -> super::SyntaxError {
    let words = ["WHEN", "THEN", "END"];
    if words.contains(&error.expected.as_str()) && error.reason != SyntaxReason::TooDeep {
        error.reason = SyntaxReason::BrokenCase;
    }
    error
}
