//! `*` over tables without definition: harmless where every column that is used of it is named, else a refusal.

use super::blocks::Blocks;
use super::refusal::InferenceRefusalKind;
use crate::code::scope::{RelationId, RelationSource};
use crate::code::tree::{JoinKind, Kind, NodeId};

impl Blocks<'_> {
    /// Returns the first place whose rows depend on columns that the script does not name, with the reason.
    pub fn unnamed(self) -> Option<(NodeId, InferenceRefusalKind)> {
        self.tree().ids().find_map(|node| match self.tree().kind(node) {
            Kind::Wildcard if self.counts(node) => self.opened(node),
            Kind::Select { .. } if self.gives_all(node) && self.counts(node) => self.opened(node),
            Kind::Join { natural: true, .. } => self.natural(node),
            Kind::Pivot | Kind::Unpivot { .. } => self.pivoted(node),
            _ => None,
        })
    }

    /// Whether the columns of a `*` reach a result: a sub-query in FROM or a CTE passes them on to its reader, whose
    /// own `*` then counts, and EXISTS reads none. Operands of a set operation go by position.
    fn counts(self, wildcard: NodeId) -> bool {
        for ancestor in self.tree().ancestors(wildcard) {
            match self.tree().kind(ancestor) {
                Kind::SetOperation { .. } => return true,
                Kind::Derived | Kind::Piped | Kind::CommonTable | Kind::Exists => return false,
                // What reads the view or table names its columns.
                Kind::CreateView | Kind::CreateTable => return !self.is_read(ancestor),
                _ => {}
            }
        }
        true
    }

    /// Whether a later statement reads what a CREATE makes.
    fn is_read(self, create: NodeId) -> bool {
        let span = self.tree().span(create);
        let is_written = |query: NodeId| span.contains(self.tree().span(query));
        self.scopes.relations().any(|(_, relation)| relation.writers.iter().any(|writer| is_written(writer.query)))
    }

    fn opened(self, wildcard: NodeId) -> Option<(NodeId, InferenceRefusalKind)> {
        let select = match self.gives_all(wildcard) {
            true => wildcard,
            false => self.tree().enclosing(wildcard, |kind| matches!(kind, Kind::Select { .. }))?,
        };
        let ids = self.starred(select, wildcard);
        let open = ids.into_iter().find(|id| self.scopes.relation(*id).open)?;
        Some((wildcard, InferenceRefusalKind::Star(self.named(open))))
    }

    /// A pivot groups by all columns that it does not name.
    fn pivoted(self, pivot: NodeId) -> Option<(NodeId, InferenceRefusalKind)> {
        let inside = |node: NodeId| self.tree().ancestors(node).any(|around| around == pivot);
        let mut relations = self.scopes.relations().filter(|(_, relation)| relation.open && inside(relation.node));
        let (open, _) = relations.next()?;
        Some((pivot, InferenceRefusalKind::Star(self.named(open))))
    }

    fn natural(self, join: NodeId) -> Option<(NodeId, InferenceRefusalKind)> {
        let block = *self.around(join).first()?;
        let cross = matches!(self.tree().kind(join), Kind::Join { kind: JoinKind::Cross, .. });
        let ids = self.scopes.relations_of(block).iter().copied();
        let open = ids.filter(|_| !cross).find(|id| self.scopes.relation(*id).open)?;
        Some((join, InferenceRefusalKind::Natural(self.named(open))))
    }

    /// Returns the table without definition behind a relation, or else the relation's own name.
    pub fn named(self, id: RelationId) -> String {
        let origin = self.origins(id).first().map(|table| self.script.path_name(*table));
        let relation = self.scopes.relation(id);
        origin.unwrap_or_else(|| match &relation.source {
            RelationSource::Table(name) | RelationSource::Written(name) => name.clone(),
            _ => relation.name.clone(),
        })
    }
}
