//! Which blocks a name sees, and which table without definition the rows of a relation come from.

use crate::code::schema::used_database;
use crate::code::scope::{Relation, RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, Tree};

/// How deep `*` is followed through sub-queries and CTEs.
pub(super) const MOST_LEVELS: usize = 32;

/// A script with what its names mean so far.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub script: &'a Script,
    pub scopes: &'a Scopes,
}

impl<'a> Blocks<'a> {
    pub fn tree(self) -> &'a Tree {
        self.script.tree()
    }

    /// Returns the blocks whose relations `node` sees, the innermost first.
    pub fn around(self, node: NodeId) -> Vec<NodeId> {
        let tree = self.tree();
        let mut blocks = Vec::new();
        let mut below = node;
        // A sub-query in FROM does not see the block in whose FROM it stands.
        let mut in_from = false;
        for ancestor in tree.ancestors(node) {
            match tree.kind(ancestor) {
                Kind::Derived | Kind::Piped => in_from = true,
                Kind::CommonTable => break,
                kind if is_block(kind) => blocks.extend((!std::mem::take(&mut in_from)).then_some(ancestor)),
                Kind::Query if orders(tree.kind(below)) => {
                    blocks.extend(tree.child(ancestor, |kind| matches!(kind, Kind::Select { .. })));
                }
                _ => {}
            }
            below = ancestor;
        }
        blocks
    }

    /// Returns the relations of a block that `node` can name: in the condition of a join none that is joined later.
    pub fn visible(self, block: NodeId, node: NodeId) -> Vec<RelationId> {
        let tree = self.tree();
        let condition = tree.enclosing(node, |kind| kind == Kind::On);
        let of_block = condition.filter(|on| tree.enclosing(*on, is_block) == Some(block));
        let is_joined =
            |relation: &Relation| of_block.is_none_or(|on| tree.span(relation.node).start < tree.span(on).start);
        let is_seen = |relation: &Relation| condition.is_some() || !relation.condition_only;
        let all = self.scopes.relations_of(block).iter().copied();
        all.filter(|id| is_seen(self.scopes.relation(*id)) && is_joined(self.scopes.relation(*id))).collect()
    }

    /// Returns the `Table` nodes of the tables without definition that a relation's further columns can come from.
    pub fn origins(self, id: RelationId) -> Vec<NodeId> {
        let mut tables = Vec::new();
        self.add_origins(self.scopes.relation(id), MOST_LEVELS, &mut tables);
        tables
    }

    /// Returns the name of the table without definition that only the script's INSERTs fill and a relation gives; `None` for
    /// other relations, and if a `*` hides what is filled.
    pub fn filled_table(self, id: RelationId) -> Option<String> {
        let relation = self.scopes.relation(id);
        let is_filled = relation.open && !relation.writers.is_empty() && self.origins(id).is_empty();
        match &relation.source {
            RelationSource::Written(name) if is_filled => Some(name.clone()),
            _ => None,
        }
    }

    fn add_origins(self, relation: &Relation, levels: usize, tables: &mut Vec<NodeId>) {
        if !relation.open || levels == 0 {
            return;
        }
        match &relation.source {
            RelationSource::Unknown if self.tree().kind(relation.node) == Kind::Table => tables.push(relation.node),
            RelationSource::Written(_) => {
                let last = relation.writers.last().map(|writer| writer.query);
                let query = self.made_by(relation).or(last);
                query.into_iter().for_each(|query| self.add_origins_of_query(query, levels - 1, tables));
            }
            source => {
                if let Some(query) = source.query(self.tree()) {
                    self.add_origins_of_query(query, levels - 1, tables);
                }
            }
        }
    }

    /// Returns the query of the `CREATE TABLE … AS` that makes the table of a relation: rows added later change no column.
    pub fn made_by(self, relation: &Relation) -> Option<NodeId> {
        let makes =
            |query: &NodeId| self.tree().parent(*query).is_some_and(|it| self.tree().kind(it) == Kind::CreateTable);
        relation.writers.iter().map(|writer| writer.query).find(makes)
    }

    fn add_origins_of_query(self, query: NodeId, levels: usize, tables: &mut Vec<NodeId>) {
        let Some(select) = self.first_block(query) else { return };
        for wildcard in self.wildcards(select) {
            for id in self.starred(select, wildcard) {
                self.add_origins(self.scopes.relation(id), levels, tables);
            }
        }
    }

    /// Returns the block that names the columns of a query: the first of a set operation.
    pub fn first_block(self, query: NodeId) -> Option<NodeId> {
        let is_body =
            |kind| matches!(kind, Kind::Select { .. } | Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Query);
        let body = self.tree().child(query, is_body)?;
        match self.tree().kind(body) {
            Kind::Select { .. } => Some(body),
            _ => self.first_block(body),
        }
    }

    /// Whether a block gives all columns without saying so: that of a pipe whose list only adds or changes some.
    pub fn gives_all(self, node: NodeId) -> bool {
        let lists = |kind| matches!(kind, Kind::Projection | Kind::Aggregate);
        matches!(self.tree().kind(node), Kind::Select { .. }) && self.tree().child(node, lists).is_none()
    }

    /// Returns the `*` of a block's SELECT list; the block itself if it gives all columns without saying so.
    pub fn wildcards(self, select: NodeId) -> Vec<NodeId> {
        let tree = self.tree();
        if self.gives_all(select) {
            return vec![select];
        }
        let list = tree.child(select, |kind| kind == Kind::Projection);
        list.map(|list| tree.children_where(list, |kind| kind == Kind::Wildcard).collect()).unwrap_or_default()
    }

    /// Returns the relations whose columns a `*` takes.
    pub fn starred(self, select: NodeId, wildcard: NodeId) -> Vec<RelationId> {
        let qualifier = self.script.path_name(wildcard);
        let last = qualifier.rsplit('.').next().unwrap_or_default().to_owned();
        let all = self.scopes.relations_of(select).iter().copied();
        let taken = |id: &RelationId| {
            let relation = self.scopes.relation(*id);
            !relation.condition_only && (last.is_empty() || relation.name == last)
        };
        all.filter(taken).collect()
    }
}

/// Whether a node has relations of its own.
fn is_block(kind: Kind) -> bool {
    matches!(kind, Kind::Select { .. } | Kind::MultiInsert | Kind::Delete | Kind::Update | Kind::Merge)
}

/// Whether a clause of a query sees the columns of its block.
fn orders(kind: Kind) -> bool {
    matches!(kind, Kind::OrderBy | Kind::SortBy | Kind::DistributeBy | Kind::ClusterBy | Kind::Windows)
}

/// Returns the full name of a table: its last two names, or the database of the last USE and its only one.
pub(super) fn full_name(script: &Script, table: NodeId) -> String {
    let path = script.path_name(table);
    let start = script.tree().span(table).start;
    let parts: Vec<&str> = path.split('.').collect();
    if parts.len() > 1 {
        return parts[parts.len() - 2..].join(".");
    }
    let before = script.statements().iter().take_while(|statement| script.tree().span(**statement).start < start);
    let commands = before.filter(|statement| script.tree().kind(**statement) == Kind::Command);
    match commands.filter_map(|command| used_database(script.slice(*command))).last() {
        Some(database) => format!("{database}.{path}"),
        None => path,
    }
}
