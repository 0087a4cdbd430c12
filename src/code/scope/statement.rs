//! Statements: what they read, and what later statements can read because of them.

use std::sync::Arc;

use super::catalogue::plain_column;
use super::expression::Place;
use super::model::{OutputColumn, ProblemKind};
use super::resolver::{Context, Resolver};
use crate::code::schema::{read_type, used_database};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Resolver<'_> {
    pub fn statement(&mut self, statement: NodeId) {
        match self.tree.kind(statement) {
            Kind::Command => {
                if let Some(database) = used_database(self.script.slice(statement)) {
                    self.catalogue.use_database(database);
                }
            }
            Kind::Query => self.query(statement, Context::default()),
            Kind::Insert { .. } => {
                let context = self.with_of(statement);
                self.insert(statement, context);
            }
            Kind::MultiInsert => self.multi_insert(statement),
            Kind::CreateTable => self.create_table(statement),
            Kind::CreateView => self.create_view(statement),
            Kind::Opaque => self.opaque(statement),
            _ => {}
        }
    }

    fn with_of(&mut self, statement: NodeId) -> Context {
        let mut context = Context::default();
        if let Some(with) = self.tree.child(statement, |kind| kind == Kind::With) {
            context.tables = self.with(with, context);
        }
        context
    }

    /// An `Insert` or `InsertBranch` whose WITH has been read.
    fn insert(&mut self, insert: NodeId, context: Context) {
        let Some(query) = self.tree.child(insert, |kind| kind == Kind::Query) else { return };
        self.query(query, context);
        if let Some(table) = self.tree.child(insert, |kind| kind == Kind::Table) {
            self.target(insert, table, query);
        }
        for spec in self.tree.children_where(insert, |kind| kind == Kind::PartitionSpec).collect::<Vec<_>>() {
            for item in self.tree.children(spec) {
                if let Some(value) = self.tree.children(*item).get(1) {
                    self.expression(*value, Place::nowhere(context));
                }
            }
        }
    }

    fn multi_insert(&mut self, statement: NodeId) {
        let context = self.with_of(statement);
        let frame = self.push_frame(statement, None);
        if let Some(from) = self.tree.child(statement, |kind| kind == Kind::From) {
            self.from(from, frame, context);
        }
        let relations = self.frame(frame).relations.clone();
        self.scopes.blocks.insert(statement, relations);
        let is_branch = |kind| matches!(kind, Kind::InsertBranch { .. });
        for branch in self.tree.children_where(statement, is_branch).collect::<Vec<_>>() {
            self.insert(branch, Context { shared: Some(frame), ..context });
        }
    }

    /// Checks the written table; a table that nothing defines is known from here on by what is written to it.
    fn target(&mut self, insert: NodeId, table: NodeId, query: NodeId) {
        let path = self.names(table);
        if let Some(known) = self.catalogue.find(&path) {
            if !known.open {
                self.check_target_columns(insert, &known.columns);
            }
            return;
        }
        let name = self.script.slice(table).to_owned();
        self.problem(table, ProblemKind::UnknownTable { name });
        let mut columns = fresh_columns(&self.outputs_of(query));
        for item in self.target_names(insert, Kind::PartitionSpec) {
            let name = self.script.name(item);
            if !columns.iter().any(|column| column.name == name) {
                columns.push(plain_column(name, Type::Unknown, false));
            }
        }
        let full = self.catalogue.full_name(&path);
        self.catalogue.make(full, columns.into(), true);
    }

    /// The identifiers of an INSERT's column list or partition specification.
    fn target_names(&self, insert: NodeId, wanted: Kind) -> Vec<NodeId> {
        let Some(list) = self.tree.child(insert, |kind| kind == wanted) else { return Vec::new() };
        let name = |child: NodeId| match self.tree.kind(child) {
            Kind::PartitionItem => self.tree.children(child).first().copied(),
            _ => Some(child),
        };
        self.tree.children(list).iter().filter_map(|child| name(*child)).collect()
    }

    fn check_target_columns(&mut self, insert: NodeId, columns: &[OutputColumn]) {
        for wanted in [Kind::ColumnList, Kind::PartitionSpec] {
            for identifier in self.target_names(insert, wanted) {
                let name = self.script.name(identifier);
                if !columns.iter().any(|column| column.name == name) {
                    self.unknown_target_column(identifier, columns);
                }
            }
        }
    }

    fn unknown_target_column(&mut self, identifier: NodeId, columns: &[OutputColumn]) {
        let name = self.script.name(identifier);
        let mut ranked: Vec<_> = columns.iter().map(|c| (strsim::levenshtein(&name, &c.name), &c.name)).collect();
        ranked.sort_by_key(|(distance, _)| *distance);
        let suggestions = ranked.into_iter().take(5).map(|(_, name)| name.clone()).collect();
        self.problem(identifier, ProblemKind::UnknownColumn { name, suggestions });
    }

    fn create_table(&mut self, statement: NodeId) {
        let Some(table) = self.tree.child(statement, |kind| kind == Kind::Table) else { return };
        let path = self.names(table);
        if self.keeps_existing(statement) && self.catalogue.find(&path).is_some() {
            return;
        }
        let (mut columns, mut open) = self.defined_columns(statement);
        if let Some(query) = self.tree.child(statement, |kind| kind == Kind::Query) {
            self.query(query, Context::default());
            columns.extend(fresh_columns(&self.outputs_of(query)));
            open |= self.open_queries.contains(&query);
        } else if columns.is_empty() {
            (columns, open) = self.copied_columns(statement);
        }
        let full = self.catalogue.full_name(&path);
        self.catalogue.make(full, columns.into(), open);
    }

    /// `IF NOT EXISTS` leaves a table as it is.
    fn keeps_existing(&self, statement: NodeId) -> bool {
        let mut words = self.script.token_range(statement).take(8);
        words.any(|at| {
            let text = |offset| self.script.token_text(at + offset);
            text(0).eq_ignore_ascii_case("IF") && text(1).eq_ignore_ascii_case("NOT")
        })
    }

    fn defined_columns(&self, statement: NodeId) -> (Vec<OutputColumn>, bool) {
        let mut columns = Vec::new();
        let definitions =
            self.tree.descendants(statement).filter(|node| self.tree.kind(*node) == Kind::ColumnDefinition);
        for definition in definitions {
            if let [name, type_name, ..] = self.tree.children(definition) {
                let data_type = read_type(self.script.slice(*type_name)).unwrap_or_default();
                columns.push(plain_column(self.script.name(*name), data_type, true));
            }
        }
        (columns, false)
    }

    /// The columns of the table after `LIKE`.
    fn copied_columns(&mut self, statement: NodeId) -> (Vec<OutputColumn>, bool) {
        let like = self.tree.children_where(statement, |kind| kind == Kind::Table).nth(1);
        let Some(like) = like else { return (Vec::new(), true) };
        let path = self.names(like);
        match self.catalogue.find(&path) {
            Some(known) => (known.columns.to_vec(), known.open),
            None => {
                let name = self.script.slice(like).to_owned();
                self.problem(like, ProblemKind::UnknownTable { name });
                (Vec::new(), true)
            }
        }
    }

    fn create_view(&mut self, statement: NodeId) {
        let Some(query) = self.tree.child(statement, |kind| kind == Kind::Query) else { return };
        self.query(query, Context::default());
        let Some(table) = self.tree.child(statement, |kind| kind == Kind::Table) else { return };
        let mut columns = fresh_columns(&self.outputs_of(query));
        if let Some(list) = self.tree.child(statement, |kind| kind == Kind::ColumnList) {
            rename(&mut columns, self.names(list));
        }
        let path = self.names(table);
        let full = self.catalogue.full_name(&path);
        let open = self.open_queries.contains(&query);
        self.catalogue.make(full, columns.into(), open);
    }

    /// `DROP TABLE` and `DROP VIEW` end the life of what the script made.
    fn opaque(&mut self, statement: NodeId) {
        let range = self.script.token_range(statement);
        let word = |offset: usize| self.script.token_text(range.start() + offset);
        let drops = word(0).eq_ignore_ascii_case("DROP")
            && ["TABLE", "VIEW"].iter().any(|kind| word(1).eq_ignore_ascii_case(kind));
        if !drops {
            return;
        }
        let first = range.start() + if word(2).eq_ignore_ascii_case("IF") { 4 } else { 2 };
        let names = (first..=*range.end()).map(|at| self.script.token_text(at)).filter(|text| *text != ".");
        let path: Vec<String> = names.map(|name| crate::code::script::unquoted(name).to_lowercase()).collect();
        self.catalogue.forget(&path);
    }
}

/// The columns of a table that a query fills: they keep where they come from, but are no longer computed here.
fn fresh_columns(outputs: &Arc<[OutputColumn]>) -> Vec<OutputColumn> {
    outputs.to_vec()
}

/// Gives columns the names of a column list.
pub(super) fn rename(columns: &mut [OutputColumn], names: Vec<String>) {
    for (column, name) in columns.iter_mut().zip(names) {
        column.name = name;
    }
}
