//! Pipe syntax: `FROM t |> WHERE … |> AGGREGATE sum(x) AS s GROUP BY k |> ORDER BY s`.
//!
//! A step is a clause of the block that the steps before it have begun as long as Spark would read the two as one block,
//! which is so for JOIN behind FROM, for one WHERE, and for one list. Every other step begins a block of its own, which
//! reads what stands before it as a [`Kind::Piped`]. Nodes around earlier steps begin where the query begins, so that
//! each has the bytes of all that it consists of.

use super::pipe_input::PipeInput;
use super::{ParseResult, Parser};
use crate::code::tree::{Kind, NodeId};

impl Parser<'_> {
    /// `FROM …` before anything else.
    pub(super) fn leading_from(&mut self) -> ParseResult<PipeInput> {
        let first = self.position;
        self.expect_word("FROM")?;
        let at = self.position;
        let children = self.relation_parts()?;
        if self.at_symbol("|>") {
            return Ok(PipeInput::Relation { first: at, children });
        }
        let mut relations = vec![self.node(Kind::Relation, at, children)];
        self.further_relations(&mut relations)?;
        Ok(PipeInput::Block(vec![self.node(Kind::From, first, relations)]))
    }

    /// The steps and set operations behind the beginning of a query at token `first`; returns the children of the
    /// `Query` before its own ORDER BY.
    pub(super) fn with_pipes(&mut self, first: usize, source: PipeInput) -> ParseResult<Vec<NodeId>> {
        let (mut input, mut stepped) = (source, false);
        loop {
            if self.at_symbol("|>") {
                input = self.pipe_step(first, input)?;
                stepped = true;
            } else if self.set_operator().is_some() {
                // A chain has a length of its own; one behind a step is a level more.
                if stepped {
                    self.deepen()?;
                }
                let left = self.body_of(first, input)?;
                input = PipeInput::Body(vec![self.set_operations_behind(first, left, 0)?]);
            } else {
                break;
            }
        }
        let mut children = self.children_of_query(first, input);
        if children.len() > 1 && self.at_organization() {
            children = vec![self.body_of(first, PipeInput::Body(children))?];
        }
        Ok(children)
    }

    fn at_organization(&self) -> bool {
        let by = ["ORDER", "CLUSTER", "DISTRIBUTE", "SORT"].iter().any(|word| self.at_words(&[word, "BY"]));
        by || ["LIMIT", "OFFSET", "WINDOW"].iter().any(|word| self.at_word(word))
    }

    fn pipe_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let word = self.position + 1;
        match self.text_at(word).to_ascii_uppercase().as_str() {
            // Spark lets a step be empty.
            "" | ")" | "|>" => {
                self.position = word;
                Ok(input)
            }
            "WHERE" => self.where_step(first, input),
            "SELECT" | "EXTEND" | "AGGREGATE" | "DROP" => self.list_step(first, input),
            "SET" => self.set_step(first, input),
            "AS" | "TABLESAMPLE" => self.named_step(first, input),
            "UNION" | "EXCEPT" | "MINUS" | "INTERSECT" => self.set_operation_step(first, input),
            "ORDER" | "SORT" | "CLUSTER" | "DISTRIBUTE" | "LIMIT" | "OFFSET" => self.ordered_step(first, input),
            "PIVOT" | "UNPIVOT" => self.pivot_step(first, input),
            _ if self.join_kind_at(word).is_some() => self.join_step(first, input),
            _ => {
                self.position = word;
                Err(self.unexpected("a step such as WHERE, SELECT or AGGREGATE"))
            }
        }
    }

    /// `UNION ALL …` and its kin.
    fn set_operation_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let left = self.body_of(first, input)?;
        self.position += 1;
        let Some((operator, _)) = self.set_operator() else { return Err(self.unexpected("a set operator")) };
        self.position += 1;
        let all = self.all_rows();
        let right = self.set_operand()?;
        self.deepen()?;
        Ok(PipeInput::Body(vec![self.node(Kind::SetOperation { operator, all }, first, vec![left, right])]))
    }

    /// `WHERE …`.
    fn where_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let input = match input {
            PipeInput::Block(children) if children.len() > 1 => self.inner(first, PipeInput::Block(children))?,
            other => other,
        };
        let mut children = self.block_of(first, input)?;
        self.position += 1;
        children.push(self.condition(Kind::Where)?);
        Ok(PipeInput::Block(children))
    }

    /// `SELECT …`, `EXTEND …`, `AGGREGATE …`, `DROP …`: a block with its list.
    fn list_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let mut children = self.block_of(first, input)?;
        self.position += 1;
        let at = self.position;
        let mut distinct = false;
        if self.eat_word("SELECT") {
            distinct = self.distinct_rows();
            children.push(self.projection()?);
            if self.at_words(&["GROUP", "BY"]) {
                children.push(self.group_by(Self::group_item)?);
            }
        } else if self.eat_word("EXTEND") {
            let items = self.list(Self::select_item)?;
            children.push(self.node(Kind::Extend, at, items));
        } else if self.eat_word("DROP") {
            let columns = self.list(Self::column_path)?;
            children.push(self.node(Kind::DropColumns, at, columns));
        } else {
            self.aggregate(&mut children)?;
        }
        if self.at_word("WINDOW") {
            children.push(self.windows()?);
        }
        Ok(PipeInput::Body(vec![self.node(Kind::Select { distinct }, first, children)]))
    }

    /// `AGGREGATE sum(x) AS s GROUP BY k AS key`.
    fn aggregate(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        let first = self.position;
        self.position += 1;
        let listed = self.position < self.end
            && !self.at_words(&["GROUP", "BY"])
            && !matches!(self.symbol_at(self.position), ")" | "|>");
        let items = if listed { self.list(Self::select_item)? } else { Vec::new() };
        children.push(self.node(Kind::Aggregate, first, items));
        if self.at_words(&["GROUP", "BY"]) {
            children.push(self.group_by(Self::named_group_item)?);
        }
        Ok(())
    }

    /// A key of AGGREGATE, which may have an alias.
    fn named_group_item(&mut self) -> ParseResult {
        let first = self.position;
        let key = self.group_item()?;
        match self.select_alias()? {
            Some(alias) => Ok(self.node(Kind::SelectItem, first, vec![key, alias])),
            None => Ok(key),
        }
    }

    /// `a.b` as a `Column`.
    pub(super) fn column_path(&mut self) -> ParseResult {
        let first = self.position;
        let path = self.path()?;
        Ok(self.node(Kind::Column, first, path))
    }

    /// `SET a = x, b = y`: one block for each column, because each value sees the columns that are set before it.
    fn set_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let mut block = self.block_of(first, input)?;
        self.position += 1;
        let mut at = self.position;
        self.position += 1;
        loop {
            let start = self.position;
            let column = self.column_path()?;
            if !self.eat_symbol("==") {
                self.expect_symbol("=")?;
            }
            let value = self.expression()?;
            let assignment = self.node(Kind::Assignment, start, vec![column, value]);
            block.push(self.node(Kind::SetColumns, at, vec![assignment]));
            let body = PipeInput::Body(vec![self.node(Kind::Select { distinct: false }, first, block)]);
            if !self.at_symbol(",") {
                return Ok(body);
            }
            block = self.block_of(first, body)?;
            self.position += 1;
            at = self.position;
        }
    }

    /// `AS name`, `TABLESAMPLE (…)`.
    fn named_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let children = self.children_of_query(first, input);
        self.deepen()?;
        let query = self.node(Kind::Query, first, children);
        self.position += 1;
        let at = self.position;
        let part = if self.eat_word("AS") {
            let name = self.identifier()?;
            self.node(Kind::Alias, at, vec![name])
        } else {
            self.sample()?
        };
        let piped = self.node(Kind::Piped, first, vec![query, part]);
        Ok(PipeInput::Relation { first, children: vec![piped] })
    }

    fn join_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let (at, mut children) = self.relation_of(first, input)?;
        self.position += 1;
        children.extend(self.join()?);
        Ok(PipeInput::Relation { first: at, children })
    }

    /// `PIVOT (…)`, `UNPIVOT (…)`.
    fn pivot_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let (at, children) = self.relation_of(first, input)?;
        let relation = self.node(Kind::Relation, at, children);
        self.position += 1;
        if !self.at_pivot() {
            self.position += 1;
            return Err(self.unexpected("'('"));
        }
        let pivot = self.pivoted(at, relation)?;
        Ok(PipeInput::Relation { first: at, children: vec![pivot] })
    }

    /// `ORDER BY …`, `LIMIT …` and the like.
    fn ordered_step(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let word = self.position + 1;
        let counts = self.word_is(word, "LIMIT") || self.word_is(word, "OFFSET");
        let fits = match &input {
            PipeInput::Body(children) => counts && children[1..].iter().all(|clause| self.sorts(*clause)),
            _ => true,
        };
        let input = if fits { input } else { self.inner(first, input)? };
        let mut children = self.children_of_query(first, input);
        self.position = word;
        self.organization(&mut children)?;
        Ok(PipeInput::Body(children))
    }

    fn sorts(&self, clause: NodeId) -> bool {
        matches!(self.tree.kind(clause), Kind::OrderBy | Kind::SortBy | Kind::ClusterBy | Kind::DistributeBy)
    }
}
