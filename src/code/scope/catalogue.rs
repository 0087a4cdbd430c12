//! The tables a statement can name: those the script has made so far, then the schema's.

use std::collections::HashMap;
use std::sync::Arc;

use super::model::{OutputColumn, RelationSource, TableWriter};
use super::name::Name;
use crate::code::schema::{Schema, TableDefinition, full_name};
use crate::code::types::Type;

/// A table as a relation sees it.
#[derive(Clone)]
pub(super) struct KnownTable {
    pub source: RelationSource,
    pub columns: Arc<[OutputColumn]>,
    /// It may have more columns than are known.
    pub open: bool,
    pub writers: Arc<[TableWriter]>,
}

/// The queries that fill one table.
#[derive(Default)]
struct Writers {
    all: Vec<TableWriter>,
    /// A copy of `all` that readers share until the next write.
    shared: Option<Arc<[TableWriter]>>,
}

/// All tables that can be named now.
pub(super) struct Catalogue<'a> {
    schema: &'a Schema,
    by_name: HashMap<&'a str, usize>,
    /// Short name → table, or `None` when two databases have it.
    by_short_name: HashMap<&'a str, Option<usize>>,
    /// The columns of each table of the schema, made when it is first read.
    columns: Vec<Option<Arc<[OutputColumn]>>>,
    made: HashMap<String, KnownTable>,
    /// Full name → the queries that have filled the table so far.
    writers: HashMap<String, Writers>,
    database: String,
}

impl<'a> Catalogue<'a> {
    pub fn new(schema: &'a Schema) -> Self {
        let mut by_short_name = HashMap::with_capacity(schema.tables.len());
        for (index, table) in schema.tables.iter().enumerate() {
            by_short_name.entry(table.short_name()).and_modify(|entry| *entry = None).or_insert(Some(index));
        }
        Catalogue {
            schema,
            by_name: schema.tables.iter().enumerate().map(|(index, table)| (table.name.as_str(), index)).collect(),
            by_short_name,
            columns: vec![None; schema.tables.len()],
            made: HashMap::new(),
            writers: HashMap::new(),
            database: String::new(),
        }
    }

    pub fn use_database(&mut self, database: String) {
        self.database = database;
    }

    /// The full name that a path means in the current database.
    pub fn full_name(&self, path: &[Name<'_>]) -> String {
        full_name(path, &self.database)
    }

    /// What `path` names: a table made by the script, then one of the schema.
    pub fn find(&mut self, path: &[Name<'_>]) -> Option<KnownTable> {
        let full = self.full_name(path);
        let name = path.last()?;
        let made = self.made.get(&full).or_else(|| self.made.get(name.as_ref()).filter(|_| path.len() == 1)).cloned();
        let mut known = match made {
            Some(made) => made,
            None => self.schema_table(&full, path)?,
        };
        if let RelationSource::Table(name) | RelationSource::Written(name) = &known.source
            && let Some(writers) = self.writers.get_mut(name)
        {
            known.writers = writers.shared.get_or_insert_with(|| writers.all.as_slice().into()).clone();
        }
        Some(known)
    }

    fn schema_table(&mut self, full: &str, path: &[Name<'_>]) -> Option<KnownTable> {
        let by_short_name = || match path {
            [name] => self.by_short_name.get(name.as_ref()).copied().flatten(),
            // A table without a database stands in that called so.
            [.., database, name] if database == "default" => self.by_name.get(name.as_ref()).copied(),
            _ => None,
        };
        let index = self.by_name.get(full).copied().or_else(by_short_name)?;
        let table = &self.schema.tables[index];
        let columns = self.columns[index].get_or_insert_with(|| columns_of(table)).clone();
        let source = RelationSource::Table(table.name.clone());
        Some(KnownTable { source, columns, open: false, writers: Arc::default() })
    }

    /// Records a table that the script makes.
    pub fn make(&mut self, name: String, columns: Arc<[OutputColumn]>, open: bool) {
        self.writers.remove(&name);
        let source = RelationSource::Written(name.clone());
        self.made.insert(name, KnownTable { source, columns, open, writers: Arc::default() });
    }

    /// Records that a query fills a table; with `replace` it takes the place of all earlier queries.
    pub fn write(&mut self, known: &KnownTable, writer: TableWriter, replace: bool) {
        let (RelationSource::Table(name) | RelationSource::Written(name)) = &known.source else { return };
        let writers = self.writers.entry(name.clone()).or_default();
        if replace {
            writers.all.clear();
        }
        writers.all.push(writer);
        writers.shared = None;
    }

    /// Lets every column of a table that the script made be NULL, because a statement changes its rows.
    pub fn loosen(&mut self, path: &[Name<'_>]) {
        let full = self.full_name(path);
        if let Some(known) = self.made.get_mut(&full) {
            known.columns =
                known.columns.iter().map(|column| OutputColumn { nullable: true, ..column.clone() }).collect();
        }
    }

    /// Gives a table another name.
    pub fn rename(&mut self, from: &[Name<'_>], to: &[Name<'_>]) {
        let Some(known) = self.find(from) else { return };
        self.forget(from);
        let name = self.full_name(to);
        self.made.insert(name.clone(), KnownTable { source: RelationSource::Written(name), ..known });
    }

    /// Forgets a table that the script made.
    pub fn forget(&mut self, path: &[Name<'_>]) {
        let full = self.full_name(path);
        self.made.remove(&full);
    }
}

fn columns_of(table: &TableDefinition) -> Arc<[OutputColumn]> {
    let column = |column: &crate::code::schema::TableColumn| OutputColumn {
        partition: column.partition,
        ..plain_column(column.name.clone(), column.data_type.clone(), column.nullable)
    };
    table.columns.iter().map(column).collect()
}

/// A column that no expression computes.
pub(super) fn plain_column(name: String, data_type: Type, nullable: bool) -> OutputColumn {
    OutputColumn { name, data_type, nullable, expression: None, passes_on: None, partition: false }
}
