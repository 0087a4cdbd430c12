//! SELECT blocks.

use super::convert::WantedTypes;
use super::fields::FieldStep;
use super::piece::SqlPiece::{Literal, Sql, Value};
use super::{Translated, Translator};
use crate::code::scope::{Binding, ColumnTarget, OutputColumn};
use crate::code::tree::{JoinKind, Kind, NodeId};
use crate::code::types::Type;

/// The clauses of a SELECT block.
#[derive(Clone, Copy)]
pub(super) struct SelectClauses<'t> {
    pub select: NodeId,
    pub distinct: bool,
    /// Its list; `None` for a block of a pipe that gives all columns.
    pub list: Option<NodeId>,
    pub from: Option<NodeId>,
    pub filter: Option<NodeId>,
    pub group: Option<NodeId>,
    pub having: Option<NodeId>,
    pub qualify: Option<NodeId>,
    /// What its outputs are converted to.
    pub wanted: WantedTypes<'t>,
}

impl Translator<'_> {
    /// Finds the clauses of a SELECT block.
    pub fn clauses(&self, select: NodeId) -> Translated<SelectClauses<'static>> {
        let find = |wanted: Kind| self.child(select, |kind| kind == wanted);
        let is_list = |kind| {
            matches!(kind, Kind::Projection | Kind::Extend | Kind::Aggregate | Kind::SetColumns | Kind::DropColumns)
        };
        Ok(SelectClauses {
            select,
            distinct: matches!(self.kind(select), Kind::Select { distinct: true }),
            list: self.child(select, is_list),
            from: find(Kind::From).or_else(|| self.shared_from(select)),
            filter: find(Kind::Where),
            group: find(Kind::GroupBy),
            having: find(Kind::Having),
            qualify: find(Kind::Qualify),
            wanted: WantedTypes::NONE,
        })
    }

    /// Returns the FROM of a multi-insert, which the SELECT of each INSERT reads.
    fn shared_from(&self, select: NodeId) -> Option<NodeId> {
        let insert = self.tree.enclosing(select, |kind| !matches!(kind, Kind::Query | Kind::SetOperation { .. }))?;
        matches!(self.kind(insert), Kind::InsertBranch { .. }).then_some(())?;
        self.child(self.tree.parent(insert)?, |kind| kind == Kind::From)
    }

    /// Whether a block is written as a SELECT around a sub-query, as with QUALIFY. Its ORDER BY can then refer to outputs
    /// only, and conversions of its outputs need a further SELECT around it.
    pub fn is_wrapped(&self, select: NodeId) -> bool {
        self.child(select, |kind| kind == Kind::Qualify).is_some()
            || self.clauses(select).is_ok_and(|block| self.has_grouped_generator(&block))
    }

    /// Writes a block, with its outputs as they are wanted. Blocks with grouping sets leave a context
    /// behind for the ORDER BY of their query.
    pub fn select(&mut self, select: NodeId, wanted: WantedTypes<'_>) -> Translated {
        let block = self.clauses(select)?;
        if let Some(from) = block.from {
            self.note_merged_columns(from)?;
        }
        if self.has_grouped_generator(&block) {
            return self.select_of_grouped_generator(&block);
        }
        if block.qualify.is_some() {
            return self.qualified_select(&block);
        }
        let block = SelectClauses { wanted, ..block };
        if block.group.is_some_and(|group| self.has_grouping_sets(group)) {
            return self.grouped_select(&block);
        }
        self.plain_select(&block)
    }

    fn plain_select(&mut self, block: &SelectClauses<'_>) -> Translated {
        self.write(if block.distinct { "SELECT DISTINCT " } else { "SELECT " });
        self.projection(block)?;
        self.input(block)?;
        self.grouping(block)?;
        self.having(block)
    }

    fn having(&mut self, block: &SelectClauses<'_>) -> Translated {
        let Some(having) = block.having else { return Ok(()) };
        self.write(" HAVING ");
        self.expression(self.only_child(having)?)
    }

    fn qualified_select(&mut self, block: &SelectClauses<'_>) -> Translated {
        let Some(qualify) = block.qualify else { return Ok(()) };
        if block.distinct || block.group.is_some_and(|group| self.has_grouping_sets(group)) {
            return self.refuse(qualify, "QUALIFY with DISTINCT or grouping sets");
        }
        let width = self.scopes.outputs(block.select).len();
        self.write("SELECT ");
        self.separated(0..width, ",", |this, index| {
            this.write_numbered("c", index);
            Ok(())
        })?;
        self.write(" FROM (SELECT ");
        self.projection(block)?;
        self.pieces(&[Sql(","), Value(self.only_child(qualify)?), Sql(" AS q")])?;
        self.input(block)?;
        self.grouping(block)?;
        self.having(block)?;
        self.write(") WHERE q");
        Ok(())
    }

    /// Writes the SELECT list.
    pub fn projection(&mut self, block: &SelectClauses<'_>) -> Translated {
        let outputs = self.scopes.outputs(block.select);
        let Some(list) = block.list.filter(|list| self.kind(*list) == Kind::Projection) else {
            return self.piped_list(block);
        };
        let mut at = 0;
        for item in self.children(list).iter().copied() {
            let expands = |output: &OutputColumn| output.expression.is_none() && output.passes_on.is_some();
            if self.kind(item) == Kind::Wildcard {
                if self.scopes.binding(item).is_some() {
                    at += self.fields_of_struct(item, at, block)?;
                    continue;
                }
                let count = outputs[at..].iter().take_while(|output| expands(output)).count();
                let plain = self.children(item).is_empty();
                for (index, output) in outputs.iter().enumerate().skip(at).take(count) {
                    self.passed_output(output, index, plain, block.wanted)?;
                }
                at += count;
            } else {
                at += self.output(self.only_child(item)?, at, block)?;
            }
        }
        if at == 0 || at != outputs.len() {
            return self.refuse(list, "this SELECT list");
        }
        self.level_of(block)
    }

    /// Writes the number of the level that a recursive CTE counts, if the block is its second side.
    pub fn level_of(&mut self, block: &SelectClauses<'_>) -> Translated {
        match self.level.filter(|level| level.select == block.select) {
            Some(level) => self.level_column(level),
            None => Ok(()),
        }
    }

    /// Writes `s.*`, the fields of a struct without those that EXCEPT names. Returns their number.
    fn fields_of_struct(&mut self, star: NodeId, first: usize, block: &SelectClauses<'_>) -> Translated<usize> {
        let names = |node: NodeId| self.tree.children_where(node, |kind| kind == Kind::Identifier).collect::<Vec<_>>();
        let except = self.child(star, |kind| kind == Kind::ColumnList).map(names).unwrap_or_default();
        let left_out: Vec<String> = except.iter().map(|name| self.script.name(*name)).collect();
        let path = names(star);
        let data_type = self.type_of_path(star, &path);
        let Type::Struct(fields) = data_type.clone() else { return self.refuse(star, "this '*'") };
        let kept: Vec<_> = fields.into_iter().filter(|(name, _)| !left_out.contains(&name.to_lowercase())).collect();
        for (index, (name, of)) in kept.iter().enumerate().map(|(at, field)| (first + at, field)) {
            let FieldStep { function, stored, .. } = FieldStep::of(&data_type, name);
            self.value_as_output(index, of, block.wanted, |this| {
                this.write(function);
                this.path(star, &path)?;
                this.pieces(&[Sql(","), Literal(&stored), Sql(")")])
            })?;
        }
        Ok(kept.len())
    }

    /// Writes an output that passes a column on.
    pub fn passed_output(
        &mut self,
        output: &OutputColumn,
        index: usize,
        plain: bool,
        wanted: WantedTypes<'_>,
    ) -> Translated {
        let Some((relation, column)) = output.passes_on else { return Ok(()) };
        let value = |this: &mut Self| this.merged_column(relation, column, plain);
        self.value_as_output(index, &output.data_type, wanted, value)
    }

    /// Writes a value of a type as an output.
    fn value_as_output(
        &mut self,
        index: usize,
        data_type: &Type,
        wanted: WantedTypes<'_>,
        value: impl FnOnce(&mut Self) -> Translated,
    ) -> Translated {
        self.comma_after_first(index);
        let conversion = wanted.of(index).and_then(|wanted| self.conversion(data_type, wanted));
        self.with_conversion(conversion, value)?;
        self.write_numbered(" AS c", index);
        Ok(())
    }

    pub fn comma_after_first(&mut self, index: usize) {
        if index > 0 {
            self.write(",");
        }
    }

    /// Writes the outputs of an expression of the list; returns their number.
    pub fn output(&mut self, expression: NodeId, index: usize, block: &SelectClauses<'_>) -> Translated<usize> {
        if self.is_generator(expression) {
            return self.generated_outputs(expression, index, block);
        }
        self.comma_after_first(index);
        match block.wanted.of(index) {
            Some(wanted) => self.converted(expression, wanted)?,
            None => self.expression(expression)?,
        }
        self.write_numbered(" AS c", index);
        Ok(1)
    }

    /// Writes the outputs of a generator in the list; returns their number.
    pub fn generated_outputs(&mut self, call: NodeId, index: usize, block: &SelectClauses<'_>) -> Translated<usize> {
        let outputs = self.scopes.outputs(block.select);
        let made = outputs[index..].iter().take_while(|output| output.expression == Some(call)).count();
        for (at, output) in outputs.iter().enumerate().skip(index).take(made) {
            let value = |this: &mut Self| this.generated_column(call, at - index, ("e", call.index()));
            self.value_as_output(at, &output.data_type, block.wanted, value)?;
        }
        Ok(made)
    }

    /// Writes FROM with its lateral views, and WHERE with the conditions of semi joins.
    pub fn input(&mut self, block: &SelectClauses<'_>) -> Translated {
        let mut semi_joins = Vec::new();
        if let Some(from) = block.from {
            self.write(" FROM ");
            self.from(from, &mut semi_joins)?;
        }
        let is_view = |kind| matches!(kind, Kind::LateralView { .. });
        for view in self.tree.children_where(block.select, is_view).collect::<Vec<_>>() {
            self.lateral_view(view)?;
        }
        self.generators_of_list(block)?;
        self.filters(block, &semi_joins)
    }

    fn filters(&mut self, block: &SelectClauses<'_>, semi_joins: &[NodeId]) -> Translated {
        let mut word = " WHERE ";
        for join in semi_joins.iter().copied() {
            self.write(word);
            self.semi_join(join)?;
            word = " AND ";
        }
        if let Some(filter) = block.filter {
            self.write(word);
            self.expression(self.only_child(filter)?)?;
        }
        Ok(())
    }

    /// Writes the joins of generators in the SELECT list, which are those of lateral views.
    fn generators_of_list(&mut self, block: &SelectClauses<'_>) -> Translated {
        let mut first = block.from.is_none();
        for item in self.items(block).iter().copied() {
            if self.kind(item) != Kind::SelectItem {
                continue;
            }
            let expression = self.only_child(item)?;
            if self.is_generator(expression) {
                let joined = self.generator_join(expression, false, ("e", expression.index()), first)?;
                first &= !joined;
            }
        }
        Ok(())
    }

    pub fn grouping(&mut self, block: &SelectClauses<'_>) -> Translated {
        let Some(group) = block.group else { return Ok(()) };
        if block.list.is_some_and(|list| self.kind(list) == Kind::Aggregate) {
            return self.aggregate_keys(group, block);
        }
        if let [all] = self.children(group)
            && self.scopes.is_keyword_all(self.script, *all)
        {
            return self.grouping_by_all(block);
        }
        self.write(" GROUP BY ");
        self.separated(self.children(group).iter().copied(), ",", |this, key| {
            let key = this.group_key(key, block)?;
            this.group_expression(key)
        })
    }

    /// Writes `GROUP BY ALL`: every item of the list without an aggregate is a key, and every column of a `*`.
    fn grouping_by_all(&mut self, block: &SelectClauses<'_>) -> Translated {
        let star = self.items(block).iter().copied().find(|item| self.kind(*item) == Kind::Wildcard);
        let has_aggregate = |output: &&OutputColumn| {
            let mut nodes = output.expression.into_iter().flat_map(|expression| self.tree.descendants(expression));
            nodes.any(|node| self.is_aggregate(node))
        };
        let keys: Vec<&OutputColumn> =
            self.scopes.outputs(block.select).iter().filter(|output| !has_aggregate(output)).collect();
        self.write(if keys.is_empty() { "" } else { " GROUP BY " });
        self.separated(keys, ",", |this, key| match (key.expression, key.passes_on, star) {
            (Some(expression), ..) => this.group_expression(expression),
            (None, Some((relation, column)), Some(star)) => {
                this.merged_column(relation, column, this.children(star).is_empty())
            }
            _ => this.refuse(block.select, "GROUP BY ALL over this list"),
        })
    }

    /// Writes a key of GROUP BY; a constant as NULL, because SQLite would take a number for a position.
    pub fn group_expression(&mut self, key: NodeId) -> Translated {
        if matches!(self.kind(key), Kind::Number | Kind::Boolean(_)) {
            self.write("NULL");
            return Ok(());
        }
        self.expression(key)
    }

    /// Returns the expression that an item of GROUP BY stands for: that of a position or an alias, or the item itself.
    pub fn group_key(&self, key: NodeId, block: &SelectClauses<'_>) -> Translated<NodeId> {
        if let Some(Binding { target: ColumnTarget::Alias(item), .. }) = self.scopes.binding(key) {
            return self.only_child(*item);
        }
        if self.kind(key) != Kind::Number {
            return Ok(key);
        }
        let position: Option<usize> = self.script.slice(key).parse().ok();
        let outputs = self.scopes.outputs(block.select);
        let output = position.and_then(|position| outputs.get(position.checked_sub(1)?));
        match output.and_then(|output| output.expression) {
            Some(expression) => Ok(expression),
            None => self.refuse(key, "this GROUP BY position"),
        }
    }

    /// Whether a join of this kind keeps every row of its left side.
    pub fn keeps_left(kind: JoinKind) -> bool {
        !matches!(kind, JoinKind::Right | JoinKind::Full)
    }
}
