//! DELETE, UPDATE and MERGE: what their conditions and values can name.

use super::frame::FrameId;
use super::model::{ProblemKind, RelationId};
use super::place::{ExpressionPlace, OuterFrames, VisibleNames};
use super::resolver::Resolver;
use crate::code::tree::{Kind, MergeRows, NodeId};

/// The frames of a changing statement: what sees both tables, the target alone, and the source alone.
#[derive(Clone, Copy)]
struct ChangeFrames {
    both: FrameId,
    target: FrameId,
    source: FrameId,
}

impl Resolver<'_> {
    /// A `Delete`, `Update` or `Merge` whose WITH has been read.
    pub fn change(&mut self, statement: NodeId) {
        let both = self.push_frame(statement, None);
        let children = self.tree.children(statement);
        for child in children.iter().copied() {
            self.primary(child, both, OuterFrames::default());
        }
        let relations = self.frame(both).relations.clone();
        self.scopes.set_relations(statement, relations.clone());
        let target = self.frame_of(statement, relations.iter().take(1));
        let source = self.frame_of(statement, relations.iter().skip(1));
        let frames = ChangeFrames { both, target, source };
        for child in children.iter().copied() {
            match self.tree.kind(child) {
                Kind::Where | Kind::On => self.expressions_under(child, place(both)),
                Kind::Assignment => self.assignment(child, place(both), frames),
                Kind::MergeClause { rows, .. } => self.merge_clause(child, rows, frames),
                Kind::PartitionSpec => self.partition_values(child, OuterFrames::default()),
                _ => {}
            }
        }
        if let Some(table) = self.tree.child(statement, |kind| kind == Kind::Table) {
            let path = self.names(table);
            self.catalogue.loosen(&path);
        }
    }

    fn frame_of<'r>(&mut self, statement: NodeId, relations: impl Iterator<Item = &'r RelationId>) -> FrameId {
        let frame = self.push_frame(statement, None);
        let relations: Vec<RelationId> = relations.copied().collect();
        self.frame_mut(frame).visible = relations.clone();
        self.frame_mut(frame).relations = relations;
        frame
    }

    fn assignment(&mut self, assignment: NodeId, place_of_value: ExpressionPlace, frames: ChangeFrames) {
        if let [column, value] = *self.tree.children(assignment) {
            self.expression(column, place(frames.target));
            self.expression(value, place_of_value);
        }
    }

    fn merge_clause(&mut self, clause: NodeId, rows: MergeRows, frames: ChangeFrames) {
        let seen = place(match rows {
            MergeRows::Matched => frames.both,
            MergeRows::NotMatched => frames.source,
            MergeRows::NotMatchedBySource => frames.target,
        });
        for child in self.tree.children(clause).iter().copied() {
            match self.tree.kind(child) {
                Kind::Assignment => self.assignment(child, seen, frames),
                Kind::ColumnList => self.inserted_columns(child, frames),
                Kind::Star => {}
                _ => self.expressions_under(child, seen),
            }
        }
    }

    /// The column list of INSERT names columns of the target.
    fn inserted_columns(&mut self, list: NodeId, frames: ChangeFrames) {
        let Some(target) = self.frame(frames.target).visible.first().copied() else { return };
        for identifier in self.tree.children(list).iter().copied() {
            let (name, relation) = (self.script.name(identifier), self.relation(target));
            if !relation.open && !relation.columns.iter().any(|column| column.name == name) {
                let suggestions = relation.columns.iter().take(5).map(|column| column.name.clone()).collect();
                self.problem(identifier, ProblemKind::UnknownColumn { name, suggestions });
            }
        }
    }
}

fn place(frame: FrameId) -> ExpressionPlace {
    ExpressionPlace { frame: Some(frame), clause: VisibleNames::Input }
}
