//! Blocks of a pipe: lists that say only what a step adds, changes or leaves out.

use super::convert::WantedTypes;
use super::select::SelectClauses;
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId};

impl<'a> Translator<'a> {
    /// The items of a block's list; none if the list has no items of its own.
    pub fn items(&self, block: &SelectClauses<'_>) -> &'a [NodeId] {
        let has_items = |list: &NodeId| matches!(self.kind(*list), Kind::Projection | Kind::Extend | Kind::Aggregate);
        block.list.filter(has_items).map_or(&[], |list| self.children(list))
    }

    /// All outputs of a block whose list names only some of them.
    pub fn piped_list(&mut self, block: &SelectClauses<'_>) -> Translated {
        let outputs = self.scopes.outputs(block.select);
        let mut at = 0;
        while let Some(output) = outputs.get(at) {
            at += match output.expression {
                Some(expression) => self.output(expression, at, block)?,
                None => {
                    self.passed_output(output, at, true, block.wanted)?;
                    1
                }
            };
        }
        if at == 0 {
            return self.refuse(block.select, "a query without columns");
        }
        self.level_of(block)
    }

    /// The keys of AGGREGATE, which are the first outputs of their block.
    pub fn aggregate_keys(&mut self, group: NodeId, block: &SelectClauses<'_>) -> Translated {
        let outputs = self.scopes.outputs(block.select);
        self.write(" GROUP BY ");
        self.separated(self.children(group).iter().zip(outputs), ",", |this, (key, output)| {
            match (this.kind(*key), output.passes_on) {
                (Kind::Number, Some((relation, column))) => this.merged_column(relation, column, true),
                (Kind::Tuple, _) => this.refuse(*key, "a row as a key of AGGREGATE"),
                (Kind::SelectItem, _) => this.group_expression(this.only_child(*key)?),
                _ => this.group_expression(*key),
            }
        })
    }

    /// Writes the pipe before a step as a sub-query, which the step reads.
    pub fn piped(&mut self, node: NodeId) -> Translated {
        if let Some(sample) = self.child(node, |kind| kind == Kind::Sample) {
            return self.nondeterministic(sample, "TABLESAMPLE");
        }
        let id = self.registered(node)?;
        self.write("(");
        self.query(self.only_child(node)?, WantedTypes::NONE)?;
        self.write_numbered(") AS r", self.relation_number(id));
        Ok(())
    }
}
