//! Comparisons and predicates: `=`, IS, IN, BETWEEN, LIKE.

use super::{MAX_CHAIN, ParseResult, Parser};
use crate::code::tree::{BinaryOperator, Kind, NodeId, PatternOperator};

impl Parser<'_> {
    pub(super) fn predicate(&mut self) -> ParseResult {
        let first = self.position;
        let mut left = self.arithmetic(0)?;
        for length in 0.. {
            let next = match self.comparison_operator() {
                Some(operator) => {
                    self.position += 1;
                    let right = if self.at_quantifier() { self.quantified()? } else { self.arithmetic(0)? };
                    Some(self.node(Kind::Binary(operator), first, vec![left, right]))
                }
                None => self.predicate_tail(first, left)?,
            };
            match next {
                Some(longer) if length < MAX_CHAIN => left = longer,
                Some(_) => return Err(self.too_deep(format!("more than {MAX_CHAIN} operators in a chain"))),
                None => break,
            }
        }
        Ok(left)
    }

    fn at_quantifier(&self) -> bool {
        ["ANY", "SOME", "ALL"].iter().any(|word| self.at_word(word)) && self.opens_query(self.position + 1)
    }

    /// `ALL (SELECT …)` as the right side of a comparison.
    fn quantified(&mut self) -> ParseResult {
        let first = self.position;
        let all = self.at_word("ALL");
        self.position += 1;
        self.expect_symbol("(")?;
        let query = self.query()?;
        self.expect_symbol(")")?;
        Ok(self.node(Kind::Quantified { all }, first, vec![query]))
    }

    fn comparison_operator(&self) -> Option<BinaryOperator> {
        if self.position >= self.end {
            return None;
        }
        Some(match self.symbol_at(self.position) {
            "=" | "==" => BinaryOperator::Equal,
            "<>" | "!=" => BinaryOperator::NotEqual,
            "<=>" => BinaryOperator::NullSafeEqual,
            "<" => BinaryOperator::Less,
            "<=" => BinaryOperator::LessOrEqual,
            ">" => BinaryOperator::Greater,
            ">=" => BinaryOperator::GreaterOrEqual,
            _ => return None,
        })
    }

    /// `IS …`, `[NOT] IN`, `[NOT] BETWEEN`, `[NOT] LIKE` after an operand.
    fn predicate_tail(&mut self, first: usize, left: NodeId) -> ParseResult<Option<NodeId>> {
        if self.eat_word("IS") {
            return self.is_tail(first, left).map(Some);
        }
        // Hive reads `!` as NOT here as well.
        let negated = (self.at_word("NOT") || self.at_symbol("!"))
            && ["IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "REGEXP"].iter().any(|w| self.word_is(self.position + 1, w));
        self.position += usize::from(negated);
        if self.eat_word("IN") {
            return self.in_tail(first, left, negated).map(Some);
        }
        if self.eat_word("BETWEEN") {
            let low = self.arithmetic(0)?;
            self.expect_word("AND")?;
            let high = self.arithmetic(0)?;
            return Ok(Some(self.node(Kind::Between { negated }, first, vec![left, low, high])));
        }
        self.pattern_tail(first, left, negated)
    }

    fn is_tail(&mut self, first: usize, left: NodeId) -> ParseResult {
        let negated = self.eat_word("NOT");
        // A boolean that is unknown is NULL.
        let kind = if self.eat_word("NULL") || self.eat_word("UNKNOWN") {
            Kind::IsNull { negated }
        } else if self.eat_word("TRUE") {
            Kind::IsBoolean { negated, value: true }
        } else if self.eat_word("FALSE") {
            Kind::IsBoolean { negated, value: false }
        } else if self.eat_words(&["DISTINCT", "FROM"]) {
            let right = self.arithmetic(0)?;
            return Ok(self.node(Kind::IsDistinct { negated }, first, vec![left, right]));
        } else {
            return Err(self.unexpected("NULL, TRUE or FALSE"));
        };
        Ok(self.node(kind, first, vec![left]))
    }

    fn in_tail(&mut self, first: usize, left: NodeId, negated: bool) -> ParseResult {
        if self.opens_query(self.position) {
            self.expect_symbol("(")?;
            let query = self.query()?;
            self.expect_symbol(")")?;
            return Ok(self.node(Kind::InQuery { negated }, first, vec![left, query]));
        }
        let mut children = vec![left];
        children.extend(self.bracketed_list(Self::expression)?);
        Ok(self.node(Kind::InList { negated }, first, children))
    }

    fn pattern_tail(&mut self, first: usize, left: NodeId, negated: bool) -> ParseResult<Option<NodeId>> {
        let operators = [
            ("LIKE", PatternOperator::Like),
            ("ILIKE", PatternOperator::InsensitiveLike),
            ("RLIKE", PatternOperator::Regexp),
            ("REGEXP", PatternOperator::Regexp),
        ];
        let Some((_, operator)) = operators.into_iter().find(|(word, _)| self.at_word(word)) else {
            return Ok(None);
        };
        self.position += 1;
        if ["ANY", "ALL", "SOME"].iter().any(|word| self.at_word(word)) {
            self.position += 1;
        }
        let mut children = vec![left, self.arithmetic(0)?];
        if self.eat_word("ESCAPE") {
            children.push(self.arithmetic(0)?);
        }
        Ok(Some(self.node(Kind::Pattern { negated, operator }, first, children)))
    }
}
