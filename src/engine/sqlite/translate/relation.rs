//! FROM: tables, sub-queries and brackets.

use super::convert::WantedTypes;
use super::{Reason, Translated, Translator};
use crate::code::scope::{RelationId, RelationSource};
use crate::code::tree::{JoinKind, Kind, NodeId};

impl Translator<'_> {
    /// The relations of FROM without the keyword. SQLite joins items separated by commas from left to right, as Spark
    /// does. Semi joins are collected, because they become conditions.
    pub fn from(&mut self, from: NodeId, semi_joins: &mut Vec<NodeId>) -> Translated {
        self.separated(self.children(from).iter().copied(), " JOIN ", |this, relation| {
            this.joined_relation(relation, semi_joins)
        })
    }

    /// A `Relation`: a primary, then joins and lateral views in written order.
    pub fn joined_relation(&mut self, relation: NodeId, semi_joins: &mut Vec<NodeId>) -> Translated {
        let filters_before = semi_joins.len();
        for child in self.children(relation).iter().copied() {
            match self.kind(child) {
                Kind::Join { kind: JoinKind::LeftSemi | JoinKind::LeftAnti, .. } => semi_joins.push(child),
                Kind::Join { kind, .. } => {
                    if semi_joins.len() > filters_before && !Self::keeps_left(kind) {
                        return self.refuse(child, "RIGHT or FULL JOIN after a semi join");
                    }
                    self.join(child, kind)?;
                }
                Kind::LateralView { .. } => self.lateral_view(child)?,
                _ => self.primary(child)?,
            }
        }
        Ok(())
    }

    /// One item of FROM.
    pub fn primary(&mut self, node: NodeId) -> Translated {
        match self.kind(node) {
            Kind::Table => self.table(node),
            Kind::Derived => self.derived(node),
            Kind::Piped => self.piped(node),
            Kind::InlineTable => self.inline_table(node),
            Kind::NestedRelation => self.nested_relation(node),
            Kind::Pivot => self.pivot(node),
            Kind::Unpivot { nulls } => self.unpivot(node, nulls),
            Kind::TableFunction => {
                let call = self.only_child(node)?;
                let Some(id) = self.relation_of(node) else { return self.refuse(node, "this table function") };
                self.generator_source(call, ("r", self.relation_number(id)))
            }
            _ => self.refuse(node, "this item of FROM"),
        }
    }

    pub fn registered(&self, node: NodeId) -> Translated<RelationId> {
        match self.relation_of(node) {
            Some(id) => Ok(id),
            None => self.refuse(node, "this item of FROM"),
        }
    }

    fn table(&mut self, node: NodeId) -> Translated {
        if let Some(sample) = self.child(node, |kind| kind == Kind::Sample) {
            return self.nondeterministic(sample, "TABLESAMPLE");
        }
        let id = self.registered(node)?;
        let scopes = self.scopes;
        match &scopes.relation(id).source {
            RelationSource::Table(name) => self.quoted_name(name),
            RelationSource::CommonTable(table) => self.common_table(*table),
            RelationSource::Written(name) => match self.made.get(name) {
                Some(made) => match &made.view {
                    Some(view) => self.write_numbered("v", view.first.index()),
                    None => self.quoted_name(&scratch_name(name, made.columns.len())),
                },
                None => return Err(self.unsupported(node, Reason::UnknownTable(name.clone()))),
            },
            _ => return Err(self.unsupported(node, Reason::UnknownTable(self.script.slice(node).to_owned()))),
        }
        self.write_numbered(" AS r", self.relation_number(id));
        Ok(())
    }

    fn derived(&mut self, node: NodeId) -> Translated {
        let id = self.registered(node)?;
        self.write("(");
        self.part_query(self.only_child(node)?)?;
        self.write_numbered(") AS r", self.relation_number(id));
        Ok(())
    }

    fn inline_table(&mut self, node: NodeId) -> Translated {
        let id = self.registered(node)?;
        self.write("(");
        self.values(self.only_child(node)?, WantedTypes::NONE)?;
        self.write_numbered(") AS r", self.relation_number(id));
        Ok(())
    }

    /// `(a JOIN b ON …)`; with an alias it becomes a sub-query with all its columns.
    fn nested_relation(&mut self, node: NodeId) -> Translated {
        let inner = self.only_child(node)?;
        let mut semi_joins = Vec::new();
        let alias = self.child(node, |kind| kind == Kind::Alias).and_then(|_| self.relation_of(node));
        self.write("(");
        if alias.is_some() {
            self.write("SELECT ");
            let scopes = self.scopes;
            self.separated(scopes.outputs(node).iter().enumerate(), ",", |this, (index, output)| {
                let Some((relation, column)) = output.passes_on else { return this.refuse(node, "this relation") };
                this.source_column(relation, column)?;
                this.write_numbered(" AS c", index);
                Ok(())
            })?;
            self.write(" FROM ");
        }
        self.joined_relation(inner, &mut semi_joins)?;
        if let Some(join) = semi_joins.first() {
            return self.refuse(*join, "a semi join in brackets");
        }
        self.write(")");
        if let Some(id) = alias {
            self.write_numbered(" AS r", self.relation_number(id));
        }
        Ok(())
    }
}

/// Returns the name in the database of a table that the script creates, which no table of a schema can have. It
/// includes the number of columns, so that tables of different widths with the same name do not clash.
pub(super) fn scratch_name(table: &str, width: usize) -> String {
    format!("made{width}:{table}")
}
