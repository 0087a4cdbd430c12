//! Blocks that group rows and make rows of what the groups give, as `SELECT explode(sequence(min(a), max(a))) FROM t` does.

use super::select::SelectClauses;
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId};

impl Translator<'_> {
    /// Whether a block has a generator in its list and groups its rows.
    pub fn has_grouped_generator(&self, block: &SelectClauses<'_>) -> bool {
        let items = || self.items(block).iter().copied().filter(|item| self.kind(*item) == Kind::SelectItem);
        let makes_rows = items().any(|item| self.only_child(item).is_ok_and(|value| self.is_generator(value)));
        makes_rows && (block.group.is_some() || items().any(|item| self.script.has_own_aggregate(item)))
    }

    /// Writes such a block as a SELECT around a sub-query, which groups: its rows are joined with those of the generator.
    pub fn select_of_grouped_generator(&mut self, block: &SelectClauses<'_>) -> Translated {
        if let Some(clause) = block.having.or(block.qualify) {
            return self.refuse(clause, "HAVING or QUALIFY with a generator over groups");
        }
        let values = self.values_of_list(block)?;
        self.write(if block.distinct { "SELECT DISTINCT " } else { "SELECT " });
        let mut at = 0;
        for (number, value) in values.iter().copied().enumerate() {
            if self.is_generator(value) {
                at += self.generated_outputs(value, at, block)?;
            } else {
                self.comma_after_first(at);
                self.write_numbered("g.a", number);
                self.write_numbered(" AS c", at);
                at += 1;
            }
        }
        if at != self.scopes.outputs(block.select).len() {
            return self.refuse(block.select, "this list with a generator over groups");
        }
        self.write(" FROM (SELECT ");
        self.separated(values.iter().copied().enumerate(), ",", |this, (number, value)| {
            this.expression(this.generator_argument(value)?.unwrap_or(value))?;
            this.write_numbered(" AS a", number);
            Ok(())
        })?;
        self.input(&SelectClauses { list: None, ..*block })?;
        self.grouping(block)?;
        self.write(") AS g");
        for (number, call) in values.into_iter().enumerate() {
            if self.is_generator(call) {
                self.joined_elements(call, number);
            }
        }
        Ok(())
    }

    /// The expressions of a list.
    fn values_of_list(&self, block: &SelectClauses<'_>) -> Translated<Vec<NodeId>> {
        let value = |item: &NodeId| match self.kind(*item) {
            Kind::SelectItem => self.only_child(*item),
            _ => self.refuse(*item, "'*' beside a generator over groups"),
        };
        self.items(block).iter().map(value).collect()
    }

    /// The array or map of which a generator makes rows; `None` for another expression.
    fn generator_argument(&self, value: NodeId) -> Translated<Option<NodeId>> {
        match self.script.arguments(value)[..] {
            _ if !self.is_generator(value) => Ok(None),
            [elements] => Ok(Some(elements)),
            _ => self.refuse(value, "this generator over groups"),
        }
    }

    /// Joins the elements of column `number` of the groups.
    fn joined_elements(&mut self, call: NodeId, number: usize) {
        let keeps_empty = self.keeps_empty(call);
        self.write(if keeps_empty { " LEFT JOIN json_each(" } else { " JOIN json_each(" });
        self.write_numbered("g.a", number);
        self.write_numbered(") AS e", call.index());
        if keeps_empty {
            self.write(" ON 1");
        }
    }
}
