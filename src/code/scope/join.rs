//! Joins: what their conditions see, which side becomes optional, and the columns that USING merges.

use std::collections::HashSet;

use super::frame::FrameId;
use super::model::ColumnPosition;
use super::place::{ExpressionPlace, OuterFrames, VisibleNames};
use super::resolver::Resolver;
use crate::code::tree::{JoinKind, Kind, NodeId};

impl Resolver<'_> {
    pub fn join(&mut self, join: NodeId, kind: JoinKind, natural: bool, frame: FrameId, context: OuterFrames) {
        let left = self.frame(frame).visible.len();
        let left_all = self.frame(frame).relations.len();
        let children = self.tree.children(join);
        let Some(primary) = children.first().copied() else { return };
        self.primary(primary, frame, context);
        match children.get(1).map(|condition| (self.tree.kind(*condition), *condition)) {
            Some((Kind::On, on)) => {
                let place = ExpressionPlace { frame: Some(frame), clause: VisibleNames::Input };
                self.expressions_under(on, place);
            }
            Some((Kind::Using, using)) => self.using(using, kind, left, frame),
            _ if natural => self.natural(kind, left, frame),
            _ => {}
        }
        self.mark_optional(kind, left, frame);
        if matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti) {
            self.hide(left, left_all, frame);
        }
    }

    fn mark_optional(&mut self, kind: JoinKind, left: usize, frame: FrameId) {
        let (lefts, rights) = self.frame(frame).visible.split_at(left);
        let mut optional = Vec::new();
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            optional.extend_from_slice(lefts);
        }
        if matches!(kind, JoinKind::Left | JoinKind::Full) {
            optional.extend_from_slice(rights);
        }
        for id in optional {
            self.scopes.relations[id.0 as usize].optional = true;
        }
    }

    fn hide(&mut self, left: usize, left_all: usize, frame: FrameId) {
        let hidden = self.frame(frame).relations[left_all..].to_vec();
        for id in hidden {
            self.scopes.relations[id.0 as usize].condition_only = true;
        }
        let frame = self.frame_mut(frame);
        let gone = frame.visible.split_off(left);
        if let Some(star) = &mut frame.star {
            star.retain(|(relation, _)| !gone.contains(relation));
        }
    }

    fn using(&mut self, using: NodeId, kind: JoinKind, left: usize, frame: FrameId) {
        let mut names = Vec::new();
        for identifier in self.tree.children(using).iter().copied() {
            let name = self.script.name(identifier);
            let sides =
                (self.column_of_side(frame, 0, left, &name), self.column_of_side(frame, left, usize::MAX, &name));
            match sides {
                (Some(left), Some(right)) => names.push((left, right)),
                _ if self.frame(frame).visible.iter().any(|id| self.relation(*id).open) => {}
                _ => self.unknown_column(identifier, Some(frame)),
            }
        }
        self.merge(names, kind, left, frame);
    }

    fn natural(&mut self, kind: JoinKind, left: usize, frame: FrameId) {
        let mut pairs = Vec::new();
        let rights = self.frame(frame).visible[left..].to_vec();
        for id in rights {
            for column in 0..self.relation(id).columns.len() {
                let name = self.relation(id).columns[column].name.clone();
                if let Some(partner) = self.column_of_side(frame, 0, left, &name) {
                    pairs.push((partner, (id, column)));
                }
            }
        }
        self.merge(pairs, kind, left, frame);
    }

    /// The column of this name among the visible relations `from..to`, USING columns of earlier joins counted once.
    fn column_of_side(&mut self, frame: FrameId, from: usize, to: usize, name: &str) -> Option<ColumnPosition> {
        let end = to.min(self.frame(frame).visible.len());
        let side = self.frame(frame).visible[from..end].to_vec();
        for id in side {
            if let Some(column) = self.position_in(id, name)
                && !self.frame(frame).merged_away.contains(&(id, column))
            {
                return Some((id, column));
            }
        }
        None
    }

    /// One column of each pair disappears, and `*` starts with the merged ones.
    fn merge(&mut self, pairs: Vec<(ColumnPosition, ColumnPosition)>, kind: JoinKind, left: usize, frame: FrameId) {
        if matches!(kind, JoinKind::LeftSemi | JoinKind::LeftAnti) {
            return;
        }
        let keeps_right = kind == JoinKind::Right;
        let kept: Vec<_> = pairs.iter().map(|(l, r)| if keeps_right { *r } else { *l }).collect();
        let gone: Vec<_> = pairs.iter().map(|(l, r)| if keeps_right { *l } else { *r }).collect();
        let all = self.star_with_right(frame, left);
        let rest = all.into_iter().filter(|part| !kept.contains(part) && !gone.contains(part));
        let star = kept.iter().copied().chain(rest).collect();
        let frame = self.frame_mut(frame);
        frame.star = Some(star);
        frame.merged_away.extend(gone);
    }

    fn star_with_right(&self, frame: FrameId, left: usize) -> Vec<ColumnPosition> {
        let frame = self.frame(frame);
        let (mut parts, new) = match &frame.star {
            Some(star) => (star.clone(), Vec::new()),
            None => (Vec::new(), frame.visible[..left].to_vec()),
        };
        let known = parts.iter().map(|part| part.0).collect::<HashSet<_>>();
        let rights = frame.visible[left..].iter().copied().filter(|id| !known.contains(id));
        for id in new.into_iter().chain(rights) {
            parts.extend((0..self.relation(id).columns.len()).map(|column| (id, column)));
        }
        parts
    }
}
