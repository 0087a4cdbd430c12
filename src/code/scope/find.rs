//! Searching the relations of one frame for a name.

use super::frame::{ColumnMatch, FrameId};
use super::model::{ColumnPosition, RelationId, RelationSource};
use super::name::Name;
use super::resolver::Resolver;
use crate::code::tree::Kind;

/// A relation with at least this many columns is searched by bisection over its columns sorted by name.
const MANY_COLUMNS: usize = 24;

impl Resolver<'_> {
    /// Searches `path` among the relations of one frame: `catalogue.db.table.column`, `db.table.column`, then
    /// `table.column`, then `column`.
    pub fn find(&mut self, frame: FrameId, path: &[Name<'_>]) -> ColumnMatch {
        for qualifiers in (1..path.len().min(4)).rev() {
            let found = self.find_qualified(frame, path, qualifiers);
            if found != ColumnMatch::Nothing {
                return found;
            }
        }
        self.find_plain(frame, path)
    }

    fn find_qualified(&mut self, frame: FrameId, path: &[Name<'_>], qualifiers: usize) -> ColumnMatch {
        let mut hits = Vec::new();
        let mut open = false;
        for index in 0..self.frame(frame).visible.len() {
            let relation = self.frame(frame).visible[index];
            if self.is_named(relation, &path[..qualifiers]) {
                open |= self.relation(relation).open;
                self.find_in(relation, &path[qualifiers], &mut hits);
            } else if self.is_piped(relation) {
                let mut inside = Vec::new();
                self.find_in(relation, &path[qualifiers], &mut inside);
                hits.extend(inside.into_iter().filter(|part| self.keeps_qualifier(*part, &path[..qualifiers])));
            }
        }
        match hits.as_slice() {
            [] if open => ColumnMatch::Open,
            [] => ColumnMatch::Nothing,
            [one] => ColumnMatch::Column(*one, qualifiers + 1),
            _ => self.several(hits, qualifiers + 1),
        }
    }

    fn find_plain(&mut self, frame: FrameId, path: &[Name<'_>]) -> ColumnMatch {
        let mut hits = Vec::new();
        let mut open = false;
        for index in 0..self.frame(frame).visible.len() {
            let relation = self.frame(frame).visible[index];
            open |= self.relation(relation).open;
            self.find_in(relation, &path[0], &mut hits);
        }
        if hits.len() > 1 {
            let frame = self.frame(frame);
            hits.retain(|hit| !frame.merged_away.contains(hit));
        }
        match hits.as_slice() {
            [] if open => ColumnMatch::Open,
            [] => ColumnMatch::Nothing,
            [one] => ColumnMatch::Column(*one, 1),
            _ => self.several(hits, 1),
        }
    }

    /// Two columns of one relation that pass on the same column under its own name are not ambiguous in Spark.
    fn several(&self, hits: Vec<ColumnPosition>, length: usize) -> ColumnMatch {
        let origin = |hit: &ColumnPosition| {
            let column = &self.relation(hit.0).columns[hit.1];
            let renamed = column
                .expression
                .and_then(|expression| self.tree.parent(expression))
                .is_some_and(|item| self.tree.child(item, |kind| kind == Kind::Alias).is_some());
            column.passes_on.filter(|_| !renamed)
        };
        let first = origin(&hits[0]);
        let same = first.is_some() && hits.iter().all(|hit| hit.0 == hits[0].0 && origin(hit) == first);
        if same { ColumnMatch::Column(hits[0], length) } else { ColumnMatch::Ambiguous(hits) }
    }

    /// Whether `qualifier` (`table` or `db.table`) means this relation.
    pub fn is_named(&self, id: RelationId, qualifier: &[Name<'_>]) -> bool {
        let relation = self.relation(id);
        match qualifier {
            [name] => relation.name == *name,
            [database, name] | [_, database, name] => match &relation.source {
                RelationSource::Table(full) | RelationSource::Written(full) => {
                    let rest = full.strip_prefix(database.as_ref()).and_then(|rest| rest.strip_prefix('.'));
                    let is_default = database == "default" && full == name.as_ref();
                    relation.name == *name && (is_default || rest == Some(name.as_ref()))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Adds the columns of `relation` that have this name to `hits`.
    fn find_in(&mut self, relation: RelationId, name: &str, hits: &mut Vec<ColumnPosition>) {
        let index = relation.0 as usize;
        let columns = &self.scopes.relations[index].columns;
        if columns.len() < MANY_COLUMNS {
            hits.extend(columns.iter().enumerate().filter(|(_, c)| c.name == name).map(|(at, _)| (relation, at)));
            return;
        }
        let order = self.name_orders[index].get_or_insert_with(|| {
            let mut order: Vec<u32> = (0..columns.len() as u32).collect();
            order.sort_by(|a, b| columns[*a as usize].name.cmp(&columns[*b as usize].name));
            order
        });
        let start = order.partition_point(|at| columns[*at as usize].name.as_str() < name);
        let same = order[start..].iter().take_while(|at| columns[**at as usize].name == name);
        hits.extend(same.map(|at| (relation, *at as usize)));
    }

    /// The position of a column of `relation` by name.
    pub fn position_in(&mut self, relation: RelationId, name: &str) -> Option<usize> {
        let mut hits = Vec::new();
        self.find_in(relation, name, &mut hits);
        hits.first().map(|hit| hit.1)
    }
}
