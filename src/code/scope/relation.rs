//! FROM: tables, sub-queries, joins and lateral views become relations.

use std::sync::Arc;

use super::frame::FrameId;
use super::model::{OutputColumn, ProblemKind, Relation, RelationId, RelationSource, TableWriter};
use super::place::{ExpressionPlace, OuterFrames, VisibleNames};
use super::resolver::Resolver;
use super::statement::rename;
use crate::code::dialect::Dialect;
use crate::code::tree::{Kind, NodeId};

/// A relation before its alias is known.
struct UnnamedRelation {
    source: RelationSource,
    columns: Arc<[OutputColumn]>,
    open: bool,
    writers: Arc<[TableWriter]>,
}

impl UnnamedRelation {
    /// Rows of something that no earlier statement writes.
    fn new(source: RelationSource, columns: Arc<[OutputColumn]>, open: bool) -> UnnamedRelation {
        UnnamedRelation { source, columns, open, writers: Arc::default() }
    }

    /// Rows of which nothing is known.
    fn unknown() -> UnnamedRelation {
        UnnamedRelation::new(RelationSource::Unknown, Arc::default(), true)
    }
}

impl Resolver<'_> {
    pub fn from(&mut self, from: NodeId, frame: FrameId, context: OuterFrames) {
        for relation in self.tree.children(from).iter().copied() {
            self.relation_item(relation, frame, context);
        }
    }

    /// A `Relation` node: a primary, then joins and lateral views, each of which sees what stands to its left.
    pub fn relation_item(&mut self, relation: NodeId, frame: FrameId, context: OuterFrames) {
        for child in self.tree.children(relation).iter().copied() {
            match self.tree.kind(child) {
                Kind::Join { kind, natural } => self.join(child, kind, natural, frame, context),
                Kind::LateralView { .. } => self.lateral_view(child, frame),
                _ => self.primary(child, frame, context),
            }
        }
    }

    pub fn primary(&mut self, node: NodeId, frame: FrameId, context: OuterFrames) {
        let rows = match self.tree.kind(node) {
            Kind::Table => self.table(node),
            Kind::Derived | Kind::Piped => self.derived(node, frame, context),
            Kind::InlineTable => self.inline_table(node, context),
            Kind::TableFunction => self.table_function(node, context),
            Kind::NestedRelation => return self.nested_relation(node, frame, context),
            Kind::Pivot => return self.pivot(node, frame, context),
            Kind::Unpivot { .. } => return self.unpivot(node, frame, context),
            _ => return,
        };
        let alias = self.tree.child(node, |kind| kind == Kind::Alias);
        let name = match alias.and_then(|alias| self.tree.children(alias).first()) {
            Some(name) => self.script.name(*name),
            None if self.tree.kind(node) == Kind::Table => self.script.last_name(node),
            None if self.tree.kind(node) == Kind::Piped => self.own_name(node).unwrap_or_default(),
            None => String::new(),
        };
        let list = alias.and_then(|alias| self.tree.children(alias).get(1)).copied();
        let rows = self.renamed(rows, list);
        self.register(node, frame, name, rows);
    }

    fn renamed(&mut self, rows: UnnamedRelation, list: Option<NodeId>) -> UnnamedRelation {
        let Some(list) = list else { return rows };
        if !self.may_expand(0, rows.columns.len()) {
            return UnnamedRelation { columns: Arc::default(), open: true, ..rows };
        }
        let mut columns = rows.columns.to_vec();
        rename(&mut columns, self.names(list));
        UnnamedRelation { columns: columns.into(), ..rows }
    }

    fn register(&mut self, node: NodeId, frame: FrameId, name: String, rows: UnnamedRelation) -> RelationId {
        let block = self.frame(frame).block;
        let UnnamedRelation { source, columns, open, writers } = rows;
        let count = columns.len();
        let relation =
            Relation { node, block, name, source, columns, optional: false, condition_only: false, open, writers };
        let id = self.add_relation(relation);
        let frame = self.frame_mut(frame);
        frame.relations.push(id);
        frame.visible.push(id);
        if let Some(star) = &mut frame.star {
            star.extend((0..count).map(|column| (id, column)));
        }
        id
    }

    /// Registers a node of FROM whose outputs are known, with all of them as its columns.
    pub fn register_outputs(&mut self, node: NodeId, frame: FrameId, name: String, open: bool) {
        let rows = UnnamedRelation::new(RelationSource::Query(node), self.outputs_of(node), open);
        self.register(node, frame, name, rows);
    }

    fn table(&mut self, table: NodeId) -> UnnamedRelation {
        let path = self.names(table);
        if let [name] = path.as_slice()
            && let Some(node) = self.common_tables.find(name)
        {
            let open = self.incomplete_queries.contains(&node);
            return UnnamedRelation::new(RelationSource::CommonTable(node), self.outputs_of(node), open);
        }
        match self.catalogue.find(&path) {
            Some(known) => UnnamedRelation {
                source: known.source,
                columns: known.columns,
                open: known.open,
                writers: known.writers,
            },
            None => {
                let identifiers: Vec<_> = self.tree.children_where(table, |kind| kind == Kind::Identifier).collect();
                let written: Vec<_> = identifiers.iter().map(|identifier| self.script.slice(*identifier)).collect();
                let name = Dialect::Hive.unquoted(&written.join("."));
                self.problem(table, ProblemKind::UnknownTable { name });
                UnnamedRelation::unknown()
            }
        }
    }

    fn derived(&mut self, node: NodeId, frame: FrameId, context: OuterFrames) -> UnnamedRelation {
        let Some(query) = self.tree.child(node, |kind| kind == Kind::Query) else { return UnnamedRelation::unknown() };
        let outer = self.frame(frame).parent;
        self.query(query, OuterFrames { outer, ..context });
        let open = self.incomplete_queries.contains(&query);
        UnnamedRelation::new(RelationSource::Query(query), self.outputs_of(query), open)
    }

    fn inline_table(&mut self, node: NodeId, context: OuterFrames) -> UnnamedRelation {
        let Some(values) = self.tree.child(node, |kind| kind == Kind::Values) else {
            return UnnamedRelation::unknown();
        };
        self.values(values, context);
        UnnamedRelation::new(RelationSource::Values(values), self.outputs_of(values), false)
    }

    fn table_function(&mut self, node: NodeId, context: OuterFrames) -> UnnamedRelation {
        let Some(call) = self.tree.children(node).first().copied() else { return UnnamedRelation::unknown() };
        self.expression(call, ExpressionPlace { frame: context.outer, clause: VisibleNames::Input });
        self.generator_rows(call)
    }

    fn generator_rows(&self, call: NodeId) -> UnnamedRelation {
        let columns = self.generated_columns(call);
        let open = columns.is_none();
        UnnamedRelation::new(RelationSource::Function(call), columns.unwrap_or_default().into(), open)
    }

    /// `(a JOIN b ON …) [AS x]`: with an alias only the alias can be named.
    fn nested_relation(&mut self, node: NodeId, frame: FrameId, context: OuterFrames) {
        let left = self.frame(frame).visible.len();
        if let Some(inner) = self.tree.children(node).first().copied() {
            self.relation_item(inner, frame, context);
        }
        let Some(alias) = self.tree.child(node, |kind| kind == Kind::Alias) else { return };
        let hidden = self.frame_mut(frame).visible.split_off(left);
        let open = hidden.iter().any(|id| self.relation(*id).open);
        let mut columns = Vec::new();
        for id in hidden {
            for (index, column) in self.relation(id).columns.iter().enumerate() {
                let passed = OutputColumn { expression: None, passes_on: Some((id, index)), ..column.clone() };
                columns.push(OutputColumn { nullable: column.nullable || self.relation(id).optional, ..passed });
            }
        }
        let columns: Arc<[OutputColumn]> = columns.into();
        self.scopes.set_outputs(node, columns.clone());
        let list = self.tree.children(alias).get(1).copied();
        let rows = self.renamed(UnnamedRelation::new(RelationSource::Query(node), columns, open), list);
        let name = self.tree.children(alias).first().map(|name| self.script.name(*name)).unwrap_or_default();
        self.register(node, frame, name, rows);
    }

    pub fn lateral_view(&mut self, view: NodeId, frame: FrameId) {
        let Some(call) = self.tree.children(view).first().copied() else { return };
        self.expression(call, ExpressionPlace { frame: Some(frame), clause: VisibleNames::Input });
        let mut rows = self.generator_rows(call);
        let list = self.tree.child(view, |kind| kind == Kind::ColumnList);
        if let Some(list) = list.filter(|_| rows.open) {
            let names = self.names(list).into_iter();
            rows.columns =
                names.map(|name| super::catalogue::plain_column(name.into_owned(), Default::default(), true)).collect();
            rows.open = false;
        }
        let rows = self.renamed(rows, list);
        let name = self.tree.child(view, |kind| kind == Kind::Identifier);
        let name = name.map(|name| self.script.name(name)).unwrap_or_default();
        let id = self.register(view, frame, name, rows);
        if matches!(self.tree.kind(view), Kind::LateralView { outer: true }) {
            self.scopes.relations[id.0 as usize].optional = true;
        }
    }
}
