//! Joins and their conditions.

use super::{Translated, Translator};
use crate::code::scope::{ColumnPosition, RelationId};
use crate::code::tree::{JoinKind, Kind, NodeId};

impl Translator<'_> {
    pub fn join(&mut self, join: NodeId, kind: JoinKind) -> Translated {
        self.write(match kind {
            JoinKind::Left => " LEFT JOIN ",
            JoinKind::Right => " RIGHT JOIN ",
            JoinKind::Full => " FULL JOIN ",
            _ => " JOIN ",
        });
        self.primary(self.only_child(join)?)?;
        let conditions = self.using_pairs(join);
        if let Some(on) = self.child(join, |kind| kind == Kind::On) {
            self.write(" ON ");
            return self.expression(self.only_child(on)?);
        }
        if !conditions.is_empty() {
            self.write(" ON ");
            return self.using_condition(&conditions);
        }
        if matches!(kind, JoinKind::Left | JoinKind::Right | JoinKind::Full) {
            self.write(" ON 1");
        }
        Ok(())
    }

    fn using_condition(&mut self, pairs: &[(ColumnPosition, ColumnPosition)]) -> Translated {
        self.separated(pairs, " AND ", |this, (left, right)| {
            let scopes = this.scopes;
            let data_type = |part: &ColumnPosition| &scopes.relation(part.0).columns[part.1].data_type;
            let common = this.comparison_type(data_type(left), data_type(right));
            let convert = |from| common.as_ref().and_then(|common| this.conversion(from, common));
            let (from_left, from_right) = (convert(data_type(left)), convert(data_type(right)));
            this.with_conversion(from_left, |this| this.merged_column(left.0, left.1, true))?;
            this.write("=");
            this.with_conversion(from_right, |this| this.relation_column(right.0, right.1))
        })
    }

    /// Writes `LEFT SEMI JOIN` and `LEFT ANTI JOIN` as a condition.
    pub fn semi_join(&mut self, join: NodeId) -> Translated {
        let anti = matches!(self.kind(join), Kind::Join { kind: JoinKind::LeftAnti, .. });
        self.write(if anti { "NOT EXISTS (SELECT 1 FROM " } else { "EXISTS (SELECT 1 FROM " });
        self.primary(self.only_child(join)?)?;
        let conditions = self.using_pairs(join);
        if let Some(on) = self.child(join, |kind| kind == Kind::On) {
            self.write(" WHERE ");
            self.expression(self.only_child(on)?)?;
        } else if !conditions.is_empty() {
            self.write(" WHERE ");
            self.using_condition(&conditions)?;
        }
        self.write(")");
        Ok(())
    }

    /// Returns the pairs of columns that USING or NATURAL compares.
    fn using_pairs(&self, join: NodeId) -> Vec<(ColumnPosition, ColumnPosition)> {
        let names: Vec<String> = match self.child(join, |kind| kind == Kind::Using) {
            Some(using) => self.children(using).iter().map(|name| self.script.name(*name)).collect(),
            None if matches!(self.kind(join), Kind::Join { natural: true, .. }) => self.names_of_right(join),
            None => return Vec::new(),
        };
        let (lefts, rights) = self.sides(join);
        let pair = |name: &String| Some((self.part_named(&lefts, name)?, self.part_named(&rights, name)?));
        names.iter().filter_map(pair).collect()
    }

    fn names_of_right(&self, join: NodeId) -> Vec<String> {
        let (_, rights) = self.sides(join);
        let columns = rights.iter().flat_map(|id| self.scopes.relation(*id).columns.iter());
        columns.map(|column| column.name.clone()).collect()
    }

    /// Returns the relations to the left of a join in its FROM item, and those that it joins. A RIGHT join takes merged
    /// columns from its right side, so the relations that it joins come first.
    fn sides(&self, join: NodeId) -> (Vec<RelationId>, Vec<RelationId>) {
        let own = |node: NodeId| self.tree.descendants(node).filter_map(|node| self.relation_of(node));
        let rights: Vec<RelationId> = own(join).collect();
        let Some(item) = self.tree.parent(join) else { return (Vec::new(), rights) };
        let mut lefts: Vec<RelationId> = Vec::new();
        for before in self.children(item).iter().copied().take_while(|child| *child != join) {
            let found: Vec<RelationId> = own(before).collect();
            match self.kind(before) {
                Kind::Join { kind: JoinKind::LeftSemi | JoinKind::LeftAnti, .. } => {}
                Kind::Join { kind: JoinKind::Right, .. } => lefts = found.into_iter().chain(lefts).collect(),
                _ => lefts.extend(found),
            }
        }
        (lefts, rights)
    }

    fn part_named(&self, relations: &[RelationId], name: &str) -> Option<ColumnPosition> {
        let block = relations.first().map(|id| self.scopes.relation(*id).block)?;
        let of_block = relations.iter().filter(|id| self.scopes.relation(**id).block == block);
        of_block
            .filter_map(|id| {
                let columns = &self.scopes.relation(*id).columns;
                columns.iter().position(|column| column.name == name).map(|index| (*id, index))
            })
            .next()
    }

    /// Records which columns FULL JOIN … USING merges, before anything of the block is written.
    pub fn note_merged_columns(&mut self, from: NodeId) -> Translated {
        for relation in self.children(from).iter().copied() {
            self.note_merged_in(relation);
        }
        Ok(())
    }

    /// As [`Translator::note_merged_columns`], for one `Relation`.
    pub fn note_merged_in(&mut self, relation: NodeId) {
        for join in self.children(relation).iter().copied() {
            if matches!(self.kind(join), Kind::Join { kind: JoinKind::Full, .. }) {
                let pairs = self.using_pairs(join);
                self.merged.extend(pairs);
            }
        }
    }
}
