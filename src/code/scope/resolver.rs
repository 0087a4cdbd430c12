//! The state that resolution builds up.

use std::collections::HashSet;
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::common_tables::CommonTables;
use super::frame::{Frame, FrameId};
use super::model::{GivenTable, OutputColumn, ProblemKind, Relation, RelationId, ScopeProblem, Surroundings};
use super::name::{Name, lower_name};
use super::node_map::NodeMap;
use super::node_types::NodeTypes;
use super::scopes::Scopes;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::code::types::Type;

/// Resolves a script, statement by statement; files beside this one treat one clause or kind of node each.
pub(super) struct Resolver<'a> {
    pub script: &'a Script,
    pub tree: &'a Tree,
    pub catalogue: Catalogue<'a>,
    pub scopes: Scopes,
    pub frames: Vec<Frame>,
    pub common_tables: CommonTables,
    /// Queries that may have more output columns than are known.
    pub incomplete_queries: HashSet<NodeId>,
    /// For relations with many columns their positions in the order of names; see [`Resolver::find_in`].
    pub name_orders: Vec<Option<Vec<u32>>>,
    /// How many columns were made of stars and lists of new names so far.
    pub expanded: usize,
}

impl<'a> Resolver<'a> {
    pub fn new(script: &'a Script, schema: &'a Schema) -> Self {
        let tree = script.tree();
        let scopes = Scopes {
            meanings: NodeMap::with_room(tree.len(), tree.len() / 5),
            types: NodeTypes::with_room(tree.len()),
            ..Scopes::default()
        };
        Resolver {
            script,
            tree,
            catalogue: Catalogue::new(schema),
            scopes,
            frames: Vec::new(),
            common_tables: CommonTables::default(),
            incomplete_queries: HashSet::new(),
            name_orders: Vec::new(),
            expanded: 0,
        }
    }

    /// Puts in scope what stands before the script.
    pub fn give(&mut self, Surroundings { common_tables, made }: &Surroundings) {
        for (place, table) in common_tables.iter().enumerate() {
            let node = GivenTable::node(self.tree.len(), place);
            self.scopes.set_outputs(node, table.columns.clone());
            self.common_tables.add(&table.name, node, 0);
        }
        for table in made {
            self.catalogue.make(table.name.clone(), table.columns.clone(), false);
        }
    }

    pub fn run(mut self) -> Scopes {
        for statement in self.script.statements() {
            self.statement(*statement);
        }
        self.scopes.problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
        self.scopes.problems.dedup();
        self.scopes
    }

    pub fn problem(&mut self, node: NodeId, kind: ProblemKind) {
        self.scopes.problems.push(ScopeProblem { node, span: self.tree.span(node), kind });
    }

    pub fn add_relation(&mut self, relation: Relation) -> RelationId {
        self.scopes.relations.push(relation);
        self.name_orders.push(None);
        RelationId(self.scopes.relations.len() as u32 - 1)
    }

    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.scopes.relations[id.0 as usize]
    }

    pub fn push_frame(&mut self, block: NodeId, parent: Option<FrameId>) -> FrameId {
        self.frames.push(Frame::new(block, parent));
        FrameId(self.frames.len() - 1)
    }

    pub fn frame(&self, id: FrameId) -> &Frame {
        &self.frames[id.0]
    }

    pub fn frame_mut(&mut self, id: FrameId) -> &mut Frame {
        &mut self.frames[id.0]
    }

    pub fn outputs_of(&self, query: NodeId) -> Arc<[OutputColumn]> {
        self.scopes.shared_outputs(query)
    }

    /// Gives `node` the outputs of `of`, which it passes on.
    pub fn pass_outputs(&mut self, node: NodeId, of: NodeId) {
        let outputs = self.outputs_of(of);
        self.scopes.set_outputs(node, outputs);
        if self.incomplete_queries.contains(&of) {
            self.incomplete_queries.insert(node);
        }
    }

    pub fn typed(&self, node: NodeId) -> (Type, bool) {
        self.scopes.types.get(node).map_or((Type::Unknown, true), |(data_type, nullable)| (data_type.clone(), nullable))
    }

    /// The names of a path or list of identifiers, lower case.
    pub fn names(&self, node: NodeId) -> Vec<Name<'a>> {
        let identifiers = self.tree.children_where(node, |kind| kind == Kind::Identifier);
        identifiers.map(|identifier| lower_name(self.script.slice(identifier))).collect()
    }
}
