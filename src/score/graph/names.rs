//! Replaces names by what they refer to.

use super::terms::Term;
use super::{GraphBuilder, OutputNames};
use crate::code::scope::{Binding, ColumnTarget, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};

impl GraphBuilder<'_> {
    /// A column reference: relation, place and the fields taken from it, or its text if it does not resolve.
    pub(super) fn column(&mut self, id: NodeId) -> Term {
        let Some(binding) = self.scopes.binding(id).cloned() else {
            let written = self.path(id);
            return self.terms.leaf(&format!("unresolved {written}"));
        };
        let mut term = self.target(id, &binding);
        let identifiers: Vec<NodeId> = self.tree.children(id).to_vec();
        for field in identifiers.iter().skip(binding.path_length) {
            term = self.field(term, *field);
        }
        term
    }

    /// A struct's field.
    pub(super) fn field(&mut self, of: Term, name: NodeId) -> Term {
        let label = format!("field {}", self.script.name(name));
        self.terms.node(&label, &[of])
    }

    fn target(&mut self, id: NodeId, binding: &Binding) -> Term {
        match binding.target {
            ColumnTarget::Column(relation, place) => {
                let depth = self.depth(id, relation);
                self.column_of(relation, place, depth)
            }
            ColumnTarget::Alias(item) => self.alias(item),
            ColumnTarget::Output(place) => self.terms.leaf(&format!("output {place}")),
            ColumnTarget::Parameter(lambda, place) => {
                let inner = self.tree.ancestors(id).take_while(|ancestor| *ancestor != lambda);
                let depth = inner.filter(|ancestor| self.tree.kind(*ancestor) == Kind::Lambda).count();
                self.terms.leaf(&format!("parameter {depth} {place}"))
            }
        }
    }

    /// A reference to an output of the same block by its alias stands for the expression.
    fn alias(&mut self, item: NodeId) -> Term {
        let expression = self.tree.children(item).first().copied();
        match expression {
            Some(expression) if self.open.insert(item) => {
                let term = self.expression(expression);
                self.open.remove(&item);
                term
            }
            _ => self.terms.leaf("alias of itself"),
        }
    }

    /// A column of a relation `depth` queries further out. Columns of tables are identified by name, all others by
    /// place.
    pub(super) fn column_of(&mut self, relation: RelationId, place: usize, depth: usize) -> Term {
        if let Some(term) = self.merged.get(&relation).and_then(|outputs| outputs.get(place)).filter(|_| depth == 0) {
            return *term;
        }
        let from = self.relation(relation);
        let known = self.scopes.relation(relation);
        let by_name = match known.source {
            RelationSource::Written(_) if self.output_names == OutputNames::Ignored => None,
            RelationSource::Table(_) | RelationSource::Written(_) | RelationSource::Unknown => known.columns.get(place),
            _ => None,
        };
        let column = by_name.map_or_else(|| place.to_string(), |column| column.name.clone());
        self.terms.node(&format!("column {depth} {column}"), &[from])
    }

    /// Returns how many queries lie between `id` and the block of a relation.
    pub(super) fn depth(&self, id: NodeId, relation: RelationId) -> usize {
        let block = self.scopes.relation(relation).block;
        let home = match self.tree.kind(block) {
            Kind::Select { .. } => self.tree.enclosing(block, |kind| kind == Kind::Query).unwrap_or(block),
            _ => block,
        };
        let inner = self.tree.ancestors(id).take_while(|ancestor| *ancestor != home);
        inner.filter(|ancestor| self.tree.kind(*ancestor) == Kind::Query).count()
    }

    /// A dotted name, lower case and unquoted.
    pub(super) fn path(&self, id: NodeId) -> String {
        self.script.path_name(id)
    }

    /// The graph of a relation: its source and its number among the relations of its block with the same source.
    pub(super) fn relation(&mut self, id: RelationId) -> Term {
        if let Some(term) = self.relation_terms.get(&id) {
            return *term;
        }
        let block = self.scopes.relation(id).block;
        let mut members = self.scopes.relations_of(block).to_vec();
        if !members.contains(&id) {
            members.push(id);
        }
        let mut sources: Vec<Term> = Vec::with_capacity(members.len());
        for member in members {
            // A lateral view refers to the relations before it, whose graphs have been built by now.
            let source = self.source(member);
            let number = sources.iter().filter(|before| **before == source).count();
            sources.push(source);
            let term = self.terms.node(&format!("relation {number}"), &[source]);
            self.relation_terms.insert(member, term);
        }
        self.relation_terms.get(&id).copied().unwrap_or_else(|| self.terms.none())
    }

    fn source(&mut self, id: RelationId) -> Term {
        let node = self.scopes.relation(id).node;
        let source = self.scopes.relation(id).source.clone();
        let term = match source {
            RelationSource::Table(name) | RelationSource::Written(name) => self.terms.leaf(&format!("table {name}")),
            RelationSource::CommonTable(common) => self.common_table(common),
            RelationSource::Unknown => {
                let path = self.path(node);
                self.terms.leaf(&format!("unknown table {path}"))
            }
            RelationSource::Query(query) if self.tree.kind(query) == Kind::Query => self.query(query),
            RelationSource::Function(_) if matches!(self.tree.kind(node), Kind::LateralView { .. }) => {
                self.lateral_view(node)
            }
            RelationSource::Function(call) | RelationSource::Values(call) => self.expression(call),
            RelationSource::Query(nested) => self.generic(nested),
        };
        let Some(sample) = self.tree.child(node, |kind| kind == Kind::Sample) else { return term };
        let words = self.words(sample);
        self.terms.node(&format!("sample {words}"), &[term])
    }

    /// A common table is its query.
    fn common_table(&mut self, id: NodeId) -> Term {
        match self.tree.child(id, |kind| kind == Kind::Query) {
            Some(query) if !self.open.contains(&query) => {
                let query = self.query(query);
                let most = self.tree.child(id, |kind| kind == Kind::Number);
                let levels = most.map(|most| format!("levels {}", self.script.slice(most)));
                levels.map_or(query, |levels| self.terms.node(&levels, &[query]))
            }
            _ => self.terms.leaf("the common table itself"),
        }
    }

    /// A generator. Its arguments name the relations it reads.
    fn lateral_view(&mut self, id: NodeId) -> Term {
        let outer = matches!(self.tree.kind(id), Kind::LateralView { outer: true });
        let call = self.tree.child(id, |kind| matches!(kind, Kind::Call { .. }));
        let call = match call {
            Some(call) => self.expression(call),
            None => self.terms.none(),
        };
        self.terms.node(if outer { "lateral view outer" } else { "lateral view" }, &[call])
    }

    /// The names of all columns of a block's relations, for constructs whose meaning depends on names (`USING`,
    /// `NATURAL`, `struct(*)`).
    pub(super) fn column_names(&mut self, within: NodeId) -> Term {
        let block = std::iter::once(within)
            .chain(self.tree.ancestors(within))
            .find(|id| matches!(self.tree.kind(*id), Kind::Select { .. } | Kind::MultiInsert));
        let members = block.map_or(&[][..], |block| self.scopes.relations_of(block)).to_vec();
        let mut names = Vec::with_capacity(members.len());
        for member in members {
            let columns: Vec<String> =
                self.scopes.relation(member).columns.iter().map(|column| column.name.clone()).collect();
            let relation = self.relation(member);
            names.push(self.terms.node(&format!("names {}", columns.join(",")), &[relation]));
        }
        self.terms.bag("names", names)
    }
}
