//! ORDER BY, LIMIT and their places.

use super::{Translated, Translator};
use crate::code::scope::ColumnTarget;
use crate::code::tree::{Kind, NodeId};

/// What the keys of an ORDER BY can refer to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ordered {
    /// Everything that is visible in the SELECT block.
    InBlock,
    /// Outputs by position.
    ByOutput,
    /// Outputs of the body, which has become a sub-query.
    PartContext,
}

impl Translator<'_> {
    /// Whether every key is an unchanged output.
    pub fn orders_by_position(&self, order: NodeId) -> bool {
        let is_output = |item: &NodeId| {
            let Some(key) = self.children(*item).first() else { return false };
            let is_all = self.scopes.is_keyword_all(self.script, *key);
            is_all || self.kind(*key) == Kind::Number || self.output_position(*key).is_some()
        };
        self.children(order).iter().all(is_output)
    }

    /// Returns the output, from 0, to which a key refers; `None` if it is another expression.
    fn output_position(&self, key: NodeId) -> Option<usize> {
        let binding = self.scopes.binding(key).filter(|binding| binding.path_length == self.children(key).len())?;
        match binding.target {
            ColumnTarget::Output(index) => Some(index),
            ColumnTarget::Alias(item) => {
                let expression = self.children(item).first()?;
                let select = self.tree.enclosing(item, |kind| matches!(kind, Kind::Select { .. }))?;
                let outputs = self.scopes.outputs(select);
                outputs.iter().position(|output| output.expression == Some(*expression))
            }
            _ => None,
        }
    }

    /// ORDER BY of a query; NULLs come first in ascending order, as in SQLite.
    pub fn order_by(&mut self, order: NodeId, body: NodeId, ordered: Ordered) -> Translated {
        self.write(" ORDER BY ");
        self.separated(self.children(order).iter().copied(), ",", |this, item| {
            let key = this.only_child(item)?;
            if this.scopes.is_keyword_all(this.script, key) {
                return this.separated(1..=this.scopes.outputs(body).len(), ",", |this, position| {
                    this.write_numbered("", position);
                    this.direction(item);
                    Ok(())
                });
            }
            match (this.output_position(key), ordered) {
                _ if this.kind(key) == Kind::Number => this.write(this.script.slice(key)),
                (Some(position), _) => this.write_numbered("", position + 1),
                (None, Ordered::ByOutput) => this.output_like(key, body)?,
                (None, _) => this.expression(key)?,
            }
            this.direction(item);
            Ok(())
        })
    }

    /// Returns the outputs of a query, from 0, by which its ORDER BY sorts; `None` if a sort key is no output.
    pub fn sorted_by(&self, order: NodeId, query: NodeId) -> Option<Vec<usize>> {
        let outputs = self.scopes.outputs(query);
        let place = |item: &NodeId| {
            let key = *self.children(*item).first()?;
            let number = self.script.slice(key).parse::<usize>().ok().filter(|_| self.kind(key) == Kind::Number);
            let position = number.map(|number| number.checked_sub(1)).unwrap_or_else(|| self.output_position(key));
            let same = |output: Option<NodeId>| output.is_some_and(|output| self.is_same_expression(output, key));
            position.or_else(|| outputs.iter().position(|output| same(output.expression)))
        };
        self.children(order).iter().map(place).collect()
    }

    /// Writes the position of an output that computes the same as `key`.
    fn output_like(&mut self, key: NodeId, body: NodeId) -> Translated {
        let outputs = self.scopes.outputs(body);
        let same = |output: Option<NodeId>| output.is_some_and(|expression| self.is_same_expression(expression, key));
        match outputs.iter().position(|output| same(output.expression)) {
            Some(position) => self.write_numbered("", position + 1),
            None => return self.refuse(key, "ORDER BY of what is no output here"),
        }
        Ok(())
    }

    /// Sort keys of a window.
    pub fn sort_keys(&mut self, order: NodeId) -> Translated {
        self.separated(self.children(order).iter().copied(), ",", |this, item| {
            let key = this.only_child(item)?;
            this.group_expression(key)?;
            this.direction(item);
            Ok(())
        })
    }

    pub fn direction(&mut self, item: NodeId) {
        let Kind::SortItem { descending, nulls_first } = self.kind(item) else { return };
        self.write(if descending { " DESC" } else { "" });
        match nulls_first {
            Some(true) if descending => self.write(" NULLS FIRST"),
            Some(false) if !descending => self.write(" NULLS LAST"),
            _ => {}
        }
    }

    /// `LIMIT n`, `LIMIT offset, n`, `LIMIT n OFFSET m`, `OFFSET m`.
    pub fn limit(&mut self, limit: NodeId) -> Translated {
        let counts = self.children(limit);
        let mut words = self.script.token_range(limit).map(|at| self.script.token_text(at));
        let offset_only = words.next().is_some_and(|word| word.eq_ignore_ascii_case("OFFSET"));
        let offset_word = words.any(|word| word.eq_ignore_ascii_case("OFFSET"));
        let (count, offset) = match counts {
            [offset] if offset_only => (None, Some(*offset)),
            [count] => (Some(*count), None),
            [count, offset] if offset_word => (Some(*count), Some(*offset)),
            [offset, count] => (Some(*count), Some(*offset)),
            _ => return self.refuse(limit, "this LIMIT"),
        };
        self.write(" LIMIT ");
        match count {
            Some(count) if self.is_word(count, "all") => self.write("-1"),
            Some(count) => self.expression(count)?,
            None => self.write("-1"),
        }
        if let Some(offset) = offset {
            self.write(" OFFSET ");
            self.expression(offset)?;
        }
        Ok(())
    }

    fn is_word(&self, node: NodeId, word: &str) -> bool {
        self.script.slice(node).eq_ignore_ascii_case(word)
    }
}
