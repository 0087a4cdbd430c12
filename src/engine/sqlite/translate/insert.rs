//! INSERT: which output goes to which column, and which rows are replaced.

use super::convert::WantedTypes;
use super::relation::scratch_name;
use super::statement::{StatementScope, whole_table};
use super::steps::{Destination, Replaces, Source, Step, Write};
use super::{Reason, Translated, Translator};
use crate::code::scope::OutputColumn;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::engine::table::{DIRECTORY, ResultColumn, Value};

/// The table that a statement writes.
pub(super) struct InsertTarget {
    pub name: String,
    pub columns: Vec<ResultColumn>,
    partitions: Vec<usize>,
    /// Its name in the database.
    pub stored_as: String,
}

impl Translator<'_> {
    /// An `Insert` or `InsertBranch`.
    pub fn insert(
        &mut self,
        insert: NodeId,
        scope: StatementScope,
        overwrite: bool,
        steps: &mut Vec<Step>,
    ) -> Translated {
        let Some(query) = self.child(insert, |kind| kind == Kind::Query) else {
            return self.refuse(insert, "INSERT without a query");
        };
        if let Some(directory) = self.child(insert, |kind| kind == Kind::Directory) {
            let sql = self.statement_query(query, scope, WantedTypes::NONE)?;
            let columns = self.result_columns(self.scopes.outputs(query));
            steps.push(whole_table(insert, self.directory_name(directory)?, sql, columns));
            return Ok(());
        }
        let target = self.target(insert)?;
        let fixed = self.fixed_partitions(insert, &target)?;
        let order = self.written_order(insert, &target, &fixed)?;
        let outputs = self.scopes.outputs(query);
        if order.len() != outputs.len() {
            let what = Reason::ColumnCount { wanted: order.len(), given: outputs.len() };
            return Err(self.unsupported(insert, what));
        }
        let types: Vec<Type> = order.iter().map(|column| target.columns[*column].data_type.clone()).collect();
        let is_lost = |(output, to): (&OutputColumn, &Type)| output.data_type.is_interval() && *to != Type::String;
        if outputs.iter().zip(&types).any(is_lost) {
            return self.refuse(insert, "an interval in a column of a table");
        }
        let sql = self.statement_query(query, scope, WantedTypes(&types))?;
        let given = self.result_columns(outputs);
        let mut columns = target.columns.clone();
        for (column, given) in order.iter().zip(&given) {
            columns[*column].take_order_of(given);
        }
        let replaces =
            if overwrite { replaced(&target, &fixed, self.names_partitions(insert)) } else { Replaces::Nothing };
        let sources = sources(target.columns.len(), &order, &fixed);
        let kept_as = self.is_read_after(insert, &target.name).then(|| target.stored_as.clone());
        let step_columns = order.iter().map(|column| columns[*column].clone()).collect();
        let write = Write { table: target.name, columns, sources, replaces, kept_as };
        steps.push(Step { statement: insert, sql, columns: step_columns, destination: Destination::Table(write) });
        Ok(())
    }

    /// Returns the table that a statement writes: one that the script created, or one of the schema.
    pub fn target(&mut self, statement: NodeId) -> Translated<InsertTarget> {
        let Some(table) = self.child(statement, |kind| kind == Kind::Table) else {
            return self.refuse(statement, "a statement without a table");
        };
        let name = self.table_name(table)?;
        if let Some(made) = self.made.get(&name) {
            let stored_as = scratch_name(&name, made.columns.len());
            return Ok(InsertTarget {
                name,
                columns: made.columns.clone(),
                partitions: made.partitions.clone(),
                stored_as,
            });
        }
        if let Some(definition) = self.defined(table, &name) {
            let column = |column: &crate::code::schema::TableColumn| {
                ResultColumn::new(column.name.clone(), column.data_type.clone())
            };
            let partitions = (0..definition.columns.len()).filter(|at| definition.columns[*at].partition).collect();
            let columns = definition.columns.iter().map(column).collect();
            let name = definition.name.clone();
            return Ok(InsertTarget { stored_as: name.clone(), name, columns, partitions });
        }
        Err(self.unsupported(table, Reason::UnknownTable(name)))
    }

    /// Returns the name in the results of rows that are written to a directory.
    fn directory_name(&self, directory: NodeId) -> Translated<String> {
        let path = self.child(directory, |kind| kind == Kind::Text).map(|path| self.text_of(path)).transpose()?;
        Ok(path.map_or_else(|| "directory".to_owned(), |path| format!("{DIRECTORY}{path}")))
    }

    fn partition_items(&self, insert: NodeId) -> Vec<NodeId> {
        let spec = self.child(insert, |kind| kind == Kind::PartitionSpec);
        spec.map(|spec| self.children(spec).to_vec()).unwrap_or_default()
    }

    fn names_partitions(&self, insert: NodeId) -> bool {
        self.child(insert, |kind| kind == Kind::PartitionSpec).is_some()
    }

    /// Returns the partition columns with a constant value.
    fn fixed_partitions(&self, insert: NodeId, target: &InsertTarget) -> Translated<Vec<(usize, Value)>> {
        let mut fixed = Vec::new();
        for item in self.partition_items(insert) {
            if let [name, value] = *self.children(item) {
                let column = self.column_position(name, target)?;
                fixed.push((column, self.constant_value(value, &target.columns[column].data_type)?));
            }
        }
        Ok(fixed)
    }

    pub fn column_position(&self, name: NodeId, target: &InsertTarget) -> Translated<usize> {
        let wanted = self.bound_name(name)?;
        match target.columns.iter().position(|column| column.name == wanted) {
            Some(position) => Ok(position),
            None => Err(self.unsupported(name, Reason::UnresolvedColumn(wanted))),
        }
    }

    /// Returns the columns to which the query's outputs go: the listed ones, or all but the fixed ones in table order.
    fn written_order(&self, insert: NodeId, target: &InsertTarget, fixed: &[(usize, Value)]) -> Translated<Vec<usize>> {
        let is_fixed = |column: &usize| fixed.iter().any(|(at, _)| at == column);
        let mut order = Vec::new();
        match self.child(insert, |kind| kind == Kind::ColumnList) {
            Some(list) => {
                for name in self.children(list) {
                    order.push(self.column_position(*name, target)?);
                }
            }
            None => order.extend((0..target.columns.len()).filter(|column| !target.partitions.contains(column))),
        }
        let dynamic: Vec<usize> =
            target.partitions.iter().copied().filter(|at| !is_fixed(at) && !order.contains(at)).collect();
        order.extend(dynamic);
        Ok(order)
    }

    /// Returns a literal as a value of a column's type.
    fn constant_value(&self, node: NodeId, data_type: &Type) -> Translated<Value> {
        let text = match self.kind(node) {
            Kind::Null => return Ok(Value::Null),
            Kind::Text => self.text_of(node)?,
            Kind::Number => super::literal::number_digits(self.script.slice(node)).to_owned(),
            Kind::Boolean(value) => u8::from(value).to_string(),
            Kind::Unary | Kind::Placeholder => match self.parameters.bind(self.script.slice(node)) {
                Ok(bound) => bound,
                Err(unbound) => return Err(self.unsupported(node, Reason::UnboundPlaceholder(unbound.key))),
            },
            Kind::TypedText => self.text_of(self.only_child(node)?)?,
            _ => return self.refuse(node, "a computed partition value"),
        };
        Ok(match data_type {
            Type::Int | Type::BigInt | Type::Boolean => text.trim().parse().map_or(Value::Null, Value::Integer),
            Type::Double | Type::Decimal(..) => text.trim().parse().map_or(Value::Null, Value::Real),
            _ => Value::Text(text),
        })
    }
}

fn sources(width: usize, order: &[usize], fixed: &[(usize, Value)]) -> Vec<Source> {
    let source = |column: usize| {
        let constant = fixed.iter().find(|(at, _)| *at == column).map(|(_, value)| value.clone());
        match (order.iter().position(|written| *written == column), constant) {
            (Some(output), _) => Source::Query(output),
            (None, constant) => Source::Constant(constant.unwrap_or(Value::Null)),
        }
    };
    (0..width).map(source).collect()
}

/// Returns what an INSERT OVERWRITE replaces: the fixed partitions that PARTITION names, the dynamic partitions that
/// are written, or everything if there is no PARTITION.
fn replaced(target: &InsertTarget, fixed: &[(usize, Value)], names_partitions: bool) -> Replaces {
    if target.partitions.is_empty() || !names_partitions {
        return Replaces::Everything;
    }
    let is_dynamic = |column: &usize| !fixed.iter().any(|(at, _)| at == column);
    let dynamic = target.partitions.iter().copied().filter(is_dynamic).collect();
    Replaces::Partitions { fixed: fixed.to_vec(), dynamic }
}
