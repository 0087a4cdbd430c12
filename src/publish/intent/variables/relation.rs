//! Names the relation that a fault is about.

use std::collections::BTreeSet;

use super::{VariableSearch, is_noun};
use crate::code::scope::{RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};
use crate::fault::Clause;

impl VariableSearch<'_> {
    pub(super) fn relation_of(&self, column: NodeId) -> Option<String> {
        self.relation_words(self.scopes.relation_of_column(column)?)
    }

    /// Sets `relation` to the operand of the join around a place, whatever was found before, and, where there are words
    /// for the rows of tables, `partners` to these and `entries` to those of the first relation of its block: what a
    /// faulty join lacks can only be rows of its operand.
    pub(super) fn joined_relation(&mut self, site: NodeId, clause: Clause) {
        let tree = self.script.tree();
        let block = |kind: Kind| matches!(kind, Kind::Select { .. } | Kind::Query);
        let mut around = std::iter::once(site).chain(tree.ancestors(site)).take_while(|node| !block(tree.kind(*node)));
        let join = around.find(|node| matches!(tree.kind(*node), Kind::Join { .. }));
        let Some(join) = join.filter(|_| matches!(clause, Clause::Join | Clause::On | Clause::From | Clause::Where))
        else {
            return;
        };
        self.known.variables.remove("relation");
        let operand = tree.children(join).first().copied();
        let joined = self.scopes.relations().find(|(_, relation)| Some(relation.node) == operand);
        let Some((id, joined)) = joined else { return };
        let first = self.scopes.relations().find(|(_, relation)| relation.block == joined.block);
        let entries = first.filter(|(other, _)| *other != id).and_then(|(other, _)| self.relation_words(other));
        let Some(words) = self.relation_words(id) else { return };
        if self.vocabulary.knows_tables() {
            // Of two sides that read the same table, its name tells neither.
            if entries.as_ref() == Some(&words) {
                return;
            }
            if let Some(entries) = entries {
                self.set("entries", entries);
            }
            self.set("partners", words.clone());
        }
        self.set("relation", words);
    }

    /// What a user calls a relation; `None` if its name says nothing or the block reads the same table twice.
    fn relation_words(&self, id: RelationId) -> Option<String> {
        let relation = self.scopes.relation(id);
        let is_alone = self.siblings(id).all(|other| self.scopes.relation(other).source != relation.source);
        match &relation.source {
            RelationSource::Table(name) | RelationSource::Written(name) if is_alone => self.table_words(id, name),
            RelationSource::CommonTable(query) | RelationSource::Query(query) if self.vocabulary.knows_tables() => {
                self.only_base_table(*query).map(|name| self.vocabulary.table(&name))
            }
            RelationSource::CommonTable(table) => {
                let name = self.script.tree().child(*table, |kind| kind == Kind::Identifier);
                let name = name.map(|name| self.script.name(name)).filter(|name| is_alone && is_noun(name));
                match name {
                    Some(name) => Some(self.vocabulary.table(&name)),
                    None => self.only_base_table(*table).and_then(|name| self.table_words(id, &name)),
                }
            }
            RelationSource::Query(query) => self.only_base_table(*query).and_then(|name| self.table_words(id, &name)),
            _ => None,
        }
    }

    /// What a user calls the table from which a relation takes its rows. If complaints cite names, `None` where another
    /// relation of the block takes rows from a table of this name as well, or the statement fills one: then the name
    /// tells neither.
    fn table_words(&self, id: RelationId, table: &str) -> Option<String> {
        let is_called_so = |name: &str| unqualified(name) == unqualified(table);
        let reads = |other: RelationId| match &self.scopes.relation(other).source {
            RelationSource::Table(name) => is_called_so(name),
            RelationSource::CommonTable(query) | RelationSource::Query(query) => {
                self.base_tables(*query).iter().flatten().any(|name| is_called_so(name))
            }
            _ => false,
        };
        let is_unclear = || self.siblings(id).any(reads) || self.is_filled_around(id, table);
        (self.vocabulary.knows_tables() || !is_unclear()).then(|| self.vocabulary.table(table))
    }

    /// The other relations of the block of a relation.
    fn siblings(&self, id: RelationId) -> impl Iterator<Item = RelationId> + '_ {
        let block = self.scopes.relation(id).block;
        let of_block = self.scopes.relations().filter(move |(other, relation)| *other != id && relation.block == block);
        of_block.map(|(other, _)| other)
    }

    /// Whether the statement around a relation writes into a table.
    fn is_filled_around(&self, id: RelationId, table: &str) -> bool {
        let tree = self.script.tree();
        let statement = tree.enclosing(self.scopes.relation(id).node, Kind::fills_table);
        let target = statement.and_then(|statement| tree.child(statement, |kind| kind == Kind::Table));
        let name = target.map(|target| self.script.path_name(target).to_lowercase());
        name.is_some_and(|name| unqualified(&name) == unqualified(table))
    }

    /// The schema's table that a query or WITH item reads, directly or through WITH items; `None` if there are several.
    fn only_base_table(&self, query: NodeId) -> Option<String> {
        let mut tables = self.base_tables(query);
        tables.pop_first().filter(|_| tables.is_empty()).flatten()
    }

    /// The schema's tables that a query or WITH item reads, directly or through WITH items; `None` stands for what is no
    /// table.
    fn base_tables(&self, query: NodeId) -> BTreeSet<Option<String>> {
        let (mut tables, mut left, mut seen) = (BTreeSet::new(), vec![query], BTreeSet::new());
        while let Some(query) = left.pop() {
            if !seen.insert(query) {
                continue;
            }
            let inside: BTreeSet<NodeId> = self.script.tree().descendants(query).collect();
            for (_, relation) in self.scopes.relations().filter(|(_, relation)| inside.contains(&relation.node)) {
                match &relation.source {
                    RelationSource::Table(name) => _ = tables.insert(Some(name.clone())),
                    RelationSource::CommonTable(table) => left.push(*table),
                    RelationSource::Query(_) => {}
                    _ => _ = tables.insert(None),
                }
            }
        }
        tables
    }
}

/// The name of a table without that of its database.
fn unqualified(table: &str) -> &str {
    table.rsplit('.').next().unwrap_or(table)
}
