//! Expressions: dispatches each node to the rule that translates it.

use super::convert::WantedTypes;
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId};

impl Translator<'_> {
    /// Writes an expression. Everything but names, literals and calls is in brackets.
    pub fn expression(&mut self, node: NodeId) -> Translated {
        if !self.contexts.is_empty() && self.grouped_reference(node) {
            return Ok(());
        }
        match self.kind(node) {
            Kind::Column => self.column(node),
            Kind::Text => self.text_literal(node),
            Kind::Number => self.number(node),
            Kind::Call { .. } => self.call(node),
            Kind::Paren => self.expression(self.only_child(node)?),
            Kind::Binary(operator) => self.binary(node, operator),
            Kind::And => self.joined(node, " AND "),
            Kind::Or => self.joined(node, " OR "),
            Kind::Case { operand } => self.case(node, operand),
            Kind::Cast => self.cast(node),
            Kind::Null => self.constant("NULL"),
            Kind::Boolean(value) => self.constant(if value { "1" } else { "0" }),
            Kind::TypedText => self.typed_text(node),
            Kind::Placeholder => self.placeholder(node),
            Kind::Unary => self.unary(node),
            Kind::Index => self.index(node),
            Kind::Field => self.field(node),
            Kind::Tuple => self.tuple(node),
            Kind::ScalarQuery => self.scalar_query(node),
            Kind::Interval => self.interval_as_number(node),
            _ => self.predicate(node),
        }
    }

    fn constant(&mut self, text: &str) -> Translated {
        self.write(text);
        Ok(())
    }

    /// A chain of AND or OR.
    fn joined(&mut self, node: NodeId, word: &str) -> Translated {
        self.balanced_chain(self.children(node), word)
    }

    /// Writes a long chain as balanced halves, because SQLite nests a chain as deeply as it is long.
    fn balanced_chain(&mut self, operands: &[NodeId], word: &str) -> Translated {
        const LONG: usize = 256;
        self.write("(");
        if operands.len() > LONG {
            let (first, second) = operands.split_at(operands.len() / 2);
            self.balanced_chain(first, word)?;
            self.write(word);
            self.balanced_chain(second, word)?;
        } else {
            self.separated(operands.iter().copied(), word, Self::expression)?;
        }
        self.write(")");
        Ok(())
    }

    fn tuple(&mut self, node: NodeId) -> Translated {
        self.write("(");
        self.separated(self.children(node).iter().copied(), ",", Self::expression)?;
        self.write(")");
        Ok(())
    }

    /// `(SELECT …)` as a value. Spark fails on a second row, whereas SQLite would ignore it.
    fn scalar_query(&mut self, node: NodeId) -> Translated {
        let query = self.only_child(node)?;
        if self.script.finds_one_row(query) {
            self.write("(");
            self.query(query, WantedTypes::NONE)?;
            self.write(")");
            return Ok(());
        }
        self.write("(SELECT h_single(c0) FROM (");
        self.query(query, WantedTypes::NONE)?;
        self.write("))");
        Ok(())
    }
}
