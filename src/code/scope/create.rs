//! CREATE TABLE and CREATE VIEW: the columns that later statements can read.

use super::catalogue::plain_column;
use super::model::{OutputColumn, ProblemKind, TableWriter};
use super::name::Name;
use super::place::OuterFrames;
use super::resolver::Resolver;
use super::statement::rename;
use crate::code::schema::read_type;
use crate::code::tree::{Kind, NodeId};

/// What is known of a table that a script creates.
struct CreatedTable {
    columns: Vec<OutputColumn>,
    /// For each column the position of the output of the query that fills it.
    outputs: Vec<Option<usize>>,
    /// Whether it may have further columns.
    open: bool,
}

impl Resolver<'_> {
    pub fn create_table(&mut self, statement: NodeId) {
        let Some(table) = self.tree.child(statement, |kind| kind == Kind::Table) else { return };
        let path = self.names(table);
        if self.script.keeps_existing(statement) && self.catalogue.find(&path).is_some() {
            return;
        }
        let query = self.tree.child(statement, |kind| kind == Kind::Query);
        let CreatedTable { columns, outputs, open } = match query {
            Some(query) => self.filled_table(statement, query),
            None => self.defined_table(statement),
        };
        let full = self.catalogue.full_name(&path);
        self.catalogue.make(full, columns.into(), open);
        self.filled_by(&path, query, outputs);
    }

    fn filled_by(&mut self, path: &[Name<'_>], query: Option<NodeId>, outputs: Vec<Option<usize>>) {
        if let (Some(query), Some(known)) = (query, self.catalogue.find(path)) {
            self.catalogue.write(&known, TableWriter { query, outputs }, true);
        }
    }

    /// `CREATE TABLE … AS`: the query's outputs, partition columns last.
    fn filled_table(&mut self, statement: NodeId, query: NodeId) -> CreatedTable {
        self.query(query, OuterFrames::default());
        let partitions = self.tree.child(statement, |kind| kind == Kind::PartitionColumns);
        let partitions = partitions.map(|list| self.names(list)).unwrap_or_default();
        let outputs = self.outputs_of(query);
        let flagged = outputs.iter().enumerate().map(|(position, column)| {
            let partition = partitions.iter().any(|name| *name == column.name);
            (Some(position), OutputColumn { partition, ..column.clone() })
        });
        let mut columns: Vec<_> = flagged.collect();
        columns.sort_by_key(|(_, column)| column.partition);
        let (outputs, columns) = columns.into_iter().unzip();
        CreatedTable { columns, outputs, open: self.incomplete_queries.contains(&query) }
    }

    /// `CREATE TABLE` with columns or `LIKE`.
    fn defined_table(&mut self, statement: NodeId) -> CreatedTable {
        let (columns, open) = match self.defined_columns(statement) {
            columns if columns.is_empty() => self.copied_columns(statement),
            columns => (columns, false),
        };
        CreatedTable { outputs: vec![None; columns.len()], columns, open }
    }

    fn defined_columns(&self, statement: NodeId) -> Vec<OutputColumn> {
        let is_definition = |node: &NodeId| self.tree.kind(*node) == Kind::ColumnDefinition;
        let mut columns = Vec::new();
        for definition in self.tree.descendants(statement).filter(is_definition) {
            if let [name, type_name, ..] = self.tree.children(definition) {
                let data_type = read_type(self.script.slice(*type_name)).unwrap_or_default();
                let in_partition = self.tree.parent(definition) != Some(statement);
                let column = plain_column(self.script.name(*name), data_type, true);
                columns.push(OutputColumn { partition: in_partition, ..column });
            }
        }
        columns
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

    pub fn create_view(&mut self, statement: NodeId) {
        let Some(query) = self.tree.child(statement, |kind| kind == Kind::Query) else { return };
        self.query(query, OuterFrames::default());
        let Some(table) = self.tree.child(statement, |kind| kind == Kind::Table) else { return };
        let mut columns = self.outputs_of(query).to_vec();
        if let Some(list) = self.tree.child(statement, |kind| kind == Kind::ColumnList) {
            rename(&mut columns, self.names(list));
        }
        let path = self.names(table);
        let full = self.catalogue.full_name(&path);
        let open = self.incomplete_queries.contains(&query);
        let order = (0..columns.len()).map(Some).collect();
        self.catalogue.make(full, columns.into(), open);
        self.filled_by(&path, Some(query), order);
    }
}
