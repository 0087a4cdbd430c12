//! Statements: what they read, and what later statements can read because of them.

use super::catalogue::plain_column;
use super::expression::Place;
use super::model::{OutputColumn, ProblemKind, Writer};
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
        if self.catalogue.find(&path).is_none() {
            let name = self.script.slice(table).to_owned();
            self.problem(table, ProblemKind::UnknownTable { name });
            let columns = self.guessed_columns(insert, query);
            let full = self.catalogue.full_name(&path);
            self.catalogue.make(full, columns.into(), true);
        }
        let Some(known) = self.catalogue.find(&path) else { return };
        if !known.open {
            self.check_target_columns(insert, &known.columns);
        }
        let outputs = self.filled_columns(insert, &known.columns);
        let whole = self.tree.child(insert, |kind| kind == Kind::PartitionSpec).is_none();
        let overwrites =
            matches!(self.tree.kind(insert), Kind::Insert { overwrite: true } | Kind::InsertBranch { overwrite: true });
        self.catalogue.write(&known, Writer { query, outputs }, whole && overwrites);
    }

    /// The columns of a table that nothing defines: those written to it, then its partition columns.
    fn guessed_columns(&self, insert: NodeId, query: NodeId) -> Vec<OutputColumn> {
        let mut columns = self.outputs_of(query).to_vec();
        for item in self.target_names(insert, Kind::PartitionSpec) {
            let name = self.script.name(item);
            if !columns.iter().any(|column| column.name == name) {
                columns.push(plain_column(name, Type::Unknown, false));
            }
        }
        columns
    }

    /// For each column of the target the query's output that fills it: by the column list, otherwise in order without
    /// the static partition columns, dynamic partition columns last.
    fn filled_columns(&self, insert: NodeId, columns: &[OutputColumn]) -> Vec<Option<usize>> {
        let list = self.target_names(insert, Kind::ColumnList);
        let listed: Vec<String> = list.into_iter().map(|identifier| self.script.name(identifier)).collect();
        let fixed = self.static_partitions(insert);
        let position = |name: &str| listed.iter().position(|listed| listed == name);
        let mut next = listed.len();
        let fill = |column: &OutputColumn| {
            if fixed.contains(&column.name) {
                return None;
            }
            if let Some(position) = position(&column.name) {
                return Some(position);
            }
            if !listed.is_empty() && !column.partition {
                return None;
            }
            next += 1;
            Some(next - 1)
        };
        columns.iter().map(fill).collect()
    }

    fn static_partitions(&self, insert: NodeId) -> Vec<String> {
        let Some(spec) = self.tree.child(insert, |kind| kind == Kind::PartitionSpec) else { return Vec::new() };
        let items = self.tree.children(spec).iter().map(|item| self.tree.children(*item));
        items.filter(|parts| parts.len() > 1).map(|parts| self.script.name(parts[0])).collect()
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
        let query = self.tree.child(statement, |kind| kind == Kind::Query);
        let (columns, open) = match query {
            Some(query) => self.filled_table(statement, query),
            None => self.defined_table(statement),
        };
        let full = self.catalogue.full_name(&path);
        let order = columns.iter().map(|(position, _)| *position).collect();
        self.catalogue.make(full, columns.into_iter().map(|(_, column)| column).collect(), open);
        self.filled_by(&path, query, order);
    }

    fn filled_by(&mut self, path: &[String], query: Option<NodeId>, outputs: Vec<Option<usize>>) {
        if let (Some(query), Some(known)) = (query, self.catalogue.find(path)) {
            self.catalogue.write(&known, Writer { query, outputs }, true);
        }
    }

    /// `CREATE TABLE … AS`: the query's outputs with their positions, partition columns last.
    fn filled_table(&mut self, statement: NodeId, query: NodeId) -> (Vec<(Option<usize>, OutputColumn)>, bool) {
        self.query(query, Context::default());
        let partitions = self.tree.child(statement, |kind| kind == Kind::PartitionColumns);
        let partitions = partitions.map(|list| self.names(list)).unwrap_or_default();
        let outputs = self.outputs_of(query);
        let flagged = outputs.iter().enumerate().map(|(position, column)| {
            let partition = partitions.contains(&column.name);
            (Some(position), OutputColumn { partition, ..column.clone() })
        });
        let mut columns: Vec<_> = flagged.collect();
        columns.sort_by_key(|(_, column)| column.partition);
        (columns, self.open_queries.contains(&query))
    }

    /// `CREATE TABLE` with columns or `LIKE`.
    fn defined_table(&mut self, statement: NodeId) -> (Vec<(Option<usize>, OutputColumn)>, bool) {
        let (columns, open) = match self.defined_columns(statement) {
            columns if columns.is_empty() => self.copied_columns(statement),
            columns => (columns, false),
        };
        (columns.into_iter().map(|column| (None, column)).collect(), open)
    }

    /// `IF NOT EXISTS` leaves a table as it is.
    fn keeps_existing(&self, statement: NodeId) -> bool {
        let mut words = self.script.token_range(statement).take(8);
        words.any(|at| {
            let text = |offset| self.script.token_text(at + offset);
            text(0).eq_ignore_ascii_case("IF") && text(1).eq_ignore_ascii_case("NOT")
        })
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

    fn create_view(&mut self, statement: NodeId) {
        let Some(query) = self.tree.child(statement, |kind| kind == Kind::Query) else { return };
        self.query(query, Context::default());
        let Some(table) = self.tree.child(statement, |kind| kind == Kind::Table) else { return };
        let mut columns = self.outputs_of(query).to_vec();
        if let Some(list) = self.tree.child(statement, |kind| kind == Kind::ColumnList) {
            rename(&mut columns, self.names(list));
        }
        let path = self.names(table);
        let full = self.catalogue.full_name(&path);
        let open = self.open_queries.contains(&query);
        let order = (0..columns.len()).map(Some).collect();
        self.catalogue.make(full, columns.into(), open);
        self.filled_by(&path, Some(query), order);
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

/// Gives columns the names of a column list.
pub(super) fn rename(columns: &mut [OutputColumn], names: Vec<String>) {
    for (column, name) in columns.iter_mut().zip(names) {
        column.name = name;
    }
}
