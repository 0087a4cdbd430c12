//! What columns mean and queries give, in one table by node.

use std::sync::Arc;

use super::model::{Binding, OutputColumn, RelationId, Scopes};
use crate::code::tree::NodeId;

/// What a node means or gives; no node does both.
#[derive(Clone, Debug)]
pub(crate) enum NodeMeaning {
    /// Of a `Column` node what it means.
    Column(Binding),
    /// What a `Query`, `Select`, `MultiInsert`, `SetOperation`, `Parenthesized`, `Values`, `CommonTable` or aliased
    /// `NestedRelation` node gives.
    Query {
        outputs: Arc<[OutputColumn]>,
        /// Of a `Select` or `MultiInsert`, in FROM order.
        relations: Vec<RelationId>,
    },
}

impl NodeMeaning {
    fn query() -> NodeMeaning {
        NodeMeaning::Query { outputs: Arc::default(), relations: Vec::new() }
    }
}

impl Scopes {
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
