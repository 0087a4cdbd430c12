//! Statements: what they read, and what later statements can read because of them.

use super::model::OutputColumn;
use super::name::Name;
use super::place::{ExpressionPlace, OuterFrames};
use super::resolver::Resolver;
use crate::code::schema::used_database;
use crate::code::tree::{Kind, NodeId};
use crate::code::{TableAction, TableStatement};

impl Resolver<'_> {
    pub fn statement(&mut self, statement: NodeId) {
        match self.tree.kind(statement) {
            Kind::Command => {
                if let Some(database) = used_database(self.script.slice(statement)) {
                    self.catalogue.use_database(database);
                }
            }
            Kind::Query => self.query(statement, OuterFrames::default()),
            Kind::Insert { .. } => {
                self.with_of(statement);
                self.insert(statement, OuterFrames::default());
            }
            Kind::MultiInsert => self.multi_insert(statement),
            Kind::Delete | Kind::Update | Kind::Merge => {
                self.with_of(statement);
                self.change(statement);
            }
            Kind::CreateTable => self.create_table(statement),
            Kind::CreateView => self.create_view(statement),
            Kind::Opaque => self.opaque(statement),
            _ => {}
        }
        self.common_tables.forget_after(0);
        self.frames.clear();
    }

    fn with_of(&mut self, statement: NodeId) {
        if let Some(with) = self.tree.child(statement, |kind| kind == Kind::With) {
            self.with(with, OuterFrames::default());
        }
    }

    /// An `Insert` or `InsertBranch` whose WITH has been read.
    fn insert(&mut self, insert: NodeId, context: OuterFrames) {
        let Some(query) = self.tree.child(insert, |kind| kind == Kind::Query) else { return };
        self.query(query, context);
        if let Some(table) = self.tree.child(insert, |kind| kind == Kind::Table) {
            self.target(insert, table, query);
        }
        for spec in self.tree.children_where(insert, |kind| kind == Kind::PartitionSpec).collect::<Vec<_>>() {
            self.partition_values(spec, context);
        }
    }

    /// The values in a `PARTITION (…)`, which name no columns.
    pub fn partition_values(&mut self, spec: NodeId, context: OuterFrames) {
        for item in self.tree.children(spec) {
            if let Some(value) = self.tree.children(*item).get(1) {
                self.expression(*value, ExpressionPlace::nowhere(context));
            }
        }
    }

    fn multi_insert(&mut self, statement: NodeId) {
        self.with_of(statement);
        let frame = self.push_frame(statement, None);
        if let Some(from) = self.tree.child(statement, |kind| kind == Kind::From) {
            self.from(from, frame, OuterFrames::default());
        }
        let relations = self.frame(frame).relations.clone();
        self.scopes.set_relations(statement, relations);
        let is_insert = |kind| matches!(kind, Kind::InsertBranch { .. });
        for insert in self.tree.children_where(statement, is_insert).collect::<Vec<_>>() {
            self.insert(insert, OuterFrames { shared: Some(frame), outer: None });
        }
    }

    /// `DROP TABLE` and `DROP VIEW` make the catalogue forget a table or view that the script made, and
    /// `ALTER TABLE … RENAME TO` gives it another name.
    fn opaque(&mut self, statement: NodeId) {
        let Some(TableStatement { action, path, .. }) = self.script.table_statement(statement) else { return };
        let names = |path: Vec<String>| path.into_iter().map(Name::Owned).collect::<Vec<_>>();
        match action {
            TableAction::Drop => self.catalogue.forget(&names(path)),
            TableAction::Rename(new) => self.catalogue.rename(&names(path), &names(new)),
            _ => {}
        }
    }
}

/// Gives columns the names of a column list.
pub(super) fn rename(columns: &mut [OutputColumn], names: Vec<Name<'_>>) {
    for (column, name) in columns.iter_mut().zip(names) {
        column.name = name.into_owned();
    }
}
