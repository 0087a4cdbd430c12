//! Translates statements to steps.

use super::convert::WantedTypes;
use super::relation::scratch_name;
use super::steps::{Destination, Replaces, Source, Step, Translation, Write};
use super::{MadeView, Reason, ScriptTable, Translated, Translator, Unsupported};
use crate::code::schema::{TableColumn, TableDefinition, full_name, used_database};
use crate::code::scope::{OutputColumn, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, UnorderedValues};

/// What is visible to a query of a statement besides its own WITH.
#[derive(Clone, Copy)]
pub(super) struct StatementScope {
    /// The statement, whose views it may read.
    pub statement: NodeId,
    /// The WITH in front of an INSERT.
    pub with: Option<NodeId>,
}

impl Translator<'_> {
    pub fn script(mut self) -> Result<Translation, Unsupported> {
        let mut translation = Translation::default();
        for statement in self.script.statements().iter().copied() {
            self.statement(statement, &mut translation.steps)?;
        }
        for step in translation.steps.iter().chain(&self.views) {
            if step.columns.iter().any(|column| column.data_type.is_interval()) {
                return self.refuse(step.statement, "an interval in a column of a table");
            }
        }
        self.leave_behind(&mut translation.steps);
        translation.scratch = self.scratch;
        Ok(translation)
    }

    pub fn statement(&mut self, statement: NodeId, steps: &mut Vec<Step>) -> Translated {
        match self.kind(statement) {
            Kind::Command => {
                if let Some(database) = used_database(self.script.slice(statement)) {
                    self.database = database;
                }
                Ok(())
            }
            Kind::Query => self.plain_query(statement, steps),
            Kind::Insert { overwrite } => {
                let with = self.child(statement, |kind| kind == Kind::With);
                self.insert(statement, StatementScope { statement, with }, overwrite, steps)
            }
            Kind::MultiInsert => {
                let with = self.child(statement, |kind| kind == Kind::With);
                for insert in self.children(statement).iter().copied() {
                    if let Kind::InsertBranch { overwrite } = self.kind(insert) {
                        self.insert(insert, StatementScope { statement, with }, overwrite, steps)?;
                    }
                }
                Ok(())
            }
            Kind::Delete | Kind::Update | Kind::Merge => self.change(statement, steps),
            Kind::CreateTable => self.create_table(statement, steps),
            Kind::CreateView => self.create_view(statement),
            Kind::Opaque => self.administration(statement, steps),
            _ => Err(self.unsupported(statement, Reason::Invalid)),
        }
    }

    fn plain_query(&mut self, query: NodeId, steps: &mut Vec<Step>) -> Translated {
        let mut columns = self.result_columns(self.scopes.outputs(query));
        let as_text = columns.iter().any(|column| column.data_type.is_interval());
        // No value of a result is an interval; a reader sees the text to which Spark casts it.
        for column in columns.iter_mut().filter(|column| column.data_type.is_interval()) {
            column.data_type = Type::String;
        }
        let types: Vec<Type> = columns.iter().map(|column| column.data_type.clone()).collect();
        let wanted = if as_text { WantedTypes(&types) } else { WantedTypes::NONE };
        let scope = StatementScope { statement: query, with: None };
        let sql = self.statement_query(query, scope, wanted)?;
        let order = self.child(query, |kind| kind == Kind::OrderBy);
        let sorted_by = order.and_then(|order| self.sorted_by(order, query)).unwrap_or_default();
        let destination = Destination::Result { ordered: order.is_some(), sorted_by };
        steps.push(Step { statement: query, sql, columns, destination });
        Ok(())
    }

    /// The query of a statement, with the views it uses and a WITH in front of the statement.
    pub fn statement_query(
        &mut self,
        query: NodeId,
        StatementScope { statement, with }: StatementScope,
        wanted: WantedTypes<'_>,
    ) -> Translated<String> {
        let parts = self.query_parts(query)?;
        self.statement_sql(statement, [with, parts.with], |this| this.query_after_with(query, &parts, wanted))
    }

    /// What `body` writes, behind the views that a statement uses and these WITH clauses.
    pub fn statement_sql(
        &mut self,
        statement: NodeId,
        withs: [Option<NodeId>; 2],
        body: impl FnOnce(&mut Self) -> Translated,
    ) -> Translated<String> {
        self.sql.clear();
        self.merged.clear();
        let mut word = "WITH ";
        for view in self.views_used(statement) {
            self.write(word);
            self.write_numbered("v", view.first.index());
            self.write(" AS (");
            self.sql.push_str(&view.sql);
            self.write(")");
            word = ",";
        }
        for with in withs.into_iter().flatten() {
            self.write(word);
            self.common_tables(with)?;
            word = ",";
        }
        self.write(if word == "," { " " } else { "" });
        body(self)?;
        Ok(std::mem::take(&mut self.sql))
    }

    /// Returns the views that a statement reads, also through other views.
    fn views_used(&self, statement: NodeId) -> Vec<MadeView> {
        if self.made.values().all(|made| made.view.is_none()) {
            return Vec::new();
        }
        let mut found: Vec<MadeView> = Vec::new();
        let mut pending = vec![statement];
        while let Some(root) = pending.pop() {
            for view in self.views_below(root) {
                if !found.iter().any(|known| known.first == view.first) {
                    pending.push(view.statement);
                    found.push(view);
                }
            }
        }
        found.sort_by_key(|view| view.first);
        found
    }

    fn views_below(&self, root: NodeId) -> Vec<MadeView> {
        let span = self.tree.span(root);
        let inside = self.scopes.relations().filter(|(_, relation)| span.contains(self.tree.span(relation.node)));
        let view = |(_, relation): (RelationId, &crate::code::scope::Relation)| match &relation.source {
            RelationSource::Written(name) => self.made.get(name)?.view.clone(),
            _ => None,
        };
        inside.filter_map(view).collect()
    }

    /// Returns the names and types of a query's outputs, and which of them are unordered.
    pub fn result_columns(&self, outputs: &[OutputColumn]) -> Vec<ResultColumn> {
        let column = |output: &OutputColumn| ResultColumn {
            name: output.name.clone(),
            data_type: output.data_type.clone(),
            unordered: self.unordered(output, 0),
        };
        outputs.iter().map(column).collect()
    }

    /// Returns what an output holds whose order depends on the order of rows; `None` if it holds nothing of that kind.
    pub fn unordered(&self, output: &OutputColumn, depth: usize) -> Option<UnorderedValues> {
        if let Some(collected) = output.expression.and_then(|expression| self.unordered_collection(expression)) {
            return Some(collected);
        }
        let (relation, column) = output.passes_on.filter(|_| depth < 50)?;
        let of_made = |columns: &[ResultColumn]| columns.get(column)?.unordered.clone();
        let source = match &self.scopes.relation(relation).source {
            RelationSource::CommonTable(node) | RelationSource::Query(node) => *node,
            RelationSource::Written(name) => return of_made(&self.made.get(name)?.columns),
            _ => return None,
        };
        if let Some(place) = source.index().checked_sub(self.tree.len()) {
            return of_made(&self.around.given[place].columns);
        }
        self.unordered(self.scopes.outputs(source).get(column)?, depth + 1)
    }

    fn create_table(&mut self, statement: NodeId, steps: &mut Vec<Step>) -> Translated {
        let name = self.created_name(statement)?;
        let table = self.child(statement, |kind| kind == Kind::Table);
        if self.script.says_temporary(statement) {
            self.temporary.insert(name.clone());
        } else {
            self.temporary.remove(&name);
        }
        let known = table.and_then(|table| self.defined(table, &name)).is_some() || self.made.contains_key(&name);
        if known && self.script.keeps_existing(statement) {
            return Ok(());
        }
        let Some(query) = self.child(statement, |kind| kind == Kind::Query) else {
            return self.define_table(statement, name);
        };
        let sql = self.statement_query(query, StatementScope { statement, with: None }, WantedTypes::NONE)?;
        let columns = self.result_columns(self.scopes.outputs(query));
        let sources = (0..columns.len()).map(Source::Query).collect();
        let kept_as = self.is_read_after(statement, &name).then(|| self.scratch_table(&name, columns.len()));
        let write =
            Write { table: name.clone(), columns: columns.clone(), sources, replaces: Replaces::Everything, kept_as };
        self.made.insert(name, ScriptTable { columns: columns.clone(), partitions: Vec::new(), view: None });
        steps.push(Step { statement, sql, columns, destination: Destination::Table(write) });
        Ok(())
    }

    /// `CREATE TABLE t (columns)` or `CREATE TABLE t LIKE other`: a table to be written later.
    fn define_table(&mut self, statement: NodeId, name: String) -> Translated {
        let definitions = self.tree.descendants(statement).filter(|node| self.kind(*node) == Kind::ColumnDefinition);
        let mut made = ScriptTable { columns: Vec::new(), partitions: Vec::new(), view: None };
        for definition in definitions.collect::<Vec<_>>() {
            let [column, type_name, ..] = *self.children(definition) else { continue };
            let data_type = crate::code::schema::read_type(self.script.slice(type_name)).unwrap_or_default();
            if self.tree.parent(definition).is_some_and(|parent| self.kind(parent) == Kind::PartitionColumns) {
                made.partitions.push(made.columns.len());
            }
            made.columns.push(ResultColumn::new(self.script.name(column), data_type));
        }
        if let Some(like) = self.tree.children_where(statement, |kind| kind == Kind::Table).nth(1) {
            made = self.copied_table(like)?;
        }
        if made.columns.is_empty() {
            return self.refuse(statement, "CREATE TABLE without columns");
        }
        self.scratch_table(&name, made.columns.len());
        self.made.insert(name, made);
        Ok(())
    }

    /// An empty table with the columns of another one; without columns if that is not known.
    fn copied_table(&self, other: NodeId) -> Translated<ScriptTable> {
        let name = self.table_name(other)?;
        if let Some(ScriptTable { columns, partitions, .. }) = self.made.get(&name) {
            return Ok(ScriptTable { columns: columns.clone(), partitions: partitions.clone(), view: None });
        }
        let columns = self.defined(other, &name).map_or(&[][..], |definition| &definition.columns);
        let partitions = (0..columns.len()).filter(|at| columns[*at].partition).collect();
        let copy = |column: &TableColumn| {
            let (name, data_type) = (column.name.clone(), column.data_type.clone());
            ResultColumn::new(name, data_type)
        };
        Ok(ScriptTable { columns: columns.iter().map(copy).collect(), partitions, view: None })
    }

    /// Registers a table that the script creates and returns its name in the database.
    fn scratch_table(&mut self, table: &str, width: usize) -> String {
        let name = scratch_name(table, width);
        if !self.scratch.iter().any(|(known, _)| *known == name) {
            self.scratch.push((name.clone(), width));
        }
        name
    }

    fn create_view(&mut self, statement: NodeId) -> Translated {
        let name = self.created_name(statement)?;
        let Some(query) = self.child(statement, |kind| kind == Kind::Query) else {
            return self.refuse(statement, "a view without a query");
        };
        let columns = self.result_columns(self.scopes.outputs(query));
        self.forget_view(&name);
        if !self.is_read_after(statement, &name) {
            let sql = self.statement_query(query, StatementScope { statement, with: None }, WantedTypes::NONE)?;
            self.views.push(whole_table(statement, name.clone(), sql, columns.clone()));
        }
        self.sql.clear();
        self.merged.clear();
        self.query(query, WantedTypes::NONE)?;
        let sql = std::mem::take(&mut self.sql);
        let view = MadeView { first: self.first_of_view(statement, &name, &columns)?, statement, sql };
        let first = view.first;
        self.made.insert(name, ScriptTable { columns, partitions: Vec::new(), view: Some(view) });
        if first == statement { Ok(()) } else { self.renew_results(first) }
    }

    /// Writes the results of views that read one which is made again anew.
    fn renew_results(&mut self, first: NodeId) -> Translated {
        for at in 0..self.views.len() {
            let statement = self.views[at].statement;
            let reads = self.views_used(statement).iter().any(|read| read.first == first);
            if let Some(query) = self.child(statement, |kind| kind == Kind::Query).filter(|_| reads) {
                self.views[at].sql =
                    self.statement_query(query, StatementScope { statement, with: None }, WantedTypes::NONE)?;
            }
        }
        Ok(())
    }

    /// Returns the statement that created a view first. Views that read it see it as it is now, by the same columns.
    fn first_of_view(&self, statement: NodeId, name: &str, columns: &[ResultColumn]) -> Translated<NodeId> {
        let Some(ScriptTable { columns: known, view: Some(view), .. }) = self.made.get(name) else {
            return Ok(statement);
        };
        let is_same = |(one, other): (&ResultColumn, &ResultColumn)| {
            (&one.name, &one.data_type) == (&other.name, &other.data_type)
        };
        if known.len() == columns.len() && known.iter().zip(columns).all(is_same) {
            return Ok(view.first);
        }
        let mut others = self.made.values().filter_map(|made| made.view.as_ref());
        if others.any(|other| self.views_used(other.statement).iter().any(|read| read.first == view.first)) {
            return self.refuse(statement, "a view with other columns than before, which another view reads");
        }
        Ok(statement)
    }

    /// The rows of views that a script leaves behind are results, like those of written tables. What ends with the session
    /// is a result only of a script that has no other.
    fn leave_behind(&mut self, steps: &mut Vec<Step>) {
        let leaves_views_only =
            steps.iter().all(|step| matches!(step.destination, Destination::Drop(_) | Destination::Rename { .. }));
        let views = std::mem::take(&mut self.views);
        let (temporary, lasting): (Vec<Step>, Vec<Step>) =
            views.into_iter().partition(|step| self.script.says_temporary(step.statement));
        steps.extend(lasting);
        if leaves_views_only {
            steps.extend(temporary);
        } else if steps.iter().any(|step| self.is_lasting_result(step)) {
            let passing: Vec<Step> = steps.iter().filter_map(|step| self.dropped_with_session(step)).collect();
            steps.extend(passing);
        }
    }

    /// Whether a step gives rows that a query returns or that are there after the session.
    fn is_lasting_result(&self, step: &Step) -> bool {
        match &step.destination {
            Destination::Result { .. } => true,
            Destination::Table(write) => !self.temporary.contains(&write.table),
            Destination::Drop(_) | Destination::Rename { .. } => false,
        }
    }

    /// Returns the step that takes a temporary table which a step writes out of the result.
    fn dropped_with_session(&self, step: &Step) -> Option<Step> {
        let Destination::Table(write) = &step.destination else { return None };
        self.temporary.contains(&write.table).then(|| Step {
            statement: step.statement,
            sql: String::new(),
            columns: Vec::new(),
            destination: Destination::Drop(write.table.clone()),
        })
    }

    fn created_name(&self, statement: NodeId) -> Translated<String> {
        let Some(table) = self.child(statement, |kind| kind == Kind::Table) else {
            return self.refuse(statement, "a statement without a table");
        };
        self.table_name(table)
    }

    /// Returns the full lower-case name of a `Table` node.
    pub fn table_name(&self, table: NodeId) -> Translated<String> {
        let parts = self.tree.children_where(table, |kind| kind == Kind::Identifier);
        let names: Result<Vec<String>, Unsupported> = parts.map(|part| self.bound_name(part)).collect();
        Ok(self.full_name(&names?))
    }

    /// Returns the full name for a path, given the last `USE`, without a catalogue.
    pub fn full_name(&self, path: &[String]) -> String {
        full_name(path, &self.database)
    }

    /// Returns the table of the schema to which a `Table` node with this full name refers.
    pub fn defined(&self, table: NodeId, name: &str) -> Option<&TableDefinition> {
        let parts = self.tree.children_where(table, |kind| kind == Kind::Identifier).count();
        let short = name.rsplit('.').next().filter(|_| parts == 1);
        self.schema.table(name).or_else(|| self.schema.table(short?))
    }

    /// Drops the rows of a view from the result, because it is dropped or created again.
    pub(super) fn forget_view(&mut self, name: &str) {
        self.views.retain(|step| !matches!(&step.destination, Destination::Table(write) if write.table == name));
    }

    /// Whether a later statement reads or writes this table.
    pub fn is_read_after(&self, statement: NodeId, table: &str) -> bool {
        let end = self.tree.span(statement).end;
        self.scopes.relations().any(|(_, relation)| {
            let name = match &relation.source {
                RelationSource::Table(name) | RelationSource::Written(name) => name,
                _ => return false,
            };
            name == table && self.tree.span(relation.node).start >= end
        })
    }
}

/// Returns a step that fills a new table with all rows of a query.
pub(super) fn whole_table(statement: NodeId, table: String, sql: String, columns: Vec<ResultColumn>) -> Step {
    let sources = (0..columns.len()).map(Source::Query).collect();
    let write = Write { table, columns: columns.clone(), sources, replaces: Replaces::Everything, kept_as: None };
    Step { statement, sql, columns, destination: Destination::Table(write) }
}
