//! The result of resolution: what every name of a script means, looked up by node.

use std::sync::Arc;

use super::model::{Binding, ColumnTarget, OutputColumn, Relation, RelationId, ScopeProblem};
use super::node_map::NodeMap;
use super::node_types::NodeTypes;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// What a `Column` node names, or what a query's node returns; no node does both.
#[derive(Clone, Debug)]
pub(crate) enum NodeMeaning {
    /// For a `Column` node, what it names.
    Column(Binding),
    /// For a `Query`, `Select`, `MultiInsert`, `SetOperation`, `Parenthesized`, `Values`, `CommonTable` or aliased
    /// `NestedRelation` node, its output columns.
    Query {
        outputs: Arc<[OutputColumn]>,
        /// For a `Select` or `MultiInsert`, in FROM order.
        relations: Vec<RelationId>,
    },
}

impl NodeMeaning {
    fn query() -> NodeMeaning {
        NodeMeaning::Query { outputs: Arc::default(), relations: Vec::new() }
    }
}

/// All names of a script, resolved. Built by [`Scopes::resolve`]; lookups are by node.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    pub(crate) relations: Vec<Relation>,
    /// What columns mean and queries give.
    pub(crate) meanings: NodeMap<NodeMeaning>,
    /// Expression node → type and nullability.
    pub(crate) types: NodeTypes,
    pub(crate) problems: Vec<ScopeProblem>,
}

impl Scopes {
    /// Whether a column is the keyword of `GROUP BY ALL` or `ORDER BY ALL`: no column has that name.
    pub fn is_keyword_all(&self, script: &Script, column: NodeId) -> bool {
        script.tree().kind(column) == Kind::Column
            && self.binding(column).is_none()
            && script.slice(column).eq_ignore_ascii_case("all")
    }

    /// Returns the relation whose column a `Column` node names; `None` if it names no column of a relation.
    pub fn relation_of_column(&self, column: NodeId) -> Option<RelationId> {
        match self.binding(column)?.target {
            ColumnTarget::Column(relation, _) => Some(relation),
            _ => None,
        }
    }

    /// Returns the one relation that all of these `Column` nodes belong to; `None` if there are several or none.
    pub fn only_relation(&self, columns: impl IntoIterator<Item = NodeId>) -> Option<RelationId> {
        let mut relations = columns.into_iter().map(|column| self.relation_of_column(column));
        let first = relations.next()??;
        relations.all(|relation| relation == Some(first)).then_some(first)
    }

    /// What a `Column` node means; `None` if it does not resolve.
    pub fn binding(&self, column: NodeId) -> Option<&Binding> {
        match self.meanings.get(column) {
            Some(NodeMeaning::Column(binding)) => Some(binding),
            _ => None,
        }
    }

    /// The relation at `id`.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.0 as usize]
    }

    /// All relations of the script.
    pub fn relations(&self) -> impl Iterator<Item = (RelationId, &Relation)> {
        self.relations.iter().enumerate().map(|(index, relation)| (RelationId(index as u32), relation))
    }

    /// The relations of a `Select` or `MultiInsert`, in FROM order (lateral views last). A `Select` of a multi-insert
    /// has the relations of the `MultiInsert`, whose [`Relation::block`] they keep.
    pub fn relations_of(&self, block: NodeId) -> &[RelationId] {
        match self.meanings.get(block) {
            Some(NodeMeaning::Query { relations, .. }) => relations,
            _ => &[],
        }
    }

    /// The output columns of a query, SELECT block or CTE.
    pub fn outputs(&self, query: NodeId) -> &[OutputColumn] {
        match self.meanings.get(query) {
            Some(NodeMeaning::Query { outputs, .. }) => outputs,
            _ => &[],
        }
    }

    /// The type of an expression; [`Type::Unknown`] when it cannot be told.
    pub fn type_of(&self, expression: NodeId) -> &Type {
        self.types.get(expression).map_or(&Type::Unknown, |(data_type, _)| data_type)
    }

    /// Whether an expression can be NULL; true when nothing is known.
    pub fn is_nullable(&self, expression: NodeId) -> bool {
        self.types.get(expression).is_none_or(|(_, nullable)| nullable)
    }

    /// Names that do not resolve, in source order.
    pub fn problems(&self) -> &[ScopeProblem] {
        &self.problems
    }

    pub(crate) fn set_outputs(&mut self, query: NodeId, columns: Arc<[OutputColumn]>) {
        if let NodeMeaning::Query { outputs, .. } = self.meanings.get_or_insert_with(query, NodeMeaning::query) {
            *outputs = columns;
        }
    }

    pub(crate) fn set_relations(&mut self, block: NodeId, from: Vec<RelationId>) {
        if let NodeMeaning::Query { relations, .. } = self.meanings.get_or_insert_with(block, NodeMeaning::query) {
            *relations = from;
        }
    }

    /// The output columns of a query, to be passed on.
    pub(crate) fn shared_outputs(&self, query: NodeId) -> Arc<[OutputColumn]> {
        match self.meanings.get(query) {
            Some(NodeMeaning::Query { outputs, .. }) => Arc::clone(outputs),
            _ => Arc::default(),
        }
    }
}
