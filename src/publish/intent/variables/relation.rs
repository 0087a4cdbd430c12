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
        let siblings = self.scopes.relations().filter(|(_, other)| other.block == relation.block);
        let is_alone = siblings.filter(|(_, other)| other.source == relation.source).count() == 1;
        match &relation.source {
            RelationSource::Table(name) | RelationSource::Written(name) => {
                is_alone.then(|| self.vocabulary.table(name))
            }
            RelationSource::CommonTable(query) | RelationSource::Query(query) if self.vocabulary.knows_tables() => {
                self.only_base_table(*query).map(|name| self.vocabulary.table(&name))
            }
            RelationSource::CommonTable(table) => {
                let name = self.script.tree().child(*table, |kind| kind == Kind::Identifier);
                let name = name.map(|name| self.script.name(name)).filter(|name| is_alone && is_noun(name))?;
                Some(self.vocabulary.table(&name))
            }
            RelationSource::Query(_) if is_noun(&relation.name) => Some(self.vocabulary.table(&relation.name)),
            RelationSource::Query(query) => self.only_table_in(*query).map(|name| self.vocabulary.table(&name)),
            _ => None,
        }
    }

    /// The schema's table that a query or WITH item reads, directly or through WITH items; `None` if there are several.
    fn only_base_table(&self, query: NodeId) -> Option<String> {
        let (mut names, mut left, mut seen) = (BTreeSet::new(), vec![query], BTreeSet::new());
        while let Some(query) = left.pop() {
            if !seen.insert(query) {
                continue;
            }
            let inside: BTreeSet<NodeId> = self.script.tree().descendants(query).collect();
            for (_, relation) in self.scopes.relations().filter(|(_, relation)| inside.contains(&relation.node)) {
                match &relation.source {
                    RelationSource::Table(name) => _ = names.insert(name.clone()),
                    RelationSource::CommonTable(table) => left.push(*table),
                    RelationSource::Query(_) => {}
                    _ => return None,
                }
            }
        }
        names.pop_first().filter(|_| names.is_empty())
    }

    /// The table that a sub-query reads; `None` if it reads several.
    fn only_table_in(&self, query: NodeId) -> Option<String> {
        let inside: BTreeSet<NodeId> = self.script.tree().descendants(query).collect();
        let read = self.scopes.relations().filter(|(_, relation)| inside.contains(&relation.node));
        let mut names = BTreeSet::new();
        for (_, relation) in read {
            match &relation.source {
                RelationSource::Table(name) => names.insert(name.clone()),
                RelationSource::Query(_) => false,
                _ => return None,
            };
        }
        names.pop_first().filter(|_| names.is_empty())
    }
}
