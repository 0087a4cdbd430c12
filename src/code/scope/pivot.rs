//! PIVOT and UNPIVOT: which columns stay, and what the new ones are called.

use std::collections::HashSet;

use super::catalogue::plain_column;
use super::frame::FrameId;
use super::model::{ColumnPosition, ColumnTarget, OutputColumn};
use super::place::{ExpressionPlace, OuterFrames, VisibleNames};
use super::resolver::Resolver;
use crate::code::literal::text_value;
use crate::code::script::{Script, unquoted};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::code::widen::widest;

impl Resolver<'_> {
    /// `r PIVOT (…)`: the columns that it does not read, which are the groups, then one for each value and aggregate.
    pub fn pivot(&mut self, node: NodeId, frame: FrameId, context: OuterFrames) {
        let left = self.pivoted_relation(node, frame, context);
        let place = ExpressionPlace { frame: Some(frame), clause: VisibleNames::Input };
        let tree = self.tree;
        let aggregates: Vec<NodeId> = tree.children_where(node, |kind| kind == Kind::PivotAggregate).collect();
        for part in tree.children_where(node, |kind| matches!(kind, Kind::PivotAggregate | Kind::PivotFor)) {
            self.expressions_under(part, place);
        }
        let read = self.columns_read(node);
        let (mut columns, open) = self.take_pivoted(left, frame, &read);
        let clause = tree.child(node, |kind| kind == Kind::PivotFor);
        let values = clause.into_iter().flat_map(|clause| tree.children_where(clause, |kind| kind == Kind::PivotValue));
        for value in values {
            let name = self.value_name(value);
            for aggregate in &aggregates {
                columns.push(self.pivot_cell(&name, *aggregate, aggregates.len()));
            }
        }
        self.register_pivot(node, frame, columns, open);
    }

    /// `r UNPIVOT (x FOR y IN (a, b))`: the columns that are not in the list, the name, then the value.
    pub fn unpivot(&mut self, node: NodeId, frame: FrameId, context: OuterFrames) {
        let left = self.pivoted_relation(node, frame, context);
        let place = ExpressionPlace { frame: Some(frame), clause: VisibleNames::Input };
        let items: Vec<NodeId> = self.tree.children_where(node, |kind| kind == Kind::UnpivotItem).collect();
        for item in &items {
            self.expressions_under(*item, place);
        }
        let read = self.columns_read(node);
        let (mut columns, open) = self.take_pivoted(left, frame, &read);
        let name = self.tree.child(node, |kind| kind == Kind::Identifier).map(|name| self.script.name(name));
        columns.push(plain_column(name.unwrap_or_default(), Type::String, false));
        let names = self.tree.child(node, |kind| kind == Kind::ColumnList).map(|list| self.names(list));
        for (place, name) in names.unwrap_or_default().into_iter().enumerate() {
            let types: Vec<Type> = items.iter().map(|item| self.unpivoted_type(*item, place)).collect();
            columns.push(plain_column(name.into_owned(), widest(types.iter()), true));
        }
        self.register_pivot(node, frame, columns, open);
    }

    /// Resolves the relation before a pivot; returns how many relations were visible without it.
    fn pivoted_relation(&mut self, node: NodeId, frame: FrameId, context: OuterFrames) -> usize {
        let left = self.frame(frame).visible.len();
        if let Some(relation) = self.tree.children(node).first().copied() {
            self.relation_item(relation, frame, context);
        }
        left
    }

    /// The columns of the block that the parts of a pivot behind its relation name.
    fn columns_read(&self, node: NodeId) -> HashSet<ColumnPosition> {
        let parts = self.tree.children(node).iter().skip(1);
        let nodes = parts.flat_map(|part| self.tree.descendants(*part));
        let columns = nodes.filter_map(|node| match self.scopes.binding(node)?.target {
            ColumnTarget::Column(relation, column) => Some((relation, column)),
            _ => None,
        });
        columns.collect()
    }

    /// Hides the relations behind the first `left` ones; returns their columns that are not read, and whether there may
    /// be more.
    fn take_pivoted(
        &mut self,
        left: usize,
        frame: FrameId,
        read: &HashSet<ColumnPosition>,
    ) -> (Vec<OutputColumn>, bool) {
        let all = self.frame(frame).star.clone().unwrap_or_else(|| self.plain_star(frame));
        let hidden = self.frame_mut(frame).visible.split_off(left);
        if let Some(star) = &mut self.frame_mut(frame).star {
            star.retain(|(relation, _)| !hidden.contains(relation));
        }
        let open = hidden.iter().any(|relation| self.relation(*relation).open);
        let kept = all.into_iter().filter(|part| hidden.contains(&part.0) && !read.contains(part));
        let kept: Vec<_> = kept.collect();
        let fits = self.may_expand(0, kept.len());
        let columns = kept.iter().filter(|_| fits).map(|part| self.passed_on(*part)).collect();
        (columns, open || !fits)
    }

    /// The column of one value and aggregate. Where no row has the value it is NULL.
    fn pivot_cell(&self, value: &str, aggregate: NodeId, aggregates: usize) -> OutputColumn {
        let expression = self.tree.children(aggregate).first().copied();
        let alias = self.tree.child(aggregate, |kind| kind == Kind::Alias);
        let output = expression.map(|expression| self.output_of(expression, alias));
        let output = output.unwrap_or_else(|| plain_column(String::new(), Type::Unknown, true));
        let name = if aggregates > 1 { format!("{value}_{}", output.name) } else { value.to_owned() };
        OutputColumn { name: name.to_lowercase(), nullable: true, passes_on: None, ..output }
    }

    /// The name of the columns of a value: its alias, or else its text.
    fn value_name(&self, value: NodeId) -> String {
        match (self.tree.child(value, |kind| kind == Kind::Alias), self.tree.children(value)) {
            (Some(alias), _) => self.script.last_name(alias),
            (None, [expression, ..]) => self.constant_name(*expression),
            (None, []) => String::new(),
        }
    }

    fn constant_name(&self, expression: NodeId) -> String {
        let (text, children) = (self.script.slice(expression), self.tree.children(expression));
        match (self.tree.kind(expression), children) {
            (Kind::Text, _) => text_value(text),
            (Kind::Number, _) => text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).to_owned(),
            (Kind::TypedText | Kind::Paren, [inner]) => self.constant_name(*inner),
            (Kind::Tuple, parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.constant_name(*part)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            _ => text.to_lowercase(),
        }
    }

    fn unpivoted_type(&self, item: NodeId, place: usize) -> Type {
        let column = self.tree.children(item).get(place).filter(|column| self.tree.kind(**column) == Kind::Column);
        column.map(|column| self.typed(*column).0).unwrap_or_default()
    }

    fn register_pivot(&mut self, node: NodeId, frame: FrameId, columns: Vec<OutputColumn>, open: bool) {
        let alias = self.tree.child(node, |kind| kind == Kind::Alias);
        let name = alias.map(|alias| self.script.last_name(alias)).unwrap_or_default();
        self.scopes.set_outputs(node, columns.into());
        self.register_outputs(node, frame, name, open);
    }
}

/// What stands in the name column of UNPIVOT for an item: its alias, or the names of its columns.
pub(crate) fn unpivoted_name(script: &Script, item: NodeId) -> String {
    let tree = script.tree();
    let name = |path: NodeId| {
        let last = tree.children_where(path, |kind| kind == Kind::Identifier).last();
        last.map(|name| unquoted(script.slice(name)).to_owned()).unwrap_or_default()
    };
    match tree.child(item, |kind| kind == Kind::Alias) {
        Some(alias) => name(alias),
        None => tree.children(item).iter().map(|column| name(*column)).collect::<Vec<_>>().join("_"),
    }
}
