//! Blocks with grouping sets: a sub-query groups each row once per set, and the SELECT list reads its output.
//!
//! ```sql
//! SELECT x.k0, x.a0 FROM (
//!     SELECT s.column1 AS id, CASE WHEN s.column2 THEN g.k0 END AS k0, sum(g.c0) AS a0
//!     FROM (SELECT key AS k0, column AS c0 FROM … WHERE …) AS g JOIN (VALUES (0,1),(1,0)) AS s
//!     GROUP BY 1, 2) AS x WHERE having
//! ```
//!
//! In this way HAVING, windows, ORDER BY and `grouping()` see all sets at once, and an empty input has no groups, as in
//! Spark.

use super::grouping_sets::GroupingSets;
use super::select::SelectClauses;
use super::{Translated, Translator};
use crate::code::scope::{ColumnPosition, ColumnTarget};
use crate::code::tree::{BinaryOperator, Kind, NodeId};

/// What columns and calls refer to inside a grouped block.
pub(super) enum GroupedNames {
    /// Inside an aggregate: columns of the block are columns of `g<alias>`.
    Input { alias: usize, columns: Vec<ColumnPosition> },
    /// In the SELECT list, HAVING and ORDER BY: keys and aggregates are columns of `x<alias>`.
    Output { alias: usize, keys: Vec<NodeId>, calls: Vec<NodeId> },
}

