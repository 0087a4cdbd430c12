//! MERGE: the pairs that match, the target rows that no source row matches, and the rows that are inserted.

use super::change::{Assigned, ChangedTable, NewValue, RowValues};
use super::piece::SqlPiece::{Literal, Sql, Value};
use super::{Reason, Translated, Translator};
use crate::code::scope::RelationId;
use crate::code::tree::{Kind, MergeAction, MergeRows, NodeId};
use crate::engine::sqlite::limits::SEVERAL_MATCHES;
use crate::engine::table::ResultColumn;

/// The tables of a MERGE and how their rows match.
struct MergeTables<'t> {
    table: &'t ChangedTable,
    /// The item behind USING.
    source: NodeId,
    source_relation: RelationId,
    condition: NodeId,
}

/// A clause of MERGE.
struct MergeStep {
    node: NodeId,
    action: MergeAction,
    condition: Option<NodeId>,
}

impl Translator<'_> {
    pub(super) fn merge(&mut self, statement: NodeId, table: &ChangedTable) -> Translated {
        let others = self.children(statement).iter().copied().filter(|child| *child != table.node);
        let Some((source, source_relation)) =
            others.into_iter().find_map(|child| Some((child, self.relation_of(child)?)))
        else {
            return self.refuse(statement, "MERGE with this source");
        };
        let Some(condition) = self.condition_of(statement)? else { return self.refuse(statement, "MERGE without ON") };
        let tables = MergeTables { table, source, source_relation, condition };
        self.matched_rows(&self.merge_steps(statement, MergeRows::Matched)?, &tables)?;
        self.write(" UNION ALL ");
        self.rows_without_source(&self.merge_steps(statement, MergeRows::NotMatchedBySource)?, &tables)?;
        let inserts = self.merge_steps(statement, MergeRows::NotMatched)?;
        if inserts.is_empty() {
            return Ok(());
        }
        self.write(" UNION ALL ");
        self.inserted_rows(&inserts, &tables)
    }

    fn merge_steps(&self, statement: NodeId, wanted: MergeRows) -> Translated<Vec<MergeStep>> {
        let step = |node: NodeId| match self.kind(node) {
            Kind::MergeClause { rows, action } if rows == wanted => {
                Some(self.condition_of(node).map(|condition| MergeStep { node, action, condition }))
            }
            _ => None,
        };
        self.children(statement).iter().filter_map(|node| step(*node)).collect()
    }

    /// The target rows that source rows match, as the clauses leave them. Spark refuses several matches of a row,
    /// except where all that happens is that it is deleted.
    fn matched_rows(&mut self, steps: &[MergeStep], tables: &MergeTables<'_>) -> Translated {
        if steps.is_empty() {
            self.changed_rows(tables.table, RowValues::Unchanged)?;
            self.write(" FROM ");
            self.primary(tables.table.node)?;
            self.write(" WHERE EXISTS(");
            self.matches("1", tables)?;
            self.write(")");
            return Ok(());
        }
        let assigned = self.assigned_by(steps, tables)?;
        self.changed_rows(tables.table, RowValues::Assigned(&assigned))?;
        self.write(" FROM ");
        self.primary(tables.table.node)?;
        self.write(" JOIN ");
        self.primary(tables.source)?;
        self.pieces(&[Sql(" ON "), Value(tables.condition), Sql(" WHERE ")])?;
        let only_deletes = matches!(steps, [MergeStep { action: MergeAction::Delete, condition: None, .. }]);
        if only_deletes {
            return self.kept(steps);
        }
        // One CASE: SQLite would ask a condition of its own first whether the row is kept, and miss the failure.
        self.write("CASE WHEN (");
        self.matches("count(*)", tables)?;
        self.pieces(&[Sql(")>1 THEN h_fail("), Literal(SEVERAL_MATCHES), Sql(") ELSE ")])?;
        self.kept(steps)?;
        self.write(" END");
        Ok(())
    }

    /// The source rows that match the target row of the query around.
    fn matches(&mut self, what: &str, tables: &MergeTables<'_>) -> Translated {
        self.pieces(&[Sql("SELECT "), Sql(what), Sql(" FROM ")])?;
        self.primary(tables.source)?;
        self.pieces(&[Sql(" WHERE "), Value(tables.condition)])
    }

    /// The target rows that no source row matches.
    fn rows_without_source(&mut self, steps: &[MergeStep], tables: &MergeTables<'_>) -> Translated {
        let assigned = self.assigned_by(steps, tables)?;
        self.changed_rows(tables.table, RowValues::Assigned(&assigned))?;
        self.write(" FROM ");
        self.primary(tables.table.node)?;
        self.write(" WHERE NOT EXISTS(");
        self.matches("1", tables)?;
        self.write(") AND ");
        self.kept(steps)
    }

    /// Whether the first clause whose condition holds, if any does, keeps the row.
    fn kept(&mut self, steps: &[MergeStep]) -> Translated {
        self.write("CASE");
        for step in steps {
            self.when(step)?;
            self.write(if step.action == MergeAction::Delete { "0" } else { "1" });
        }
        self.write(if steps.is_empty() { " WHEN 1 THEN 1 END" } else { " ELSE 1 END" });
        Ok(())
    }

    fn when(&mut self, step: &MergeStep) -> Translated {
        match step.condition {
            Some(condition) => self.pieces(&[Sql(" WHEN "), Value(condition), Sql(" THEN ")]),
            None => {
                self.write(" WHEN 1 THEN ");
                Ok(())
            }
        }
    }

    fn assigned_by(&self, steps: &[MergeStep], tables: &MergeTables<'_>) -> Translated<Vec<Assigned>> {
        let assigned = |step: &MergeStep| {
            let values = match self.child(step.node, |kind| kind == Kind::Star) {
                Some(star) => self.values_by_name(star, tables)?,
                None => self.assignments(step.node, tables.table)?,
            };
            Ok(Assigned { condition: step.condition, values })
        };
        steps.iter().map(assigned).collect()
    }

    /// `UPDATE SET *` and `INSERT *`: every column gets the source's column of its name.
    fn values_by_name(&self, star: NodeId, tables: &MergeTables<'_>) -> Translated<Vec<NewValue>> {
        let source = &self.scopes.relation(tables.source_relation).columns;
        let value = |column: &ResultColumn| {
            let at = source.iter().position(|given| given.name == column.name);
            at.map(|at| NewValue::Column(tables.source_relation, at))
                .ok_or_else(|| self.unsupported(star, Reason::UnresolvedColumn(column.name.clone())))
        };
        tables.table.target.columns.iter().map(value).collect()
    }

    /// The source rows that match no target row and meet the condition of a clause.
    fn inserted_rows(&mut self, steps: &[MergeStep], tables: &MergeTables<'_>) -> Translated {
        let inserted: Vec<Vec<NewValue>> =
            steps.iter().map(|step| self.inserted(step.node, tables)).collect::<Translated<_>>()?;
        self.write("SELECT ");
        self.separated(0..tables.table.target.columns.len(), ",", |this, at| {
            this.write("CASE");
            for (step, values) in steps.iter().zip(&inserted) {
                this.when(step)?;
                this.assigned_value(values[at], tables.table, at)?;
            }
            this.write_numbered(" END AS c", at);
            Ok(())
        })?;
        self.write(" FROM ");
        self.primary(tables.source)?;
        self.write(" WHERE NOT EXISTS(SELECT 1 FROM ");
        self.primary(tables.table.node)?;
        self.pieces(&[Sql(" WHERE "), Value(tables.condition), Sql(") AND CASE")])?;
        for step in steps {
            self.when(step)?;
            self.write("1");
        }
        self.write(" END");
        Ok(())
    }

    /// Returns what each column of an inserted row gets.
    fn inserted(&self, clause: NodeId, tables: &MergeTables<'_>) -> Translated<Vec<NewValue>> {
        if let Some(star) = self.child(clause, |kind| kind == Kind::Star) {
            return self.values_by_name(star, tables);
        }
        let row = self.child(clause, |kind| matches!(kind, Kind::Tuple | Kind::Paren));
        let given = row.map_or(&[][..], |row| self.children(row));
        let columns = &tables.table.target.columns;
        let names = match self.child(clause, |kind| kind == Kind::ColumnList) {
            Some(list) => self.children(list).iter().map(|name| self.bound_name(*name)).collect::<Translated<_>>()?,
            None => columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>(),
        };
        if names.len() != given.len() {
            return Err(self.unsupported(clause, Reason::ColumnCount { wanted: names.len(), given: given.len() }));
        }
        let value = |column: &ResultColumn| {
            let at = names.iter().position(|name| *name == column.name);
            at.map_or(NewValue::Null, |at| NewValue::Expression(given[at]))
        };
        Ok(columns.iter().map(value).collect())
    }
}
