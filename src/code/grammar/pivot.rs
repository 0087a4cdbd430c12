//! PIVOT and UNPIVOT: what stands before them in FROM becomes the part of a primary.

use super::{ParseResult, Parser};
use crate::code::tree::{Kind, NodeId};

impl Parser<'_> {
    pub(super) fn at_pivot(&self) -> bool {
        self.at_word("PIVOT") && self.symbol_at(self.position + 1) == "(" || self.unpivots(self.position)
    }

    /// Whether `UNPIVOT (… FOR …)` stands at a token, and no alias with names of columns.
    pub(super) fn unpivots(&self, at: usize) -> bool {
        let nulls = self.word_is(at + 1, "INCLUDE") || self.word_is(at + 1, "EXCLUDE");
        let open = at + if nulls { 3 } else { 1 };
        let close = self.partner(open).unwrap_or(open);
        self.word_is(at, "UNPIVOT")
            && self.symbol_at(open) == "("
            && (open..close).any(|inside| self.word_is(inside, "FOR"))
    }

    /// `PIVOT (…)` or `UNPIVOT (…)` behind a relation, which begins at token `first`.
    pub(super) fn pivoted(&mut self, first: usize, relation: NodeId) -> ParseResult {
        self.deepen()?;
        let mut children = vec![relation];
        let kind = if self.eat_word("PIVOT") {
            self.pivot(&mut children)?;
            Kind::Pivot
        } else {
            Kind::Unpivot { nulls: self.unpivot(&mut children)? }
        };
        children.extend(self.name_behind_pivot()?);
        Ok(self.node(kind, first, children))
    }

    /// An alias without names of columns.
    fn name_behind_pivot(&mut self) -> ParseResult<Option<NodeId>> {
        let first = self.position;
        if !self.eat_word("AS") && !self.is_bare_alias(first) {
            return Ok(None);
        }
        let name = self.identifier()?;
        Ok(Some(self.node(Kind::Alias, first, vec![name])))
    }

    /// `(sum(x) AS s, … FOR c IN ('a' AS a, 'b'))`.
    fn pivot(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        self.expect_symbol("(")?;
        children.extend(self.list(Self::pivot_aggregate)?);
        let first = self.position;
        self.expect_word("FOR")?;
        let mut inside = self.one_or_list(Self::pivot_column)?;
        self.expect_word("IN")?;
        inside.extend(self.bracketed_list(Self::pivot_value)?);
        children.push(self.node(Kind::PivotFor, first, inside));
        self.expect_symbol(")")
    }

    fn pivot_aggregate(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = vec![self.expression()?];
        if !self.at_word("FOR") {
            children.extend(self.name_behind_pivot()?);
        }
        Ok(self.node(Kind::PivotAggregate, first, children))
    }

    /// A column without a qualifier.
    fn pivot_column(&mut self) -> ParseResult {
        let first = self.position;
        let name = self.identifier()?;
        Ok(self.node(Kind::Column, first, vec![name]))
    }

    fn pivot_value(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = vec![self.expression()?];
        children.extend(self.name_behind_pivot()?);
        Ok(self.node(Kind::PivotValue, first, children))
    }

    /// `[INCLUDE NULLS] (x FOR y IN (a, b AS c))` or `((x, z) FOR y IN ((a, b), …))`; returns whether NULLs stay.
    fn unpivot(&mut self, children: &mut Vec<NodeId>) -> ParseResult<bool> {
        self.expect_word("UNPIVOT")?;
        let nulls = self.eat_words(&["INCLUDE", "NULLS"]);
        if !nulls {
            self.eat_words(&["EXCLUDE", "NULLS"]);
        }
        self.expect_symbol("(")?;
        let first = self.position;
        let several = self.at_symbol("(");
        let names = self.one_or_list(Self::identifier)?;
        children.push(self.node(Kind::ColumnList, first, names));
        self.expect_word("FOR")?;
        children.push(self.identifier()?);
        self.expect_word("IN")?;
        children.extend(self.bracketed_list(|parser| parser.unpivot_item(several))?);
        self.expect_symbol(")")?;
        Ok(nulls)
    }

    fn unpivot_item(&mut self, several: bool) -> ParseResult {
        let first = self.position;
        let mut children = if several { self.bracketed_list(Self::column_path)? } else { vec![self.column_path()?] };
        children.extend(self.name_behind_pivot()?);
        Ok(self.node(Kind::UnpivotItem, first, children))
    }
}