impl Translator<'_> {
    pub fn grouped_select(&mut self, block: &SelectClauses<'_>) -> Translated {
        let Some(group) = block.group else { return Ok(()) };
        let alias = self.number_of(block.select);
        let sets = self.grouping_sets(group, block)?;
        let calls = self.aggregates_of(block);
        let columns = self.columns_of(&calls, block);
        let outer = std::mem::take(&mut self.sql);
        self.rows_of_sets(block, &sets, &calls, columns)?;
        let body = std::mem::replace(&mut self.sql, outer);
        self.contexts.push(GroupedNames::Output { alias, keys: sets.keys, calls });
        self.write(if block.distinct { "SELECT DISTINCT " } else { "SELECT " });
        self.projection(block)?;
        self.write(" FROM (");
        self.sql.push_str(&body);
        self.write_numbered(") AS x", alias);
        if let Some(having) = block.having {
            self.write(" WHERE ");
            self.expression(self.only_child(having)?)?;
        }
        Ok(())
    }

    /// Writes the sub-query: every row once for each set, grouped by the keys of that set.
    fn rows_of_sets(
        &mut self,
        block: &SelectClauses<'_>,
        sets: &GroupingSets,
        calls: &[NodeId],
        columns: Vec<ColumnPosition>,
    ) -> Translated {
        let alias = self.number_of(block.select);
        let outer = std::mem::take(&mut self.sql);
        self.grouped_input(block, sets, &columns)?;
        let input = std::mem::replace(&mut self.sql, outer);
        self.contexts.push(GroupedNames::Input { alias, columns });
        self.write_numbered("SELECT s", alias);
        self.write(".column1 AS id");
        for key in 0..sets.keys.len() {
            self.write(",");
            self.key_of_set(alias, sets, key);
            self.write_numbered(" AS k", key);
        }
        for (index, call) in calls.iter().enumerate() {
            self.write(",");
            match self.guarded_key(*call, sets) {
                Some(key) => self.sole_value_of_sets(*call, alias, key)?,
                None => self.expression(*call)?,
            }
            self.write_numbered(" AS a", index);
        }
        self.contexts.pop();
        self.write(" FROM (");
        self.sql.push_str(&input);
        self.write_numbered(") AS g", alias);
        if sets.is_ungrouped() {
            // A single empty set means no grouping at all, which gives a row even without input.
            self.write_numbered(" RIGHT JOIN (SELECT 0 AS column1) AS s", alias);
            return Ok(());
        }
        self.sets_table(alias, sets);
        self.write(" GROUP BY 1");
        for key in 0..sets.keys.len() {
            self.write_numbered(",", key + 2);
        }
        Ok(())
    }

    /// Returns the position of the key of which a call such as `first(key)` gives the value, if the call stands beside
    /// `grouping(key) = 1 OR …`; `None` for other calls. The value then matters only in sets that group by the key, where
    /// all rows of a group have the same.
    fn guarded_key(&self, call: NodeId, sets: &GroupingSets) -> Option<usize> {
        let name = self.script.canonical_function_name(call);
        let [argument] = *self.script.arguments(call) else { return None };
        let takes_one = ["first", "last", "first_value", "last_value", "any_value"].contains(&name.as_str());
        let key = sets.keys.iter().position(|key| self.is_same_expression(*key, argument)).filter(|_| takes_one)?;
        let is_left_out = |node: &NodeId| match (self.kind(*node), self.children(*node)) {
            (Kind::Binary(BinaryOperator::Equal), [grouping, one])
                if matches!(self.kind(*grouping), Kind::Call { .. }) =>
            {
                let arguments = self.script.arguments(*grouping);
                self.script.canonical_function_name(*grouping) == "grouping"
                    && self.script.slice(*one) == "1"
                    && matches!(&*arguments, [of] if self.is_same_expression(*of, sets.keys[key]))
            }
            _ => false,
        };
        let mut around = self.tree.ancestors(call).take_while(|above| self.kind(*above) != Kind::Query);
        around.any(|above| self.kind(above) == Kind::Or && self.children(above).iter().any(is_left_out)).then_some(key)
    }

    /// Writes `first(key)` in the sets that group by the key, NULL in the others.
    fn sole_value_of_sets(&mut self, call: NodeId, alias: usize, key: usize) -> Translated {
        self.write_numbered("h_sole(CASE WHEN s", alias);
        self.write_numbered(".column", key + 2);
        self.write(" THEN ");
        self.expression(self.script.arguments(call)[0])?;
        self.write(" END)");
        self.tail(call)
    }

    fn grouped_input(
        &mut self,
        block: &SelectClauses<'_>,
        sets: &GroupingSets,
        columns: &[ColumnPosition],
    ) -> Translated {
        self.write("SELECT 1 AS one");
        for (index, key) in sets.keys.iter().enumerate() {
            self.write(",");
            self.expression(*key)?;
            self.write_numbered(" AS k", index);
        }
        for (index, (relation, column)) in columns.iter().enumerate() {
            self.write(",");
            self.source_column(*relation, *column)?;
            self.write_numbered(" AS c", index);
        }
        self.input(block)
    }

    /// Writes a key in the sets that group by it, NULL in the others.
    fn key_of_set(&mut self, alias: usize, sets: &GroupingSets, key: usize) {
        let always = sets.sets.iter().all(|set| set.contains(&key));
        if !always {
            self.write_numbered("CASE WHEN s", alias);
            self.write_numbered(".column", key + 2);
            self.write(" THEN ");
        }
        self.write_numbered("g", alias);
        self.write_numbered(".k", key);
        self.write(if always { "" } else { " END" });
    }

    /// Writes a table with one row per set: its grouping id and, for each key, whether the set groups by it.
    fn sets_table(&mut self, alias: usize, sets: &GroupingSets) {
        self.write(" JOIN (VALUES ");
        for (index, set) in sets.sets.iter().enumerate() {
            self.write(if index > 0 { "," } else { "" });
            self.write_numbered("(", sets.id(set) as usize);
            for key in 0..sets.keys.len() {
                self.write(if set.contains(&key) { ",1" } else { ",0" });
            }
            self.write(")");
        }
        self.write_numbered(") AS s", alias);
    }

    /// Returns the outermost aggregate calls in a block's SELECT list, HAVING, named windows and ORDER BY.
    fn aggregates_of(&self, block: &SelectClauses<'_>) -> Vec<NodeId> {
        let query = self.tree.parent(block.select).filter(|parent| self.kind(*parent) == Kind::Query);
        let order = query.and_then(|query| self.child(query, |kind| kind == Kind::OrderBy));
        let windows = self.child(block.select, |kind| kind == Kind::Windows);
        let mut calls = Vec::new();
        let mut pending: Vec<NodeId> = [order, windows, block.having, block.list].into_iter().flatten().collect();
        while let Some(node) = pending.pop() {
            match self.kind(node) {
                Kind::Query => {}
                Kind::Call { .. } if self.is_aggregate(node) => calls.push(node),
                _ => pending.extend(self.children(node).iter().rev()),
            }
        }
        calls
    }

    /// Returns the columns of the block that aggregates read.
    fn columns_of(&self, calls: &[NodeId], block: &SelectClauses<'_>) -> Vec<ColumnPosition> {
        let own = self.scopes.relations_of(block.select);
        let mut columns = Vec::new();
        for node in calls.iter().flat_map(|call| self.tree.descendants(*call)) {
            let Some(ColumnTarget::Column(relation, column)) = self.scopes.binding(node).map(|binding| &binding.target)
            else {
                continue;
            };
            if own.contains(relation) && !columns.contains(&(*relation, *column)) {
                columns.push((*relation, *column));
            }
        }
        columns
    }

    /// Writes a reference to an expression that is a key or an aggregate of a grouped block; returns whether it is one.
    pub fn grouped_reference(&mut self, expression: NodeId) -> bool {
        let mut found = None;
        for context in self.contexts.iter().rev() {
            let GroupedNames::Output { alias, keys, calls } = context else { continue };
            if let Some(position) = calls.iter().position(|call| *call == expression) {
                found = Some((*alias, ".a", position));
            } else if let Some(position) = keys.iter().position(|key| self.is_same_expression(*key, expression)) {
                found = Some((*alias, ".k", position));
            }
            if found.is_some() {
                break;
            }
        }
        let Some((alias, column, position)) = found else { return false };
        self.write_numbered("x", alias);
        self.write_numbered(column, position);
        true
    }

    /// Writes `grouping_id(…)`, or `grouping__id` without arguments; returns false outside grouped blocks.
    pub fn grouping_id(&mut self, arguments: &[NodeId]) -> Translated<bool> {
        let innermost = self.contexts.iter().rev().find_map(|context| match context {
            GroupedNames::Output { alias, keys, .. } => Some((*alias, keys.clone())),
            GroupedNames::Input { .. } => None,
        });
        let Some((alias, keys)) = innermost else { return Ok(false) };
        if arguments.is_empty() {
            self.write_numbered("x", alias);
            self.write(".id");
            return Ok(true);
        }
        self.write("(");
        for (index, argument) in arguments.iter().enumerate() {
            let Some(key) = keys.iter().position(|key| self.is_same_expression(*key, *argument)) else {
                return self.refuse(*argument, "grouping() of what is no key");
            };
            self.write(if index > 0 { "|" } else { "" });
            self.write_numbered("((x", alias);
            self.write_numbered(".id>>", keys.len() - 1 - key);
            self.write_numbered("&1)<<", arguments.len() - 1 - index);
            self.write(")");
        }
        self.write(")");
        Ok(true)
    }
}
