//! Blocks of a pipe: what a step gives when its list says only what it adds, changes or leaves out, and the qualifiers
//! that columns keep from one step to the next.

use super::frame::FrameId;
use super::model::{ColumnPosition, ColumnTarget, OutputColumn, RelationId};
use super::name::Name;
use super::place::{ExpressionPlace, VisibleNames};
use super::resolver::Resolver;
use crate::code::tree::{Kind, NodeId};

impl Resolver<'_> {
    /// Resolves the list of a block that has no `Projection`, tells what the block gives, and resolves its windows.
    pub fn piped_clauses(&mut self, select: NodeId, frame: FrameId) {
        self.piped_list(select, frame);
        if let Some(windows) = self.tree.child(select, |kind| kind == Kind::Windows) {
            self.expressions_under(windows, ExpressionPlace { frame: Some(frame), clause: VisibleNames::Having });
        }
    }

    fn piped_list(&mut self, select: NodeId, frame: FrameId) {
        let list = self.tree.child(select, |kind| {
            matches!(kind, Kind::Extend | Kind::SetColumns | Kind::DropColumns | Kind::Aggregate)
        });
        if let Some(list) = list.filter(|list| self.tree.kind(*list) == Kind::Aggregate) {
            return self.aggregate_list(list, select, frame);
        }
        let mut parts = self.all_columns(select, frame);
        let place = ExpressionPlace { frame: Some(frame), clause: VisibleNames::Projection };
        let mut columns: Vec<OutputColumn> = parts.iter().map(|part| self.passed_on(*part)).collect();
        match list.map(|list| (self.tree.kind(list), list)) {
            Some((Kind::Extend, list)) => self.list_items(list, place, frame, &mut columns),
            Some((Kind::SetColumns, list)) => self.set_column(list, place, &parts, &mut columns),
            Some((Kind::DropColumns, list)) => {
                let gone = self.dropped(list, place);
                parts.retain(|part| !gone.contains(part));
                columns = parts.iter().map(|part| self.passed_on(*part)).collect();
            }
            _ => {}
        }
        self.scopes.set_outputs(select, columns.into());
    }

    /// The columns that `*` stands for; none if there are too many.
    fn all_columns(&mut self, select: NodeId, frame: FrameId) -> Vec<ColumnPosition> {
        let parts = self.frame(frame).star.clone().unwrap_or_else(|| self.plain_star(frame));
        let open = self.frame(frame).visible.iter().any(|relation| self.relation(*relation).open);
        let fits = self.may_expand(0, parts.len());
        self.note_open(select, open || !fits);
        if fits { parts } else { Vec::new() }
    }

    fn list_items(&mut self, list: NodeId, place: ExpressionPlace, frame: FrameId, columns: &mut Vec<OutputColumn>) {
        let tree = self.tree;
        for item in tree.children_where(list, |kind| kind == Kind::SelectItem) {
            self.select_item(item, place, frame, columns);
        }
    }

    /// `SET a = x`: the column at its place, with another value.
    fn set_column(
        &mut self,
        list: NodeId,
        place: ExpressionPlace,
        parts: &[ColumnPosition],
        columns: &mut [OutputColumn],
    ) {
        let Some(assignment) = self.tree.children(list).first().copied() else { return };
        let [column, value] = *self.tree.children(assignment) else { return };
        self.expression(value, place);
        self.expression(column, ExpressionPlace { clause: VisibleNames::Input, ..place });
        let Some(part) = self.column_named(column) else { return };
        let Some(at) = parts.iter().position(|other| *other == part) else { return };
        let (data_type, nullable) = self.typed(value);
        let name = columns[at].name.clone();
        columns[at] =
            OutputColumn { name, data_type, nullable, expression: Some(value), passes_on: None, partition: false };
    }

    /// The columns that DROP names.
    fn dropped(&mut self, list: NodeId, place: ExpressionPlace) -> Vec<ColumnPosition> {
        let columns = self.tree.children(list);
        for column in columns {
            self.expression(*column, ExpressionPlace { clause: VisibleNames::Input, ..place });
        }
        columns.iter().filter_map(|column| self.column_named(*column)).collect()
    }

    /// The column of the block that a resolved name means; `None` for a field, a column of a block around it, or a name
    /// that does not resolve.
    fn column_named(&self, column: NodeId) -> Option<ColumnPosition> {
        let binding = self.scopes.binding(column)?;
        match binding.target {
            ColumnTarget::Column(relation, index) if !binding.outer => Some((relation, index)),
            _ => None,
        }
    }

    /// `AGGREGATE … GROUP BY …`: the keys, then the list. Numbers among the keys count the columns that are read.
    fn aggregate_list(&mut self, list: NodeId, select: NodeId, frame: FrameId) {
        let (mut keys, mut columns) = (Vec::new(), Vec::new());
        let input = ExpressionPlace { frame: Some(frame), clause: VisibleNames::Input };
        if let Some(group_by) = self.tree.child(select, |kind| kind == Kind::GroupBy) {
            for key in self.tree.children(group_by).iter().copied() {
                self.aggregate_key(key, input, frame, &mut keys);
            }
            self.note_grouping(group_by, frame);
        }
        self.list_items(list, ExpressionPlace { clause: VisibleNames::Projection, ..input }, frame, &mut columns);
        keys.extend(columns);
        self.scopes.set_outputs(select, keys.into());
    }

    fn aggregate_key(&mut self, key: NodeId, input: ExpressionPlace, frame: FrameId, keys: &mut Vec<OutputColumn>) {
        if self.tree.kind(key) == Kind::Number {
            let parts = self.frame(frame).star.clone().unwrap_or_else(|| self.plain_star(frame));
            let position = self.script.slice(key).parse::<usize>().ok().and_then(|ordinal| ordinal.checked_sub(1));
            keys.extend(position.and_then(|at| parts.get(at)).map(|part| self.passed_on(*part)));
            return;
        }
        let (value, alias) = match (self.tree.kind(key), self.tree.children(key)) {
            (Kind::SelectItem, [value, alias]) => (*value, Some(*alias)),
            _ => (key, None),
        };
        self.expression(value, input);
        keys.push(self.output_of(value, alias));
    }

    /// Whether a column has this qualifier: that of its relation or, if that is an earlier step of a pipe, the qualifier
    /// that it has there. A column with a new name or value has none.
    pub fn keeps_qualifier(&self, part: ColumnPosition, qualifier: &[Name<'_>]) -> bool {
        let mut part = part;
        while self.is_piped(part.0) {
            let Some(before) = self.passed_through(part) else { return false };
            part = before;
        }
        self.is_named(part.0, qualifier)
    }

    /// Whether a relation is an earlier step of a pipe, or a pivot, that has no name of its own.
    pub fn is_piped(&self, relation: RelationId) -> bool {
        let relation = self.relation(relation);
        let passes = matches!(self.tree.kind(relation.node), Kind::Piped | Kind::Pivot | Kind::Unpivot { .. });
        passes && relation.name.is_empty()
    }

    /// The column of the block inside an earlier step that gives a column; of a set operation that of its first side.
    fn passed_through(&self, part: ColumnPosition) -> Option<ColumnPosition> {
        let node = self.relation(part.0).node;
        if self.tree.kind(node) != Kind::Piped {
            return self.outputs_of(node).get(part.1)?.passes_on;
        }
        let query = self.tree.child(node, |kind| kind == Kind::Query)?;
        let is_body =
            |kind| matches!(kind, Kind::Select { .. } | Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Query);
        let mut body = query;
        while !matches!(self.tree.kind(body), Kind::Select { .. }) {
            body = self.tree.child(body, is_body)?;
        }
        let outputs = self.outputs_of(body);
        let column = outputs.get(part.1)?;
        let item = column.expression.and_then(|expression| self.tree.parent(expression));
        let renamed = item.is_some_and(|item| self.tree.child(item, |kind| kind == Kind::Alias).is_some());
        column.passes_on.filter(|_| !renamed)
    }

    /// The name that a query gives its rows by itself: that of `VALUES … AS name`.
    pub fn own_name(&self, piped: NodeId) -> Option<String> {
        let query = self.tree.child(piped, |kind| kind == Kind::Query)?;
        let values = self.tree.child(query, |kind| kind == Kind::Values)?;
        let alias = self.tree.child(values, |kind| kind == Kind::Alias)?;
        self.tree.children(alias).first().map(|name| self.script.name(*name))
    }
}
