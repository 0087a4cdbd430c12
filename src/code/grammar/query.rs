//! Queries: WITH, SELECT blocks, set operations and ordering.

use super::pipe_input::PipeInput;
use super::{MAX_CHAIN, MAX_DEPTH, ParseResult, Parser};
use crate::code::token::TokenKind;
use crate::code::tree::{GroupingKind, Kind, NodeId, SetOperator};

impl Parser<'_> {
    /// Whether a query starts inside the bracket at `at`, possibly behind more opening brackets.
    pub(super) fn opens_query(&self, at: usize) -> bool {
        // More brackets than may be nested are refused wherever they are read; looking further would be quadratic.
        let most = self.end.min(at.saturating_add(MAX_DEPTH + 1));
        let inner = (at..most).find(|at| self.symbol_at(*at) != "(").unwrap_or(at);
        let opens = ["SELECT", "WITH", "FROM", "VALUES"].iter().any(|word| self.word_is(inner, word));
        inner > at && (opens || self.is_table_query(inner))
    }

    pub(super) fn query(&mut self) -> ParseResult {
        self.nested(|parser| {
            let first = parser.position;
            let with = if parser.at_word("WITH") { Some(parser.with()?) } else { None };
            parser.query_after(first, with)
        })
    }

    /// The rest of a query whose WITH has been read.
    pub(super) fn query_after(&mut self, first: usize, with: Option<NodeId>) -> ParseResult {
        let (start, deepest) = (self.position, self.deepest);
        // A step nests only what stands before it in this query.
        self.deepest = self.depth;
        let source = self.source()?;
        let query = self.query_of(first, with, start, source)?;
        self.deepest = self.deepest.max(deepest);
        Ok(query)
    }

    /// The rest of a query of which the part from token `start` on has been read.
    pub(super) fn query_of(
        &mut self,
        first: usize,
        with: Option<NodeId>,
        start: usize,
        source: PipeInput,
    ) -> ParseResult {
        let mut children: Vec<NodeId> = with.into_iter().collect();
        children.extend(self.with_pipes(start, source)?);
        self.organization(&mut children)?;
        Ok(self.node(Kind::Query, first, children))
    }

    pub(super) fn with(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("WITH")?;
        // `WITH recursive AS (…)` names a CTE so.
        if self.is_name(self.position + 1) {
            self.eat_word("RECURSIVE");
        }
        let tables = self.list(Self::common_table)?;
        Ok(self.node(Kind::With, first, tables))
    }

    fn common_table(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = vec![self.identifier()?];
        if self.at_symbol("(") && !self.opens_query(self.position) {
            children.push(self.column_list()?);
        }
        if self.eat_words(&["MAX", "RECURSION", "LEVEL"]) {
            match self.kind_at(self.position) {
                Some(TokenKind::Number) => children.push(self.leaf(Kind::Number)),
                _ => return Err(self.unexpected("a number of levels")),
            }
        }
        self.eat_word("AS");
        self.expect_symbol("(")?;
        children.push(self.query()?);
        self.expect_symbol(")")?;
        Ok(self.node(Kind::CommonTable, first, children))
    }

    /// Precedence climbing over set operations: INTERSECT binds tighter than UNION and EXCEPT.
    fn set_operations(&mut self, minimum: u8) -> ParseResult {
        let first = self.position;
        let left = self.set_operand()?;
        self.set_operations_behind(first, left, minimum)
    }

    /// The set operations whose first side has been read from token `first` on.
    pub(super) fn set_operations_behind(&mut self, first: usize, left: NodeId, minimum: u8) -> ParseResult {
        let mut left = left;
        for length in 0.. {
            let Some((operator, precedence)) = self.set_operator().filter(|(_, precedence)| *precedence >= minimum)
            else {
                break;
            };
            if length >= MAX_CHAIN {
                return Err(self.too_deep(format!("more than {MAX_CHAIN} set operations in a chain")));
            }
            self.position += 1;
            let all = self.all_rows();
            let right = self.set_operations(precedence + 1)?;
            left = self.node(Kind::SetOperation { operator, all }, first, vec![left, right]);
        }
        Ok(left)
    }

    /// Reads ALL or DISTINCT behind a set operator; returns whether it is ALL.
    pub(super) fn all_rows(&mut self) -> bool {
        let all = self.eat_word("ALL");
        if !all {
            self.eat_word("DISTINCT");
        }
        all
    }

    pub(super) fn set_operator(&self) -> Option<(SetOperator, u8)> {
        let named = [
            ("UNION", SetOperator::Union, 0),
            ("EXCEPT", SetOperator::Except, 0),
            ("MINUS", SetOperator::Except, 0),
            ("INTERSECT", SetOperator::Intersect, 1),
        ];
        named.iter().find(|(word, ..)| self.at_word(word)).map(|(_, operator, precedence)| (*operator, *precedence))
    }

    /// `SELECT …`; `from` holds the FROM that stands before it, if any.
    pub(super) fn select(&mut self, first: usize, from: Vec<NodeId>) -> ParseResult {
        self.expect_word("SELECT")?;
        let distinct = self.distinct_rows();
        let mut children = from;
        children.push(self.projection()?);
        if children.len() == 1 && self.at_word("FROM") {
            children.push(self.from()?);
        }
        self.select_clauses(&mut children)?;
        Ok(self.node(Kind::Select { distinct }, first, children))
    }

    /// Reads DISTINCT or ALL behind SELECT; returns whether it is DISTINCT.
    pub(super) fn distinct_rows(&mut self) -> bool {
        let distinct = self.eat_word("DISTINCT");
        if !distinct {
            self.eat_word("ALL");
        }
        distinct
    }

    pub(super) fn projection(&mut self) -> ParseResult {
        let first = self.position;
        let items = self.list(Self::select_item)?;
        Ok(self.node(Kind::Projection, first, items))
    }

    pub(super) fn select_item(&mut self) -> ParseResult {
        let first = self.position;
        if let Some(wildcard) = self.wildcard()? {
            return Ok(wildcard);
        }
        let mut children = vec![self.expression()?];
        children.extend(self.select_alias()?);
        Ok(self.node(Kind::SelectItem, first, children))
    }

    /// `*` or `a.b.*`.
    pub(super) fn wildcard(&mut self) -> ParseResult<Option<NodeId>> {
        let first = self.position;
        let mut at = first;
        while self.is_name(at) && self.symbol_at(at + 1) == "." {
            at += 2;
        }
        if at >= self.end || self.symbol_at(at) != "*" {
            return Ok(None);
        }
        let mut qualifier = Vec::new();
        while self.position < at {
            qualifier.push(self.identifier()?);
            self.position += 1;
        }
        self.position = at + 1;
        if self.at_word("EXCEPT") && self.symbol_at(self.position + 1) == "(" && !self.opens_query(self.position + 1) {
            self.position += 1;
            qualifier.push(self.column_list()?);
        }
        Ok(Some(self.node(Kind::Wildcard, first, qualifier)))
    }

    fn select_clauses(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        while self.at_word("LATERAL") {
            children.push(self.lateral_view()?);
        }
        if self.at_word("WHERE") {
            children.push(self.condition(Kind::Where)?);
        }
        if self.at_words(&["GROUP", "BY"]) {
            children.push(self.group_by(Self::group_item)?);
        }
        if self.at_word("HAVING") {
            children.push(self.condition(Kind::Having)?);
        }
        if self.at_word("QUALIFY") {
            children.push(self.condition(Kind::Qualify)?);
        }
        if self.at_word("WINDOW") {
            children.push(self.windows()?);
            if self.at_word("QUALIFY") {
                children.push(self.condition(Kind::Qualify)?);
            }
        }
        Ok(())
    }

    pub(super) fn condition(&mut self, kind: Kind) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let condition = self.expression()?;
        Ok(self.node(kind, first, vec![condition]))
    }

    pub(super) fn group_by(&mut self, item: fn(&mut Self) -> ParseResult) -> ParseResult {
        let first = self.position;
        self.position += 2;
        let mut items = self.list(item)?;
        for (words, kind) in [
            (&["WITH", "ROLLUP"], GroupingKind::WithRollup),
            (&["WITH", "CUBE"], GroupingKind::WithCube),
            (&["GROUPING", "SETS"], GroupingKind::Sets),
        ] {
            if self.at_words(words) {
                let at = self.position;
                self.position += 2;
                let sets = if kind == GroupingKind::Sets { self.grouping_sets()? } else { Vec::new() };
                items.push(self.node(Kind::Grouping { kind }, at, sets));
            }
        }
        Ok(self.node(Kind::GroupBy, first, items))
    }

    pub(super) fn group_item(&mut self) -> ParseResult {
        let first = self.position;
        let kind = if self.eat_words(&["GROUPING", "SETS"]) {
            GroupingKind::Sets
        } else if self.symbol_at(first + 1) == "(" && self.symbol_at(first + 2) == ")" {
            // `CUBE ()` calls a function of this name.
            return self.expression();
        } else if self.symbol_at(first + 1) == "(" && self.eat_word("ROLLUP") {
            GroupingKind::Rollup
        } else if self.symbol_at(first + 1) == "(" && self.eat_word("CUBE") {
            GroupingKind::Cube
        } else {
            return self.expression();
        };
        let sets = self.grouping_sets()?;
        Ok(self.node(Kind::Grouping { kind }, first, sets))
    }

    fn grouping_sets(&mut self) -> ParseResult<Vec<NodeId>> {
        self.bracketed_list(|parser| {
            let first = parser.position;
            if parser.at_symbol("(") && parser.symbol_at(first + 1) == ")" {
                parser.position += 2;
                return Ok(parser.node(Kind::Tuple, first, Vec::new()));
            }
            if (parser.at_word("ROLLUP") || parser.at_word("CUBE")) && parser.symbol_at(first + 1) == "(" {
                let message = "ROLLUP and CUBE inside GROUPING SETS are not read; write their sets out";
                return Err(parser.unsupported(message));
            }
            parser.expression()
        })
    }

    pub(super) fn windows(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let windows = self.list(|parser| {
            let first = parser.position;
            let name = parser.identifier()?;
            parser.expect_word("AS")?;
            if parser.is_name(parser.position) {
                return Err(
                    parser.unsupported("a window that is another by a new name is not read; write it out again")
                );
            }
            let specification = parser.window_spec()?;
            Ok(parser.node(Kind::NamedWindow, first, vec![name, specification]))
        })?;
        Ok(self.node(Kind::Windows, first, windows))
    }

    /// ORDER BY … LIMIT after the whole query.
    pub(super) fn organization(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        if self.at_words(&["ORDER", "BY"]) {
            children.push(self.ordering(Kind::OrderBy)?);
        }
        if self.at_words(&["CLUSTER", "BY"]) {
            children.push(self.keys(Kind::ClusterBy)?);
        }
        if self.at_words(&["DISTRIBUTE", "BY"]) {
            children.push(self.keys(Kind::DistributeBy)?);
        }
        if self.at_words(&["SORT", "BY"]) {
            children.push(self.ordering(Kind::SortBy)?);
        }
        if self.at_word("WINDOW") {
            children.push(self.windows()?);
        }
        if self.at_word("LIMIT") || self.at_word("OFFSET") {
            // LIMIT ALL says what holds without it.
            if !self.eat_words(&["LIMIT", "ALL"]) || self.at_word("OFFSET") {
                children.push(self.limit()?);
            }
        }
        Ok(())
    }

    fn limit(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 1;
        let mut counts = self.list(Self::expression)?;
        if self.eat_word("OFFSET") {
            counts.push(self.expression()?);
        }
        Ok(self.node(Kind::Limit, first, counts))
    }

    /// `X BY a, b`.
    pub(super) fn keys(&mut self, kind: Kind) -> ParseResult {
        let first = self.position;
        self.position += 2;
        let keys = self.list(Self::expression)?;
        Ok(self.node(kind, first, keys))
    }

    /// `X BY a DESC NULLS LAST, b`.
    pub(super) fn ordering(&mut self, kind: Kind) -> ParseResult {
        let first = self.position;
        self.position += 2;
        let items = self.list(Self::sort_item)?;
        Ok(self.node(kind, first, items))
    }

    fn sort_item(&mut self) -> ParseResult {
        let first = self.position;
        let key = self.expression()?;
        let descending = self.eat_word("DESC");
        if !descending {
            self.eat_word("ASC");
        }
        let nulls_first = if self.eat_words(&["NULLS", "FIRST"]) {
            Some(true)
        } else if self.eat_words(&["NULLS", "LAST"]) {
            Some(false)
        } else {
            None
        };
        Ok(self.node(Kind::SortItem { descending, nulls_first }, first, vec![key]))
    }
}
