//! SELECT blocks: clauses in the order of their meaning, and the output columns.

use super::catalogue::plain_column;
use super::frame::{ColumnMatch, FrameId};
use super::model::{Binding, ColumnPosition, ColumnTarget, OutputColumn};
use super::name::Name;
use super::place::{ExpressionPlace, OuterFrames, VisibleNames};
use super::resolver::Resolver;
use super::scopes::NodeMeaning;
use super::statement::rename;
use crate::code::schema::MOST_COLUMNS;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// At most this many columns are made of all stars of a script: each of a chain of self-joins doubles them.
const MOST_EXPANDED: usize = 200_000;

impl Resolver<'_> {
    pub fn select(&mut self, select: NodeId, context: OuterFrames) -> FrameId {
        let frame = self.push_frame(select, context.outer);
        match self.tree.child(select, |kind| kind == Kind::From) {
            Some(from) => self.from(from, frame, context.inside()),
            None => self.share_from(frame, context.shared),
        }
        for view in self.tree.children_where(select, |kind| matches!(kind, Kind::LateralView { .. })) {
            self.lateral_view(view, frame);
        }
        self.frame_mut(frame).subtotals = self.has_subtotals(select);
        if let Some(filter) = self.tree.child(select, |kind| kind == Kind::Where) {
            self.expressions_under(filter, ExpressionPlace { frame: Some(frame), clause: VisibleNames::Input });
        }
        match self.tree.child(select, |kind| kind == Kind::Projection) {
            Some(list) => self.listed_clauses(list, select, frame),
            None => self.piped_clauses(select, frame),
        }
        let relations = self.frame(frame).relations.clone();
        self.scopes.set_relations(select, relations);
        frame
    }

    /// The SELECT list of a block and the clauses that see it.
    fn listed_clauses(&mut self, list: NodeId, select: NodeId, frame: FrameId) {
        let place = |clause| ExpressionPlace { frame: Some(frame), clause };
        self.projection(list, select, place(VisibleNames::Projection), frame);
        let clauses = [
            (Kind::GroupBy, VisibleNames::Grouping),
            (Kind::Having, VisibleNames::Having),
            (Kind::Windows, VisibleNames::Having),
            (Kind::Qualify, VisibleNames::Having),
        ];
        for (kind, clause) in clauses {
            let Some(node) = self.tree.child(select, |child| child == kind) else { continue };
            self.expressions_under(node, place(clause));
            if kind == Kind::GroupBy {
                self.note_grouping(node, frame);
            }
        }
    }
    fn has_subtotals(&self, select: NodeId) -> bool {
        let group_by = self.tree.child(select, |kind| kind == Kind::GroupBy);
        group_by
            .is_some_and(|group_by| self.tree.child(group_by, |kind| matches!(kind, Kind::Grouping { .. })).is_some())
    }

    fn share_from(&mut self, frame: FrameId, shared: Option<FrameId>) {
        let Some(shared) = shared else { return };
        let source = self.frame(shared).clone();
        let target = self.frame_mut(frame);
        target.relations = source.relations;
        target.visible = source.visible;
        target.merged_away = source.merged_away;
        target.star = source.star;
    }

    fn projection(&mut self, projection: NodeId, select: NodeId, place: ExpressionPlace, frame: FrameId) {
        let items = self.tree.children(projection);
        let mut columns = Vec::with_capacity(items.len());
        for item in items.iter().copied() {
            match self.tree.kind(item) {
                Kind::Wildcard => self.wildcard(item, select, frame, &mut columns),
                _ => self.select_item(item, place, frame, &mut columns),
            }
        }
        self.scopes.set_outputs(select, columns.into());
    }

    /// An item of the list: one output, or those of a generator.
    pub fn select_item(
        &mut self,
        item: NodeId,
        place: ExpressionPlace,
        frame: FrameId,
        columns: &mut Vec<OutputColumn>,
    ) {
        let Some(expression) = self.tree.children(item).first().copied() else { return };
        self.expression(expression, place);
        if let Some(mut generated) = self.generated_columns(expression) {
            if let Some(list) = self.tree.children(item).get(1).copied() {
                let names = match self.tree.kind(list) {
                    Kind::Alias => self.names(list).into_iter().take(1).collect(),
                    _ => self.names(list),
                };
                rename(&mut generated, names);
            }
            columns.extend(generated.into_iter().map(|column| OutputColumn { expression: Some(expression), ..column }));
            return;
        }
        let alias = self.tree.child(item, |kind| kind == Kind::Alias);
        let output = self.output_of(expression, alias);
        if alias.is_some() || !matches!(self.tree.kind(expression), Kind::Column) {
            self.frame_mut(frame).aliases.entry(output.name.clone()).or_insert(item);
        }
        columns.push(output);
    }

    /// The output that a resolved expression gives under its alias, or under its own name.
    pub fn output_of(&self, expression: NodeId, alias: Option<NodeId>) -> OutputColumn {
        let name = match alias {
            Some(alias) => self.script.last_name(alias),
            None => self.derived_name(expression),
        };
        let (data_type, nullable) = self.typed(expression);
        let passes_on = self.passed_column(expression);
        OutputColumn { name, data_type, nullable, expression: Some(expression), passes_on, partition: false }
    }

    /// The column that an expression passes on unchanged.
    fn passed_column(&self, expression: NodeId) -> Option<ColumnPosition> {
        let mut expression = expression;
        while self.tree.kind(expression) == Kind::Paren {
            expression = *self.tree.children(expression).first()?;
        }
        let binding = self.scopes.binding(expression)?;
        match binding.target {
            ColumnTarget::Column(relation, column)
                if !binding.outer && binding.path_length == self.tree.children(expression).len() =>
            {
                Some((relation, column))
            }
            _ => None,
        }
    }

    /// The name Spark gives an output without alias: of a column, a field or a cast column its own name.
    fn derived_name(&self, expression: NodeId) -> String {
        let children = self.tree.children(expression);
        match (self.tree.kind(expression), children) {
            (Kind::Column | Kind::Field, _) => self.script.last_name(expression),
            (Kind::Paren, [inner]) => self.derived_name(*inner),
            (Kind::Cast, [inner, _]) if self.tree.kind(*inner) == Kind::Column => self.script.last_name(*inner),
            _ => self.script.slice(expression).to_lowercase(),
        }
    }

    /// `*`, `t.*`, `struct.*`.
    fn wildcard(&mut self, wildcard: NodeId, select: NodeId, frame: FrameId, columns: &mut Vec<OutputColumn>) {
        let qualifier = self.names(wildcard);
        let except = self.tree.child(wildcard, |kind| kind == Kind::ColumnList);
        let except = except.map(|list| self.names(list)).unwrap_or_default();
        let start = columns.len();
        if qualifier.is_empty() {
            let count = match &self.frame(frame).star {
                Some(star) => star.len(),
                None => self.frame(frame).visible.iter().map(|id| self.relation(*id).columns.len()).sum(),
            };
            let open = self.frame(frame).visible.iter().any(|relation| self.relation(*relation).open);
            let fits = self.may_expand(columns.len(), count);
            if fits {
                let parts = self.frame(frame).star.clone().unwrap_or_else(|| self.plain_star(frame));
                columns.extend(parts.into_iter().map(|part| self.passed_on(part)));
            }
            self.note_open(select, open || !fits);
        } else {
            self.qualified_star(wildcard, select, frame, columns);
        }
        let added = columns.split_off(start);
        self.unknown_exceptions(wildcard, select, &added);
        columns.extend(added.into_iter().filter(|column| !except.iter().any(|name| *name == column.name)));
    }

    /// Reports the names in `* EXCEPT (…)` that none of the columns has.
    fn unknown_exceptions(&mut self, wildcard: NodeId, select: NodeId, columns: &[OutputColumn]) {
        let Some(list) = self.tree.child(wildcard, |kind| kind == Kind::ColumnList) else { return };
        if self.incomplete_queries.contains(&select) || columns.is_empty() {
            return;
        }
        for name in self.tree.children(list).iter().copied() {
            let written = self.script.name(name);
            if !columns.iter().any(|column| column.name == written) {
                self.unknown_output(name, written, columns);
            }
        }
    }

    /// Whether `count` more columns may be made of stars and lists of new names for a query that has some; where not,
    /// what it gives stays open. No engine here runs a query of more columns than a table may have.
    pub fn may_expand(&mut self, known: usize, count: usize) -> bool {
        self.expanded += count;
        self.expanded <= MOST_EXPANDED && known + count <= MOST_COLUMNS
    }

    pub fn note_open(&mut self, select: NodeId, open: bool) {
        if open {
            self.incomplete_queries.insert(select);
        }
    }

    /// The columns of all visible relations, in order.
    pub fn plain_star(&self, frame: FrameId) -> Vec<ColumnPosition> {
        let relations = self.frame(frame).visible.iter();
        relations.flat_map(|id| (0..self.relation(*id).columns.len()).map(|column| (*id, column))).collect()
    }

    /// The output that passes a column on.
    pub fn passed_on(&self, part: ColumnPosition) -> OutputColumn {
        let relation = self.relation(part.0);
        let column = &relation.columns[part.1];
        OutputColumn {
            name: column.name.clone(),
            data_type: column.data_type.clone(),
            nullable: column.nullable || relation.optional,
            expression: None,
            passes_on: Some(part),
            partition: false,
        }
    }

    fn qualified_star(&mut self, wildcard: NodeId, select: NodeId, frame: FrameId, columns: &mut Vec<OutputColumn>) {
        let qualifier = self.names(wildcard);
        if self.piped_star(&qualifier, select, frame, columns) {
            return;
        }
        let named = self.frame(frame).visible.iter().copied().filter(|id| self.is_named(*id, &qualifier));
        if let Some(relation) = named.collect::<Vec<_>>().first().copied() {
            let count = self.relation(relation).columns.len();
            let open = self.relation(relation).open;
            let fits = self.may_expand(columns.len(), count);
            if fits {
                columns.extend((0..count).map(|column| self.passed_on((relation, column))));
            }
            self.note_open(select, open || !fits);
            return;
        }
        match self.struct_fields(frame, &qualifier, wildcard) {
            Some(fields) => columns.extend(fields.into_iter().map(|(name, field)| plain_column(name, field, true))),
            None => {
                let hidden = self.frame(frame).visible.iter().any(|relation| self.relation(*relation).open);
                self.note_open(select, true);
                if !hidden {
                    self.unknown_column(wildcard, Some(frame));
                }
            }
        }
    }

    /// `t.*` where the columns of `t` come from earlier steps of a pipe; returns whether there are such columns.
    fn piped_star(
        &mut self,
        qualifier: &[Name<'_>],
        select: NodeId,
        frame: FrameId,
        columns: &mut Vec<OutputColumn>,
    ) -> bool {
        let piped = self.plain_star(frame).into_iter().filter(|(relation, _)| self.is_piped(*relation));
        let parts: Vec<_> = piped.filter(|part| self.keeps_qualifier(*part, qualifier)).collect();
        let fits = self.may_expand(columns.len(), parts.len());
        self.note_open(select, !fits);
        columns.extend(parts.iter().filter(|_| fits).map(|part| self.passed_on(*part)));
        !parts.is_empty()
    }

    /// The fields of the struct that a path names, to which its `*` is bound then.
    fn struct_fields(&mut self, frame: FrameId, path: &[Name<'_>], star: NodeId) -> Option<Vec<(String, Type)>> {
        let ColumnMatch::Column((relation, column), length) = self.find(frame, path) else { return None };
        let mut data_type = self.relation(relation).columns[column].data_type.clone();
        for name in &path[length..] {
            data_type = super::column::field_of(&data_type, name)?;
        }
        let Type::Struct(fields) = data_type else { return None };
        let binding = Binding { target: ColumnTarget::Column(relation, column), path_length: length, outer: false };
        self.scopes.meanings.insert(star, NodeMeaning::Column(binding));
        Some(fields)
    }
}
