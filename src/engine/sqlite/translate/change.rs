//! DELETE, UPDATE and MERGE, each as a query for the rows that the table holds afterwards.

use super::insert::InsertTarget;
use super::piece::SqlPiece::{Sql, Value};
use super::steps::{Destination, Replaces, Source, Step, Write};
use super::{Translated, Translator};
use crate::code::scope::{ColumnTarget, RelationId, RelationSource};
use crate::code::tree::{Kind, NodeId};

/// The table that a statement changes, as its query reads it.
pub(super) struct ChangedTable {
    pub node: NodeId,
    pub relation: RelationId,
    pub target: InsertTarget,
}

/// What the rows of a table become.
pub(super) enum RowValues<'c> {
    Unchanged,
    /// The first clause whose condition holds says it: the clauses, each with its condition and assignments.
    Assigned(&'c [Assigned]),
}

/// The values that some rows get.
pub(super) struct Assigned {
    /// For which rows; all if `None`.
    pub condition: Option<NodeId>,
    /// For each column what it gets.
    pub values: Vec<NewValue>,
}

/// The value of one column.
#[derive(Clone, Copy)]
pub(super) enum NewValue {
    Kept,
    Expression(NodeId),
    /// The column of another relation.
    Column(RelationId, usize),
    Null,
}

