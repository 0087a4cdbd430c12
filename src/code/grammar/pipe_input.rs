//! What has been read of a query before a step of a pipe, and the nodes that the next step makes of it.

use super::{MAX_DEPTH, ParseResult, Parser};
use crate::code::tree::{Kind, NodeId};

/// What has been read of a query, to which a step may be added.
pub(super) enum PipeInput {
    /// The children of a `Relation` that begins at token `first`.
    Relation { first: usize, children: Vec<NodeId> },
    /// The children of a `Select` without a list: `From`, `Where?`.
    Block(Vec<NodeId>),
    /// The children of a `Query` without its `With`.
    Body(Vec<NodeId>),
}

impl Parser<'_> {
    /// Counts one more level in the tree around all that has been read of the query.
    pub(super) fn deepen(&mut self) -> ParseResult<()> {
        self.deepest = self.deepest.max(self.depth) + 1;
        if self.deepest > MAX_DEPTH {
            return Err(self.too_deep(format!("nesting is deeper than {MAX_DEPTH} levels, with the steps of pipes")));
        }
        Ok(())
    }

    /// Makes what has been read the only relation of a new block.
    pub(super) fn inner(&mut self, first: usize, input: PipeInput) -> ParseResult<PipeInput> {
        let children = self.children_of_query(first, input);
        self.deepen()?;
        let query = self.node(Kind::Query, first, children);
        let piped = self.node(Kind::Piped, first, vec![query]);
        Ok(PipeInput::Relation { first, children: vec![piped] })
    }

    /// Returns the first token and the children of a `Relation`.
    pub(super) fn relation_of(&mut self, first: usize, input: PipeInput) -> ParseResult<(usize, Vec<NodeId>)> {
        match input {
            PipeInput::Relation { first, children } => Ok((first, children)),
            other => {
                let inner = self.inner(first, other)?;
                self.relation_of(first, inner)
            }
        }
    }

    /// Returns the children of a `Select` without a list.
    pub(super) fn block_of(&mut self, first: usize, input: PipeInput) -> ParseResult<Vec<NodeId>> {
        if let PipeInput::Block(children) = input {
            return Ok(children);
        }
        let (at, children) = self.relation_of(first, input)?;
        Ok(vec![self.whole_from(first, at, children)])
    }

    fn whole_from(&mut self, first: usize, at: usize, children: Vec<NodeId>) -> NodeId {
        let relation = self.node(Kind::Relation, at, children);
        self.node(Kind::From, first, vec![relation])
    }

    /// Returns the children of a `Query`: a body and what orders it.
    pub(super) fn children_of_query(&mut self, first: usize, input: PipeInput) -> Vec<NodeId> {
        let block = match input {
            PipeInput::Body(children) => return children,
            PipeInput::Block(children) => children,
            PipeInput::Relation { first: at, children } => vec![self.whole_from(first, at, children)],
        };
        vec![self.node(Kind::Select { distinct: false }, first, block)]
    }

    /// Returns a body that nothing orders.
    pub(super) fn body_of(&mut self, first: usize, input: PipeInput) -> ParseResult {
        let children = self.children_of_query(first, input);
        if let [body] = children[..] {
            return Ok(body);
        }
        let inner = self.inner(first, PipeInput::Body(children))?;
        Ok(self.children_of_query(first, inner)[0])
    }
}
