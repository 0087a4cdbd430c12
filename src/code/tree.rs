//! The syntax tree: a flat arena of nodes, each with its exact byte range.
//!
//! One homogeneous node type serves scopes, operators, analysis, translation and metrics alike. A node's meaning is
//! its [`Kind`] and the kinds and order of its children, which [`Kind`] documents. Names, operators and literals are
//! read from the source text; the tree holds structure only.

mod operator;
mod kind;

pub use kind::{GroupingKind, Kind, MergeAction, MergeRows};
pub use operator::{BinaryOperator, JoinKind, PatternOperator, SetOperator};

use std::ops::RangeInclusive;

use super::span::Span;

/// Index of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a node stands and what it consists of.
#[derive(Clone, Debug)]
struct Node {
    start: u32,
    end: u32,
    /// Where its children end in [`Tree::links`]; they begin where those of the node before it end.
    links_end: u32,
}

/// A tree of nodes. Children come before their parents in the arena; the root is last.
///
/// Properties that are not read together are stored apart: resolving a long script is bound by memory access.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    kinds: Vec<Kind>,
    nodes: Vec<Node>,
    /// The first and last significant token of each node.
    tokens: Vec<(u32, u32)>,
    /// The parent of each node; the node itself if it has none.
    parents: Vec<NodeId>,
    /// The children of all nodes, in source order for each.
    links: Vec<NodeId>,
}

impl Tree {
    /// The root, a [`Kind::Script`] node.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len().saturating_sub(1) as u32)
    }

    /// The kind of `id`.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.kinds[id.index()]
    }

    /// The bytes of `id`, from its first significant token to its last.
    pub fn span(&self, id: NodeId) -> Span {
        let node = &self.nodes[id.index()];
        Span::new(node.start as usize, node.end as usize)
    }

    /// First and last significant token of `id`, as indices into [`super::script::Script::tokens`].
    pub fn tokens(&self, id: NodeId) -> (usize, usize) {
        let (first, last) = self.tokens[id.index()];
        (first as usize, last as usize)
    }

    /// The children of `id`, in source order.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        let first = id.index().checked_sub(1).map_or(0, |before| self.nodes[before].links_end);
        &self.links[first as usize..self.nodes[id.index()].links_end as usize]
    }

    /// The parent of `id`; `None` for the root and for nodes that the grammar discarded.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parents[id.index()];
        (parent != id).then_some(parent)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree holds no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in arena order (children before parents).
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The first child that `wanted` accepts.
    pub fn child(&self, id: NodeId, wanted: impl Fn(Kind) -> bool) -> Option<NodeId> {
        self.children(id).iter().copied().find(|child| wanted(self.kind(*child)))
    }

    /// The children that `wanted` accepts.
    pub fn children_where<'a>(
        &'a self,
        id: NodeId,
        wanted: impl Fn(Kind) -> bool + 'a,
    ) -> impl Iterator<Item = NodeId> + 'a {
        self.children(id).iter().copied().filter(move |child| wanted(self.kind(*child)))
    }

    /// The ancestors of `id`, nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// The nearest ancestor that `wanted` accepts.
    pub fn enclosing(&self, id: NodeId, wanted: impl Fn(Kind) -> bool) -> Option<NodeId> {
        self.ancestors(id).find(|ancestor| wanted(self.kind(*ancestor)))
    }

    /// `id` and everything below it, parents first, in source order.
    pub fn descendants(&self, id: NodeId) -> Descendants<'_> {
        Descendants { tree: self, stack: vec![id] }
    }

    /// The conditions of a clause such as `Where` or `On` of which a row has to meet all: the operands of its AND, or
    /// the only condition that it has.
    pub fn conjuncts(&self, clause: NodeId) -> &[NodeId] {
        match self.children(clause) {
            [whole] if self.kind(*whole) == Kind::And => self.children(*whole),
            only => only,
        }
    }

    /// The values that the arms of a CASE give, that of ELSE last.
    pub(crate) fn case_values(&self, case: NodeId) -> impl Iterator<Item = NodeId> {
        self.children(case).iter().filter_map(|arm| match self.kind(*arm) {
            Kind::When => self.children(*arm).get(1).copied(),
            Kind::Else => self.children(*arm).first().copied(),
            _ => None,
        })
    }

    /// A tree with room for this many nodes.
    pub(crate) fn with_room(nodes: usize) -> Tree {
        Tree {
            kinds: Vec::with_capacity(nodes),
            nodes: Vec::with_capacity(nodes),
            tokens: Vec::with_capacity(nodes),
            parents: Vec::with_capacity(nodes),
            links: Vec::with_capacity(nodes),
        }
    }

    /// Adds a node above `children`, which have no parent yet.
    pub(crate) fn push(
        &mut self,
        kind: Kind,
        span: Span,
        tokens: RangeInclusive<usize>,
        children: &[NodeId],
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        for child in children {
            self.parents[child.index()] = id;
        }
        self.links.extend_from_slice(children);
        self.kinds.push(kind);
        let links_end = self.links.len() as u32;
        self.nodes.push(Node { start: span.start as u32, end: span.end as u32, links_end });
        self.tokens.push((*tokens.start() as u32, *tokens.end() as u32));
        self.parents.push(id);
        id
    }

    /// Takes away all but the first `nodes` nodes.
    pub(crate) fn truncate(&mut self, nodes: usize) {
        self.kinds.truncate(nodes);
        self.nodes.truncate(nodes);
        self.tokens.truncate(nodes);
        self.parents.truncate(nodes);
        self.links.truncate(self.nodes.last().map_or(0, |last| last.links_end as usize));
    }

    /// Index of `id` among its siblings, from 0; 0 for a node without a parent.
    pub fn position(&self, id: NodeId) -> usize {
        let siblings = self.parent(id).map_or(&[][..], |parent| self.children(parent));
        siblings.iter().position(|sibling| *sibling == id).unwrap_or(0)
    }
}

/// Iterator of [`Tree::descendants`]; it keeps its own stack, so depth costs no recursion.
pub struct Descendants<'a> {
    tree: &'a Tree,
    stack: Vec<NodeId>,
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.stack.pop()?;
        self.stack.extend(self.tree.children(id).iter().rev());
        Some(id)
    }
}
