//! The names of columns that a script has, by the way in which it has them.

use super::fields::MOST_FIELDS;
use super::refusal::{InferenceRefusal, InferenceRefusalKind};
use super::search::Search;
use crate::code::scope::{ColumnTarget, RelationId, names_no_column};
use crate::code::tree::{Kind, NodeId};

impl Search<'_> {
    /// Assigns each column that the script names, with a qualifier or without, to the table that it must belong to.
    pub(super) fn add_named_columns(&mut self) -> Result<(), InferenceRefusal> {
        let tree = self.blocks.tree();
        let mut columns: Vec<NodeId> = tree.ids().filter(|node| tree.kind(*node) == Kind::Column).collect();
        columns.sort_by_key(|column| tree.span(*column).start);
        for column in columns {
            let path: Vec<String> = self.blocks.script.path_name(column).split('.').map(str::to_owned).collect();
            match path.as_slice() {
                [name] => self.plain(column, name),
                [qualifier, name, fields @ ..] => self.qualified(column, (qualifier, name), fields)?,
                [] => {}
            }
        }
        Ok(())
    }

    /// A name without qualifier belongs to the innermost block with a relation that may have it.
    fn plain(&mut self, column: NodeId, name: &str) {
        // Who runs a script is what nobody asks of its tables: there `user` is a column.
        if names_no_column(self.blocks.script, column) && name != "user" {
            return;
        }
        let scopes = self.blocks.scopes;
        let binding = scopes.binding(column);
        for block in self.blocks.around(column) {
            match binding.map(|binding| &binding.target) {
                Some(ColumnTarget::Column(id, _)) if scopes.relation(*id).block != block => {}
                Some(_) => return,
                None => {}
            }
            let visible = self.blocks.visible(block, column);
            let open: Vec<RelationId> = visible.into_iter().filter(|id| scopes.relation(*id).open).collect();
            let tables: Vec<NodeId> = open.iter().flat_map(|id| self.blocks.origins(*id)).collect();
            match open.as_slice() {
                _ if !tables.is_empty() => return self.assign_name(column, name, tables),
                [only] => self.blocks.filled_table(*only).into_iter().for_each(|table| self.add(table, name)),
                _ => {}
            }
        }
    }

    fn qualified(
        &mut self,
        column: NodeId,
        (qualifier, name): (&str, &str),
        fields: &[String],
    ) -> Result<(), InferenceRefusal> {
        let scopes = self.blocks.scopes;
        if scopes.binding(column).is_some() {
            return Ok(());
        }
        let mut may_be_field = false;
        for block in self.blocks.around(column) {
            let visible = self.blocks.visible(block, column);
            may_be_field |= visible.iter().any(|id| scopes.relation(*id).open);
            for id in visible {
                let relation = scopes.relation(id);
                let named = relation.name == qualifier;
                // `database.table.column`.
                let by_database = !fields.is_empty() && relation.name == name && !named;
                if !named && !by_database {
                    continue;
                }
                if !relation.open {
                    return Ok(());
                }
                let (wanted, path) = if named { (name, fields) } else { (fields[0].as_str(), &fields[1..]) };
                if let Some(table) = self.blocks.filled_table(id) {
                    self.add(table, wanted);
                    return Ok(());
                }
                if path.len() > MOST_FIELDS {
                    return Err(self.refuse(column, InferenceRefusalKind::Field(format!("{qualifier}.{name}"))));
                }
                self.assign_name_with_fields(column, wanted, path, self.blocks.origins(id));
                return Ok(());
            }
        }
        match self.blocks.tables_with_fields(column, qualifier).filter(|_| fields.len() < MOST_FIELDS) {
            Some(tables) => {
                let path: Vec<String> = std::iter::once(name.to_owned()).chain(fields.to_vec()).collect();
                self.assign_name_with_fields(column, qualifier, &path, tables);
                Ok(())
            }
            None if may_be_field => Err(self.refuse(column, InferenceRefusalKind::Field(qualifier.to_owned()))),
            None => Ok(()),
        }
    }

    /// Assigns the names that a `*` leaves out by EXCEPT to the relations that the `*` is over.
    pub(super) fn add_excepted_columns(&mut self) {
        let (tree, scopes) = (self.blocks.tree(), self.blocks.scopes);
        for star in tree.ids().filter(|node| tree.kind(*node) == Kind::Wildcard) {
            let list = tree.child(star, |kind| kind == Kind::ColumnList);
            let Some((list, select)) = list.zip(self.blocks.select_of(star)) else { continue };
            let relations = self.blocks.starred(select, star);
            for identifier in tree.children(list).iter().copied() {
                let name = self.blocks.script.name(identifier);
                let has = |id: &RelationId| scopes.relation(*id).columns.iter().any(|column| column.name == name);
                if !relations.iter().any(has) {
                    self.assign_name(
                        identifier,
                        &name,
                        relations.iter().flat_map(|id| self.blocks.origins(*id)).collect(),
                    );
                }
            }
        }
    }

    /// Assigns the names of USING to both sides of the join.
    pub(super) fn add_columns_of_using(&mut self) {
        let tree = self.blocks.tree();
        for using in tree.ids().filter(|node| tree.kind(*node) == Kind::Using) {
            let Some(join) = tree.parent(using) else { continue };
            let Some(block) = self.blocks.around(using).first().copied() else { continue };
            let relations = self.blocks.scopes.relations_of(block);
            let right = tree.span(join);
            let (rights, lefts): (Vec<_>, Vec<_>) = relations
                .iter()
                .copied()
                .partition(|id| right.contains(tree.span(self.blocks.scopes.relation(*id).node)));
            let lefts: Vec<_> = lefts
                .into_iter()
                .filter(|id| tree.span(self.blocks.scopes.relation(*id).node).start < right.start)
                .collect();
            for identifier in tree.children(using).to_vec() {
                let name = self.blocks.script.name(identifier);
                for side in [&rights, &lefts] {
                    let scopes = self.blocks.scopes;
                    let has = |id: &&_| scopes.relation(**id).columns.iter().any(|column| column.name == name);
                    if side.iter().find(has).is_none() {
                        let tables = side.iter().flat_map(|id| self.blocks.origins(*id)).collect();
                        self.assign_name(identifier, &name, tables);
                    }
                }
            }
        }
    }
}
