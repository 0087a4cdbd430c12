//! FROM: tables, sub-queries, joins and lateral views.

use super::{ParseResult, Parser};
use crate::code::token::TokenKind;
use crate::code::tree::{JoinKind, Kind, NodeId};

impl Parser<'_> {
    pub(super) fn from(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("FROM")?;
        let mut relations = vec![self.relation()?];
        self.further_relations(&mut relations)?;
        Ok(self.node(Kind::From, first, relations))
    }

    fn relation(&mut self) -> ParseResult {
        let first = self.position;
        let children = self.relation_parts()?;
        Ok(self.node(Kind::Relation, first, children))
    }

    /// The items of FROM behind its first one.
    pub(super) fn further_relations(&mut self, relations: &mut Vec<NodeId>) -> ParseResult<()> {
        while self.at_symbol(",") {
            self.position += 1;
            let relation = self.relation()?;
            let first = self.tree.children(relation).first().map(|first| self.tree.kind(*first));
            if matches!(first, Some(Kind::Pivot | Kind::Unpivot { .. })) {
                // Spark pivots all items together.
                let words = "PIVOT behind several items of FROM is not supported; write CROSS JOIN for the comma";
                return Err(self.unsupported(words));
            }
            relations.push(relation);
        }
        Ok(())
    }

    /// A primary with its joins and lateral views: the children of a `Relation`.
    pub(super) fn relation_parts(&mut self) -> ParseResult<Vec<NodeId>> {
        let first = self.position;
        let mut children = vec![self.relation_primary()?];
        loop {
            if self.at_word("LATERAL") {
                children.push(self.lateral_view()?);
            } else if self.at_pivot() {
                let relation = self.node(Kind::Relation, first, children);
                children = vec![self.pivoted(first, relation)?];
            } else if let Some(join) = self.join()? {
                children.push(join);
            } else {
                return Ok(children);
            }
        }
    }

    pub(super) fn relation_primary(&mut self) -> ParseResult {
        let first = self.position;
        if self.at_word("LATERAL") && self.symbol_at(first + 1) == "(" {
            return Err(self.unsupported("a LATERAL sub-query is not supported; write it as a join"));
        }
        if self.at_symbol("(") {
            return if self.opens_query(first) && !self.brackets_hold_relation() {
                self.derived()
            } else {
                self.nested_relation()
            };
        }
        if self.at_word("VALUES") {
            let values = self.values()?;
            return self.aliased(Kind::InlineTable, first, values);
        }
        if self.is_name(first) && self.symbol_at(first + 1) == "(" {
            if self.at_word("UNNEST") || self.at_word("JSON_TABLE") {
                return Err(self.unsupported("UNNEST and JSON_TABLE are not read; write LATERAL VIEW explode(…)"));
            }
            let call = self.call()?;
            return self.aliased(Kind::TableFunction, first, call);
        }
        self.table()
    }

    /// `((SELECT …) a JOIN b)`: brackets around a relation that starts with a sub-query.
    fn brackets_hold_relation(&self) -> bool {
        if self.symbol_at(self.position + 1) != "(" {
            return false;
        }
        let after = self.partner(self.position + 1).map_or(self.end, |close| close + 1);
        self.is_bare_alias(after) || self.word_is(after, "AS") || self.join_kind_at(after).is_some()
    }

    fn aliased(&mut self, kind: Kind, first: usize, inner: NodeId) -> ParseResult {
        let mut children = vec![inner];
        children.extend(self.table_alias()?);
        Ok(self.node(kind, first, children))
    }

    fn derived(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let query = self.query()?;
        self.expect_symbol(")")?;
        self.aliased(Kind::Derived, first, query)
    }

    fn nested_relation(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let relation = self.nested(Self::relation)?;
        self.expect_symbol(")")?;
        self.aliased(Kind::NestedRelation, first, relation)
    }

    fn table(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = self.path()?;
        if children.len() == 2 && self.text_at(first).len() > 1 && self.text_at(first + 2).contains('/') {
            return Err(self.unsupported("files in FROM are not read; define a table that holds their rows"));
        }
        if self.at_word("TABLESAMPLE") {
            children.push(self.sample()?);
        }
        children.extend(self.table_alias()?);
        Ok(self.node(Kind::Table, first, children))
    }

    /// `TABLESAMPLE (…)`.
    pub(super) fn sample(&mut self) -> ParseResult {
        let first = self.position;
        let close = self.partner(first + 1).filter(|close| *close < self.end);
        self.position = close.ok_or_else(|| self.unexpected("TABLESAMPLE (…)"))? + 1;
        Ok(self.node(Kind::Sample, first, Vec::new()))
    }

    /// The join that starts at token `at`, with the number of its keywords.
    pub(super) fn join_kind_at(&self, at: usize) -> Option<(JoinKind, usize)> {
        const FORMS: [(&[&str], JoinKind); 22] = [
            (&["JOIN"], JoinKind::Inner),
            (&["INNER", "JOIN"], JoinKind::Inner),
            (&["LEFT", "JOIN"], JoinKind::Left),
            (&["LEFT", "OUTER", "JOIN"], JoinKind::Left),
            (&["RIGHT", "JOIN"], JoinKind::Right),
            (&["RIGHT", "OUTER", "JOIN"], JoinKind::Right),
            (&["FULL", "JOIN"], JoinKind::Full),
            (&["FULL", "OUTER", "JOIN"], JoinKind::Full),
            (&["CROSS", "JOIN"], JoinKind::Cross),
            (&["LEFT", "SEMI", "JOIN"], JoinKind::LeftSemi),
            (&["SEMI", "JOIN"], JoinKind::LeftSemi),
            (&["LEFT", "ANTI", "JOIN"], JoinKind::LeftAnti),
            (&["ANTI", "JOIN"], JoinKind::LeftAnti),
            (&["NATURAL", "JOIN"], JoinKind::Inner),
            (&["NATURAL", "INNER", "JOIN"], JoinKind::Inner),
            (&["NATURAL", "LEFT", "JOIN"], JoinKind::Left),
            (&["NATURAL", "LEFT", "OUTER", "JOIN"], JoinKind::Left),
            (&["NATURAL", "RIGHT", "JOIN"], JoinKind::Right),
            (&["NATURAL", "RIGHT", "OUTER", "JOIN"], JoinKind::Right),
            (&["NATURAL", "FULL", "JOIN"], JoinKind::Full),
            (&["NATURAL", "FULL", "OUTER", "JOIN"], JoinKind::Full),
            (&["NATURAL", "LEFT", "SEMI", "JOIN"], JoinKind::LeftSemi),
        ];
        let matches = |words: &[&str]| words.iter().enumerate().all(|(offset, word)| self.word_is(at + offset, word));
        FORMS.iter().find(|(words, _)| matches(words)).map(|(words, kind)| (*kind, words.len()))
    }

    pub(super) fn join(&mut self) -> ParseResult<Option<NodeId>> {
        let first = self.position;
        let Some((kind, length)) = self.join_kind_at(first) else {
            return self.no_join();
        };
        let natural = self.at_word("NATURAL");
        self.position += length;
        let mut children = vec![self.relation_primary()?];
        if self.at_word("ON") {
            let at = self.position;
            self.position += 1;
            let condition = self.expression()?;
            children.push(self.node(Kind::On, at, vec![condition]));
        } else if self.at_word("USING") {
            children.push(self.using()?);
        }
        Ok(Some(self.node(Kind::Join { kind, natural }, first, children)))
    }

    /// Half a join (`LEFT orders`, `INNER` …) is an error at its second word.
    fn no_join(&mut self) -> ParseResult<Option<NodeId>> {
        let half = ["LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL"].iter().any(|word| self.at_word(word));
        if !half {
            return Ok(None);
        }
        self.position += 1;
        Err(self.unexpected("JOIN"))
    }

    fn using(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let names = self.bracketed_list(Self::member)?;
        Ok(self.node(Kind::Using, first, names))
    }

    pub(super) fn lateral_view(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("LATERAL")?;
        self.expect_word("VIEW")?;
        let outer = self.eat_word("OUTER");
        if !(self.is_name(self.position) && self.symbol_at(self.position + 1) == "(") {
            if self.is_name(self.position) {
                self.position += 1;
                return Err(self.unexpected("'('"));
            }
            return Err(self.unexpected("a table function such as explode(…)"));
        }
        let mut children = vec![self.call()?];
        if self.is_bare_alias(self.position) {
            children.push(self.identifier()?);
        }
        let written = self.eat_word("AS");
        let names_follow =
            self.is_bare_alias(self.position) && self.kind_at(self.position) != Some(TokenKind::Placeholder);
        if written || names_follow {
            children.push(self.lateral_columns()?);
        }
        Ok(self.node(Kind::LateralView { outer }, first, children))
    }

    fn lateral_columns(&mut self) -> ParseResult {
        let first = self.position;
        let bracketed = self.eat_symbol("(");
        let names = self.list(Self::identifier)?;
        if bracketed {
            self.expect_symbol(")")?;
        }
        Ok(self.node(Kind::ColumnList, first, names))
    }
}