impl Translator<'_> {
    /// A `Delete`, `Update` or `Merge`.
    pub fn change(&mut self, statement: NodeId, steps: &mut Vec<Step>) -> Translated {
        let table = self.changed_table(statement)?;
        if let Some(call) = self.aggregate_of_no_query(statement) {
            return self.refuse(call, "an aggregate or window outside of a query");
        }
        let with = self.child(statement, |kind| kind == Kind::With);
        let sql = self.statement_sql(statement, [with, None], |this| match this.kind(statement) {
            Kind::Delete => this.delete(statement, &table),
            Kind::Update => this.update(statement, &table),
            _ => this.merge(statement, &table),
        })?;
        let InsertTarget { name, columns, stored_as, .. } = table.target;
        let write = Write {
            sources: (0..columns.len()).map(Source::Query).collect(),
            replaces: Replaces::Everything,
            kept_as: self.is_read_after(statement, &name).then_some(stored_as),
            table: name,
            columns: columns.clone(),
        };
        steps.push(Step { statement, sql, columns, destination: Destination::Table(write) });
        Ok(())
    }

    /// An aggregate or window that would be computed over the rows of the statement itself, which Spark refuses.
    fn aggregate_of_no_query(&self, statement: NodeId) -> Option<NodeId> {
        let is_aggregate = |node: NodeId| match self.kind(node) {
            Kind::Over => true,
            Kind::Call { .. } => self.script.is_aggregate(node),
            _ => false,
        };
        let in_query = |node| self.tree.enclosing(node, |kind| matches!(kind, Kind::Select { .. })).is_some();
        self.tree.descendants(statement).find(|node| is_aggregate(*node) && !in_query(*node))
    }

    fn changed_table(&mut self, statement: NodeId) -> Translated<ChangedTable> {
        let target = self.target(statement)?;
        let node = self.child(statement, |kind| kind == Kind::Table).unwrap_or(statement);
        if self.made.get(&target.name).is_some_and(|made| made.view.is_some()) {
            return self.refuse(node, "a change of the rows of a view");
        }
        match self.relation_of(node) {
            Some(relation) if !matches!(self.scopes.relation(relation).source, RelationSource::CommonTable(_)) => {
                Ok(ChangedTable { node, relation, target })
            }
            _ => self.refuse(node, "a change of this table"),
        }
    }

    /// The rows for which the condition does not hold stay.
    fn delete(&mut self, statement: NodeId, table: &ChangedTable) -> Translated {
        self.changed_rows(table, RowValues::Unchanged)?;
        self.write(" FROM ");
        self.primary(table.node)?;
        let partitions: Vec<NodeId> = self.tree.children_where(statement, |kind| kind == Kind::PartitionSpec).collect();
        match self.condition_of(statement)? {
            Some(condition) => self.pieces(&[Sql(" WHERE ("), Value(condition), Sql(") IS NOT TRUE")]),
            None if partitions.is_empty() => {
                self.write(" WHERE 0");
                Ok(())
            }
            None => {
                self.write(" WHERE (");
                self.separated(partitions, " OR ", |this, partition| this.in_partition(partition, table))?;
                self.write(") IS NOT TRUE");
                Ok(())
            }
        }
    }

    /// Whether a row lies in a partition; a column without a value may have any, as in Hive.
    fn in_partition(&mut self, partition: NodeId, table: &ChangedTable) -> Translated {
        self.write("(");
        self.separated(self.children(partition).to_vec(), " AND ", |this, item| {
            let [name, value] = *this.children(item) else {
                this.write("1");
                return Ok(());
            };
            let column = this.column_position(name, &table.target)?;
            this.source_column(table.relation, column)?;
            let comparison = this.script.partition_comparison(item);
            this.write(&format!(" {} ", if comparison == "=" { "IS" } else { comparison }));
            this.converted(value, &table.target.columns[column].data_type)
        })?;
        self.write(")");
        Ok(())
    }

    fn update(&mut self, statement: NodeId, table: &ChangedTable) -> Translated {
        let condition = self.condition_of(statement)?;
        let values = self.assignments(statement, table)?;
        self.changed_rows(table, RowValues::Assigned(&[Assigned { condition, values }]))?;
        self.write(" FROM ");
        self.primary(table.node)
    }

    /// The condition of WHERE, ON or the like below a node.
    pub fn condition_of(&self, node: NodeId) -> Translated<Option<NodeId>> {
        let clause = self.child(node, |kind| matches!(kind, Kind::Where | Kind::On | Kind::MergeCondition));
        clause.map(|clause| self.only_child(clause)).transpose()
    }

    /// Returns what each column of the table gets by the assignments below a node.
    pub fn assignments(&self, node: NodeId, table: &ChangedTable) -> Translated<Vec<NewValue>> {
        let mut values = vec![NewValue::Kept; table.target.columns.len()];
        for assignment in self.tree.children_where(node, |kind| kind == Kind::Assignment) {
            let [column, value] = *self.children(assignment) else { continue };
            match self.scopes.binding(column) {
                Some(binding) if binding.path_length < self.children(column).len() => {
                    return self.refuse(column, "a change of a field of a struct");
                }
                Some(binding) => {
                    if let ColumnTarget::Column(_, at) = binding.target {
                        values[at] = NewValue::Expression(value);
                    }
                }
                None => return self.column_unresolved(column),
            }
        }
        Ok(values)
    }

    fn column_unresolved<T>(&self, column: NodeId) -> Translated<T> {
        Err(self.unsupported(column, super::Reason::UnresolvedColumn(self.script.slice(column).to_owned())))
    }

    /// `SELECT` of every column of the table.
    pub fn changed_rows(&mut self, table: &ChangedTable, values: RowValues<'_>) -> Translated {
        self.write("SELECT ");
        self.separated(0..table.target.columns.len(), ",", |this, at| {
            match &values {
                RowValues::Assigned(all) if all.iter().any(|one| !matches!(one.values[at], NewValue::Kept)) => {
                    this.assigned(all, table, at)?;
                }
                _ => this.source_column(table.relation, at)?,
            }
            this.write_numbered(" AS c", at);
            Ok(())
        })
    }

    fn assigned(&mut self, all: &[Assigned], table: &ChangedTable, at: usize) -> Translated {
        self.write("CASE");
        for Assigned { condition, values } in all {
            match condition {
                Some(condition) => self.pieces(&[Sql(" WHEN "), Value(*condition), Sql(" THEN ")])?,
                None => self.write(" WHEN 1 THEN "),
            }
            self.assigned_value(values[at], table, at)?;
        }
        self.write(" ELSE ");
        self.source_column(table.relation, at)?;
        self.write(" END");
        Ok(())
    }

    /// A value, converted to the type of the table's column.
    pub fn assigned_value(&mut self, value: NewValue, table: &ChangedTable, at: usize) -> Translated {
        let wanted = &table.target.columns[at].data_type;
        match value {
            NewValue::Kept => self.source_column(table.relation, at),
            NewValue::Expression(value) => self.converted(value, wanted),
            NewValue::Column(relation, column) => {
                let given = &self.scopes.relation(relation).columns[column].data_type;
                self.with_conversion(self.conversion(given, wanted), |this| this.source_column(relation, column))
            }
            NewValue::Null => {
                self.write("NULL");
                Ok(())
            }
        }
    }
}
