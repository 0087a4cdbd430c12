//! The syntax tree: a flat arena of nodes, each with its exact byte range.
//!
//! One homogeneous node type serves scopes, operators, analysis, translation and metrics alike. A node's meaning is
//! its [`Kind`] and the kinds and order of its children, which [`Kind`] documents. Names, operators and literals are
//! read from the source text; the tree holds structure only.

mod kind;
mod operator;

pub use kind::{GroupingKind, Kind};
pub use operator::{BinaryOperator, JoinKind, PatternOperator, SetOperator};

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

/// One node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its exact bytes, from its first significant token to its last.
    pub span: Span,
    /// First and last significant token, as indices into [`super::script::Script::tokens`].
    pub tokens: (u32, u32),
    /// The node it belongs to; none for the root.
    pub parent: Option<NodeId>,
    /// What it consists of: a range of [`Tree::links`].
    pub(crate) children: (u32, u32),
}

/// A tree of nodes. Children come before their parents in the arena; the root is last.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// The children of all nodes, in source order for each.
    pub(crate) links: Vec<NodeId>,
}

impl Tree {
    /// The root, a [`Kind::Script`] node.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len().saturating_sub(1) as u32)
    }

    /// The node at `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The kind of `id`.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The bytes of `id`.
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The children of `id`, in source order.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        let (first, end) = self.node(id).children;
        &self.links[first as usize..end as usize]
    }

    /// The parent of `id`.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
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

    /// The parents of `id`, nearest first.
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

    /// Where `id` stands among its siblings.
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
